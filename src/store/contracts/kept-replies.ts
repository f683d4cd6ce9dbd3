// Replies kept under an idempotency key by operations that are about no contract: a claim first, and the sealed reply in it
// once it is known. They share the keys of the account with its commands, so that no key means two requests.
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { IdempotencyKey } from './idempotency.ts'

// A release from before noted only when the row was made.
const CLAIMED = 'coalesce(i.claimed_at, i.created_at)'

/**
 * Claims the key; no row where it is taken. A claim of a request that has changed nothing is given up after so long: its process
 * is gone. One that has changed something stays.
 */
export function claimReply(
  { lane, accountId }: AccountKey,
  key: IdempotencyKey,
  claim: string,
  staleMs: number,
): Statement[] {
  return [
    {
      name: 'drop_stale_claim',
      text: `delete from idempotency_keys i
              where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null
                and i.reply_sealed is null and i.carried_out is null
                and ${CLAIMED} < now() - make_interval(secs => $4::float8 / 1000)`,
      values: [lane, accountId, key.keyHash, staleMs],
    },
    {
      name: 'claim_reply',
      text: `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, created_at, claim, claimed_at)
             values ($1, $2, $3, $4, now(), $5, now())
                 on conflict (lane, account_id, key_hash) do nothing
             returning 1 as claimed`,
      values: [lane, accountId, key.keyHash, key.fingerprint, claim],
    },
  ]
}

/** Takes over a claim of a request that changed something and was broken off; no row where there is none of that age. */
export function takeOverClaim(
  { lane, accountId }: AccountKey,
  { keyHash, claim }: ClaimedKey,
  staleMs: number,
): Statement {
  return {
    name: 'take_over_claim',
    text: `update idempotency_keys i set claimed_at = now(), claim = $5
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.reply_sealed is null
              and i.carried_out is not null and i.claimed_at < now() - make_interval(secs => $4::float8 / 1000)
           returning 1 as claimed`,
    values: [lane, accountId, keyHash, staleMs, claim],
  }
}

/**
 * Notes in the transaction of a change what its request has made: it is not made again. Fails, and with it the transaction, where the
 * claim is not the request's any more.
 */
export function noteCarriedOut({ lane, accountId }: AccountKey, claim: ClaimedKey, objectId: string): Statement {
  return {
    name: 'note_carried_out',
    text: `with touched as (
             update idempotency_keys i set carried_out = coalesce(i.carried_out, $5)
              where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.claim = $4
             returning 1)
           select 1 / (count(*) = 1)::int as as_claimed from touched`,
    values: [lane, accountId, claim.keyHash, claim.claim, objectId],
  }
}

/** A key that a request has claimed. `claim` is random, and tells its claim from a later one. */
export type ClaimedKey = { readonly keyHash: string; readonly claim: string }

export type KeptReply = {
  readonly fingerprint: string
  readonly sealed: string | null
  /** What the request has made, where it is not known what was answered. */
  readonly carriedOut: string | null
  readonly isStale: boolean
}

export function findReply({ lane, accountId }: AccountKey, keyHash: string, staleMs: number): Statement {
  return {
    name: 'find_reply',
    text: `select i.fingerprint, i.reply_sealed, i.carried_out,
                  ${CLAIMED} < now() - make_interval(secs => $4::float8 / 1000) as is_stale
             from idempotency_keys i
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3`,
    values: [lane, accountId, keyHash, staleMs],
  }
}

export function keptReplyFrom(row: Row): KeptReply {
  return {
    fingerprint: row['fingerprint'] as string,
    sealed: row['reply_sealed'] as string | null,
    carriedOut: row['carried_out'] as string | null,
    isStale: row['is_stale'] as boolean,
  }
}

export function saveReply({ lane, accountId }: AccountKey, keyHash: string, sealed: string): Statement {
  return {
    name: 'save_reply',
    text: `update idempotency_keys i set reply_sealed = $4
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null`,
    values: [lane, accountId, keyHash, sealed],
  }
}

/** Releases the claim: the request was refused, and may be sent again. */
export function dropClaim({ lane, accountId }: AccountKey, keyHash: string): Statement {
  return {
    name: 'drop_claim',
    text: `delete from idempotency_keys i
            where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null
              and i.reply_sealed is null`,
    values: [lane, accountId, keyHash],
  }
}

/**
 * Releases the claim of a request that failed: where it has changed nothing it may be sent again, and otherwise what it has made is
 * found by whoever sends it again.
 */
export function leaveClaim({ lane, accountId }: AccountKey, keyHash: string, staleMs: number): Statement[] {
  return [
    {
      name: 'drop_unused_claim',
      text: `delete from idempotency_keys i
              where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.position is null and i.refusal is null
                and i.reply_sealed is null and i.carried_out is null`,
      values: [lane, accountId, keyHash],
    },
    {
      name: 'leave_claim',
      text: `update idempotency_keys i set claimed_at = now() - make_interval(secs => $4::float8 / 1000)
              where i.lane = $1 and i.account_id = $2 and i.key_hash = $3 and i.reply_sealed is null
                and i.carried_out is not null`,
      values: [lane, accountId, keyHash, staleMs],
    },
  ]
}
