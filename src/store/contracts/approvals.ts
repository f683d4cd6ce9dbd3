// The queue of approvals: one row for each contract of which members were asked something, and what they are checked against.
import { forRows, ms, names, replaced, text, time, uuid, values, word } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { KEY, OWNER } from '../columns.ts'

export const APPROVAL_STATUSES = ['waiting', 'approved', 'rejected', 'ended'] as const
/** `ended`: it was paid, cancelled or has expired, and nobody is asked any more. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export type ApprovalRow = AccountKey & {
  readonly contractId: string
  readonly status: ApprovalStatus
  readonly askedAt: number
  /** The member or the API key whose command was held back; null where the step is not theirs. */
  readonly askedBy: string | null
  readonly changedAt: number
}

const STANDS = {
  status: word((row: ApprovalRow) => row.status),
  asked_at: time((row: ApprovalRow) => row.askedAt),
  changed_at: time((row: ApprovalRow) => row.changedAt),
}
const APPROVAL = {
  ...OWNER,
  contract_id: uuid((row: ApprovalRow) => row.contractId),
  asked_by: text((row: ApprovalRow) => row.askedBy),
  ...STANDS,
}

/** Writes where approvals stand. */
export const keepApprovals = forRows(
  'keep_approvals',
  APPROVAL,
  (rows) => `insert into approvals (${names(APPROVAL)})
   select ${values(APPROVAL)}
     from ${rows}
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, contract_id)
       do update set ${replaced(STANDS)}, asked_by = coalesce(excluded.asked_by, approvals.asked_by)`,
)

/** The accounts' members as they are now: those who can sign in. */
export const activeMembers = forRows(
  'active_members',
  OWNER,
  (rows) => `select m.account_id, m.id, m.role, coalesce(m.name, m.email) as name
     from ${rows}
     join members m on m.lane = x.lane and m.account_id = x.account_id and m.status = 'active'
    where $lane(m)`,
)

/** Who made which API key of the accounts, where it was a member. */
export const makersOfKeys = forRows(
  'makers_of_keys',
  OWNER,
  (rows) => `select k.account_id, k.key_id, k.made_by_member
     from ${rows}
     join api_keys k on k.lane = x.lane and k.account_id = x.account_id and k.made_by_member is not null
    where $lane(k)`,
)

/** The saved destinations that contracts were made with, where they are in use, as they stand now. */
export const usedDestinations = forRows(
  'used_destinations',
  KEY,
  (rows) => `select c.account_id, c.id, (d.value ->> 'version')::int as destination_version
     from ${rows}
     join contracts c on c.lane = x.lane and c.account_id = x.account_id and c.id = x.id
     join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
     join profiles p on p.lane = c.lane and p.account_id = c.account_id and p.status = 'active'
                    and p.id = (h.document #>> '{recipient_profile,profile}')::uuid
     join profile_versions v on v.lane = p.lane and v.account_id = p.account_id and v.profile_id = p.id
                            and v.version = p.version
    cross join lateral json_array_elements(v.document -> 'destinations') d (value)
    where $lane(c) and $lane(h) and $lane(p) and $lane(v)
      and d.value ->> 'id' = h.document #>> '{recipient_profile,destination}'
      and d.value ->> 'status' = 'active'`,
)

export type ApprovalFilter = {
  readonly status: ApprovalStatus | null
  /** The contract that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

// What is over has ended, whether or not it was swept.
const STATUS = `case when a.status in ('waiting', 'approved') and c.status = 'issued' and c.expires_at <= now()
                     then 'ended' else a.status end`

/** Under what a status may be stored: what is over before it is swept, and what lacks an approval since a member was removed. */
const STORED_AS: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  waiting: ['waiting', 'approved'],
  approved: ['approved'],
  rejected: ['rejected'],
  ended: ['waiting', 'approved', 'ended'],
}

const QUEUED = `select ${STATUS} as approval, ${ms('a.asked_at')} as asked_at, a.asked_by,
                  c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from approvals a
             join contracts c on c.lane = a.lane and c.account_id = a.account_id and c.id = a.contract_id
             join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
            where a.lane = $1 and a.account_id = $2`

/** The account's queue, newest contract first, one more than the limit; with each the contract as it stands. */
export function listApprovals({ lane, accountId }: AccountKey, { status, after, limit }: ApprovalFilter): Statement {
  const values: unknown[] = [lane, accountId, limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(status === null ? [] : [`a.status = any(${place(textArray(STORED_AS[status]))}::text[])`]),
    ...(after === null ? [] : [`a.contract_id < ${place(after)}`]),
  ]
  return {
    name: `list_approvals_${status === null ? 'any' : 'of'}_${after === null ? 'first' : 'after'}`,
    text: `${QUEUED} ${conditions.map((each) => `and ${each}`).join(' ')}
            order by a.contract_id desc
            limit $3`,
    values,
  }
}

/** Where the approvals of these contracts stand; no row where nobody was asked. */
export function findApprovals({ lane, accountId }: AccountKey, contractIds: readonly string[]): Statement {
  return {
    name: 'find_approvals',
    text: `${QUEUED} and a.contract_id = any($3::uuid[])`,
    values: [lane, accountId, plainArray(contractIds)],
  }
}

export type QueuedApproval = Pick<ApprovalRow, 'status' | 'askedAt' | 'askedBy'>

export function queuedFrom(row: Row): QueuedApproval {
  return {
    status: row['approval'] as ApprovalStatus,
    askedAt: row['asked_at'] as number,
    askedBy: row['asked_by'] as string | null,
  }
}

/** What those are called who may have asked: members, whoever they are now, and API keys. */
export function namesOfActors({ lane, accountId }: AccountKey, ids: readonly string[]): Statement {
  return {
    name: 'names_of_actors',
    text: `select m.id::text as id, coalesce(m.name, m.email) as name, 'member' as type
             from members m where m.lane = $1 and m.account_id = $2 and m.id::text = any($3::text[])
           union all
           select k.key_id, k.name, 'key'
             from api_keys k
            where k.lane = $1 and k.account_id = $2 and k.member_id is null and k.key_id = any($3::text[])`,
    values: [lane, accountId, textArray(ids)],
  }
}
