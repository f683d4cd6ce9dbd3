// GCash, money coming in: payments that the payer agrees to on a page of the wallet, and refunds. Amounts in minor units as
// text, PHP only. Who calls has been looked at before.
import { decimalOf, knownMinor, minorOf } from '../text/amounts.ts'
import type { CollectBooks } from '../collections/collect-books.ts'
import {
  askedOf,
  currencyIn,
  openCollection,
  payerPage,
  readOr,
  returnToIn,
  shortText,
  takeRefund,
  timeIn,
  WAIT_FOR_PAYER,
} from '../collections/collect-requests.ts'
import type { Asked, Collection } from '../collections/collections.ts'
import { FieldFault, type Fields, fieldsIn, objectIn, textIn } from '../text/fields.ts'
import type { Refund, RefundAsked } from '../collections/refunds.ts'
import { type Ask, json, noSuchRoute, type Reply, textOf } from '../replies.ts'
import { referenceIn } from './wallets.ts'
import { failureWord } from '../text/words.ts'

type Result = { readonly status: 'S' | 'U' | 'F'; readonly code: string; readonly message: string }

const WRONG_CURRENCY = { code: 'wrong_currency', message: 'Only PHP is taken.' }
const CURRENCY_NOT_SUPPORTED: Result = { status: 'F', code: 'CURRENCY_NOT_SUPPORTED', message: WRONG_CURRENCY.message }
const INCONSISTENT: Result = {
  status: 'F',
  code: 'REPEAT_REQ_INCONSISTENT',
  message: 'The requestId stands for another request.',
}

/** `payments` and `refunds` below /gcash/v1. */
export function routeGcashCollect(books: CollectBooks, ask: Ask): Reply {
  const [, , area = '', reference, action, ...rest] = ask.path
  const asked = [ask.method, area, reference === undefined ? '' : '*', action ?? '', ...rest].join(' ').trimEnd()
  switch (asked) {
    case 'POST payments':
      return postPayment(books, ask)
    case 'GET payments *':
      return getPayment(books, ask, reference ?? '')
    case 'POST payments * cancel':
      return cancelPayment(books, ask, reference ?? '')
    case 'POST refunds':
      return postRefund(books, ask)
    case 'GET refunds *':
      return getRefund(books, reference ?? '')
    default:
      return noSuchRoute()
  }
}

function postPayment(books: CollectBooks, ask: Ask): Reply {
  const asked = readOr(() => paymentIn(bodyOf(ask)))
  if (typeof asked === 'string') return failed(400, 'PARAM_ILLEGAL', asked)
  const opened = openCollection(books, asked, () => (asked.currency === 'PHP' ? WAIT_FOR_PAYER : WRONG_CURRENCY))
  const money = { requestId: asked.reference, amount: amountOf(asked) }
  if (opened.kind === 'refused') return json({ result: CURRENCY_NOT_SUPPORTED, ...money })
  if (opened.kind === 'mismatch') return json({ result: INCONSISTENT, requestId: asked.reference }, opened.wire)
  return json(presentPayment(ask, opened.collection), opened.wire)
}

function getPayment(books: CollectBooks, ask: Ask, reference: string): Reply {
  const found = books.find('gcash', reference)
  if (!found) return failed(404, 'ORDER_NOT_EXIST', 'No payment came under this requestId.')
  return json(presentPayment(ask, found))
}

function cancelPayment(books: CollectBooks, ask: Ask, reference: string): Reply {
  const found = books.find('gcash', reference)
  if (!found) return failed(404, 'ORDER_NOT_EXIST', 'No payment came under this requestId.')
  return json(presentPayment(ask, books.act(found, 'void')))
}

function postRefund(books: CollectBooks, ask: Ask): Reply {
  const asked = readOr(() => refundIn(bodyOf(ask)))
  if (typeof asked === 'string') return failed(400, 'PARAM_ILLEGAL', asked)
  const { kind, refund, wire } = takeRefund(books, asked)
  if (kind === 'mismatch') return json({ result: INCONSISTENT, requestId: asked.reference }, wire)
  return json(presentRefund(refund), wire)
}

