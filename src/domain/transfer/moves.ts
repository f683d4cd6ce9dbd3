// The words of the transfer contract's moves: its statuses, what can be asked of it, and the events of all contracts. The
// SQL check and docs/states.md are made of them; move-table.ts says which moves there are.

export const TRANSFER_STATUSES = ['draft', 'issued', 'paid', 'completed', 'cancelled', 'expired', 'returned'] as const
export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

export const EXECUTION_STATUSES = [
  'none',
  'queued',
  'submitting',
  'accepted',
  'unknown',
  'delivered',
  'failed',
  'voided',
  'returned',
] as const
/** How far the money has got, beside the status (docs/design/domain.md). */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** An attempt in one of these still waits for something: at most one such attempt for each contract. */
export const LIVE_EXECUTIONS = [
  'queued',
  'submitting',
  'accepted',
  'unknown',
] as const satisfies readonly ExecutionStatus[]

export function isLiveExecution(status: ExecutionStatus): boolean {
  return (LIVE_EXECUTIONS as readonly ExecutionStatus[]).includes(status)
}

export const EVENT_TYPES = [
  'contract.created',
  'contract.updated',
  'contract.issued',
  'contract.approval_requested',
  'contract.approved',
  'contract.rejected',
  'contract.verification_completed',
  'contract.paid',
  'contract.completed',
  'contract.cancelled',
  'contract.expired',
  'contract.returned',
  'contract.transfer_failed',
  'contract.payment_failed',
  'contract.payment_suspended',
  'contract.payment_returned',
  'contract.refunded',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
