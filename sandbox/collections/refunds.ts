// Refunds by the rail that a payment came on: never more than arrived. Pure. It must not know how a rail
// writes it.
import { knownMinor } from '../text/amounts.ts'
import { refundPlayOf } from './collect-scenarios.ts'
import type { Collection, CollectRail, Failure } from './collections.ts'

export type RefundStatus = 'succeeded' | 'processing' | 'failed'

export type RefundRequest = {
  readonly rail: CollectRail
  /** Its own: the same again is the same refund. */
  readonly reference: string
  /** The provider's id of the payment. */
  readonly payment: string
  readonly amount: string
  readonly currency: string
}

export type Refund = RefundRequest & {
  /** Counts the refunds of all rails, from 1. */
  readonly number: number
  readonly id: string
  readonly createdAtMs: number
  readonly status: RefundStatus
  readonly failure: Failure | null
  /** When it is done, while it is processing. */
  readonly dueAtMs: number | null
}

const LATER_MS = 3_000

const refuse = (code: string, message: string): Failure => ({ code, message })

/** The result of a new refund. A refusal is kept under its reference: the same again is refused again. */
export function decidedRefund(
  asked: RefundRequest,
  collection: Collection | undefined,
  refundedMinor: bigint,
  atMs: number,
): Pick<Refund, 'status' | 'failure' | 'dueAtMs'> {
  const failure = refusalOf(asked, collection, refundedMinor)
  if (failure) return { status: 'failed', failure, dueAtMs: null }
  if (refundPlayOf(knownMinor(asked)) === 'late') return { status: 'processing', failure, dueAtMs: atMs + LATER_MS }
  return { status: 'succeeded', failure, dueAtMs: null }
}

function refusalOf(asked: RefundRequest, collection: Collection | undefined, refundedMinor: bigint): Failure | null {
  if (!collection || collection.rail !== asked.rail) return refuse('payment_not_found', 'There is no such payment.')
  if (collection.paid === null || collection.status !== 'succeeded')
    return refuse('payment_not_paid', 'Nothing was paid on it.')
  if (collection.currency !== asked.currency) return refuse('wrong_currency', 'It was paid in another currency.')
  const paidMinor = knownMinor({ amount: collection.paid, currency: collection.currency })
  if (refundedMinor + knownMinor(asked) > paidMinor)
    return refuse('refund_exceeds_payment', 'More would go back than arrived.')
  if (refundPlayOf(knownMinor(asked)) === 'refused')
    return refuse('payer_account_closed', 'The account of the payer is closed.')
  return null
}

export function isSameRefund(refund: Refund, asked: RefundRequest): boolean {
  const isSameMoney = refund.currency === asked.currency && knownMinor(refund) === knownMinor(asked)
  return isSameMoney && refund.payment === asked.payment
}
