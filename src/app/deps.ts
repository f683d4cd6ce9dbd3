// The one list of what a use case may touch.
import type { ChannelArchive } from '../domain/channels.ts'
import type { Session } from '../platform/db.ts'
import type { Answer, Ask } from './ask.ts'
import type { Batcher } from './batch.ts'
import type { CallbackDeps } from './callback-deps.ts'
import type { CallerBook } from './callers.ts'
import type { AccountKey } from '../store/accounts.ts'
import type { Merchant } from './merchants.ts'
import type { OriginBook } from './origins.ts'
import type { PaymentDeps } from './payment-deps.ts'
import type { Found, ReadContract } from './reads.ts'
import type { ReceiverBook } from './receiver-secrets.ts'
import type { WebhookDeps } from './webhook-deps.ts'

export type Deps = {
  /** The write path: every command goes through here. */
  readonly execute: (ask: Ask) => Promise<Answer>
  /** Contracts by id, gathered. */
  readonly contracts: Batcher<ReadContract, Found>
  /** A connection for reads that are not gathered: lists, wallets, feeds, due rows. */
  readonly reader: Session
  readonly channels: ChannelArchive
  readonly callers: CallerBook
  /** The secrets that prove providers' events. */
  readonly receivers: ReceiverBook
  readonly webhooks: WebhookDeps
  readonly callbacks: CallbackDeps
  readonly payments: PaymentDeps
  /** From which pages tokens may be used. */
  readonly origins: OriginBook
  /** Who stands behind an account. */
  readonly merchantOf: (key: AccountKey) => Promise<Merchant>
  /** Node's clock, for ids and signature windows only; expiry goes by the database's. */
  readonly nowMs: () => number
  /** Milliseconds by a clock that never jumps, from no particular moment: for waits and for what is remembered. */
  readonly monotonicMs: () => number
  /** At least 17 random hexadecimal digits. */
  readonly randomHex: () => string
  /** A new id on a lane. */
  readonly newId: (lane: number) => string
}
