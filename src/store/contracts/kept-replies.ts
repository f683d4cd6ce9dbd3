// Replies kept under an idempotency key by operations that are about no contract: a claim first, and the sealed reply in it
// once it is known. They share the keys of the account with its commands, so that no key means two requests.
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { IdempotencyKey } from './idempotency.ts'

/** Claims the key; no row where it is taken. A claim without a reply is given up after so long: its process is gone. */
export function claimReply({ lane, accountId }: AccountKey, key: IdempotencyKey, staleMs: number): Statement[] {
  return [
    {
      name: 'drop_stale_claim',
      text: `delete from idempotency_keys i
              where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null
                and i.reply_sealed is null and i.created_at < now() - make_interval(secs => $4::float8 / 1000)`,
      values: [lane, accountId, key.keyHash, staleMs],
    },
    {
      name: 'claim_reply',
      text: `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, created_at)
             values ($1, $2, $3, $4, now())
                 on conflict (lane, account_id, key_hash) do nothing
             returning 1 as claimed`,
      values: [lane, accountId, key.keyHash, key.fingerprint],
    },
  ]
}

export type KeptReply = { readonly fingerprint: string; readonly sealed: string | null }

export function findReply({ lane, accountId }: AccountKey, keyHash: string): Statement {
  return {
    name: 'find_reply',
    text: `select i.fingerprint, i.reply_sealed from idempotency_keys i
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3`,
    values: [lane, accountId, keyHash],
  }
}

export function keptReplyFrom(row: Row): KeptReply {
  return { fingerprint: row['fingerprint'] as string, sealed: row['reply_sealed'] as string | null }
}

export function saveReply({ lane, accountId }: AccountKey, keyHash: string, sealed: string): Statement {
  return {
    name: 'save_reply',
    text: `update idempotency_keys i set reply_sealed = $4
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null`,
    values: [lane, accountId, keyHash, sealed],
  }
}

/** Releases the claim: the request had no effect, and may be sent again. */
export function dropClaim({ lane, accountId }: AccountKey, keyHash: string): Statement {
  return {
    name: 'drop_claim',
    text: `delete from idempotency_keys i
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null
              and i.reply_sealed is null`,
    values: [lane, accountId, keyHash],
  }
}
