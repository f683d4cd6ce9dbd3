// The signing secrets of API keys that report events, sealed. Times in the sealed list are milliseconds since the
// epoch.
import { type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from './accounts.ts'
import type { SealedSecret } from '../webhooks/endpoints.ts'

export type ReceiverKey = AccountKey & { readonly keyId: string }
export type StoredReceiver = ReceiverKey & {
  /** Newest first. */
  readonly secrets: readonly SealedSecret[]
  readonly sealingKeyId: string
  /** The channels that it may report on; null for all of its mode. */
  readonly channels: readonly string[] | null
}

const COLUMNS = 'r.lane, r.account_id, r.key_id, r.secrets_sealed, r.sealing_key_id, r.channels'

/** The secrets of the key; no row for a key that reports no events. */
export function findReceiver({ lane, accountId, keyId }: ReceiverKey): Statement {
  return {
    name: 'find_receiver',
    text: `select ${COLUMNS} from receiver_secrets r where r.lane = $1 and r.account_id = $2 and r.key_id = $3`,
    values: [lane, accountId, keyId],
  }
}

/** The secrets of a key that may act now, of any account, held until commit. */
export function lockReceiver(lane: number, keyId: string): Statement {
  return {
    name: 'lock_receiver',
    text: `select ${COLUMNS}
             from receiver_secrets r
             join api_keys k on k.lane = r.lane and k.account_id = r.account_id and k.key_id = r.key_id
            where r.lane = $1 and r.key_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
              for no key update of r`,
    values: [lane, keyId],
  }
}

/** Which keys of the account report events, and on which channels. */
export function listReceivers({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'list_receivers',
    text: `select r.key_id, r.channels from receiver_secrets r where r.lane = $1 and r.account_id = $2`,
    values: [lane, accountId],
  }
}

/** Writes the secrets of a key, in place of those that it had. Its channels never change. */
export function saveReceiver({ lane, accountId, keyId, secrets, sealingKeyId, channels }: StoredReceiver): Statement {
  return {
    name: 'save_receiver',
    text: `insert into receiver_secrets (lane, account_id, key_id, secrets_sealed, sealing_key_id, channels, updated_at)
           values ($1, $2, $3, $4, $5, $6, now())
               on conflict (lane, account_id, key_id) do update
              set secrets_sealed = excluded.secrets_sealed, sealing_key_id = excluded.sealing_key_id,
                  updated_at = excluded.updated_at`,
    values: [lane, accountId, keyId, JSON.stringify(secrets), sealingKeyId, channels && textArray(channels)],
  }
}

export function storedReceiverFrom(row: Row): StoredReceiver {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    keyId: row['key_id'] as string,
    secrets: row['secrets_sealed'] as SealedSecret[],
    sealingKeyId: row['sealing_key_id'] as string,
    channels: row['channels'] as string[] | null,
  }
}
