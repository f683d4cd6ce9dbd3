// Maya, money coming in: checkouts that the payer agrees to on a page of the wallet, and refunds. Amounts are numbers of
// JSON, PHP only. Who calls has been looked at before.
import { knownMinor, minorOf, decimalOf } from '../text/amounts.ts'
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
import type { Asked, Collection, CollectStatus } from '../collections/collections.ts'
import { digitsOf, parseExact } from '../text/exact-json.ts'
import { FieldFault, type Fields, fieldsIn, objectOf } from '../text/fields.ts'
import type { Refund, RefundAsked } from '../collections/refunds.ts'
import { type Ask, json, noSuchRoute, problem, type Reply, textOf } from '../replies.ts'
import type { Wire } from '../scenarios.ts'
import { referenceIn } from './wallets.ts'
import { failureWord } from '../text/words.ts'

const STATUSES: Readonly<Record<CollectStatus, string>> = {
  pending: 'CREATED',
  processing: 'PENDING',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  voided: 'VOIDED',
}
const REFUND_STATUSES = { succeeded: 'COMPLETED', processing: 'PENDING', failed: 'FAILED' } as const

/** `checkouts`, `payments` and `refunds` below /maya. */
export function routeMayaCollect(books: CollectBooks, ask: Ask): Reply {
  const [, area = '', id, action, ...rest] = ask.path
  const asked = [ask.method, area, id === undefined ? '' : '*', action ?? '', ...rest].join(' ').trimEnd()
  const reference = ask.url.searchParams.get('requestReferenceNumber') ?? ''
  switch (asked) {
    case 'POST checkouts':
      return postCheckout(books, ask)
    case 'GET checkouts':
      return listCheckouts(books, ask, reference)
    case 'POST checkouts * void':
      return voidCheckout(books, ask, id ?? '')
    case 'POST payments * refunds':
      return postRefund(books, ask, id ?? '')
    case 'GET refunds':
      return listRefunds(books, reference)
    default:
      return noSuchRoute()
  }
}

function postCheckout(books: CollectBooks, ask: Ask): Reply {
  const asked = readOr(() => checkoutIn(bodyOf(ask)))
  if (typeof asked === 'string') return problem(400, 'INVALID_REQUEST', asked)
  const opened = openCollection(books, asked, () =>
    asked.currency === 'PHP' ? WAIT_FOR_PAYER : { code: 'CURRENCY_NOT_SUPPORTED', message: 'Only PHP is taken.' },
  )
  if (opened.kind === 'refused') return problem(422, opened.failure.code, opened.failure.message)
  if (opened.kind === 'mismatch')
    return problem(409, 'DUPLICATE_REFERENCE', 'The requestReferenceNumber stands for another checkout.')
  return written(checkoutText(ask, opened.collection), opened.wire)
}

function listCheckouts(books: CollectBooks, ask: Ask, reference: string): Reply {
  const found = books.find('maya', reference)
  return written(`{"data":[${found ? checkoutText(ask, found) : ''}]}`)
}

function voidCheckout(books: CollectBooks, ask: Ask, checkoutId: string): Reply {
  const found = books.byId('maya', paymentIdOf(checkoutId))
  if (!found) return problem(404, 'CHECKOUT_NOT_FOUND', 'There is no such checkout.')
  return written(checkoutText(ask, books.act(found, 'void')))
}

function postRefund(books: CollectBooks, ask: Ask, payment: string): Reply {
  const asked = readOr(() => refundIn(bodyOf(ask), payment))
  if (typeof asked === 'string') return problem(400, 'INVALID_REQUEST', asked)
  const { kind, refund, wire } = takeRefund(books, asked)
  if (kind === 'mismatch')
    return problem(409, 'DUPLICATE_REFERENCE', 'The requestReferenceNumber stands for another refund.')
  return written(refundText(refund), wire)
}

function listRefunds(books: CollectBooks, reference: string): Reply {
  const found = books.findRefund('maya', reference)
  return written(`{"data":[${found ? refundText(found) : ''}]}`)
}

/** With the digits of its numbers. */
function bodyOf(ask: Ask): Fields {
  const text = textOf(ask.body)
  const fields = text === null ? null : objectOf(parseExact(text))
  if (!fields) throw new FieldFault('The body', 'is no JSON object')
  return fields
}

function checkoutIn(fields: Fields): Asked {
  return askedOf('maya', {
    reference: referenceIn(fields, 'requestReferenceNumber'),
    ...moneyIn(fields),
    description: shortText(fields, 'description'),
    returnTo: returnToIn(fields, 'redirectUrl'),
    expiresAtMs: timeIn(fields, 'expiresAt'),
    card: null,
    token: null,
    metadata: fieldsIn(fields, 'metadata'),
  })
}

function refundIn(fields: Fields, payment: string): RefundAsked {
  return { rail: 'maya', reference: referenceIn(fields, 'requestReferenceNumber'), payment, ...moneyIn(fields) }
}

function moneyIn(fields: Fields): { readonly amount: string; readonly currency: string } {
  const total = fieldsIn(fields, 'totalAmount') ?? {}
  const currency = currencyIn(total, 'currency')
  const minor = minorOf(digitsOf(total['value']) ?? '', currency)
  if (minor === null)
    throw new FieldFault('totalAmount.value', 'is a number above 0 with at most the decimals of its currency')
  return { amount: decimalOf(minor, currency), currency }
}

/** One checkout is one payment: the ids differ by their beginning only. */
const checkoutIdOf = (paymentId: string) => paymentId.replace(/^mpy_/, 'mco_')
const paymentIdOf = (checkoutId: string) => checkoutId.replace(/^mco_/, 'mpy_')

/** Written by hand where the amounts are. */
function checkoutText(ask: Ask, collection: Collection): string {
  const { id, reference, amount, currency, status, paid, failure, expiresAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  const said = JSON.stringify({
    checkoutId: checkoutIdOf(id),
    requestReferenceNumber: reference,
    status: STATUSES[status],
    redirectUrl: status === 'pending' ? payerPage(ask, 'maya', id) : null,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    paymentId: isPaid ? id : null,
    error: status === 'failed' && failure ? errorOf(failure) : null,
  })
  return `${said.slice(0, -1)},"totalAmount":${money(amount, currency)},"paidAmount":${isPaid ? money(paid, currency) : null}}`
}

function refundText(refund: Refund): string {
  const { id, reference, payment, amount, currency, status, failure } = refund
  const said = JSON.stringify({
    id,
    requestReferenceNumber: reference,
    paymentId: payment,
    status: REFUND_STATUSES[status],
    error: failure && errorOf(failure),
  })
  return `${said.slice(0, -1)},"totalAmount":${money(amount, currency)}}`
}

function errorOf({ code, message }: { readonly code: string; readonly message: string }) {
  return { code: failureWord('maya', code), message }
}

function money(amount: string, currency: string): string {
  // Throws for what is no amount: nothing else may get into the text.
  knownMinor({ amount, currency })
  return `{"value":${amount},"currency":"${currency}"}`
}

function written(text: string, wire: Wire = 'answer'): Reply {
  return { ...json(null, wire), text }
}
