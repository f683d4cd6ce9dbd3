// The generic rail: JSON in its plainest form, any currency, with recall.
import { minorOf } from '../text/amounts.ts'
import type { Books } from '../books/books.ts'
import { FieldFault, type Fields, fieldsIn, objectIn, textIn } from '../text/fields.ts'
import { digestOf, type Entry, type Order } from '../books/orders.ts'
import { inquire, submit } from '../play.ts'
import { type Ask, faulty, json, noSuchRoute, problem, type Reply, textOf } from '../replies.ts'

export function routeTransfers(books: Books, ask: Ask): Reply {
  const [, reference = '', action, ...rest] = ask.path
  const asked = [ask.method, ask.path.length > 1 ? '*' : '', action ?? '', ...rest].join(' ').trim()
  switch (asked) {
    case 'POST':
      return postTransfer(books, ask)
    case 'GET *':
      return getTransfer(books, reference)
    case 'POST * recall':
      return recall(books, reference)
    default:
      return noSuchRoute()
  }
}

function postTransfer(books: Books, ask: Ask): Reply {
  const fields = objectIn(textOf(ask.body))
  if (!fields) return problem(400, 'invalid_request', 'The body is no JSON object.')
  const order = orderOf(fields)
  if (ask.headers['idempotency-key'] !== order.reference)
    return problem(400, 'invalid_request', 'The Idempotency-Key is the reference.')
  const submitted = submit(books, order, null)
  if (submitted.kind === 'nothing') return faulty(submitted.wire)
  if (submitted.kind === 'mismatch')
    return problem(409, 'reference_mismatch', 'The reference stands for another order.')
  return json(presentTransfer(books, submitted.entry), submitted.wire)
}

function getTransfer(books: Books, reference: string): Reply {
  const found = inquire(books, 'sandbox', reference)
  if (found.kind === 'fault') return faulty(found.wire)
  if (found.kind === 'not_found') return problem(404, 'not_found', 'No order came under this reference.')
  return json(presentTransfer(books, found.entry))
}

function recall(books: Books, reference: string): Reply {
  const status = books.recall('sandbox', reference)
  return { ...json({ reference, status }), status: status === 'not_found' ? 404 : 200 }
}

function orderOf(fields: Fields): Order {
  const reference = textIn(fields, 'reference') ?? ''
  if (!/^[\x21-\x7e]{1,128}$/.test(reference)) throw new FieldFault('reference', 'is 1 to 128 printable characters')
  const currency = textIn(fields, 'currency') ?? ''
  if (!/^[A-Z]{3}$/.test(currency)) throw new FieldFault('currency', 'is a three-letter code')
  const amount = textIn(fields, 'amount') ?? ''
  if (minorOf(amount, currency) === null)
    throw new FieldFault('amount', 'is a decimal string above 0 with at most the decimals of its currency')
  const recipient = fieldsIn(fields, 'recipient') ?? {}
  const content = Object.fromEntries(Object.keys(recipient).map((name) => [name, textIn(recipient, name)]))
  return {
    rail: 'sandbox',
    reference,
    amount,
    currency,
    account: content['wallet'] ?? null,
    bank: content['bank'] ?? null,
    name: content['name'] ?? null,
    envelope: textIn(fields, 'channel'),
    digest: digestOf(content),
  }
}

export function presentTransfer(books: Books, entry: Entry): Record<string, unknown> {
  const { id, reference, amount, currency, envelope: channel, status, code, message } = entry
  const executions = books.executionsOf(entry)
  const created_at = new Date(entry.createdAtMs).toISOString()
  return { id, reference, amount, currency, channel, status, code, message, executions, created_at }
}
