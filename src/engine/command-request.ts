// What is asked of the write path, and what it answers.
import type { Command } from '../domain/contract/command.ts'
import type { Contract } from '../domain/contract/contract.ts'
import type { PaymentJob } from '../domain/payment/payment.ts'
import type { Refusal } from '../domain/contract/refusals.ts'
import type { Attempt, Transfer, Wallet } from '../domain/transfer/transfer.ts'
import type { IdempotencyKey } from '../store/contracts/idempotency.ts'

/** One command with whose it is. `keyId` is checked in the batch itself, so that a revoked key stops at once. */
export type CommandRequest = {
  readonly lane: number
  readonly accountId: string
  readonly keyId: string | null
  readonly idempotency: IdempotencyKey | null
  /** The contract must stand at one of these versions; absent where it may stand at any. */
  readonly versions?: readonly number[]
  readonly command: Command
}

export type ContractResult = {
  readonly contract: Contract
  /** The attempt that the command wrote, if any: its fence is the lease. */
  readonly attempt: Attempt | null
  /** The job that the command wrote, of a payment contract: its fence is the lease. */
  readonly job: PaymentJob | null
  readonly replayed: boolean
}
/** A contract answer about a transfer. */
export type TransferResult = ContractResult & { readonly contract: Transfer }

/** The answer where it is about a transfer contract; null for anything else. */
export function transferResult(answer: CommandResult): TransferResult | null {
  if (!('contract' in answer) || answer.contract?.kind !== 'transfer' || 'reception' in answer) return null
  return { ...answer, contract: answer.contract }
}

export type WalletResult = { readonly wallet: Wallet; readonly credited: boolean }
/**
 * How an event was taken in; `contract` as it stands afterwards, null where it was matched to none. `unsure`: it was not
 * taken in, for its names have to be looked up.
 */
export type EventResult = {
  readonly reception: 'applied' | 'duplicate' | 'ignored' | 'unmatched' | 'needs_review' | 'unsure'
  readonly contract: Contract | null
}
export type CommandResult = ContractResult | EventResult | WalletResult | Refusal | ReplayedRefusal

/** A refusal that was kept under the idempotency key. */
export type ReplayedRefusal = Refusal & { readonly replayed: true }
