// GCash, money coming in: payments that a payer agrees to in the wallet, and refunds of them. Like payouts, they count by
// the status and the code of a result together, and every doubtful answer is unknown.
import type { Collection, CollectOrder } from '../../domain/channel/collection.ts'
import type { Absence, Outcome } from '../../domain/channel/outcome.ts'
import { fixedText } from '../../domain/money/money.ts'
import { plainText } from '../../formats/iso20022/texts.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import type { Collects, CollectCapabilities, RefundsPayments } from '../connector.ts'
import {
  awaitingPayer,
  closedBy,
  doubt,
  paymentIn,
  pesosOnly,
  processing,
  received,
  type RefundOrder,
  refusedBy,
  unasked,
  uninformed,
} from '../collecting.ts'
import { type Fields, fieldsOf, jsonFields, type Response, textOf, unanswered, uninquired } from '../rail.ts'
import { answerIn, isAbsent } from './gcash-answers.ts'

/** By the provider's list of result codes (docs/sandbox.md): nothing was paid, and nothing will be. */
const DEFINITE_FAILURES: ReadonlySet<string> = new Set([
  'PAYMENT_DECLINED',
  'PAYMENT_FAILED',
  'PAYER_DECLINED',
  'PAYER_CANCELLED',
  'ORDER_IS_CANCELLED',
  'ORDER_IS_CLOSED',
  'CURRENCY_NOT_SUPPORTED',
])
/** Nothing was refunded, and nothing will be under this reference. */
const DEFINITE_REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'PAYMENT_NOT_FOUND',
  'PAYMENT_NOT_PAID',
  'REFUND_EXCEEDS_PAYMENT',
  'PAYER_ACCOUNT_CLOSED',
  'WRONG_CURRENCY',
])

export const GCASH_COLLECTS: CollectCapabilities = { inquiry: true, refunds: true }
const PAYMENTS = '/gcash/v1/payments'
const REFUNDS = '/gcash/v1/refunds'
const DESCRIPTION_MAX = 140

export type GcashCall = (method: 'GET' | 'POST', path: string, body: string | null) => Promise<OutboundReply>

export function gcashCollecting(call: GcashCall): Collects & RefundsPayments {
  async function collect(order: CollectOrder): Promise<Collection> {
    const refusal = pesosOnly(order)
    if (refusal) return refusal
    const reply = await call('POST', PAYMENTS, paymentBody(order))
    return reply.kind === 'response' ? collectionIn(reply, order) : unasked(reply)
  }
  async function cancel(order: CollectOrder): Promise<Collection | Absence> {
    const reply = await call('POST', `${PAYMENTS}/${encodeURIComponent(order.reference)}/cancel`, '{}')
    if (reply.kind !== 'response') return doubt(reply.reason)
    return isAbsent(reply) ? { kind: 'not_found' } : collectionIn(reply, order)
  }
  return {
    describeCollect: () => GCASH_COLLECTS,
    collect,
    async checkCollection(order) {
      const reply = await call('GET', `${PAYMENTS}/${encodeURIComponent(order.reference)}`, null)
      if (reply.kind !== 'response') return uninformed(reply)
      return isAbsent(reply) ? { kind: 'not_found' } : collectionIn(reply, order)
    },
    async paymentUnder(payment) {
      const reply = await call('GET', `${PAYMENTS}/${encodeURIComponent(payment.reference)}`, null)
      if (reply.kind !== 'response') return uninformed(reply)
      if (isAbsent(reply)) return { kind: 'not_found' }
      const one = reply.status === 200 ? jsonFields(reply) : null
      if (one?.['requestId'] !== payment.reference) return doubt(`answer ${reply.status}`)
      return paymentIn([one], payment, { reference: 'requestId', id: 'paymentId' })
    },
    async voidCollection(order) {
      let closed = await cancel(order)
      // A request that is still on its way could open it later: it is opened now, so that there is something to close.
      if (closed.kind === 'not_found' && (await collect(order)).kind === 'open') closed = await cancel(order)
      return closedBy(closed)
    },
  }
}

/** Refunds a payment, or a part of it. */
export async function sendGcashRefund(call: GcashCall, order: RefundOrder): Promise<Outcome> {
  const amount = { currency: order.currency, value: String(order.amountMinor) }
  const body = JSON.stringify({ requestId: order.reference, paymentId: order.refundOf, amount })
  const reply = await call('POST', REFUNDS, body)
  return reply.kind === 'response' ? refundIn(reply, order) : unanswered(reply)
}

export async function checkGcashRefund(
  call: GcashCall,
  reference: string,
  order: RefundOrder,
): Promise<Outcome | Absence> {
  const reply = await call('GET', `${REFUNDS}/${encodeURIComponent(reference)}`, null)
  if (reply.kind !== 'response') return uninquired(reply)
  return isAbsent(reply) ? { kind: 'not_found' } : refundIn(reply, order)
}

function paymentBody(order: CollectOrder): string {
  return JSON.stringify({
    requestId: order.reference,
    amount: { currency: order.currency, value: String(order.amountMinor) },
    order: { description: plainText(order.description, DESCRIPTION_MAX) ?? '' },
    redirectUrls: order.returnTo,
    expiresAt: new Date(order.expiresAt).toISOString(),
    metadata: { contract_id: order.contractId, account_id: order.accountId },
  })
}

function collectionIn(reply: Response, order: CollectOrder): Collection {
  const answer = answerIn(reply, order)
  if (typeof answer === 'string') return doubt(answer)
  const { body, result } = answer
  const id = textOf(body['paymentId'])
  switch (`${String(result['status'])} ${String(result['code'])}`) {
    case 'S SUCCESS':
      return received({ id, ...paidIn(fieldsOf(body['paidAmount'])) })
    case 'U WAITING_FOR_PAYER':
      return awaitingPayer(id, body['checkoutUrl'], order)
    case 'U PAYMENT_IN_PROCESS':
      return processing(id)
    default:
      return result['status'] === 'F' ? refusedBy(DEFINITE_FAILURES, result) : doubt('a status without a known meaning')
  }
}

/** Minor units as text, in major units. */
function paidIn(paid: Fields | null): { readonly amount: string | null; readonly currency: string | null } {
  const [value, currency] = [textOf(paid?.['value']) ?? '', textOf(paid?.['currency'])]
  const isAmount = /^\d{1,18}$/.test(value) && currency === 'PHP'
  return { amount: isAmount ? fixedText(BigInt(value), currency) : null, currency }
}

function refundIn(reply: Response, order: RefundOrder): Outcome {
  const answer = answerIn(reply, order)
  if (typeof answer === 'string') return doubt(answer)
  const { body, result } = answer
  if (body['paymentId'] !== order.refundOf) return doubt('the answer is about another payment')
  const providerId = textOf(body['refundId'])
  switch (`${String(result['status'])} ${String(result['code'])}`) {
    case 'S SUCCESS':
      return { kind: 'delivered', providerId }
    case 'U REFUND_IN_PROCESS':
      return { kind: 'accepted', providerId }
    default:
      return result['status'] === 'F'
        ? refusedBy(DEFINITE_REFUND_REFUSALS, result)
        : doubt('a status without a known meaning')
  }
}
