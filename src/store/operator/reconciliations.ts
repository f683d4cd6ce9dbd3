// Provider statements that were compared with the books, and what of a day the books have as delivered or returned.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { standingDocument } from '../contracts/removed.ts'

export type NewReconciliation = {
  readonly id: string
  readonly channelId: string
  /** YYYY-MM-DD, as the provider counts days. */
  readonly day: string
  readonly matched: number
  /** JSON of what did not fit, and of what was settled by it. */
  readonly findings: string
}

export function insertReconciliation(row: NewReconciliation): Statement {
  return {
    name: 'insert_reconciliation',
    text: `insert into reconciliations (id, channel_id, day, matched, findings) values ($1, $2, $3, $4, $5::json)`,
    values: [row.id, row.channelId, row.day, row.matched, row.findings],
  }
}

/** A comparison as it was kept: what did not fit, and what was settled by it. */
export type KeptReconciliation = {
  readonly id: string
  readonly channelId: string
  readonly day: string
  readonly at: number
  readonly matched: number
  readonly findings: readonly KeptFinding[]
}
/** Mended ones have a reference alone. */
export type KeptFinding = {
  readonly kind: 'missing' | 'extra' | 'differs' | 'mended'
  readonly reference: string
  readonly line?: 'sent' | 'returned'
  readonly contractId?: string | null
  readonly amountDecimal?: string | null
  readonly currency?: string | null
  readonly why?: string
  readonly acknowledged?: boolean
}

export type ReconciliationFilter = {
  readonly channelId: string | null
  readonly day: string | null
  readonly id: string | null
  /** The one that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Newest first, one more than the limit. */
export function listReconciliations({ channelId, day, id, after, limit }: ReconciliationFilter): Statement {
  const values: unknown[] = [limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(channelId === null ? [] : [['channel', `r.channel_id = ${place(channelId)}`] as const]),
    ...(day === null ? [] : [['day', `r.day = ${place(day)}::date`] as const]),
    ...(id === null ? [] : [['id', `r.id = ${place(id)}`] as const]),
    ...(after === null ? [] : [['after', `r.id < ${place(after)}`] as const]),
  ]
  const where = conditions.length === 0 ? '' : `where ${conditions.map(([, condition]) => condition).join(' and ')}`
  return {
    name: `list_reconciliations_${conditions.map(([name]) => name).join('_')}`,
    text: `select r.id, r.channel_id, r.day::text as day, ${ms('r.at')} as at_ms, r.matched, r.findings
             from reconciliations r ${where} order by r.id desc limit $1`,
    values,
  }
}

export function reconciliationFrom(row: Row): KeptReconciliation {
  return {
    id: row['id'] as string,
    channelId: row['channel_id'] as string,
    day: row['day'] as string,
    at: row['at_ms'] as number,
    matched: row['matched'] as number,
    findings: row['findings'] as KeptFinding[],
  }
}

/** Findings of a channel's day that an operator has acknowledged since, one row for each comparison. */
export function acknowledgedFindings(channelId: string, day: string): Statement {
  return {
    name: 'acknowledged_findings',
    text: `select r.findings
             from reconciliations r
            where r.channel_id = $1 and r.day = $2::date
              and exists (select 1 from operator_actions o
                           where o.action = 'acknowledge' and o.target = r.channel_id and o.at >= r.at)`,
    values: [channelId, day],
  }
}

/** Accounts of the modes that have any history, with the position of its newest row. */
export function accountsWithHistory(livemodes: readonly boolean[]): Statement {
  return {
    name: 'accounts_with_history',
    merge: {
      order: [
        ['lane', 'up'],
        ['account_id', 'up'],
      ],
    },
    text: `-- every lane: a provider's statement is about all accounts.
           select a.lane, a.account_id, a.position from accounts a
            where a.position > 0 and a.livemode = any($1::boolean[]) order by a.lane, a.account_id`,
    values: [plainArray(livemodes)],
  }
}

export type AccountTop = AccountKey & { readonly position: number }

export function accountTopFrom(row: Row): AccountTop {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    position: Number(row['position']),
  }
}

/** A part of an account's history: between two positions, and between two times in milliseconds since the epoch. */
export type DayStretch = {
  /** The first row comes after this. */
  readonly after: number
  /** The last row, itself included. */
  readonly upTo: number
  readonly fromMs: number
  readonly beforeMs: number
}

/** The versions of contracts with a delivery or a return, in the order in which they were written; as they stand where their document has left. */
export function deliveriesWithin({ lane, accountId }: AccountKey, stretch: DayStretch): Statement {
  return {
    name: 'deliveries_within',
    text: `select h.lane, h.account_id, h.contract_id as id, h.position, ${standingDocument('h')} as document
             from contract_versions h
            where h.lane = $1 and h.account_id = $2 and h.position > $3 and h.position <= $4
              and h.event in ('contract.completed', 'contract.returned')
              and h.at >= to_timestamp($5::float8 / 1000) and h.at < to_timestamp($6::float8 / 1000)
            order by h.position`,
    values: [lane, accountId, stretch.after, stretch.upTo, stretch.fromMs, stretch.beforeMs],
  }
}
