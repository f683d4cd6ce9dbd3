// Sessions: keys of members, in the table of keys, so that whatever checks a key checks them. They have no scopes of their own.
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { MemberKey } from './members.ts'

export type NewSession = AccountKey & {
  readonly memberId: string
  readonly keyId: string
  readonly hash: Buffer
  readonly livemode: boolean
  readonly expiresAt: number
}

export function insertSession(session: NewSession): Statement {
  const { lane, accountId, memberId, keyId, hash, livemode, expiresAt } = session
  return {
    name: 'insert_session',
    text: `insert into api_keys (lane, account_id, key_id, secret_hash, name, scopes, expires_at, livemode, member_id)
           values ($1, $2, $3, $4, 'Session', '{}', to_timestamp($5::float8 / 1000), $6, $7)`,
    values: [lane, accountId, keyId, hash, expiresAt, livemode, memberId],
  }
}

export type StoredSession = { readonly keyId: string; readonly createdAt: number; readonly expiresAt: number }

/** Those that have not ended, newest first. */
export function listSessions({ lane, accountId, id }: MemberKey): Statement {
  return {
    name: 'list_sessions',
    text: `select k.key_id, ${ms('k.created_at')} as created_at, ${ms('k.expires_at')} as expires_at
             from api_keys k
            where k.lane = $1 and k.account_id = $2 and k.member_id = $3 and k.revoked_at is null and k.expires_at > now()
            order by k.created_at desc, k.key_id`,
    values: [lane, accountId, id],
  }
}

export type EndedSessions = {
  /** This one alone; null for all. */
  readonly only: string | null
  /** All but this one; null for no exception. */
  readonly but: string | null
}

/** Ends sessions of a member at once. */
export function endSessions({ lane, accountId, id }: MemberKey, { only, but }: EndedSessions): Statement {
  return {
    name: 'end_sessions',
    text: `update api_keys k set revoked_at = now()
            where k.lane = $1 and k.account_id = $2 and k.member_id = $3 and k.revoked_at is null
              and ($4::text is null or k.key_id = $4) and ($5::text is null or k.key_id <> $5)`,
    values: [lane, accountId, id, only, but],
  }
}

export function sessionFrom(row: Row): StoredSession {
  return {
    keyId: row['key_id'] as string,
    createdAt: row['created_at'] as number,
    expiresAt: row['expires_at'] as number,
  }
}
