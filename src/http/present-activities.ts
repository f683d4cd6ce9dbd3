// The lines of a contract's history on the wire (spec 2.6), of either kind.
import type { Contract } from '../domain/contract.ts'
import { activityId } from '../domain/ids.ts'
import { displayText } from '../domain/money.ts'
import type { Activity } from '../domain/transfer.ts'
import { iso } from './times.ts'

/** The gateway's own profile: the actor of what workers, clocks and rails do. */
const GATEWAY_PROFILE = '00000000-0000-8000-8000-000000000001'
/** Whoever holds the token of a payment contract: nobody knows more of a payer. */
const PAYER_PROFILE = '00000000-0000-8000-8000-000000000002'

function actorOf({ actor }: Activity, profileId: string): string {
  if (actor === 'account') return profileId
  return actor === 'payer' ? PAYER_PROFILE : GATEWAY_PROFILE
}

export function presentActivity(contract: Contract, line: Activity, index: number, profileId: string) {
  return {
    parent: contract.id,
    id: activityId(contract.id, index),
    type: line.type,
    actor: actorOf(line, profileId),
    proxy: null,
    summary: summaryOf(contract, line),
    published_at: iso(line.at),
    resource: { id: contract.id, type: `contract.${contract.kind}`, data: line.data ?? {} },
  }
}

/** The paid activity, without `parent` (design 3, trap 5). */
export function paymentOf(contract: Contract, activities: readonly ReturnType<typeof presentActivity>[]) {
  if (contract.paidAt === null) return null
  const paid = activities.find((line) => line.type === 'paid')
  if (!paid) return null
  const { parent: _, ...details } = paid
  return { paid_at: iso(contract.paidAt), details }
}

const SUMMARIES: Record<Activity['type'], string> = {
  created: 'Draft created',
  updated: 'Draft updated',
  issued: 'Issued',
  paid: 'Paid',
  transfer_submitted: 'Sent to the channel',
  transfer_accepted: 'Accepted by the channel',
  transfer_unknown: 'The channel gave no definite answer; it is being asked',
  transfer_failed: 'The channel refused the transfer',
  completed: 'Completed',
  returned: 'Returned by the channel after delivery',
  refunded: 'Refunded to the wallet',
  cancelled: 'Cancelled',
  cancel_requested: 'Cancellation requested; the channel is being asked',
  cancel_refused: 'Cancellation refused: the money has arrived',
  expired: 'Expired',
  failure_reported: 'A callback said that the transfer failed; the channel itself is being asked',
  failure_disputed: 'The channel’s own answer contradicts the callback that said the transfer failed',
  outcome_disputed: 'The channel contradicts an earlier outcome',
  transfer_retried: 'Another attempt at the transfer was made ready',
  resolved: 'Resolved by an operator with evidence',
  attempt_started: 'A way to pay was chosen',
  attempt_opened: 'The payment is under way',
  attempt_failed: 'The payment was declined or failed',
  attempt_closed: 'The way to pay was closed',
  payment_suspended: 'Money arrived that does not fit; it waits in suspense',
  refund_started: 'A refund was made ready',
  refund_failed: 'Money could not be sent back',
  return_started: 'Money in suspense is being sent back',
  payment_refunded: 'Refunded to the payer',
  payment_returned: 'Money in suspense was sent back to the payer',
}

function summaryOf(contract: Contract, line: Activity): string {
  const words = SUMMARIES[line.type]
  // A payment contract is never a draft.
  if (line.type === 'created' && contract.kind === 'payment') return 'Created'
  if (line.type === 'paid') return `${words}: ${displayText(contract.debitMinor, contract.terms.currency)}`
  if (line.type === 'refunded' && contract.kind === 'transfer' && contract.refund)
    return `${words}: ${displayText(contract.refund.amountMinor, contract.terms.currency)}`
  return words
}
