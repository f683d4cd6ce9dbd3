// The one list of what a use case may touch.
import type { ChannelArchive } from '../domain/channel/channel.ts'
import type { Session } from '../platform/db.ts'
import type { Execute } from '../engine/command-request.ts'
import type { Batcher } from '../engine/batch.ts'
import type { CallbackDeps } from './transfers/callback-deps.ts'
import type { ShownBrand } from './accounts/brands.ts'
import type { CallerBook } from './accounts/callers.ts'
import type { ChangeDeps } from './accounts/changes.ts'
import type { KeyUses } from './accounts/key-uses.ts'
import type { AccountKey } from '../store/accounts/accounts.ts'
import type { IdempotencyKey } from '../store/contracts/idempotency.ts'
import type { Merchant } from './accounts/merchants.ts'
import type { OriginBook } from './accounts/origins.ts'
import type { MemberDeps } from './members/member-deps.ts'
import type { Operations } from './operator/desk.ts'
import type { PaymentDeps } from './payments/payment-deps.ts'
import type { Found, ReadContract } from '../engine/reads.ts'
import type { ReceiverBook } from './accounts/receiver-secrets.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { FiguresProgress } from './accounts/figures.ts'
import type { Progress } from '../store/resources/terms.ts'
import type { SearchSession } from './resources/indexing.ts'
import type { WebhookDeps } from './webhooks/webhook-deps.ts'
import type { CallOnTrial } from '../webhooks/verifier-calls.ts'

/** A new contract's id, which tells whose it is and under which idempotency key it was requested (domain/contract/ids.ts). */
export type NewContractId = (owner: AccountKey, key: Pick<IdempotencyKey, 'keyHash'> | null) => string

/** Bring what is kept behind an account's history up to what it wrote last, where a reader needs that. Readers of one account share it. */
export type CatchUps = {
  readonly search: (key: AccountKey) => Promise<Progress>
  readonly figures: (key: AccountKey) => Promise<FiguresProgress>
}

export type Deps = {
  /** The write path: every command goes through here. */
  readonly execute: Execute
  /** Contracts by id, gathered. */
  readonly contracts: Batcher<ReadContract, Found>
  /** A connection for reads that are not gathered: lists, wallets, events, due rows. */
  readonly reader: Session
  readonly channels: ChannelArchive
  readonly callers: CallerBook
  /** On which day each key was used last. */
  readonly keyUses: KeyUses
  /** The secrets that prove providers' events. */
  readonly receivers: ReceiverBook
  readonly webhooks: WebhookDeps
  /** The connection that searches, and keeps the index of search. */
  readonly search: SearchSession
  readonly catchUp: CatchUps
  /** What changes of an account go through that are no contract's. */
  readonly changes: ChangeDeps
  /** Who signs in, and what proves them. */
  readonly members: MemberDeps
  /** What asks verifiers: told that there is something to ask. */
  readonly verifications: {
    readonly wake: (lane: number) => void
    /** Calls a verifier to see what it says; it is none of the calls that count. */
    readonly tryOut: CallOnTrial
  }
  readonly callbacks: CallbackDeps
  readonly payments: PaymentDeps
  /** The provider beside the gateway, for developers; null where there is none that is ours to control. */
  readonly sandbox: Sandbox | null
  /** What operators do over HTTP; null where they do not. */
  readonly operations: Operations | null
  /** From which pages tokens may be used. */
  readonly origins: OriginBook
  /** Who stands behind an account. */
  readonly merchantOf: (key: AccountKey) => Promise<Merchant>
  /** How an account shows itself to its payers. */
  readonly brandOf: (key: AccountKey) => Promise<ShownBrand>
  /** Node's clock, for ids and signature windows only; expiry goes by the database's. */
  readonly nowMs: () => number
  /** Milliseconds by a clock that never jumps, from no particular moment: for waits and for caches. */
  readonly monotonicMs: () => number
  /** At least 17 random hexadecimal digits. */
  readonly randomHex: () => string
  /** A new id on a lane, of what is no contract. */
  readonly newId: (lane: number) => string
  readonly newContractId: NewContractId
}
