// What an operator writes and reads: accounts, wallets and keys.
import { type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from './accounts.ts'
import { nowWhere } from '../columns.ts'

/** A new account, after its mode, which nothing can change from then on. */
export function insertAccount(
  account: AccountKey & {
    readonly profileId: string
    readonly name: string
    readonly livemode: boolean
    readonly operates: boolean
  },
): readonly Statement[] {
  const { lane, accountId, profileId, name, livemode, operates } = account
  return [
    {
      name: 'insert_account_mode',
      text: `insert into account_modes (lane, account_id, livemode) values ($1, $2, $3)`,
      values: [lane, accountId, livemode],
    },
    {
      name: 'insert_account',
      text: `insert into accounts (lane, account_id, profile_id, name, livemode, operates) values ($1, $2, $3, $4, $5, $6)`,
      values: [lane, accountId, profileId, name, livemode, operates],
    },
  ]
}

export function insertWallet(
  owner: AccountKey & { readonly livemode: boolean },
  wallet: { readonly id: string; readonly currency: string },
): Statement {
  return {
    name: 'insert_wallet',
    text: `insert into wallets (lane, account_id, id, currency, livemode) values ($1, $2, $3, $4, $5)`,
    values: [owner.lane, owner.accountId, wallet.id, wallet.currency, owner.livemode],
  }
}

export type NewStoredKey = AccountKey & {
  readonly keyId: string
  readonly hash: Buffer
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresInSeconds: number | null
  /** As the key's text has it; the database takes none but its account's. */
  readonly livemode: boolean
}

export function insertApiKey(key: NewStoredKey): Statement {
  return {
    name: 'insert_api_key',
    text: `insert into api_keys (lane, account_id, key_id, secret_hash, name, scopes, expires_at, livemode)
           values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8)`,
    values: [
      key.lane,
      key.accountId,
      key.keyId,
      key.hash,
      key.name,
      textArray(key.scopes),
      key.expiresInSeconds,
      key.livemode,
    ],
  }
}

export function listAccounts(): Statement {
  return {
    name: 'list_accounts',
    merge: {
      order: [
        ['created_at', 'up'],
        ['account_id', 'up'],
      ],
    },
    text: `-- every lane: an operator looks at all accounts.
           select lane, account_id, profile_id, name, livemode, owner_name, owner_email, created_at from accounts order by created_at, account_id`,
    values: [],
  }
}

/** The contact for an account, until it has members. */
export type AccountOwner = { readonly name: string; readonly email: string }

export function nameOwner({ lane, accountId }: AccountKey, { name, email }: AccountOwner): Statement {
  return {
    name: 'name_owner',
    text: `update accounts a set owner_name = $3, owner_email = $4 where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId, name, email],
  }
}

export function anyAccount(): Statement {
  return {
    name: 'any_account',
    merge: {},
    text: `-- every lane: a start asks whether the database is somebody's already.
           select 1 from accounts limit 1`,
    values: [],
  }
}

export function findAccount(owner: AccountKey): Statement {
  return {
    name: 'find_account',
    text: `select a.livemode from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [owner.lane, owner.accountId],
  }
}

export function listApiKeys(owner: AccountKey): Statement {
  return {
    name: 'list_api_keys',
    text: `select key_id, name, scopes, livemode, created_at, expires_at, revoked_at, last_used_on::text as last_used_on
             from api_keys where lane = $1 and account_id = $2 and member_id is null order by created_at, key_id`,
    values: [owner.lane, owner.accountId],
  }
}

/** Ends a key now, or after the overlap of a roll. A key that has ended stays so. */
export function revokeApiKey(lane: number, keyId: string, afterSeconds: number): Statement {
  return {
    name: 'revoke_api_key',
    text: `update api_keys
              set revoked_at = ${nowWhere('$3::float8 = 0')},
                  expires_at = least(expires_at, now() + make_interval(secs => $3::float8))
            where lane = $1 and key_id = $2 and revoked_at is null
           returning lane, account_id, name, scopes`,
    values: [lane, keyId, afterSeconds],
  }
}
