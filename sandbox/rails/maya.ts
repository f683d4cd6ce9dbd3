// Maya: disbursements to mobile wallets, and checkouts that the payer agrees to on a page of the wallet. JSON whose amounts
// are numbers, behind an API key, PHP only.
import type { Books } from '../books/books.ts'
import type { Entry, Order } from '../books/orders.ts'
import type { CollectBooks } from '../collections/collect-books.ts'
import type { Collection, CollectionRequest, CollectStatus, Failure } from '../collections/collections.ts'
import type { Refund, RefundRequest } from '../collections/refunds.ts'
import { type Credentials, isSame } from '../credentials.ts'
import { type HttpRequest, jsonText, problem, type Reply } from '../replies.ts'
import type { Api } from '../routing.ts'
import { decimalOf, knownMinor, minorOf, type Money } from '../text/amounts.ts'
import { codeOf } from '../text/codes.ts'
import { digitsOf, exactNumber, exactText } from '../text/exact-json.ts'
import { type Fields, fieldsIn, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'
import { showHolder } from './accounts.ts'
import { type CollectForm, collectHandlers, collectionRequest, payerPage, startInPesos } from './collecting.ts'
import { type OrderForm, payoutHandlers, refuseOtherThanPesos, submitPayout, walletOrder } from './payouts.ts'
import { currencyIn, exactBodyOf, mobileIn, needKey, referenceIn, shortText } from './request-fields.ts'

const REFERENCE = 'requestReferenceNumber'
const STATUSES: Readonly<Record<Entry['status'], string>> = {
  completed: 'COMPLETED',
  accepted: 'PENDING',
  refused: 'FAILED',
  returned: 'FAILED',
  recalled: 'FAILED',
}
const CHECKOUT_STATUSES: Readonly<Record<CollectStatus, string>> = {
  pending: 'CREATED',
  processing: 'PENDING',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  voided: 'VOIDED',
}
const REFUND_STATUSES = { succeeded: 'COMPLETED', processing: 'PENDING', failed: 'FAILED' } as const

const failureCode = (code: string) => code.toUpperCase()

export const MAYA_DISBURSEMENTS: OrderForm = {
  rail: 'maya',
  codes: {
    invalid_account: 'RECIPIENT_NOT_FOUND',
    account_closed: 'RECIPIENT_ACCOUNT_CLOSED',
    account_closed_later: 'DISBURSEMENT_RETURNED',
    wrong_currency: 'CURRENCY_NOT_SUPPORTED',
    duplicate: 'DUPLICATE_REFERENCE',
  },
  orderOf,
  refusalOf: refuseOtherThanPesos,
  present: presentDisbursement,
  mismatch: () => duplicate('disbursement'),
}

export const MAYA_CHECKOUTS: CollectForm = {
  rail: 'maya',
  idPrefix: 'mpy',
  failureCode,
  paymentOf,
  start: startInPesos,
  notOpened: (_, { message }) => problem(422, 'CURRENCY_NOT_SUPPORTED', message),
  find: (books, id) => books.byId('maya', paymentIdOf(id)),
  present: presentCheckout,
  refundOf,
  presentRefund,
  mismatch: (kind) => duplicate(kind === 'payment' ? 'checkout' : 'refund'),
  notFound: () => problem(404, 'CHECKOUT_NOT_FOUND', 'There is no such checkout.'),
}

const disbursements = payoutHandlers(MAYA_DISBURSEMENTS)
const checkouts = collectHandlers(MAYA_CHECKOUTS)

export const MAYA: Api = {
  open: { ...disbursements.records, ...checkouts.truth },
  refusal,
  routes: {
    'POST /maya/disbursements': submitPayout(MAYA_DISBURSEMENTS),
    'GET /maya/disbursements': disbursements.list(REFERENCE),
    'GET /maya/accounts/*': showHolder,
    'POST /maya/checkouts': checkouts.open,
    'GET /maya/checkouts': checkouts.list(REFERENCE),
    'POST /maya/checkouts/*/void': checkouts.void,
    'POST /maya/payments/*/refunds': checkouts.refund,
    'GET /maya/refunds': checkouts.listRefunds(REFERENCE),
    'GET /maya/settlements/*': checkouts.settlements,
  },
  malformed: (message) => problem(400, 'INVALID_REQUEST', message),
}

function refusal(request: HttpRequest, { mayaApiKey }: Credentials): Reply | null {
  const expected = `Basic ${Buffer.from(`${mayaApiKey}:`).toString('base64')}`
  if (isSame(request.headers.authorization ?? '', expected)) return null
  return problem(401, 'UNAUTHORIZED', 'Authorization is not Basic with the API key.')
}

function orderOf(request: HttpRequest): Order {
  const fields = exactBodyOf(request)
  const recipient = fieldsIn(fields, 'recipient') ?? {}
  if (recipient['type'] !== 'MOBILE') throw new Malformed('recipient.type is MOBILE.')
  const account = mobileIn(recipient, 'value', 'recipient.value')
  const name = textIn(recipient, 'name')
  const money = moneyIn(fields, 'totalAmount.currency')
  const reference = referenceIn(fields, REFERENCE)
  needKey(request, reference, REFERENCE)
  return walletOrder('maya', { reference, ...money, account, name })
}

function presentDisbursement(_: Books, entry: Entry): Reply {
  const { id, reference: requestReferenceNumber, message } = entry
  const code = codeOf(MAYA_DISBURSEMENTS.codes, entry.code)
  const status = STATUSES[entry.status]
  const error = status === 'FAILED' ? { code: code ?? 'FAILED', message: message ?? '' } : null
  return jsonText(exactText({ id, requestReferenceNumber, status, error, totalAmount: moneyOf(entry) }))
}

/** One checkout is one payment: the ids differ by their beginning only. */
const checkoutIdOf = (paymentId: string) => paymentId.replace(/^mpy_/, 'mco_')
const paymentIdOf = (checkoutId: string) => checkoutId.replace(/^mco_/, 'mpy_')

function paymentOf(request: HttpRequest): CollectionRequest {
  const fields = exactBodyOf(request)
  const reference = referenceIn(fields, REFERENCE)
  const asked = { reference, ...wholeMoneyIn(fields), description: shortText(fields, 'description') }
  return collectionRequest('maya', asked, fields, { returnTo: 'redirectUrl', expiresAt: 'expiresAt' })
}

function refundOf(request: HttpRequest, _: CollectBooks, payment: string): RefundRequest {
  const fields = exactBodyOf(request)
  return { rail: 'maya', reference: referenceIn(fields, REFERENCE), payment, ...wholeMoneyIn(fields) }
}

/** With all decimals of the currency, however many were sent. */
function wholeMoneyIn(fields: Fields): Money {
  const { amount, currency } = moneyIn(fields, 'currency')
  return { amount: decimalOf(knownMinor({ amount, currency }), currency), currency }
}

/** With the digits that were sent. `label` names the currency to the caller. */
function moneyIn(fields: Fields, label: string): Money {
  const total = fieldsIn(fields, 'totalAmount') ?? {}
  const currency = currencyIn(total, 'currency', label)
  const amount = digitsOf(total['value']) ?? ''
  if (minorOf(amount, currency) === null)
    throw new Malformed('totalAmount.value is a number above 0 with at most the decimals of its currency.')
  return { amount, currency }
}

function moneyOf({ amount, currency }: Money) {
  return { value: exactNumber(amount), currency }
}

function presentCheckout(collection: Collection, request: HttpRequest): Reply {
  const { id, reference, currency, status, paid, failure, expiresAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  const shown = {
    checkoutId: checkoutIdOf(id),
    requestReferenceNumber: reference,
    status: CHECKOUT_STATUSES[status],
    redirectUrl: status === 'pending' ? payerPage(request, collection) : null,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    paymentId: isPaid ? id : null,
    error: status === 'failed' ? errorOf(failure) : null,
    totalAmount: moneyOf(collection),
    paidAmount: isPaid ? moneyOf({ amount: paid, currency }) : null,
  }
  return jsonText(exactText(shown))
}

function presentRefund(refund: Refund): Reply {
  const { id, reference: requestReferenceNumber, payment: paymentId, failure } = refund
  const status = REFUND_STATUSES[refund.status]
  const totalAmount = moneyOf(refund)
  return jsonText(exactText({ id, requestReferenceNumber, paymentId, status, error: errorOf(failure), totalAmount }))
}

function errorOf(failure: Failure | null) {
  return failure && { code: failureCode(failure.code), message: failure.message }
}

function duplicate(kind: string): Reply {
  return problem(409, 'DUPLICATE_REFERENCE', `The requestReferenceNumber stands for another ${kind}.`)
}
