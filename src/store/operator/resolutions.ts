// Resolutions that operators propose, and what became of each. The row is of the account whose contract it is about; operators
// see those of all accounts.
import type {
  OperatingPerson,
  ProposedResolution,
  ResolutionStatus,
} from '../../domain/transfer/proposed-resolution.ts'
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'

export type ResolutionKey = Pick<ProposedResolution, 'lane' | 'accountId' | 'id'>

export function insertResolution(row: ProposedResolution): Statement {
  return {
    name: 'insert_resolution',
    text: `insert into resolutions (lane, account_id, id, contract_id, contract_version, outcome, evidence, amount_minor, currency,
                  livemode, status, proposed_by, proposed_by_email, proposed_at, expires_at, decided_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14::float8 / 1000),
                  to_timestamp($15::float8 / 1000), to_timestamp($16::float8 / 1000))`,
    values: [
      row.lane,
      row.accountId,
      row.id,
      row.contractId,
      row.contractVersion,
      row.as,
      row.evidence,
      row.amountMinor,
      row.currency,
      row.livemode,
      row.status,
      row.proposedBy.memberId,
      row.proposedBy.email,
      row.proposedAt,
      row.expiresAt,
      row.decidedAt,
    ],
  }
}

/** Holds the row to the end of the transaction, so that it is decided once. */
export function lockResolution({ lane, accountId, id }: ResolutionKey): Statement {
  return {
    name: 'lock_resolution',
    text: `select ${COLUMNS} from resolutions r where r.lane = $1 and r.account_id = $2 and r.id = $3 for update`,
    values: [lane, accountId, id],
  }
}

export function decideResolution(
  { lane, accountId, id }: ResolutionKey,
  status: 'applied' | 'rejected',
  by: OperatingPerson,
  reason: string | null,
  atMs: number,
): Statement {
  return {
    name: 'decide_resolution',
    text: `update resolutions r
              set status = $4, decided_by = $5, decided_by_email = $6, reason = $7, decided_at = to_timestamp($8::float8 / 1000)
            where r.lane = $1 and r.account_id = $2 and r.id = $3 and r.status = 'waiting'`,
    values: [lane, accountId, id, status, by.memberId, by.email, reason, atMs],
  }
}

/** By its id alone; an id carries its lane. */
export function findResolution(lane: number, id: string): Statement {
  return {
    name: 'find_resolution',
    text: `select ${COLUMNS} from resolutions r where r.lane = $1 and r.id = $2`,
    values: [lane, id],
  }
}

/** One that waits for a second person, of a contract. */
export function findWaitingResolution(lane: number, accountId: string, contractId: string): Statement {
  return {
    name: 'find_waiting_resolution',
    text: `select ${COLUMNS} from resolutions r
            where r.lane = $1 and r.account_id = $2 and r.contract_id = $3 and r.status = 'waiting' and r.expires_at > now()`,
    values: [lane, accountId, contractId],
  }
}

const CONDITIONS: Readonly<Record<ResolutionStatus, string>> = {
  waiting: `r.status = 'waiting' and r.expires_at > now()`,
  expired: `r.status = 'waiting' and r.expires_at <= now()`,
  applied: `r.status = 'applied'`,
  rejected: `r.status = 'rejected'`,
}

/** Newest first, one more than the limit; after the one with the id. */
export function listResolutions(status: ResolutionStatus | null, after: string | null, limit: number): Statement {
  const condition = status === null ? 'true' : CONDITIONS[status]
  return {
    name: `list_resolutions_${status ?? 'all'}${after === null ? '' : '_after'}`,
    merge: { order: [['id', 'down']], limit: 1 },
    text: `-- every lane: operators see those of all accounts.
           select ${COLUMNS} from resolutions r
            where ${condition}${after === null ? '' : ' and r.id < $2'}
            order by r.id desc
            limit $1`,
    values: after === null ? [limit + 1] : [limit + 1, after],
  }
}

const COLUMNS = `r.lane, r.account_id, r.id, r.contract_id, r.contract_version, r.outcome, r.evidence, r.amount_minor, r.currency,
  r.livemode, r.status, r.proposed_by, r.proposed_by_email, ${ms('r.proposed_at')} as proposed_ms, ${ms('r.expires_at')} as expires_ms,
  r.decided_by, r.decided_by_email, ${ms('r.decided_at')} as decided_ms, r.reason`

export function resolutionFrom(row: Row): ProposedResolution {
  const decidedBy = row['decided_by'] as string | null
  return {
    id: row['id'] as string,
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    contractId: row['contract_id'] as string,
    contractVersion: row['contract_version'] as number,
    as: row['outcome'] as ProposedResolution['as'],
    evidence: row['evidence'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    currency: row['currency'] as string,
    livemode: row['livemode'] as boolean,
    status: row['status'] as ProposedResolution['status'],
    proposedBy: { memberId: row['proposed_by'] as string, email: row['proposed_by_email'] as string },
    proposedAt: row['proposed_ms'] as number,
    expiresAt: row['expires_ms'] as number,
    decidedBy: decidedBy === null ? null : { memberId: decidedBy, email: row['decided_by_email'] as string },
    decidedAt: row['decided_ms'] as number | null,
    reason: row['reason'] as string | null,
  }
}
