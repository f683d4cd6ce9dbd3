// Where a contract waits for a person, and since when: what an overview shows first. Pure, from the contract and its channel.
import { arrivalAt, type ChannelFacts } from '../channel/channel.ts'
import type { ActivityType } from '../contract/activities.ts'
import type { Contract } from '../contract/contract.ts'
import { isValid, previewOf } from '../contract/preview.ts'
import type { Payment } from '../payment/payment.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** Of contracts, the most pressing first. */
export const CONTRACT_MATTERS = [
  'transfer_failed',
  'transfer_returned',
  'transfer_unknown',
  'transfer_late',
  'payment_unallocated',
  'transfer_expiring',
  'payment_expiring',
  'draft_incomplete',
] as const
export type ContractMatter = (typeof CONTRACT_MATTERS)[number]

/** `sinceMs` may lie ahead: from then on somebody has to look, unless the contract moves before. */
export type Matter = { readonly matter: ContractMatter; readonly sinceMs: number }

/** Of a currency, in minor units: held for contracts that no channel has accepted yet, and in transit since one did. */
export type Underway = { readonly currency: string; readonly inTransitMinor: bigint; readonly heldMinor: bigint }

/** A contract that nobody paid is shown so long before its end, if it lives twice as long. */
export const EXPIRES_WITHIN_MS = 86_400_000

/** What of a contract, as it stands, waits for a person now or later. `channel` is the version that priced it. */
export function mattersOf(contract: Contract, channel: ChannelFacts | null): Matter[] {
  return contract.kind === 'transfer' ? ofTransfer(contract, channel) : ofPayment(contract)
}

function ofTransfer(transfer: Transfer, channel: ChannelFacts | null): Matter[] {
  switch (transfer.status) {
    case 'draft':
      return [...lacking(transfer, channel), ...expiring(transfer)]
    case 'issued':
      return expiring(transfer)
    case 'paid':
      return underWay(transfer, channel)
    case 'returned':
      return [{ matter: 'transfer_returned', sinceMs: lastAt(transfer, 'returned') }]
    case 'completed':
    case 'cancelled':
    case 'expired':
      return []
  }
}

function underWay(transfer: Transfer, channel: ChannelFacts | null): Matter[] {
  const { execution, paidAt } = transfer
  if (execution.status === 'failed')
    return [{ matter: 'transfer_failed', sinceMs: lastAt(transfer, 'transfer_failed') }]
  if (execution.status === 'unknown')
    return [{ matter: 'transfer_unknown', sinceMs: lastAt(transfer, 'transfer_unknown') }]
  const promisedMs = channel === null || paidAt === null ? null : arrivalAt(channel, paidAt)
  return promisedMs === null ? [] : [{ matter: 'transfer_late', sinceMs: promisedMs }]
}

function ofPayment(payment: Payment): Matter[] {
  const matters: Matter[] = payment.status === 'issued' ? expiring(payment) : []
  // What can go back by itself does so; what cannot waits.
  return payment.returnsHeld && (payment.suspenseMinor > 0n || payment.unallocatedCount > 0)
    ? [{ matter: 'payment_unallocated', sinceMs: lastAt(payment, 'payment_suspended') }, ...matters]
    : matters
}

function lacking({ terms, payeeFaults, feePrice, createdAt }: Transfer, channel: ChannelFacts | null): Matter[] {
  return isValid(previewOf(terms, channel, payeeFaults, feePrice))
    ? []
    : [{ matter: 'draft_incomplete', sinceMs: createdAt }]
}

/** What ends within minutes or hours was meant to. */
function expiring({ kind, expiresAt, createdAt }: Contract): Matter[] {
  const isLong = expiresAt - createdAt >= 2 * EXPIRES_WITHIN_MS
  return isLong ? [{ matter: `${kind}_expiring`, sinceMs: expiresAt - EXPIRES_WITHIN_MS }] : []
}

function lastAt({ activities, updatedAt }: Contract, type: ActivityType): number {
  return activities.findLast((line) => line.type === type)?.at ?? updatedAt
}
