// GCash: payouts to mobile wallets, and payments that the payer agrees to on a page of the wallet. Signed JSON, amounts in
// minor units as text, PHP only.
import type { Books } from '../books/books.ts'
import type { Entry, Order } from '../books/orders.ts'
import type { Collection, CollectionRequest, Failure } from '../collections/collections.ts'
import type { Refund, RefundRequest } from '../collections/refunds.ts'
import { type Credentials, hmac, isSame } from '../credentials.ts'
import { type HttpRequest, json, noSuchRoute, type Reply } from '../replies.ts'
import type { Api } from '../routing.ts'
import { decimalOf, knownMinor, type Money } from '../text/amounts.ts'
import { codeOf } from '../text/codes.ts'
import { type Fields, fieldsIn, matching, textIn } from '../text/fields.ts'
import { type CollectForm, collectHandlers, collectionRequest, payerPage, startInPesos } from './collecting.ts'
import { showHolder } from './accounts.ts'
import { type OrderForm, payoutHandlers, refuseOtherThanPesos, submitPayout, walletOrder } from './payouts.ts'
import { bodyOf, currencyIn, mobileIn, referenceIn, shortText } from './request-fields.ts'

type Result = { readonly status: 'S' | 'U' | 'F'; readonly code: string; readonly message: string }

const success = (message: string): Result => ({ status: 'S', code: 'SUCCESS', message })
const underWay = (code: string, message: string): Result => ({ status: 'U', code, message })
const failure = (code: string, message: string): Result => ({ status: 'F', code, message })
const failureCode = (code: string) => code.toUpperCase()

export const GCASH_PAYOUTS: OrderForm = {
  rail: 'gcash',
  codes: {
    invalid_account: 'PAYEE_NOT_EXIST',
    account_closed: 'PAYEE_ACCOUNT_CLOSED',
    account_closed_later: 'PAYOUT_RETURNED',
    wrong_currency: 'CURRENCY_NOT_SUPPORTED',
    duplicate: 'REPEAT_REQ_INCONSISTENT',
  },
  orderOf,
  refusalOf: refuseOtherThanPesos,
  present: presentPayout,
  mismatch: (_books, _known, { reference }) => inconsistent(reference, 'payout'),
}

export const GCASH_PAYMENTS: CollectForm = {
  rail: 'gcash',
  idPrefix: 'gcp',
  failureCode,
  paymentOf,
  start: startInPesos,
  notOpened,
  find: (books, id) => books.find('gcash', id),
  present: presentPayment,
  refundOf,
  presentRefund,
  mismatch: (_, reference) => inconsistent(reference, 'request'),
  notFound: (kind) => notFound(kind),
}

const payouts = payoutHandlers(GCASH_PAYOUTS)
const payments = collectHandlers(GCASH_PAYMENTS)

export const GCASH: Api = {
  open: { ...payouts.records, ...payments.truth },
  refusal,
  routes: {
    'POST /gcash/v1/payouts': submitPayout(GCASH_PAYOUTS),
    'GET /gcash/v1/payouts/*': payouts.show(notFound('payout')),
    'GET /gcash/v1/accounts/*': showHolder,
    'POST /gcash/v1/payments': payments.open,
    'GET /gcash/v1/payments/*': payments.show,
    'POST /gcash/v1/payments/*/cancel': payments.void,
    'POST /gcash/v1/refunds': payments.refund,
    'GET /gcash/v1/refunds/*': payments.showRefund,
    'GET /gcash/v1/settlements/*': payments.settlements,
  },
  malformed: (message) => failed(400, 'PARAM_ILLEGAL', message),
}

const AREAS: readonly string[] = ['payouts', 'accounts', 'payments', 'refunds', 'settlements']

function refusal(request: HttpRequest, credentials: Credentials): Reply | null {
  const [, version, area = ''] = request.path
  if (version !== 'v1' || !AREAS.includes(area)) return noSuchRoute()
  const fault = signatureFault(request, credentials)
  return fault === null ? null : failed(401, 'INVALID_SIGNATURE', fault)
}

/** Why the signature does not hold; null when it does. */
function signatureFault(request: HttpRequest, { gcashClientId, gcashSecret }: Credentials): string | null {
  const [clientId, time, signature] = ['client-id', 'request-time', 'signature'].map((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : ''
  })
  if (clientId !== gcashClientId) return 'Client-Id is not known.'
  if (!time || Number.isNaN(Date.parse(time))) return 'Request-Time is no time of ISO 8601.'
  const [, given] = /^algorithm=HMAC-SHA256,\s*signature=([A-Za-z0-9+/]{43}=)$/.exec(signature ?? '') ?? []
  if (given === undefined) return 'Signature is not algorithm=HMAC-SHA256, signature=<base64>.'
  const head = Buffer.from(`${request.method} ${request.target}\n${clientId}.${time}.`)
  const expected = hmac(gcashSecret, Buffer.concat([head, request.body]), 'base64')
  return isSame(given, expected) ? null : 'The signature is not that of the request.'
}

