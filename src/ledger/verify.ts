// The proofs of the books (docs/design/domain.md) as statements: each takes one lane and answers with what does not hold.
// Each proof sees its lane whole, at one moment, in a transaction that begins with `JOIN_WHOLE`.
import type { Row, Statement } from '../platform/db.ts'
import { ofTheLane } from '../platform/servers/absence.ts'
import { CONTRACT_PROOFS } from './verify-contracts.ts'
import { HISTORY_PROOFS } from './verify-history.ts'
import { OUTSIDE_PROOFS } from './verify-outside.ts'
import { PAYMENT_PROOFS } from './verify-payments.ts'
import { REMOVED_PROOFS } from './verify-removed.ts'
import { WALLET_PROOFS } from './verify-wallets.ts'

/** The first row of a lane that a proof does not hold for. */
export type Finding = {
  readonly lane: number
  /** What should hold, in a few words; stable. */
  readonly proof: string
  /** Empty where it is of the whole lane. */
  readonly accountId: string
  readonly row: string
  readonly problem: string
}

/** How many rows a lane has of what the proofs look at. */
export type LaneCounts = {
  readonly wallets: number
  readonly entries: number
  readonly contracts: number
  readonly versions: number
}

/** Where none has a row of a lane, no proof of it can find any: each begins with a row of one of them. */
export const PROVED_TABLES =
  'account_events accounts contract_versions contracts idempotency_keys jobs ledger payment_events wallets'.split(' ')

/**
 * Ahead of the proofs in their transaction: rows are joined table by table and not row by row. How many contracts one account has is
 * nothing that the planner knows; row by row, the proofs of a lane with half a million of them compared each with each and did not end.
 */
export const JOIN_WHOLE: Statement = { name: 'join_whole', text: 'set local enable_nestloop = off', values: [] }

/** All proofs of one lane. */
export function proofsOf(lane: number): Statement[] {
  return [...ownProofsOf(lane), ...statements(OUTSIDE_PROOFS, lane)]
}

/** Those that the gateway's own login can read the rows of: all but what operators have approved. */
export function ownProofsOf(lane: number): Statement[] {
  const proofs = [...WALLET_PROOFS, ...HISTORY_PROOFS, ...CONTRACT_PROOFS, ...PAYMENT_PROOFS, ...REMOVED_PROOFS]
  return statements(proofs, lane)
}

const statements = (proofs: typeof WALLET_PROOFS, lane: number): Statement[] =>
  proofs.map(([name, text, values]) => ({ name, text, values: [lane, ...values] }))

export function findingFrom(lane: number, row: Row): Finding {
  return {
    lane,
    proof: row['proof'] as string,
    accountId: row['account_id'] as string,
    row: row['row'] as string,
    problem: row['problem'] as string,
  }
}

const IS_USED = `${PROVED_TABLES.map((table) => `exists (select from ${table} t where t.lane = $1)`).join(' or ')} as is_used`

/** Whether the lane has any row that a proof could find fault with: {@link isUsed}. */
export const lookForRows = (lane: number): Statement =>
  ofTheLane({ name: 'verify_used', text: `select ${IS_USED}`, values: [lane] })

/** A lane that has gone elsewhere is not proved by having no rows where it was. */
export function countRows(lane: number): Statement {
  return ofTheLane({
    name: 'verify_counts',
    text: `select (select count(*) from wallets w where w.lane = $1)::float8 as wallets,
                  (select count(*) from ledger g where g.lane = $1)::float8 as entries,
                  (select count(*) from contracts c where c.lane = $1)::float8 as contracts,
                  (select count(*) from contract_versions h where h.lane = $1)::float8 as versions,
                  ${IS_USED}`,
    values: [lane],
  })
}

/** Whether there is anything in the lane to be proved. */
export const isUsed = (row: Row | undefined): boolean => row?.['is_used'] === true

export function countsFrom(row: Row | undefined): LaneCounts {
  const count = (column: string) => (row?.[column] as number | undefined) ?? 0
  return {
    wallets: count('wallets'),
    entries: count('entries'),
    contracts: count('contracts'),
    versions: count('versions'),
  }
}
