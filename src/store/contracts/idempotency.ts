// Idempotency keys: 128 bits of a key's hash, 128 of the request's, and where the answer stands. Nothing is stored twice.
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { forRows, insertRows, int8, json, time, uuid } from '../../platform/columns.ts'
import type { Row } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { OWNER } from '../columns.ts'
import { contractFrom } from './contracts.ts'
import { hasLeft } from './removed.ts'

/** Both hashes as uuid text, the cheapest 128 bits PostgreSQL has. */
export type IdempotencyKey = { readonly keyHash: string; readonly fingerprint: string }

/** What a key was answered with: the contract as it stood then, or the refusal. */
export type KnownAnswer = AccountKey &
  IdempotencyKey & { readonly contract: Contract | null; readonly refusal: Refusal | null }

const KEY = { ...OWNER, key_hash: uuid((key: AccountKey & Pick<IdempotencyKey, 'keyHash'>) => key.keyHash) }

export const recallAnswers = forRows(
  'recall_answers',
  KEY,
  (keys) => `select i.lane, i.account_id, i.key_hash, i.fingerprint, i.refusal, h.contract_id, h.document
     from ${keys}
    cross join lateral (
          select i.lane, i.account_id, i.key_hash, i.fingerprint, i.refusal, i.position from idempotency_keys i
           where i.lane = x.lane and i.account_id = x.account_id and i.key_hash = x.key_hash and $lane(i) offset 0) i
     left join lateral (
          select h.contract_id, h.document from contract_versions h
           where h.lane = i.lane and h.account_id = i.account_id and h.position = i.position and $lane(h) offset 0) h on true`,
)

const LEFT = refuse(
  'idempotency_reply_lost',
  null,
  'The key was used so long ago that what it was answered with has left. Read the contract as it stands.',
)

export function knownAnswerFrom(row: Row): KnownAnswer {
  const key = { lane: row['lane'] as number, accountId: row['account_id'] as string }
  const known = { ...key, keyHash: row['key_hash'] as string, fingerprint: row['fingerprint'] as string }
  const contractId = row['contract_id'] as string | null
  // Keys are deleted weeks before: one that was not is answered, and never carried out again.
  if (hasLeft(row)) return { ...known, refusal: LEFT, contract: null }
  return {
    ...known,
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

export const rememberAnswers = insertRows(
  'remember_answers',
  'idempotency_keys',
  {
    ...KEY,
    fingerprint: uuid((answer: NewAnswer) => answer.fingerprint),
    position: int8((answer: NewAnswer) => answer.position),
    refusal: json((answer: NewAnswer) => answer.refusal),
    created_at: time((answer: NewAnswer) => answer.at),
  },
  'on conflict (lane, account_id, key_hash) do update set position = excluded.position',
)
