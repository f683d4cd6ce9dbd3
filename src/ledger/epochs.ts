// In which life of the books a row of the ledger was written: its place may have been given before, to a row that a restore undid.
import { FIRST_EPOCH } from '../domain/contract/ids.ts'
import type { Row } from '../platform/db.ts'

/** Of the ledger's rows `g`: in which epoch of the books each was written (docs/recovery.md). */
export const EPOCH = `(select max(p.epoch) from epoch_positions p
                    where p.lane = g.lane and p.account_id = g.account_id and p.position < g.position) as epoch`

export const epochOfEntry = (row: Row): number => (row['epoch'] as number | null) ?? FIRST_EPOCH
