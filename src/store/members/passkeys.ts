// Passkeys of members: the public keys that their authenticators prove themselves by.
import { ms } from '../../platform/columns.ts'
import { type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { MemberKey } from './members.ts'

/** Times are milliseconds since the epoch. */
export type Passkey = {
  readonly memberId: string
  readonly id: string
  readonly name: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export function listPasskeys({ lane, accountId, id }: MemberKey): Statement {
  return {
    name: 'list_passkeys',
    text: `select ${COLUMNS} from passkeys p
            where p.lane = $1 and p.account_id = $2 and p.member_id = $3 order by p.created_at, p.id`,
    values: [lane, accountId, id],
  }
}

/** How many each member of the account has. */
export function countPasskeys({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_passkeys',
    text: `select p.member_id, count(*)::int as passkeys from passkeys p
            where p.lane = $1 and p.account_id = $2 group by p.member_id`,
    values: [lane, accountId],
  }
}

/** The passkey with the account that its member belongs to: whoever signs in by it says who they are. */
export function findPasskey(lane: number, memberId: string, id: string): Statement {
  return {
    name: 'find_passkey',
    text: `select p.account_id, ${COLUMNS} from passkeys p
             join members m on m.lane = p.lane and m.account_id = p.account_id and m.id = p.member_id
            where p.lane = $1 and p.member_id = $2 and p.id = $3 and m.status = 'active'`,
    values: [lane, memberId, id],
  }
}

const COLUMNS = `p.member_id, p.id, p.name, p.public_key, p.counter, p.transports, ${ms('p.created_at')} as created_at,
  ${ms('p.last_used_at')} as last_used_at`

export function insertPasskey({ lane, accountId }: AccountKey, passkey: Passkey): Statement {
  const { memberId, id, name, publicKey, counter, transports, createdAt } = passkey
  return {
    name: 'insert_passkey',
    text: `insert into passkeys (lane, account_id, member_id, id, name, public_key, counter, transports, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000))`,
    values: [lane, accountId, memberId, id, name, publicKey, counter, textArray(transports), createdAt],
  }
}

export function usePasskey({ lane, accountId }: AccountKey, passkey: Passkey, nowMs: number): Statement {
  return {
    name: 'use_passkey',
    text: `update passkeys p set counter = $5, last_used_at = to_timestamp($6::float8 / 1000)
            where p.lane = $1 and p.account_id = $2 and p.member_id = $3 and p.id = $4`,
    values: [lane, accountId, passkey.memberId, passkey.id, passkey.counter, nowMs],
  }
}

/** One of them; all of them where no id is given. */
export function deletePasskeys({ lane, accountId, id }: MemberKey, passkeyId: string | null): Statement {
  return {
    name: 'delete_passkeys',
    text: `delete from passkeys p
            where p.lane = $1 and p.account_id = $2 and p.member_id = $3 and ($4::text is null or p.id = $4)`,
    values: [lane, accountId, id, passkeyId],
  }
}

export function passkeyFrom(row: Row): Passkey {
  return {
    memberId: row['member_id'] as string,
    id: row['id'] as string,
    name: row['name'] as string,
    publicKey: row['public_key'] as Buffer,
    counter: Number(row['counter']),
    transports: row['transports'] as string[],
    createdAt: row['created_at'] as number,
    lastUsedAt: row['last_used_at'] as number | null,
  }
}
