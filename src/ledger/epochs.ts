// In which life of the books a row of the ledger was written: its place may have been given before, to a row that a restore undid.
import { FIRST_EPOCH } from '../domain/contract/ids.ts'
import type { Row } from '../platform/db.ts'

/** Of the ledger's rows `g`: in which epoch of the books each was written (docs/recovery.md). `lane`: as the statement names it. */
const epochIn = (lane: string): string => `(select max(p.epoch) from epoch_positions p
                    where p.lane = ${lane} and p.account_id = g.account_id and p.position < g.position) as epoch`

/** Where the rows are of one lane, the parameter $1: that of the row does not lead a distributed engine to one shard. */
export const EPOCH = epochIn('$1')
export const EPOCH_IN_EVERY_LANE = epochIn('g.lane')

export const epochOfEntry = (row: Row): number => (row['epoch'] as number | null) ?? FIRST_EPOCH
