// API keys as those see them who make and end them. Sessions of members are rows of the same table, and are none of these.
import type { KeyLine } from '../../domain/account/key-line.ts'
import type { ApiKey, Powers } from '../../domain/account/keys.ts'
import { date, forRows, ms, word } from '../../platform/columns.ts'
import { type Row, type Statement, textArray } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'
import { type AccountKey, capsFrom, storedCaps } from './accounts.ts'
import { lineFrom } from './key-lines.ts'
import { mandateFrom, spendingFrom, spendingIn, storedMandate } from './mandates.ts'

export type KeyOf = AccountKey & { readonly keyId: string }

const COLUMNS = `k.lane, k.account_id, k.key_id, k.livemode, k.name, k.scopes, k.addresses, k.transfer_max, k.mandate, ${spendingIn('s.lane = $1')},
  ${ms('k.created_at')} as created_at, ${ms('k.expires_at')} as expires_at, ${ms('k.revoked_at')} as revoked_at,
  k.last_used_on::text as last_used_on, k.member_id, k.origin_key_id, k.made_by_keys, k.mandate_key_id, r.key_id is not null as is_receiver, r.channels`
const FROM = `api_keys k
  left join receiver_secrets r on r.lane = k.lane and r.account_id = k.account_id and r.key_id = k.key_id`

/** A key of the account, ended or not. */
export function findKey({ lane, accountId, keyId }: KeyOf): Statement {
  return {
    name: 'find_key',
    text: `select ${COLUMNS} from ${FROM}
            where k.lane = $1 and k.account_id = $2 and k.key_id = $3 and k.member_id is null`,
    values: [lane, accountId, keyId],
  }
}

/** Whoever acts by a key or by a session: what bounds all that they make. */
export function findPowers({ lane, accountId, keyId }: KeyOf): Statement {
  return {
    name: 'find_powers',
    text: `select k.key_id, k.scopes, ${ms('k.expires_at')} as expires_at, k.addresses, k.transfer_max, k.mandate, k.member_id,
                  k.origin_key_id, k.made_by_keys
             from api_keys k where k.lane = $1 and k.account_id = $2 and k.key_id = $3`,
    values: [lane, accountId, keyId],
  }
}

/** The end of a session is none of what its member makes. */
export function powersFrom(row: Row): Powers {
  return {
    scopes: row['scopes'] as string[],
    expiresAt: row['member_id'] === null ? (row['expires_at'] as number | null) : null,
    addresses: row['addresses'] as string[] | null,
    transferMax: capsFrom(row['transfer_max']),
    mandate: mandateFrom(row['mandate']),
  }
}

/** In whose place a key stands that makes keys; null for a session, whose member makes them. */
export const makerFrom = (row: Row): KeyLine | null => (row['member_id'] === null ? lineFrom(row) : null)

/** The account's keys, newest first, one more than the limit; after the key that the page before ended with. */
export function listKeys({ lane, accountId }: AccountKey, after: string | null, limit: number): Statement {
  const rest = `and (k.created_at, k.key_id) < (select b.created_at, b.key_id from api_keys b
                     where b.lane = $1 and b.account_id = $2 and b.key_id = $4)`
  return {
    name: after === null ? 'list_keys' : 'list_keys_after',
    text: `select ${COLUMNS} from ${FROM}
            where k.lane = $1 and k.account_id = $2 and k.member_id is null ${after === null ? '' : rest}
            order by k.created_at desc, k.key_id desc limit $3`,
    values: [lane, accountId, limit + 1, ...(after === null ? [] : [after])],
  }
}

export function countLiveKeys({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_live_keys',
    text: `select count(*)::int as live from api_keys k
            where k.lane = $1 and k.account_id = $2 and k.member_id is null and k.revoked_at is null
              and (k.expires_at is null or k.expires_at > now())`,
    values: [lane, accountId],
  }
}

/** `madeBy`: the key or the session that makes it, and so the member behind it; null for an operator. */
export function insertKey(
  { lane, accountId }: AccountKey,
  key: ApiKey,
  hash: Buffer,
  madeBy: string | null,
): Statement {
  return {
    name: 'insert_key',
    text: `insert into api_keys (lane, account_id, key_id, secret_hash, name, scopes, livemode, addresses, transfer_max,
                                 mandate, created_at, expires_at, made_by_member, origin_key_id, made_by_keys, mandate_key_id)
           select l.lane, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11::float8 / 1000),
                  to_timestamp($12::float8 / 1000),
                  (select coalesce(b.member_id, b.made_by_member) from api_keys b
                    where b.lane = $1 and b.account_id = $2 and b.key_id = $13),
                  $14, $15, $16
             from lanes l
            where l.lane = $1`,
    values: [
      lane,
      accountId,
      key.id,
      hash,
      key.name,
      textArray(key.scopes),
      key.livemode,
      key.addresses && textArray(key.addresses),
      storedCaps(key.transferMax),
      storedMandate(key.mandate),
      key.createdAt,
      key.expiresAt,
      // No key has this id. A condition that is null leaves the join out, and a cluster refuses what is left of it.
      madeBy ?? '',
      key.line.originId,
      key.line.madeBy.length === 0 ? null : textArray(key.line.madeBy),
      key.mandateOf,
    ],
  }
}

/** What changes of a key: its name, where it may be used from, what may leave by it, and its end. */
export function saveKey({ lane, accountId }: AccountKey, key: ApiKey): Statement {
  return {
    name: 'save_key',
    text: `update api_keys k
              set name = $4, addresses = $5, transfer_max = $6, mandate = $7, mandate_key_id = $10,
                  expires_at = to_timestamp($8::float8 / 1000), revoked_at = to_timestamp($9::float8 / 1000)
            where k.lane = $1 and k.account_id = $2 and k.key_id = $3`,
    values: [
      lane,
      accountId,
      key.id,
      key.name,
      key.addresses && textArray(key.addresses),
      storedCaps(key.transferMax),
      storedMandate(key.mandate),
      key.expiresAt,
      key.revokedAt,
      key.mandateOf,
    ],
  }
}

export type KeyUse = KeyOf & { readonly day: string }

/** Notes the day on which keys were used last. */
export const noteKeyUses = forRows(
  'note_key_uses',
  { ...OWNER, key_id: word((use: KeyUse) => use.keyId), day: date((use: KeyUse) => use.day) },
  (rows) => `update api_keys k set last_used_on = x.day
     from ${rows}
    where k.lane = x.lane and k.account_id = x.account_id and k.key_id = x.key_id
      and (k.last_used_on is null or k.last_used_on < x.day) and $lane(k)`,
)

export function keyFrom(row: Row): ApiKey {
  const line = lineFrom(row)
  const mandate = mandateFrom(row['mandate'])
  return {
    id: row['key_id'] as string,
    livemode: row['livemode'] as boolean,
    name: row['name'] as string,
    line,
    mandateOf: mandate?.keyId ?? (row['mandate_key_id'] as string | null) ?? line.originId,
    scopes: row['scopes'] as string[],
    addresses: row['addresses'] as string[] | null,
    transferMax: capsFrom(row['transfer_max']),
    mandate,
    spending: spendingFrom(row['spending']),
    createdAt: row['created_at'] as number,
    expiresAt: row['expires_at'] as number | null,
    revokedAt: row['revoked_at'] as number | null,
    lastUsedOn: row['last_used_on'] as string | null,
    receiver: row['is_receiver'] === true ? { channels: row['channels'] as string[] | null } : null,
  }
}
