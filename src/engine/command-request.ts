// The requests of the write path, and their results.
import type { Command, RepeatRequest } from '../domain/contract/command.ts'
import type { KeptCall } from '../domain/channel/exchange.ts'
import type { Contract } from '../domain/contract/contract.ts'
import type { Refusal } from '../domain/contract/refusals.ts'
import type { CollectionJob, Payment, Receipt } from '../domain/payment/payment.ts'
import type { UpdateTransfer } from '../domain/transfer/commands.ts'
import type { LookAgain } from '../domain/transfer/payees.ts'
import type { Attempt, Transfer } from '../domain/transfer/transfer.ts'
import type { Wallet } from '../domain/wallet/wallet.ts'
import type { Observed } from '../platform/telemetry/observed.ts'
import type { IdempotencyKey } from '../store/contracts/idempotency.ts'
import type { CommandAbout, VerbAbout } from './command-table.ts'

/** One command with its account. `keyId` is checked in the batch itself, so that a revoked key stops at once. */
export type CommandRequest<C extends Command = Command> = {
  readonly lane: number
  readonly accountId: string
  readonly keyId: string | null
  /** The member whose session the key is, or who acts by none (key-caps.ts): activities name them instead of it. */
  readonly memberId?: string | null
  readonly idempotency: IdempotencyKey | null
  /** The contract must stand at one of these versions; absent where it may stand at any. */
  readonly versions?: readonly number[]
  /** It is refused once the database's clock is past this moment: whoever asks may be late. Absent where it may be decided at any. */
  readonly notAfter?: number | null
  /**
   * It is refused where whoever asks says so as it is decided: by its own clocks, whatever the database's says. Absent where it may be
   * decided at any time.
   */
  readonly isInTime?: () => boolean
  /** The books were restored once: what they have forgotten may be asked for again. */
  readonly afterRestore?: boolean
  /** What is kept of the call to a channel whose report the command brings; absent where there is nothing to keep. */
  readonly call?: KeptCall | null
  /** Where it is noted what became of the command; absent where nobody looks. */
  readonly observed?: Observed | null
  readonly command: C
}

/** A contract as it stands after the command. */
export type ContractResult<C extends Contract = Contract> = {
  readonly kind: 'contract'
  readonly contract: C
  /** The attempt that the command wrote, of a transfer contract: its fence is the lease. */
  readonly attempt: Attempt | null
  /** The job that the command wrote, of a payment contract: its fence is the lease. */
  readonly job: CollectionJob | null
  /** The amount that this lease is to look for at its rail, of a payment contract; absent where it is for an attempt. */
  readonly toLookFor?: Receipt | null
  /** Whether it is the answer that was kept under the idempotency key. */
  readonly replayed: boolean
}

export type WalletResult = { readonly kind: 'wallet'; readonly wallet: Wallet; readonly credited: boolean }

/**
 * How an event was taken in; `contract` as it stands afterwards, null where it was matched to none. `names_not_found`: it was
 * not taken in, for the contract that it names may not be the one that it is about, and its other names have to be looked up.
 */
export type EventResult = {
  readonly kind: 'event'
  readonly reception: 'applied' | 'duplicate' | 'ignored' | 'unmatched' | 'needs_review' | 'names_not_found'
  readonly contract: Payment | null
}

/** A refusal that was kept under the idempotency key. */
export type ReplayedRefusal = Refusal & { readonly replayed: true }

type ContractAfter<C extends Command> =
  C extends RepeatRequest<infer K>
    ? Extract<Contract, { readonly kind: K }>
    : C extends CommandAbout<'transfer'>
      ? C['verb'] extends VerbAbout<'payment'>
        ? Contract
        : Transfer
      : Payment

/** Of an update alone, so that who sends none has nothing to look up; also where the command may be one of several. */
type BeforeIt<C extends Command> = C extends UpdateTransfer ? LookAgain : never

/** What a command results in. */
export type CommandResult<C extends Command = Command> =
  | (C['verb'] extends 'credit'
      ? WalletResult
      : C['verb'] extends 'receive'
        ? EventResult
        : ContractResult<ContractAfter<C>>)
  | BeforeIt<C>
  | Refusal
  | ReplayedRefusal

export type AnyResult = ContractResult | EventResult | WalletResult | LookAgain | Refusal | ReplayedRefusal

/**
 * Executes a command and answers after its commit: in a batch with others (`openWriters`), or alone (`executeAlone`). Throws
 * what `openBatcher` says.
 */
export type Execute = <C extends Command>(request: CommandRequest<C>) => Promise<CommandResult<C>>
