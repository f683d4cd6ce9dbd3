// GCash: payouts to mobile wallets, signed JSON, amounts in minor units as text, PHP only.
import { decimalOf, knownMinor } from '../text/amounts.ts'
import type { Books } from '../books/books.ts'
import { type Credentials, hmac, isSame } from '../credentials.ts'
import { FieldFault, type Fields, fieldsIn, objectIn, textIn } from '../text/fields.ts'
import { routeGcashCollect } from './gcash-collect.ts'
import { digestOf, type Entry, type Order, type Verdict } from '../books/orders.ts'
import { inquire, submit } from '../play.ts'
import { type Ask, faulty, json, noSuchRoute, type Reply, textOf } from '../replies.ts'
import { isMobile, referenceIn } from './wallets.ts'
import { wordOf } from '../text/words.ts'

type Result = { readonly status: 'S' | 'U' | 'F'; readonly code: string; readonly message: string }

export function routeGcash(books: Books, ask: Ask, credentials: Credentials): Reply {
  const [, version, area, reference, ...rest] = ask.path
  const isCollect = area === 'payments' || area === 'refunds'
  if (version !== 'v1' || (area !== 'payouts' && !isCollect)) return noSuchRoute()
  const refusal = signatureRefusal(ask, credentials)
  if (refusal !== null) return failed(401, 'INVALID_SIGNATURE', refusal)
  if (isCollect) return routeGcashCollect(books.collections, ask)
  if (rest.length > 0) return noSuchRoute()
  if (ask.method === 'POST' && reference === undefined) return postPayout(books, ask)
  if (ask.method === 'GET' && reference !== undefined) return getPayout(books, reference)
  return noSuchRoute()
}

/** Why the signature does not hold; null when it does. */
function signatureRefusal(ask: Ask, { gcashClientId, gcashSecret }: Credentials): string | null {
  const [clientId, time, signature] = ['client-id', 'request-time', 'signature'].map((name) => {
    const value = ask.headers[name]
    return typeof value === 'string' ? value : ''
  })
  if (clientId !== gcashClientId) return 'Client-Id is not known.'
  if (!time || Number.isNaN(Date.parse(time))) return 'Request-Time is no time of ISO 8601.'
  const [, given] = /^algorithm=HMAC-SHA256,\s*signature=([A-Za-z0-9+/]{43}=)$/.exec(signature ?? '') ?? []
  if (given === undefined) return 'Signature is not algorithm=HMAC-SHA256, signature=<base64>.'
  const head = Buffer.from(`${ask.method} ${ask.target}\n${clientId}.${time}.`)
  const expected = hmac(gcashSecret, Buffer.concat([head, ask.body]), 'base64')
  return isSame(given, expected) ? null : 'The signature is not that of the request.'
}

function postPayout(books: Books, ask: Ask): Reply {
  const order = orderOf(ask)
  if (typeof order === 'string') return failed(400, 'PARAM_ILLEGAL', order)
  const submitted = submit(books, order, ownRefusal(order))
  if (submitted.kind === 'nothing') return faulty(submitted.wire)
  if (submitted.kind === 'done') return json(payoutOf(submitted.entry), submitted.wire)
  const result = { status: 'F', code: 'REPEAT_REQ_INCONSISTENT', message: 'The requestId stands for another payout.' }
  return json({ result, requestId: order.reference }, submitted.wire)
}

function getPayout(books: Books, reference: string): Reply {
  const found = inquire(books, 'gcash', reference)
  if (found.kind === 'fault') return faulty(found.wire)
  if (found.kind === 'not_found') return failed(404, 'ORDER_NOT_EXIST', 'No payout came under this requestId.')
  return json(payoutOf(found.entry))
}

/** The order in a body, or what is wrong with it. */
function orderOf(ask: Ask): Order | string {
  try {
    const fields = objectIn(textOf(ask.body))
    return fields ? orderIn(fields) : 'The body is no JSON object.'
  } catch (fault) {
    if (fault instanceof FieldFault) return fault.message
    throw fault
  }
}

function orderIn(fields: Fields): Order {
  const payee = fieldsIn(fields, 'payee') ?? {}
  const amount = fieldsIn(fields, 'amount') ?? {}
  const [account, name] = [textIn(payee, 'mobile'), textIn(payee, 'name')]
  if (!isMobile(account)) throw new FieldFault('payee.mobile', 'is a number such as +639171234567')
  const [currency, value] = [textIn(amount, 'currency') ?? '', textIn(amount, 'value') ?? '']
  if (!/^[A-Z]{3}$/.test(currency)) throw new FieldFault('amount.currency', 'is a three-letter code')
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new FieldFault('amount.value', 'is a text of minor units above 0')
  return {
    rail: 'gcash',
    reference: referenceIn(fields, 'requestId'),
    amount: decimalOf(BigInt(value), currency),
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

function payoutOf(entry: Entry): unknown {
  const amount = { currency: entry.currency, value: String(knownMinor(entry)) }
  return { result: resultOf(entry), payoutId: entry.id, requestId: entry.reference, amount }
}

function resultOf(entry: Entry): Result {
  const { status, rail, code, message } = entry
  if (status === 'completed') return { status: 'S', code: 'SUCCESS', message: 'The payout is done.' }
  if (status === 'accepted') return { status: 'U', code: 'PAYMENT_IN_PROCESS', message: 'The payout is in process.' }
  return { status: 'F', code: wordOf(rail, code) ?? 'PROCESS_FAIL', message: message ?? '' }
}

function failed(status: number, code: string, message: string): Reply {
  const result: Result = { status: 'F', code, message }
  return { ...json({ result }), status }
}
