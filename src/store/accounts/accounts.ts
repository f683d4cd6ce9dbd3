// Accounts: the row that is also the lock of everything the account owns, and the keys that may act for it.
import { forRows, int8, text, updateRows } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { TransferCap } from '../../domain/account/caps.ts'
import { FIRST_EPOCH } from '../../domain/contract/ids.ts'
import type { Look } from '../../domain/policy/look.ts'
import { OWNER } from '../columns.ts'
import { spendingIn } from './mandates.ts'

export type AccountKey = { readonly lane: number; readonly accountId: string }

/** The account as a batch sees it, locked until commit. */
export type AccountHead = AccountKey & {
  readonly position: number
  /** The life of the books that is written in (docs/recovery.md). */
  readonly epoch: number
  readonly livemode: boolean
  readonly refundsAtOnce: boolean
  readonly retries: number
  readonly fallbackChannels: readonly string[]
  readonly returnsAtOnce: boolean
  /** How long contracts can be paid that do not say it themselves; null for the gateway's own defaults. */
  readonly transferExpirySeconds: number | null
  readonly paymentExpirySeconds: number | null
  /** Its position when its active policies changed last; null while it has none, and nothing about policies is looked at. */
  readonly policiesAt: number | null
  /** What they look at; null where that is not kept: then all is looked for. */
  readonly policiesLookAt: Look | null
  readonly timeZone: string
}

const LOCK_ACCOUNTS = forRows(
  'lock_accounts',
  OWNER,
  (
    keys,
  ) => `select x.lane, x.account_id, a.position, a.livemode, a.refunds_at_once, a.retries, a.fallback_channels, a.returns_at_once,
          a.transfer_expiry_seconds, a.payment_expiry_seconds, a.policies_at, a.policies_look_at, a.time_zone,
          (select max(p.epoch) from epoch_positions p
            where p.lane = x.lane and p.account_id = x.account_id and $lane(p)) as epoch,
          case when a.position is null then (
               select true from accounts e where e.lane = x.lane and e.account_id = x.account_id and $lane(e)) end as is_held
     from ${keys}
     left join lateral (
          select a.position, a.livemode, a.refunds_at_once, a.retries, a.fallback_channels, a.returns_at_once,
                 a.transfer_expiry_seconds, a.payment_expiry_seconds, a.policies_at, a.policies_look_at, a.time_zone
            from accounts a
           where a.lane = x.lane and a.account_id = x.account_id and $lane(a)
             for no key update skip locked) a on true`,
)

/**
 * Holds the accounts until commit. The session that holds an account may read and write all it owns. The statement
 * never waits: see {@link lockOf} for the result for each.
 */
export const lockAccounts = (scope: Scope, keys: readonly AccountKey[]): Statement =>
  definite(LOCK_ACCOUNTS(scope, keys), isThere)

/** Waits for the account behind the sessions that came before, and holds it until commit. What is read of it is read afterwards. */
export const awaitAccount = ({ lane, accountId }: AccountKey): Statement => ({
  name: 'await_account',
  text: `select from accounts a where a.lane = $1 and a.account_id = $2 for no key update`,
  values: [lane, accountId],
})

/** What became of the lock on an account: ours, another session's, or there is no such account. */
export function lockOf(row: Row): 'ours' | 'held elsewhere' | 'no account' {
  if (row['position'] !== null) return 'ours'
  return row['is_held'] === true ? 'held elsewhere' : 'no account'
}

const isThere = (row: Row) => lockOf(row) !== 'no account'

export function accountHeadFrom(row: Row): AccountHead {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    position: Number(row['position']),
    epoch: (row['epoch'] as number | null) ?? FIRST_EPOCH,
    livemode: row['livemode'] as boolean,
    refundsAtOnce: row['refunds_at_once'] as boolean,
    retries: row['retries'] as number,
    fallbackChannels: row['fallback_channels'] as string[],
    returnsAtOnce: row['returns_at_once'] as boolean,
    transferExpirySeconds: row['transfer_expiry_seconds'] as number | null,
    paymentExpirySeconds: row['payment_expiry_seconds'] as number | null,
    policiesAt: row['policies_at'] === null ? null : Number(row['policies_at']),
    policiesLookAt: row['policies_look_at'] as Look | null,
    timeZone: row['time_zone'] as string,
  }
}

/** Who stands behind an account. */
export function findAccountName({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'find_account_name',
    text: `select a.profile_id, a.name, a.sites from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

/** Moves the accounts' newest positions on. */
export const advanceAccounts = updateRows(
  'advance_accounts',
  { ...OWNER, position: int8((head: AccountHead) => head.position) },
  (rows) => `update accounts a set position = x.position
     from ${rows}
    where a.lane = x.lane and a.account_id = x.account_id and a.position < x.position and $lane(a)`,
)

/** Which of the named API keys may act at this moment: checked in the batch itself, so that a revocation holds at once. */
export const liveApiKeys = forRows(
  'live_api_keys',
  { ...OWNER, key_id: text((key: AccountKey & { readonly keyId: string }) => key.keyId) },
  (keys) => `select k.lane, k.account_id, k.key_id, k.name, k.transfer_max, k.mandate, k.origin_key_id, k.made_by_keys,
          ${spendingIn('s.lane = k.lane and $lane(s)')}
     from ${keys}
     join api_keys k on k.lane = x.lane and k.account_id = x.account_id and k.key_id = x.key_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and $lane(k)`,
)

type StoredCap = { readonly currency: string; readonly max_minor: string }

/** What may leave at a time by a key, as it is stored; null where any amount may. */
export function capsFrom(stored: unknown): readonly TransferCap[] | null {
  if (stored === null) return null
  return (stored as readonly StoredCap[]).map((cap) => ({ currency: cap.currency, maxMinor: BigInt(cap.max_minor) }))
}

export function storedCaps(caps: readonly TransferCap[] | null): string | null {
  if (caps === null) return null
  return JSON.stringify(caps.map(({ currency, maxMinor }): StoredCap => ({ currency, max_minor: String(maxMinor) })))
}

/** Whether any account of the lane has this tag, which the ids of its contracts carry (domain/contract/ids.ts). */
export function anyAccountTagged(lane: number, tag: string): Statement {
  return {
    name: 'any_account_tagged',
    text: `select exists (select from accounts a where a.lane = $1 and right(a.account_id::text, 4) = $2) as any`,
    values: [lane, tag],
  }
}
