// QR Ph: the acquirer of a merchant, and a payer's bank in front of it. Every scan that is agreed to is a payment of its
// own, known by the reference in its code; the merchant asks for what came in.
import { decimalOf, minorOf } from '../text/amounts.ts'
import type { CollectBooks } from '../collections/collect-books.ts'
import { readOr } from '../collections/collect-requests.ts'
import type { Collection, Payer } from '../collections/collections.ts'
import { type Credentials, isSame } from '../credentials.ts'
import { readPaymentCode } from '../text/emv.ts'
import { FieldFault, type Fields, fieldsIn, objectIn, textIn } from '../text/fields.ts'
import { type Ask, json, noSuchRoute, problem, type Reply, textOf } from '../replies.ts'

const CURRENCY = 'PHP'
const REFERENCE = /^[\x21-\x7e]{1,25}$/
const PAYER: Payer = { name: 'Juan Dela Cruz', wallet: '001234567890', tag: 'BOPIPHMM' }

export function routeQrph(books: CollectBooks, ask: Ask, { qrphApiKey }: Credentials): Reply {
  switch ([ask.method, ...ask.path.slice(1)].join(' ')) {
    case 'POST pay':
      return postPay(books, ask)
    case 'GET payments':
      if (!isSame(ask.headers.authorization ?? '', `Bearer ${qrphApiKey}`))
        return problem(401, 'unauthorized', 'Authorization is not Bearer with the API key.')
      return json({ data: books.ofReference('qrph', ask.url.searchParams.get('reference') ?? '').map(presentPayment) })
    default:
      return noSuchRoute()
  }
}

function postPay(books: CollectBooks, ask: Ask): Reply {
  const paid = readOr(() => {
    const fields = objectIn(textOf(ask.body))
    if (!fields) throw new FieldFault('The body', 'is no JSON object')
    return payCode(books, {
      code: textIn(fields, 'code') ?? '',
      amount: textIn(fields, 'amount'),
      payer: payerIn(fieldsIn(fields, 'payer') ?? {}),
    })
  })
  return typeof paid === 'string' ? problem(400, 'invalid_code', paid) : json(presentPayment(paid))
}

export type Scan = { readonly code: string; readonly amount: string | null; readonly payer: Payer }

export function payerIn(fields: Fields): Payer {
  const { name, wallet, tag } = PAYER
  return {
    name: textIn(fields, 'name') || name,
    wallet: textIn(fields, 'wallet') || wallet,
    tag: textIn(fields, 'tag') || tag,
  }
}

/** Pays a code, with another amount where the payer says one. Throws a FieldFault where no bank would. */
export function payCode(books: CollectBooks, { code, amount, payer }: Scan): Collection {
  const read = readPaymentCode(code.trim())
  if ('fault' in read) throw new FieldFault('code', `cannot be paid: ${read.fault.replace(/\.$/, '')}`)
  const { reference } = read
  if (reference === null || !REFERENCE.test(reference))
    throw new FieldFault('code', 'has no reference of at most 25 characters')
  const asked = amountOf(read.amount ?? amount, 'code')
  return books.open(
    {
      rail: 'qrph',
      reference,
      amount: asked,
      currency: CURRENCY,
      description: read.merchantName,
      accountId: null,
      contractId: null,
      returnTo: null,
      expiresAtMs: null,
      card: null,
      token: null,
      payer,
      offered: amount === null ? null : amountOf(amount, 'amount'),
      digest: '',
    },
    'pay',
    null,
  )
}

function amountOf(text: string | null, field: string): string {
  const minor = text === null ? null : minorOf(text, CURRENCY)
  if (minor === null) throw new FieldFault(field, 'has no amount of pesos: give one such as "100.00"')
  return decimalOf(minor, CURRENCY)
}

/** `amount` is what came in, or what was asked for while nothing did. */
function presentPayment(collection: Collection): Record<string, unknown> {
  const { id, reference, amount, offered, paid, currency, status, payer, failure, createdAtMs } = collection
  const created_at = new Date(createdAtMs).toISOString()
  return { id, reference, amount: paid ?? offered ?? amount, currency, status, payer, failure, created_at }
}