function orderOf(request: HttpRequest): Order {
  const fields = bodyOf(request)
  const payee = fieldsIn(fields, 'payee') ?? {}
  const account = mobileIn(payee, 'mobile', 'payee.mobile')
  const name = textIn(payee, 'name')
  const money = moneyIn(fields, 'amount.currency')
  return walletOrder('gcash', { reference: referenceIn(fields, 'requestId'), ...money, account, name })
}

function presentPayout(_: Books, entry: Entry): Reply {
  const { status, code, message } = entry
  const result =
    status === 'completed'
      ? success('The payout is done.')
      : status === 'accepted'
        ? underWay('PAYMENT_IN_PROCESS', 'The payout is in process.')
        : failure(codeOf(GCASH_PAYOUTS.codes, code) ?? 'PROCESS_FAIL', message ?? '')
  return json({ result, payoutId: entry.id, requestId: entry.reference, amount: moneyOf(entry) })
}

function paymentOf(request: HttpRequest): CollectionRequest {
  const fields = bodyOf(request)
  const order = fieldsIn(fields, 'order') ?? {}
  const reference = referenceIn(fields, 'requestId')
  const asked = { reference, ...moneyIn(fields, 'currency'), description: shortText(order, 'description') }
  return collectionRequest('gcash', asked, fields, { returnTo: 'redirectUrls', expiresAt: 'expiresAt' })
}

function refundOf(request: HttpRequest): RefundRequest {
  const fields = bodyOf(request)
  const payment = textIn(fields, 'paymentId') ?? ''
  return { rail: 'gcash', reference: referenceIn(fields, 'requestId'), payment, ...moneyIn(fields, 'currency') }
}

/** `label` names the currency to the caller. */
function moneyIn(fields: Fields, label: string): Money {
  const amount = fieldsIn(fields, 'amount') ?? {}
  const currency = currencyIn(amount, 'currency', label)
  const value = matching(amount, 'value', /^[1-9]\d{0,14}$/, 'is a text of minor units above 0', 'amount.value')
  return { amount: decimalOf(BigInt(value), currency), currency }
}

function moneyOf(money: Money) {
  return { currency: money.currency, value: String(knownMinor(money)) }
}

function notOpened(asked: CollectionRequest, { message }: Failure): Reply {
  const result = failure('CURRENCY_NOT_SUPPORTED', message)
  return json({ result, requestId: asked.reference, amount: moneyOf(asked) })
}

function presentPayment(collection: Collection, request: HttpRequest): Reply {
  const { id, reference, currency, paid, status, expiresAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  return json({
    result: resultOf(collection),
    paymentId: id,
    requestId: reference,
    amount: moneyOf(collection),
    paidAmount: isPaid ? moneyOf({ amount: paid, currency }) : null,
    checkoutUrl: status === 'pending' ? payerPage(request, collection) : null,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  })
}

function resultOf({ status, failure: why }: Collection): Result {
  switch (status) {
    case 'pending':
      return underWay('WAITING_FOR_PAYER', 'The payer has not agreed yet.')
    case 'processing':
      return underWay('PAYMENT_IN_PROCESS', 'The payment is in process.')
    case 'succeeded':
      return success('The payment is done.')
    case 'voided':
      return failure('ORDER_IS_CANCELLED', 'The payment was cancelled.')
    case 'expired':
      return failure('ORDER_IS_CLOSED', 'Nobody paid in time.')
    case 'failed':
      return failure(failureCode(why?.code ?? ''), why?.message ?? '')
  }
}

function presentRefund(refund: Refund): Reply {
  const { id, reference, payment } = refund
  const amount = moneyOf(refund)
  return json({ result: refundResultOf(refund), refundId: id, requestId: reference, paymentId: payment, amount })
}

function refundResultOf({ status, failure: why }: Refund): Result {
  if (why) return failure(failureCode(why.code), why.message)
  if (status === 'processing') return underWay('REFUND_IN_PROCESS', 'The refund is in process.')
  return success('The refund is done.')
}

function inconsistent(requestId: string, kind: string): Reply {
  return json({ result: failure('REPEAT_REQ_INCONSISTENT', `The requestId stands for another ${kind}.`), requestId })
}

function notFound(kind: string): Reply {
  return failed(404, 'ORDER_NOT_EXIST', `No ${kind} came under this requestId.`)
}

function failed(status: number, code: string, message: string): Reply {
  return { ...json({ result: failure(code, message) }), status }
}
