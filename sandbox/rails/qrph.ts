// QR Ph: the acquirer of a merchant, and a payer's bank in front of it. Every scan that is agreed to is a payment of its
// own, known by the reference in its code; the merchant inquires what came in.
import type { CollectBooks } from '../collections/collect-books.ts'
import type { Collection, Payer } from '../collections/collections.ts'
import { isSame } from '../credentials.ts'
import { json, noSuchRoute, problem, type Reply } from '../replies.ts'
import type { Api, Call } from '../routing.ts'
import { decimalOf, minorOf } from '../text/amounts.ts'
import { readPaymentCode } from '../text/emv.ts'
import { type Fields, fieldsIn, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'
import { settlementsOf, truthRoutes } from './collecting.ts'
import { bodyOf } from './request-fields.ts'

const CURRENCY = 'PHP'
const REFERENCE = /^[\x21-\x7e]{1,25}$/
const PAYER: Payer = { name: 'Juan Dela Cruz', wallet: '001234567890', tag: 'BOPIPHMM' }

export const QRPH: Api = {
  open: { ...truthRoutes('qrph'), 'POST /qrph/pay': postPay },
  refusal({ method, path, headers }, { qrphApiKey }) {
    const isTheirs = path.length === 2 ? path[1] === 'payments' : path.length === 3 && path[1] === 'settlements'
    if (method !== 'GET' || !isTheirs) return noSuchRoute()
    if (isSame(headers.authorization ?? '', `Bearer ${qrphApiKey}`)) return null
    return problem(401, 'unauthorized', 'Authorization is not Bearer with the API key.')
  },
  routes: { 'GET /qrph/payments': listPayments, 'GET /qrph/settlements/*': settlementsOf('qrph') },
  malformed: (message) => problem(400, 'invalid_code', message),
}

function postPay({ books, request }: Call): Reply {
  const fields = bodyOf(request)
  const [code, amount] = [textIn(fields, 'code') ?? '', textIn(fields, 'amount')]
  const payer = payerIn(fieldsIn(fields, 'payer') ?? {})
  return json(presentPayment(payCode(books.collections, { code, amount, payer })))
}

function listPayments({ books, request }: Call): Reply {
  const reference = request.url.searchParams.get('reference') ?? ''
  return json({ data: books.collections.ofReference('qrph', reference).map(presentPayment) })
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

/** Pays a code, with another amount where the payer gives one. Throws Malformed where no bank would. */
export function payCode(books: CollectBooks, { code, amount, payer }: Scan): Collection {
  const read = readPaymentCode(code.trim())
  if ('fault' in read) throw new Malformed(`code cannot be paid: ${read.fault}`)
  const { reference } = read
  if (reference === null || !REFERENCE.test(reference))
    throw new Malformed('code has no reference of at most 25 characters.')
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
    'qrp',
    'pay',
    null,
  )
}

function amountOf(text: string | null, field: string): string {
  const minor = text === null ? null : minorOf(text, CURRENCY)
  if (minor === null) throw new Malformed(`${field} has no amount of pesos: give one such as "100.00".`)
  return decimalOf(minor, CURRENCY)
}

/** `amount` is what came in, or what was requested while nothing did. */
function presentPayment(collection: Collection): Record<string, unknown> {
  const { id, reference, amount, offered, paid, currency, status, payer, failure, createdAtMs } = collection
  const created_at = new Date(createdAtMs).toISOString()
  return { id, reference, amount: paid ?? offered ?? amount, currency, status, payer, failure, created_at }
}
