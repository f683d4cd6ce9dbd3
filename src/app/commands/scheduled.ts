// What becomes of a schedule's run when its command ends: written in the transaction that ends it.
import type { BulkCommand, RowError } from '../../domain/command/command.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import type { Result, Statement } from '../../platform/db.ts'
import { commandRowFrom, listCommandRows } from '../../store/commands/rows.ts'
import { recordRun } from '../../store/schedules/schedules.ts'

/** The row of a run: it has one. */
export const firstRowOf = (command: BulkCommand): Statement =>
  listCommandRows(command, { status: null, flagged: false, after: -1, limit: 0 })

/** How the run ended, as its row did; nothing of a command that somebody gave. */
export function runRecorded({ lane, accountId, schedule }: BulkCommand, rows: Result | undefined): Statement[] {
  const [row] = (rows?.rows ?? []).map(commandRowFrom)
  if (schedule === null || !row) return []
  const key = { lane, accountId, id: schedule.id }
  if (row.status === 'done') return [recordRun(key, schedule.run, 'paid', null)]
  return [recordRun(key, schedule.run, 'failed', row.status === 'failed' ? row.error : CANCELLED)]
}

const { code, param, message } = refuse('contract_cancelled', 'id', 'The run was cancelled before it was paid.')
const CANCELLED: RowError = { code, param, message }
