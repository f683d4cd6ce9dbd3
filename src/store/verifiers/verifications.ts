// Verifications as they are stored: the row is the job that asks, and what came of it.
import type { VerifiersInForce } from '../../domain/verifier/standing.ts'
import type { Verification, VerificationKind, VerificationStatus } from '../../domain/verifier/verification.ts'
import { subjectText } from '../../domain/verifier/verification.ts'
import type { Recipient } from '../../domain/transfer/transfer.ts'
import { bool, forRows, insertRows, int, json, ms, time, updateRows, uuid, word } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { hash128 } from '../../platform/hashes.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { KEY, OWNER, type OwnedKey } from '../columns.ts'

/** What is said of one beside its columns. It may gain members; those it has keep their meaning. */
type Document = Pick<
  Verification,
  | 'verifierName'
  | 'recipient'
  | 'channelId'
  | 'match'
  | 'score'
  | 'evidence'
  | 'reason'
  | 'decidedBy'
  | 'requestedBy'
  | 'code'
>

function documentOf(verification: Verification): Document {
  const { verifierName, recipient, channelId, match, score, evidence, reason, decidedBy, requestedBy, code } =
    verification
  const said = { verifierName, recipient, channelId, match, score, evidence, reason, decidedBy, requestedBy }
  return code ? { ...said, code } : said
}

/** What of one changes after it was written; its fence and its tries are those of the leases. */
const STANDING = {
  status: word((row: Verification): string => row.status),
  due_at: time((row: Verification) => row.dueAt),
  tries: int((row: Verification) => row.tries),
  ended_at: time((row: Verification) => row.endedAt),
  expires_at: time((row: Verification) => row.expiresAt),
  document: json(documentOf),
}

const WHOLE = {
  ...OWNER,
  livemode: bool((row: Verification) => row.livemode),
  id: uuid((row: Verification) => row.id),
  kind: word((row: Verification): string => row.kind),
  verifier_id: uuid((row: Verification) => row.verifierId),
  contract_id: uuid((row: Verification) => row.contractId),
  subject: uuid((row: Verification) => row.subject),
  created_at: time((row: Verification) => row.createdAt),
  ...STANDING,
}

export const insertVerifications = insertRows('insert_verifications', 'verifications', WHOLE)

const SAVED = { ...OWNER, id: uuid((row: Verification) => row.id), ...STANDING }

export const saveVerifications = updateRows(
  'save_verifications',
  SAVED,
  (rows) => `update verifications v
                set status = x.status, due_at = to_timestamp(x.due_at / 1000), tries = x.tries,
                    ended_at = to_timestamp(x.ended_at / 1000), expires_at = to_timestamp(x.expires_at / 1000),
                    document = x.document
               from ${rows}
              where v.lane = x.lane and v.account_id = x.account_id and v.id = x.id and $lane(v)`,
)

const COLUMNS = `v.lane, v.account_id, v.livemode, v.id, v.kind, v.verifier_id, v.contract_id, v.subject, v.status, v.fence, v.tries,
  ${ms('v.due_at')} as due_at, ${ms('v.created_at')} as created_at, ${ms('v.ended_at')} as ended_at,
  ${ms('v.expires_at')} as expires_at, v.document`

export function verificationFrom(row: Row): Verification {
  return {
    ...(row['document'] as Document),
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    livemode: row['livemode'] as boolean,
    id: row['id'] as string,
    kind: row['kind'] as VerificationKind,
    verifierId: row['verifier_id'] as string | null,
    contractId: row['contract_id'] as string | null,
    subject: row['subject'] as string,
    status: row['status'] as VerificationStatus,
    fence: row['fence'] as number,
    tries: row['tries'] as number,
    dueAt: row['due_at'] as number | null,
    createdAt: row['created_at'] as number,
    endedAt: row['ended_at'] as number | null,
    expiresAt: row['expires_at'] as number | null,
  }
}

export function findVerification({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_verification',
    text: `select ${COLUMNS} from verifications v where v.lane = $1 and v.account_id = $2 and v.id = $3`,
    values: [lane, accountId, id],
  }
}

/** Each by its id. Whoever ends one holds its account. */
export const loadVerifications = forRows(
  'load_verifications',
  KEY,
  (keys) => `select ${COLUMNS}
     from ${keys}
     join verifications v on v.lane = x.lane and v.account_id = x.account_id and v.id = x.id
    where $lane(v)`,
)

/** The newest verification of a subject by a verifier, that may count still. */
export function findNewest({ lane, accountId }: AccountKey, subject: string, verifierId: string | null): Statement {
  return {
    name: 'find_newest_verification',
    text: `select ${COLUMNS}
             from verifications v
            where v.lane = $1 and v.account_id = $2 and v.subject = $3 and v.verifier_id is not distinct from $4::uuid
            order by v.id desc
            limit 1`,
    values: [lane, accountId, subject, verifierId],
  }
}

export type SubjectKey = AccountKey & { readonly subject: string }

const SUBJECT = { ...OWNER, subject: uuid((row: SubjectKey) => row.subject) }

