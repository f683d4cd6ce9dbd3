// Accounts: the row that is also the lock of everything the account owns, and the keys that may act for it.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type Scope, scoped, scopedUpdate } from '../../platform/scope.ts'

export type AccountKey = { readonly lane: number; readonly accountId: string }

/** The account as a batch sees it, locked until commit. */
export type AccountHead = AccountKey & {
  readonly position: number
  readonly livemode: boolean
  readonly refundsAtOnce: boolean
  readonly retries: number
  readonly fallbackChannels: readonly string[]
  readonly returnsAtOnce: boolean
}

const lock = scoped(
  'lock_accounts',
  `select k.lane, k.account_id, a.position, a.livemode, a.refunds_at_once, a.retries, a.fallback_channels, a.returns_at_once,
          case when a.position is null then (
               select true from accounts e where e.lane = k.lane and e.account_id = k.account_id and $lane(e)) end as is_held
     from unnest($1::int[], $2::uuid[]) k (lane, account_id)
     left join lateral (
          select a.position, a.livemode, a.refunds_at_once, a.retries, a.fallback_channels, a.returns_at_once
            from accounts a
           where a.lane = k.lane and a.account_id = k.account_id and $lane(a)
             for no key update skip locked) a on true`,
)

/**
 * Holds the accounts until commit. Whoever holds an account may read and write all it owns. It waits for nobody: see
 * {@link lockOf} for what became of each.
 */
export function lockAccounts(scope: Scope, keys: readonly AccountKey[]): Statement {
  return lock(scope, keyColumns(keys))
}

/** What became of the lock on an account: ours, somebody else's, or there is no such account. */
export function lockOf(row: Row): 'ours' | 'held elsewhere' | 'no account' {
  if (row['position'] !== null) return 'ours'
  return row['is_held'] === true ? 'held elsewhere' : 'no account'
}

export function accountHeadFrom(row: Row): AccountHead {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    position: Number(row['position']),
    livemode: row['livemode'] as boolean,
    refundsAtOnce: row['refunds_at_once'] as boolean,
    retries: row['retries'] as number,
    fallbackChannels: row['fallback_channels'] as string[],
    returnsAtOnce: row['returns_at_once'] as boolean,
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

const advance = scopedUpdate(
  'advance_accounts',
  `update accounts a set position = x.position
     from unnest($2::int[], $3::uuid[], $4::bigint[]) x (lane, account_id, position)
    where a.lane = x.lane and a.account_id = x.account_id and a.position < x.position and $lane(a)`,
)

/** Moves the accounts' newest positions on. */
export function advanceAccounts(scope: Scope, heads: readonly AccountHead[]): Statement {
  return advance(scope, [heads.length, ...keyColumns(heads), plainArray(heads.map((head) => head.position))])
}

const live = scoped(
  'live_api_keys',
  `select k.key_id
     from unnest($1::int[], $2::uuid[], $3::text[]) x (lane, account_id, key_id)
     join api_keys k on k.lane = x.lane and k.account_id = x.account_id and k.key_id = x.key_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and $lane(k)`,
)

/** Which of the named API keys may act at this moment: asked in the batch itself, so that a revocation holds at once. */
export function liveApiKeys(scope: Scope, keys: readonly (AccountKey & { readonly keyId: string })[]): Statement {
  return live(scope, [...keyColumns(keys), textArray(keys.map((key) => key.keyId))])
}

function keyColumns(keys: readonly AccountKey[]): [string, string] {
  return [plainArray(keys.map((key) => key.lane)), plainArray(keys.map((key) => key.accountId))]
}
