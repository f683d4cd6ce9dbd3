// Works on commands: lease one, do a window of its rows, record what became of them under the lease's fence. Whoever dies in between
// leaves rows that are done again, which is harmless (steps.ts).
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { isRefusal, keyHasEnded, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { Overloaded, ShuttingDown } from '../../engine/batch.ts'
import { Busy } from '../../engine/held-lines.ts'
import { isAway } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { findApiKeys, storedKeyFrom } from '../../store/accounts/callers.ts'
import {
  beginWindow,
  leaseCommand,
  leasedFrom,
  type Leased,
  lockCommand,
  moveCommand,
  releaseCommand,
} from '../../store/commands/commands.ts'
import { commandRowFrom, recordRows, rowsToDo, skipRows } from '../../store/commands/rows.ts'
import { scopesOfKey } from '../accounts/callers.ts'
import { changeAccount, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { checkRow, groundOf } from './check.ts'
import { commandIn, endOf, findOne, refuseLacking } from './commands.ts'
import { failed, type RowResult, type StepDeps, whatStands, workOn } from './steps.ts'

export type RunDeps = StepDeps &
  Pick<Deps, 'changes'> & {
    readonly lanes: readonly number[]
    readonly log: Log
  }

/** Rows that are worked on at once: enough that batches fill. */
const WINDOW = 256
/** Longer than a window takes. Whoever dies keeps a command waiting as long. */
const LEASE_MS = 30_000
/** How soon a row that waits for somebody is tried again. */
const AGAIN_MS = 15_000
const SKIPPED_AT_ONCE = 5000

/** A window of the command that waits longest; how many there were. */
export async function commandsRound(deps: RunDeps): Promise<number> {
  const [taken] = await deps.reader.send([leaseCommand(deps.lanes, LEASE_MS)])
  const [leased] = (taken?.rows ?? []).map(leasedFrom)
  if (!leased) return 0
  try {
    const rows = await takeWindow(deps, leased)
    if (rows.length === 0) await endIfOver(deps, leased)
    else await workOnWindow(deps, leased, rows)
  } finally {
    await deps.reader.send([releaseCommand(leased)])
  }
  return 1
}

async function takeWindow({ reader }: RunDeps, leased: Leased): Promise<CommandRow[]> {
  const [, found] = await reader.send([beginWindow(leased, WINDOW, LEASE_MS), rowsToDo(leased, 2 * WINDOW)])
  return (found?.rows ?? []).map(commandRowFrom)
}

async function workOnWindow(deps: RunDeps, leased: Leased, rows: readonly CommandRow[]): Promise<void> {
  const barred = await whyBarred(deps, leased)
  const results = await resultsOf(deps, leased, rows, barred)
  const recorded = rows.flatMap((row, i) => {
    const result = results[i]
    if (!result) return []
    const status = result.status === 'waiting' && leased.cancelling ? 'skipped' : result.status
    return [{ ...result, status, index: row.index, was: row.status } as const]
  })
  if (recorded.length > 0) await deps.reader.send([recordRows(leased, recorded, AGAIN_MS)])
  if (recorded.length < rows.length) deps.log.warn({ command: leased.id }, 'rows of a command are tried again')
}

/** Why the one for whom the rows act may not act any more; null where they may. */
async function whyBarred({ reader }: RunDeps, { lane, keyId, type }: BulkCommand): Promise<Refusal | null> {
  const [found] = await reader.send([findApiKeys([{ lane, keyId }])])
  const [key] = (found?.rows ?? []).map(storedKeyFrom)
  if (!key || (key.memberId !== null && key.role === null)) return keyHasEnded()
  return refuseLacking(scopesOfKey(key), type)
}

/** What became of each row; null of one that could not be decided now, and is left as it was. */
async function resultsOf(
  deps: RunDeps,
  leased: Leased,
  rows: readonly CommandRow[],
  barred: Refusal | null,
): Promise<readonly (RowResult | null)[]> {
  const isAgain = ({ index, status }: CommandRow) => status === 'waiting' || index <= leased.begunBefore
  if (barred) {
    // What was done before is told as done, whoever did it.
    const known = (row: CommandRow) => (isAgain(row) && !leased.dryRun ? whatStands(deps, leased, row) : null)
    return Promise.all(rows.map((row) => decided(deps, row, async () => (await known(row)) ?? failed(barred, null))))
  }
  if (!leased.dryRun) {
    return Promise.all(rows.map((row) => decided(deps, row, () => workOn(deps, leased, row, isAgain(row)))))
  }
  const ground = await groundOf(deps, leased)
  const results: (RowResult | null)[] = []
  // In their order, for each takes from the wallets what the next ones lack.
  for (const row of rows) results.push(await decided(deps, row, () => checkRow(deps, leased, row, ground)))
  return results
}

/** A fault that the next request would meet, too, leaves the row as it was; any other is the row's own. */
async function decided({ log }: RunDeps, row: CommandRow, work: () => Promise<RowResult>): Promise<RowResult | null> {
  try {
    return await work()
  } catch (fault) {
    if (isAway(fault) || fault instanceof Overloaded || fault instanceof ShuttingDown || fault instanceof Busy)
      return null
    log.error({ err: fault, row: row.index }, 'a row of a command failed by a fault')
    const words = 'Something went wrong on our side. Nothing of this step was done.'
    return failed(refuse('internal_error', null, words), row.step)
  }
}

/** Ends a command whose rows are all over; of one that is cancelled the rest is skipped first. */
async function endIfOver(deps: RunDeps, leased: Leased): Promise<void> {
  const command = await findOne(deps, leased, leased.id)
  if (isRefusal(command)) return
  for (let skipped = command.cancelling ? SKIPPED_AT_ONCE : 0; skipped === SKIPPED_AT_ONCE; ) {
    const [result] = await deps.reader.send([skipRows(leased, SKIPPED_AT_ONCE)])
    skipped = Number(result?.rows[0]?.['skipped'] ?? 0)
  }
  const gateway = { kind: 'gateway', id: 'gateway', address: null, requestId: null } as const
  const { lane, accountId } = leased
  const changer = { lane, accountId, keyId: null, actor: gateway }
  await changeAccount(deps.changes, changer, [lockCommand(leased)], (loaded, { nowMs }) => {
    const now = commandIn(loaded)
    if (!now || now.endedAt !== null || !isOver(now)) return unchanged(now)
    const status = now.cancelling ? 'cancelled' : 'completed'
    const ended: BulkCommand = { ...now, status, cancelling: false, endedAt: nowMs }
    const after = { status, ...ended.progress }
    const object = { type: 'command', id: ended.id }
    const audited = [{ action: 'command.ended', object, before: { status: now.status }, after } as const]
    return { statements: [moveCommand(ended)], audited, events: endOf(ended), value: ended }
  })
}

/** Whether no row is left. A command that is paused does not end, but for one that is cancelled. */
function isOver({ status, cancelling, progress }: BulkCommand): boolean {
  const { total, done, failed: refused, skipped } = progress
  return done + refused + skipped === total && (status === 'running' || cancelling)
}