/** The newest verification of each subject, by each verifier. */
export const newestVerifications = forRows(
  'newest_verifications',
  SUBJECT,
  (keys) => `select distinct on (v.account_id, v.subject, v.verifier_id) ${COLUMNS}
     from ${keys}
     join verifications v on v.lane = x.lane and v.account_id = x.account_id and v.subject = x.subject
    where $lane(v)
    order by v.account_id, v.subject, v.verifier_id, v.id desc`,
)

/** Of each account its own verifiers in use, and since when the lists are as they are that it is screened against. */
export const verifiersInForce = forRows(
  'verifiers_in_force',
  OWNER,
  (keys) => `select x.lane, x.account_id,
          coalesce(json_agg(json_build_object('id', f.id, 'kind', f.kind)) filter (where f.status = 'active'), '[]') as active,
          coalesce(greatest(${ms("max(f.changed_at) filter (where f.kind = 'list')")}, ${ms('(select max(l.loaded_at) from screening_lists l where l.is_current)')}), 0)
            as lists_at
     from ${keys}
     left join verifiers f on f.lane = x.lane and f.account_id = x.account_id and $lane(f)
    group by x.lane, x.account_id`,
)

export const verifiersFrom = (row: Row): VerifiersInForce => ({
  listsAt: row['lists_at'] as number,
  active: row['active'] as VerifiersInForce['active'],
})

export type VerificationFilter = {
  readonly status: VerificationStatus | null
  readonly kind: VerificationKind | null
  readonly contractId: string | null
  /** The verification that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Verifications of the account, newest first, one more than the limit. */
export function listVerifications({ lane, accountId }: AccountKey, filter: VerificationFilter): Statement {
  const values: unknown[] = [lane, accountId, filter.limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const { status, kind, contractId, after } = filter
  // A filter that is not used is not in the text, so that the planner can take the index that fits the others.
  const conditions = [
    ...(status === null ? [] : [['status', `v.status = ${place(status)}`] as const]),
    ...(kind === null ? [] : [['kind', `v.kind = ${place(kind)}`] as const]),
    ...(contractId === null ? [] : [['contract', `v.contract_id = ${place(contractId)}`] as const]),
    ...(after === null ? [] : [['after', `v.id < ${place(after)}`] as const]),
  ]
  return {
    name: `list_verifications_${conditions.map(([name]) => name).join('_')}`,
    text: `select ${COLUMNS}
             from verifications v
            where v.lane = $1 and v.account_id = $2 ${conditions.map(([, each]) => `and ${each}`).join(' ')}
            order by v.id desc
            limit $3`,
    values,
  }
}

/** Takes those that are `due`, and shows them as they are then: what an update returns may not depend on a setting. */
const LEASED = `leased as (
             update verifications v
                set fence = v.fence + 1, tries = v.tries + 1, due_at = now() + $2::int * interval '1 millisecond'
               from due
              where v.lane = any($1::int[]) and v.lane = due.lane and v.account_id = due.account_id and v.id = due.id
             returning v.*)
           select ${COLUMNS} from leased v`

/** Takes due verifications under a lease: each has a new fence, and is due again when the lease ends. */
export function leaseVerifications(lanes: readonly number[], leaseMs: number, limit: number): Statement {
  return {
    name: 'lease_verifications',
    text: `with due as (
             select d.lane, d.account_id, d.id
               from verifications d
              where d.lane = any($1::int[]) and d.due_at is not null and d.due_at <= now() and d.kind not in ('otp', 'http')
              order by d.due_at
              limit $3
                for no key update skip locked),
                ${LEASED}`,
    values: [plainArray(lanes), leaseMs, limit],
  }
}

/**
 * The same of kinds that call an account's own verifiers: of each verifier at most so many, and of the busy ones none, so that one
 * that is slow keeps no other waiting.
 */
export function leaseCalled(
  lanes: readonly number[],
  leaseMs: number,
  { limit, ofEach, busy }: { readonly limit: number; readonly ofEach: number; readonly busy: readonly string[] },
): Statement {
  return {
    name: 'lease_called_verifications',
    text: `with asked as (
             select distinct v.lane, v.account_id, v.verifier_id
               from verifications v
              where v.lane = any($1::int[]) and v.due_at is not null and v.due_at <= now() and v.kind in ('otp', 'http')
                and not (v.verifier_id = any($5::uuid[]))),
                due as (
             select d.lane, d.account_id, d.id
               from asked a
              cross join lateral (
                    select v.lane, v.account_id, v.id
                      from verifications v
                     where v.lane = any($1::int[]) and v.lane = a.lane and v.account_id = a.account_id and v.verifier_id = a.verifier_id
                       and v.due_at is not null and v.due_at <= now()
                     order by v.due_at
                     limit $4
                       for no key update skip locked) d
              limit $3),
                ${LEASED}`,
    values: [plainArray(lanes), leaseMs, limit, ofEach, plainArray(busy)],
  }
}

/** What was asked about, as it is stored and compared. */
export function subjectOf(kind: VerificationKind, channelId: string | null, recipient: Recipient): string {
  return hash128(subjectText(kind, channelId, recipient))
}
