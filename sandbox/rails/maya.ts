// Maya: disbursements to mobile wallets, JSON whose amounts are numbers, behind an API key, PHP only.
import { minorOf } from '../text/amounts.ts'
import type { Books } from '../books/books.ts'
import { type Credentials, isSame } from '../credentials.ts'
import { digitsOf, parseExact } from '../text/exact-json.ts'
import { FieldFault, type Fields, fieldsIn, objectOf, textIn } from '../text/fields.ts'
import { routeMayaCollect } from './maya-collect.ts'
import { digestOf, type Entry, type Order, type Verdict } from '../books/orders.ts'
import { inquire, submit } from '../play.ts'
import { type Ask, faulty, json, noSuchRoute, problem, type Reply, textOf } from '../replies.ts'
import { isMobile, referenceIn } from './wallets.ts'
import { wordOf } from '../text/words.ts'

const STATUSES = {
  completed: 'COMPLETED',
  accepted: 'PENDING',
  refused: 'FAILED',
  returned: 'FAILED',
  recalled: 'FAILED',
} as const

export function routeMaya(books: Books, ask: Ask, credentials: Credentials): Reply {
  const given = ask.headers.authorization ?? ''
  const expected = `Basic ${Buffer.from(`${credentials.mayaApiKey}:`).toString('base64')}`
  if (!isSame(given, expected)) return problem(401, 'UNAUTHORIZED', 'Authorization is not Basic with the API key.')
  if (ask.path[1] !== 'disbursements') return routeMayaCollect(books.collections, ask)
  if (ask.path.length > 2) return noSuchRoute()
  if (ask.method === 'POST') return postDisbursement(books, ask)
  if (ask.method === 'GET') return listDisbursements(books, ask.url.searchParams.get('requestReferenceNumber') ?? '')
  return noSuchRoute()
}

function postDisbursement(books: Books, ask: Ask): Reply {
  const order = orderOf(ask)
  if (typeof order === 'string') return problem(400, 'INVALID_REQUEST', order)
  if (ask.headers['idempotency-key'] !== order.reference)
    return problem(400, 'INVALID_REQUEST', 'The Idempotency-Key is the requestReferenceNumber.')
  const submitted = submit(books, order, ownRefusal(order))
  if (submitted.kind === 'nothing') return faulty(submitted.wire)
  if (submitted.kind === 'mismatch')
    return problem(409, 'DUPLICATE_REFERENCE', 'The requestReferenceNumber stands for another disbursement.')
  return { ...json(null, submitted.wire), text: disbursementText(submitted.entry) }
}

function listDisbursements(books: Books, reference: string): Reply {
  const found = inquire(books, 'maya', reference)
  if (found.kind === 'fault') return faulty(found.wire)
  const texts = found.kind === 'entry' ? [disbursementText(found.entry)] : []
  return { ...json(null), text: `{"data":[${texts.join(',')}]}` }
}

/** The order in a body, or what is wrong with it. */
function orderOf(ask: Ask): Order | string {
  try {
    const text = textOf(ask.body)
    const fields = text === null ? null : objectOf(parseExact(text))
    return fields ? orderIn(fields) : 'The body is no JSON object.'
  } catch (fault) {
    if (fault instanceof FieldFault) return fault.message
    throw fault
  }
}

function orderIn(fields: Fields): Order {
  const recipient = fieldsIn(fields, 'recipient') ?? {}
  const [account, name] = [textIn(recipient, 'value'), textIn(recipient, 'name')]
  if (recipient['type'] !== 'MOBILE') throw new FieldFault('recipient.type', 'is MOBILE')
  if (!isMobile(account)) throw new FieldFault('recipient.value', 'is a number such as +639171234567')
  const total = fieldsIn(fields, 'totalAmount') ?? {}
  const [currency, amount] = [textIn(total, 'currency') ?? '', digitsOf(total['value']) ?? '']
  if (!/^[A-Z]{3}$/.test(currency)) throw new FieldFault('totalAmount.currency', 'is a three-letter code')
  if (minorOf(amount, currency) === null)
    throw new FieldFault('totalAmount.value', 'is a number above 0 with at most the decimals of its currency')
  return {
    rail: 'maya',
    reference: referenceIn(fields, 'requestReferenceNumber'),
    amount,
    currency,
    account,
    bank: null,
    name,
    envelope: null,
    digest: digestOf({ account, name }),
  }
}

function ownRefusal(order: Order): Verdict | null {
  if (order.currency === 'PHP') return null
  return { status: 'refused', code: 'wrong_currency', message: 'Only PHP is taken.' }
}

/** Written by hand where the amount is: it goes out with the digits that came in. */
function disbursementText(entry: Entry): string {
  const { id, rail, reference: requestReferenceNumber, amount, currency, message } = entry
  const code = wordOf(rail, entry.code)
  const status = STATUSES[entry.status]
  const error = status === 'FAILED' ? { code: code ?? 'FAILED', message: message ?? '' } : null
  const said = JSON.stringify({ id, requestReferenceNumber, status, error })
  return `${said.slice(0, -1)},"totalAmount":{"value":${amount},"currency":"${currency}"}}`
}