function getRefund(books: CollectBooks, reference: string): Reply {
  const found = books.findRefund('gcash', reference)
  return found ? json(presentRefund(found)) : failed(404, 'ORDER_NOT_EXIST', 'No refund came under this requestId.')
}

function bodyOf(ask: Ask): Fields {
  const fields = objectIn(textOf(ask.body))
  if (!fields) throw new FieldFault('The body', 'is no JSON object')
  return fields
}

function paymentIn(fields: Fields): Asked {
  const order = fieldsIn(fields, 'order') ?? {}
  return askedOf('gcash', {
    reference: referenceIn(fields, 'requestId'),
    ...moneyIn(fields),
    description: shortText(order, 'description'),
    returnTo: returnToIn(fields, 'redirectUrls'),
    expiresAtMs: timeIn(fields, 'expiresAt'),
    card: null,
    token: null,
    metadata: fieldsIn(fields, 'metadata'),
  })
}

function refundIn(fields: Fields): RefundAsked {
  const payment = textIn(fields, 'paymentId') ?? ''
  return { rail: 'gcash', reference: referenceIn(fields, 'requestId'), payment, ...moneyIn(fields) }
}

function moneyIn(fields: Fields): { readonly amount: string; readonly currency: string } {
  const amount = fieldsIn(fields, 'amount') ?? {}
  const [currency, value] = [currencyIn(amount, 'currency'), textIn(amount, 'value') ?? '']
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new FieldFault('amount.value', 'is a text of minor units above 0')
  return { amount: decimalOf(BigInt(value), currency), currency }
}

function amountOf(money: { readonly amount: string; readonly currency: string }) {
  return { currency: money.currency, value: String(minorOf(money.amount, money.currency)) }
}

function presentPayment(ask: Ask, collection: Collection): unknown {
  const { id, reference, currency, paid, status, expiresAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  return {
    result: resultOf(collection),
    paymentId: id,
    requestId: reference,
    amount: amountOf(collection),
    paidAmount: isPaid ? { currency, value: String(knownMinor({ amount: paid, currency })) } : null,
    checkoutUrl: status === 'pending' ? payerPage(ask, 'gcash', id) : null,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  }
}

function resultOf({ status, failure }: Collection): Result {
  switch (status) {
    case 'pending':
      return { status: 'U', code: 'WAITING_FOR_PAYER', message: 'The payer has not agreed yet.' }
    case 'processing':
      return { status: 'U', code: 'PAYMENT_IN_PROCESS', message: 'The payment is in process.' }
    case 'succeeded':
      return { status: 'S', code: 'SUCCESS', message: 'The payment is done.' }
    case 'voided':
      return { status: 'F', code: 'ORDER_IS_CANCELLED', message: 'The payment was cancelled.' }
    case 'expired':
      return { status: 'F', code: 'ORDER_IS_CLOSED', message: 'Nobody paid in time.' }
    case 'failed':
      return { status: 'F', code: failureWord('gcash', failure?.code ?? ''), message: failure?.message ?? '' }
  }
}

function presentRefund(refund: Refund): unknown {
  const { id, reference, payment, status, failure } = refund
  const done: Result = { status: 'S', code: 'SUCCESS', message: 'The refund is done.' }
  const underWay: Result = { status: 'U', code: 'REFUND_IN_PROCESS', message: 'The refund is in process.' }
  const result = failure
    ? { status: 'F', code: failureWord('gcash', failure.code), message: failure.message }
    : status === 'processing'
      ? underWay
      : done
  return { result, refundId: id, requestId: reference, paymentId: payment, amount: amountOf(refund) }
}

function failed(status: number, code: string, message: string): Reply {
  return { ...json({ result: { status: 'F', code, message } }), status }
}
