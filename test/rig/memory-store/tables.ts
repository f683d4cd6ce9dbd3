// The tables of the write path as plain maps, with what the database would refuse to have in them. No SQL, no I/O.
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { Refusal } from '../../../src/domain/contract/refusals.ts'
import type { EventType } from '../../../src/domain/transfer/moves.ts'
import type { Wallet } from '../../../src/domain/wallet/wallet.ts'
import type { KeyBounds } from '../../../src/engine/batch-state.ts'
import type { LedgerRow } from '../../../src/ledger/wallets.ts'
import type { PlacedEvent } from '../../../src/store/accounts/account-events.ts'
import type { AccountHead } from '../../../src/store/accounts/accounts.ts'
import type { SpendingRow } from '../../../src/store/accounts/mandates.ts'
import type { UsageRow } from '../../../src/store/accounts/usage.ts'
import type { ApprovalRow } from '../../../src/store/contracts/approvals.ts'
import type { ChannelCall } from '../../../src/store/jobs/channel-calls.ts'
import type { Job } from '../../../src/store/jobs/jobs.ts'
import type { OpenReview } from '../../../src/store/operator/waiting-transfers.ts'
import type { PaymentEvent } from '../../../src/store/payments/payment-events.ts'
import type { ProviderPaymentId } from '../../../src/store/payments/provider-payment-ids.ts'

/** One version of a contract: activity, event and document. */
export type Version = { readonly contract: Contract; readonly event: EventType | null; readonly position: number }

/** A contract's newest version. */
export type Head = { readonly position: number; readonly version: number; readonly parentId: string | null }

/** `outside`: the number of a row that no contract brought. */
export type StoredRow = LedgerRow & { readonly outside: number | null }

export type StoredAnswer = {
  readonly fingerprint: string
  readonly position: number | null
  readonly refusal: Refusal | null
  readonly at: number
}

export type StoredKey = KeyBounds & { readonly lane: number; readonly accountId: string; readonly isLive: boolean }

/** Every map is by `account/…`, but for accounts and keys, which have an id of their own. */
export type Tables = {
  readonly accounts: Map<string, AccountHead>
  readonly keys: Map<string, StoredKey>
  readonly heads: Map<string, Head>
  /** By `account/position`, and the positions of each contract. */
  readonly versions: Map<string, Version>
  readonly accountEvents: Map<string, PlacedEvent>
  readonly wallets: Map<string, Wallet>
  /** By `account/wallet/sequence`. */
  readonly ledger: Map<string, StoredRow>
  /** By `account/reference`: the key of its row in the ledger. */
  readonly references: Map<string, string>
  readonly jobs: Map<string, Job>
  readonly reviews: Map<string, OpenReview>
  readonly approvals: Map<string, ApprovalRow>
  readonly calls: Map<string, ChannelCall>
  readonly events: Map<string, PaymentEvent>
  /** By `account/object`: the key of the event that booked it. */
  readonly objects: Map<string, string>
  readonly providerIds: Map<string, ProviderPaymentId>
  readonly answers: Map<string, StoredAnswer>
  readonly spending: Map<string, SpendingRow>
  readonly usage: Map<string, UsageRow>
}

export const emptyTables = (): Tables => ({
  accounts: new Map(),
  keys: new Map(),
  heads: new Map(),
  versions: new Map(),
  accountEvents: new Map(),
  wallets: new Map(),
  ledger: new Map(),
  references: new Map(),
  jobs: new Map(),
  reviews: new Map(),
  approvals: new Map(),
  calls: new Map(),
  events: new Map(),
  objects: new Map(),
  providerIds: new Map(),
  answers: new Map(),
  spending: new Map(),
  usage: new Map(),
})

/** What the database would have refused, or what was never to be written. */
class Refused extends Error {
  override readonly name = 'Refused'
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Refused(`the store refuses: ${what}`)
}

/** Writes that are undone together, as a transaction that fails. */
export type Writing = {
  readonly put: <K, V>(map: Map<K, V>, key: K, value: V) => void
  readonly undo: () => void
}

export function openWriting(): Writing {
  const undone: (() => void)[] = []
  return {
    put: (map, key, value) => {
      const before = map.get(key)
      const isKnown = map.has(key)
      undone.push(() => {
        if (isKnown && before !== undefined) map.set(key, before)
        else map.delete(key)
      })
      map.set(key, value)
    },
    undo: () => {
      for (const each of undone.toReversed()) each()
    },
  }
}
