// Idempotency keys: 128 bits of a key's hash, 128 of the request's, and where the answer stands. Nothing is stored twice.
import type { Refusal } from '../../domain/contract/refusals.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { contractFrom } from './contracts.ts'
import { type Scope, scoped } from '../../platform/scope.ts'

/** Both hashes as uuid text, the cheapest 128 bits PostgreSQL has. */
export type IdempotencyKey = { readonly keyHash: string; readonly fingerprint: string }

/** What a key was answered with: the contract as it stood then, or the refusal. */
export type KnownAnswer = AccountKey &
  IdempotencyKey & { readonly contract: Contract | null; readonly refusal: Refusal | null }

const recall = scoped(
  'recall_answers',
  `select i.lane, i.account_id, i.key_hash, i.fingerprint, i.refusal, h.contract_id, h.document
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, key_hash)
     join idempotency_keys i on i.lane = k.lane and i.account_id = k.account_id and i.key_hash = k.key_hash
     left join contract_versions h on h.lane = i.lane and h.account_id = i.account_id and h.position = i.position
    where $lane(i)`,
)

export function recallAnswers(scope: Scope, keys: readonly (AccountKey & { readonly keyHash: string })[]): Statement {
  return recall(scope, [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    plainArray(keys.map((key) => key.keyHash)),
  ])
}

export function knownAnswerFrom(row: Row): KnownAnswer {
  const key = { lane: row['lane'] as number, accountId: row['account_id'] as string }
  const contractId = row['contract_id'] as string | null
  return {
    ...key,
    keyHash: row['key_hash'] as string,
    fingerprint: row['fingerprint'] as string,
    refusal: row['refusal'] as Refusal | null,
    contract: contractId === null ? null : contractFrom({ ...key, id: contractId }, row['document']),
  }
}

export type NewAnswer = AccountKey &
  IdempotencyKey & {
    readonly position: number | null
    readonly refusal: Refusal | null
    readonly at: number
  }

const remember = scoped(
  'remember_answers',
  `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, position, refusal, created_at)
   select l.lane, x.account_id, x.key_hash, x.fingerprint, x.position, x.refusal, to_timestamp(x.at / 1000)
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::json[], $7::float8[])
          x (lane, account_id, key_hash, fingerprint, position, refusal, at)
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, key_hash) do update set position = excluded.position`,
)

export function rememberAnswers(scope: Scope, answers: readonly NewAnswer[]): Statement {
  return remember(scope, [
    plainArray(answers.map((a) => a.lane)),
    plainArray(answers.map((a) => a.accountId)),
    plainArray(answers.map((a) => a.keyHash)),
    plainArray(answers.map((a) => a.fingerprint)),
    plainArray(answers.map((a) => a.position)),
    textArray(answers.map((a) => (a.refusal ? JSON.stringify(a.refusal) : null))),
    plainArray(answers.map((a) => a.at)),
  ])
}
