// Maya, money coming in: checkouts that a payer agrees to in the wallet, and refunds of them. Amounts are numbers, written
// from the digits of the order and compared as digits; every doubtful answer is unknown.
import type { Collection, CollectOrder } from '../../domain/channel/collection.ts'
import type { Absence, Outcome } from '../../domain/channel/outcome.ts'
import { plainText } from '../../formats/iso20022/texts.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import type { Collects, CollectCapabilities, RefundsPayments } from '../connector.ts'
import {
  awaitingPayer,
  closedBy,
  doubt,
  type Doubt,
  onlyOf,
  type Only,
  paymentIn,
  pesosOnly,
  processing,
  received,
  type RefundOrder,
  refusedBy,
  unasked,
  uninformed,
} from '../collecting.ts'
import { digitsOf } from '../exact-json.ts'
import { type Fields, fieldsOf, textOf, unanswered, uninquired } from '../rail.ts'
import { fieldsIn, strangeness, withTotal } from './maya-messages.ts'

/** By the provider's list of error codes (docs/sandbox.md): nothing was paid, and nothing will be. */
const DEFINITE_FAILURES: ReadonlySet<string> = new Set([
  'PAYMENT_DECLINED',
  'PAYMENT_FAILED',
  'PAYER_DECLINED',
  'PAYER_CANCELLED',
])
/** Nothing was refunded, and nothing will be under this reference. */
const DEFINITE_REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'PAYMENT_NOT_FOUND',
  'PAYMENT_NOT_PAID',
  'REFUND_EXCEEDS_PAYMENT',
  'PAYER_ACCOUNT_CLOSED',
  'WRONG_CURRENCY',
])

export const MAYA_COLLECTS: CollectCapabilities = { inquiry: true, refunds: true }
const CHECKOUTS = '/maya/checkouts'
const DESCRIPTION_MAX = 140

/** The reference is the idempotency key of the call. */
export type MayaCall = (
  method: 'GET' | 'POST',
  path: string,
  reference: string,
  body: string | null,
) => Promise<OutboundReply>

export function mayaCollecting(call: MayaCall): Collects & RefundsPayments {
  async function collect(order: CollectOrder): Promise<Collection> {
    const refusal = pesosOnly(order)
    if (refusal) return refusal
    const reply = await call('POST', CHECKOUTS, order.reference, checkoutBody(order))
    return reply.kind === 'response' ? collectionOf(fieldsIn(reply), order) : unasked(reply)
  }
  async function list({ reference }: Pick<CollectOrder, 'reference'>): Promise<OutboundReply> {
    const query = `requestReferenceNumber=${encodeURIComponent(reference)}`
    return call('GET', `${CHECKOUTS}?${query}`, reference, null)
  }
  /** The one checkout of a reference, as the provider has it. */
  async function lookUp(order: CollectOrder): Promise<Only | Absence | Doubt> {
    const reply = await list(order)
    return reply.kind === 'response' ? onlyOf(fieldsIn(reply)?.['data']) : uninformed(reply)
  }
  async function idOf(order: CollectOrder): Promise<string | null> {
    let found = await lookUp(order)
    // A request that is still on its way could open it later: it is opened now, so that there is something to close.
    if (found.kind === 'not_found' && (await collect(order)).kind === 'open') found = await lookUp(order)
    if (found.kind !== 'only' || collectionOf(found.fields, order).kind === 'unknown') return null
    return textOf(found.fields['checkoutId'])
  }
  return {
    describeCollect: () => MAYA_COLLECTS,
    collect,
    async checkCollection(order) {
      const found = await lookUp(order)
      return found.kind === 'only' ? collectionOf(found.fields, order) : found
    },
    async paymentUnder(payment) {
      const reply = await list(payment)
      if (reply.kind !== 'response') return uninformed(reply)
      return paymentIn(fieldsIn(reply)?.['data'], payment, { reference: 'requestReferenceNumber', id: 'paymentId' })
    },
    async voidCollection(order) {
      const id = await idOf(order)
      if (id === null) return 'unknown'
      const reply = await call('POST', `${CHECKOUTS}/${encodeURIComponent(id)}/void`, order.reference, '{}')
      const closed = reply.kind === 'response' ? collectionOf(fieldsIn(reply), order) : doubt(reply.reason)
      return closedBy(closed)
    },
  }
}

/** Refunds a payment, or a part of it. */
export async function sendMayaRefund(call: MayaCall, order: RefundOrder): Promise<Outcome> {
  const { reference, refundOf } = order
  const body = withTotal({ requestReferenceNumber: reference }, order)
  const reply = await call('POST', `/maya/payments/${encodeURIComponent(refundOf)}/refunds`, reference, body)
  return reply.kind === 'response' ? refundOutcome(fieldsIn(reply), order) : unanswered(reply)
}

export async function checkMayaRefund(
  call: MayaCall,
  reference: string,
  order: RefundOrder,
): Promise<Outcome | Absence> {
  const query = `requestReferenceNumber=${encodeURIComponent(reference)}`
  const reply = await call('GET', `/maya/refunds?${query}`, reference, null)
  if (reply.kind !== 'response') return uninquired(reply)
  const found = onlyOf(fieldsIn(reply)?.['data'])
  return found.kind === 'only' ? refundOutcome(found.fields, order) : found
}

function checkoutBody(order: CollectOrder): string {
  const said = {
    requestReferenceNumber: order.reference,
    description: plainText(order.description, DESCRIPTION_MAX) ?? '',
    redirectUrl: order.returnTo,
    expiresAt: new Date(order.expiresAt).toISOString(),
    metadata: { contract_id: order.contractId, account_id: order.accountId },
  }
  return withTotal(said, order)
}

function collectionOf(body: Fields | null, order: CollectOrder): Collection {
  const strange = strangeness(body, order)
  if (body === null || strange !== null) return doubt(strange ?? 'no answer of the provider')
  const paymentId = textOf(body['paymentId'])
  const paid = fieldsOf(body['paidAmount'])
  switch (body['status']) {
    case 'CREATED':
      return awaitingPayer(textOf(body['checkoutId']), body['redirectUrl'], order)
    case 'PENDING':
      return processing(textOf(body['checkoutId']))
    case 'COMPLETED':
      return received({ id: paymentId, amount: digitsOf(paid?.['value']), currency: paid?.['currency'] })
    case 'FAILED':
      return refusedBy(DEFINITE_FAILURES, fieldsOf(body['error']))
    case 'EXPIRED':
      return { kind: 'failed', code: 'EXPIRED', message: 'Nobody paid in time.' }
    case 'VOIDED':
      return { kind: 'failed', code: 'VOIDED', message: 'The checkout was closed.' }
    default:
      return doubt('a status without a known meaning')
  }
}

function refundOutcome(body: Fields | null, order: RefundOrder): Outcome {
  const strange = strangeness(body, order)
  if (body === null || strange !== null) return doubt(strange ?? 'no answer of the provider')
  if (body['paymentId'] !== order.refundOf) return doubt('the answer is about another payment')
  const providerId = textOf(body['id'])
  switch (body['status']) {
    case 'COMPLETED':
      return { kind: 'delivered', providerId }
    case 'PENDING':
      return { kind: 'accepted', providerId }
    case 'FAILED':
      return refusedBy(DEFINITE_REFUND_REFUSALS, fieldsOf(body['error']))
    default:
      return doubt('a status without a known meaning')
  }
}
