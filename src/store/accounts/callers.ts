// Who calls: API keys and access tokens with the account they act for. Found by lane first, never by id alone.
import { bytes, forRows, int, text } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { Role } from '../../domain/account/roles.ts'
import type { AccountKey } from './accounts.ts'

export type StoredCaller = AccountKey & {
  readonly profileId: string
  readonly livemode: boolean
  readonly operates: boolean
  readonly keyId: string
  /** Whose session it is; null for a key. */
  readonly memberId: string | null
  /** What that member is at this moment; null for a key. */
  readonly role: Role | null
  readonly scopes: readonly string[]
  /** Where it may be used from, in CIDR notation; null for anywhere. */
  readonly addresses: readonly string[] | null
  readonly expiresAtMs: number | null
}
export type StoredKey = StoredCaller & { readonly secretHash: Buffer }
export type StoredToken = StoredCaller & { readonly hash: Buffer; readonly contractId: string | null }

/** `lane`: the member's, as the statement names it; that of the key does not lead a distributed engine to one shard. */
const callerIn = (
  lane: string,
): string => `a.lane, a.account_id, a.profile_id, a.livemode, a.operates, k.key_id, k.member_id, k.scopes, k.addresses,
             (select m.role from members m
               where ${lane} and m.account_id = k.account_id and m.id = k.member_id and m.status = 'active') as member_role`

/** The key with this id, if it may act now. */
export function findApiKey(lane: number, keyId: string): Statement {
  return definite({
    name: 'find_api_key',
    text: `select ${callerIn('m.lane = $1')}, k.secret_hash, extract(epoch from k.expires_at)::float8 * 1000 as expires_at_ms
             from api_keys k join accounts a on a.lane = k.lane and a.account_id = k.account_id
            where k.lane = $1 and k.key_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    values: [lane, keyId],
  })
}

const MEMBER = callerIn('m.lane = k.lane and $lane(m)')

type KeyName = { readonly lane: number; readonly keyId: string }
type TokenName = { readonly lane: number; readonly hash: Buffer }

/** Those of the named keys that may act now. */
export const findApiKeys = forRows(
  'find_api_keys',
  { lane: int(({ lane }: KeyName) => lane), key_id: text(({ keyId }: KeyName) => keyId) },
  (keys) => `select ${MEMBER}, k.secret_hash, extract(epoch from k.expires_at)::float8 * 1000 as expires_at_ms
     from ${keys}
     join api_keys k on k.lane = x.lane and k.key_id = x.key_id
     join accounts a on a.lane = k.lane and a.account_id = k.account_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and $lane(k) and $lane(a)`,
)

/** Those of the tokens with these hashes that may act now, together with the keys that requested them. */
export const findAccessTokens = forRows(
  'find_access_tokens',
  { lane: int(({ lane }: TokenName) => lane), hash: bytes(({ hash }: TokenName) => hash) },
  (
    tokens,
  ) => `select ${MEMBER}, t.token_hash, t.contract_id, extract(epoch from t.expires_at)::float8 * 1000 as expires_at_ms
     from ${tokens}
     join access_tokens t on t.lane = x.lane and t.token_hash = x.hash
     join api_keys k on k.lane = t.lane and k.account_id = t.account_id and k.key_id = t.key_id
     join accounts a on a.lane = t.lane and a.account_id = t.account_id
    where t.expires_at > now() and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and $lane(t) and $lane(k)
      and $lane(a)`,
)

function callerFrom(row: Row): StoredCaller {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    profileId: row['profile_id'] as string,
    livemode: row['livemode'] as boolean,
    operates: row['operates'] as boolean,
    keyId: row['key_id'] as string,
    memberId: row['member_id'] as string | null,
    role: row['member_role'] as Role | null,
    addresses: row['addresses'] as string[] | null,
    scopes: row['scopes'] as string[],
    expiresAtMs: row['expires_at_ms'] as number | null,
  }
}

export function storedKeyFrom(row: Row): StoredKey {
  return { ...callerFrom(row), secretHash: row['secret_hash'] as Buffer }
}

export function storedTokenFrom(row: Row): StoredToken {
  return { ...callerFrom(row), hash: row['token_hash'] as Buffer, contractId: row['contract_id'] as string | null }
}

export type NewAccessToken = AccountKey & {
  readonly hash: Buffer
  readonly keyId: string
  readonly contractId: string | null
  readonly lifetimeSeconds: number
}

export function insertAccessToken(token: NewAccessToken): Statement {
  return {
    name: 'insert_access_token',
    text: `insert into access_tokens (lane, account_id, token_hash, key_id, contract_id, expires_at)
           values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    values: [token.lane, token.accountId, token.hash, token.keyId, token.contractId, token.lifetimeSeconds],
  }
}
