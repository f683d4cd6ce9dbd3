// Transfers of all accounts that wait for an operator: candidates, oldest first, from three places that have few rows each. What
// is shown is decided by the contract itself, read together with its attempt.
import { forRows, names, time, uuid, values } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { Merge } from '../../platform/servers/merge-rule.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { OWNER } from '../columns.ts'

/** Where a page goes on: after this moment, in milliseconds since the epoch, and of that moment after this contract. */
export type WaitingCursor = { readonly sinceMs: number; readonly contractId: string }

export type WaitingTransfer = WaitingCursor & {
  readonly lane: number
  readonly accountId: string
  readonly accountName: string
}

const COLUMNS = (since: string) =>
  `w.lane, w.account_id, w.contract_id, a.name, round(extract(epoch from w.${since})::float8 * 1000) as since_ms`
const ACCOUNT = 'join accounts a on a.lane = w.lane and a.account_id = w.account_id'
// In whole milliseconds on both sides: the cursor knows no more.
const AFTER = (since: string) =>
  `w.${since} >= to_timestamp(($2::float8 - 1) / 1000)
     and (round(extract(epoch from w.${since})::float8 * 1000), w.contract_id) > ($2::float8, $3::uuid)`

const OLDEST_FIRST: Merge = {
  order: [
    ['since_ms', 'up'],
    ['contract_id', 'up'],
  ],
  limit: 1,
}

/** Attempts whose outcome nobody knows. */
export function unknownTransfers({ sinceMs, contractId }: WaitingCursor, limit: number): Statement {
  return {
    name: 'unknown_transfers',
    merge: OLDEST_FIRST,
    text: `-- every lane: operators see those of all accounts.
           select ${COLUMNS('submitted_at')} from jobs w ${ACCOUNT}
            where w.status = 'unknown' and w.kind = 'payout' and ${AFTER('submitted_at')}
            order by w.submitted_at, w.contract_id
            limit $1`,
    values: [limit, sinceMs, contractId],
  }
}

/** What would have left by a channel that is frozen, since it was due. */
export function frozenTransfers(channelId: string, { sinceMs, contractId }: WaitingCursor, limit: number): Statement {
  return {
    name: 'frozen_transfers',
    merge: OLDEST_FIRST,
    text: `-- every lane: operators see those of all accounts.
           select ${COLUMNS('due_at')} from jobs w ${ACCOUNT}
            where w.channel_id = $4 and w.due_at is not null and w.kind = 'payout' and w.status = 'queued' and ${AFTER('due_at')}
            order by w.due_at, w.contract_id
            limit $1`,
    values: [limit, sinceMs, contractId, channelId],
  }
}

/** Those about which a channel contradicted itself, or that a callback reported and nobody can ask about. */
export function reviewedTransfers({ sinceMs, contractId }: WaitingCursor, limit: number): Statement {
  return {
    name: 'reviewed_transfers',
    merge: OLDEST_FIRST,
    text: `-- every lane: operators see those of all accounts.
           select ${COLUMNS('since')} from transfer_reviews w ${ACCOUNT}
            where w.closed_at is null and ${AFTER('since')}
            order by w.since, w.contract_id
            limit $1`,
    values: [limit, sinceMs, contractId],
  }
}

export function waitingTransferFrom(row: Row): WaitingTransfer {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    accountName: row['name'] as string,
    contractId: row['contract_id'] as string,
    sinceMs: row['since_ms'] as number,
  }
}

/** A transfer about which an operator must decide, since that moment. */
export type OpenReview = AccountKey & { readonly contractId: string; readonly atMs: number }

const REVIEW = {
  ...OWNER,
  contract_id: uuid((review: OpenReview) => review.contractId),
  since: time((review: OpenReview) => review.atMs),
}

/** Notes contracts for an operator; one that was closed is open again. */
export const openReviews = forRows(
  'open_reviews',
  REVIEW,
  (rows) => `insert into transfer_reviews (${names(REVIEW)})
   select ${values(REVIEW)}
     from ${rows}
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, contract_id) do update set closed_at = null, since = excluded.since
    where transfer_reviews.closed_at is not null`,
)

/** Closes the review of a contract; no row where none is open. */
export function closeReview(lane: number, accountId: string, contractId: string): Statement {
  return {
    name: 'close_review',
    text: `update transfer_reviews t set closed_at = now()
            where t.lane = $1 and t.account_id = $2 and t.contract_id = $3 and t.closed_at is null
        returning t.contract_id`,
    values: [lane, accountId, contractId],
  }
}
