// What is asked of the write path, and what it answers.
import type { Command } from '../domain/commands.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Attempt, Transfer, Wallet } from '../domain/transfer.ts'
import type { IdempotencyKey } from '../store/idempotency.ts'

/** One command with whose it is. `keyId` is checked in the batch itself, so that a revoked key stops at once. */
export type Ask = {
  readonly lane: number
  readonly accountId: string
  readonly keyId: string | null
  readonly idempotency: IdempotencyKey | null
  readonly command: Command
}

export type ContractAnswer = {
  readonly contract: Transfer
  /** The attempt that the command wrote, if any: its fence is the lease. */
  readonly attempt: Attempt | null
  readonly replayed: boolean
}
export type WalletAnswer = { readonly wallet: Wallet; readonly credited: boolean }
export type Answer = ContractAnswer | WalletAnswer | Refusal | ReplayedRefusal

/** A refusal that was kept under the idempotency key. */
export type ReplayedRefusal = Refusal & { readonly replayed: true }
