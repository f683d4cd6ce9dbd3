// Works on commands: lease one, bring in its rows or do a window of them, record what became of them under the lease's fence. Whoever dies in between
// leaves rows that are done again, which is harmless (steps.ts).
import { readableTypes } from '../../domain/account/events.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { isRefusal, keyHasEnded, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { Overloaded, ShuttingDown } from '../../engine/batch.ts'
import { Busy } from '../../engine/held-line.ts'
import { isAway } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import {
  beginWindow,
  leaseCommand,
  leasedFrom,
  type Leased,
  lockCommand,
  moveCommand,
  releaseCommand,
} from '../../store/commands/commands.ts'
import { sealFile } from '../../store/commands/files.ts'
import { commandRowFrom, recordRows, rowsToDo, skipRows } from '../../store/commands/rows.ts'
import { changeAccount, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { checkRow, groundOf } from './check.ts'
import { commandIn, eventsOf, findOne } from './commands.ts'
import { exportMore, fileExpiry } from './export.ts'
import type { ExportDeps } from './export-pages.ts'
import { gatherMore } from './gather.ts'
import { withChecks } from './looks.ts'
import { scopesToAct } from './makers.ts'
import { openPayment, paymentOfRow } from './payments.ts'
import { replayRows } from './replay.ts'
import { firstRowOf, runRecorded } from './scheduled.ts'
import { gatewayFor, stopCommand } from './stops.ts'
import { failed, type RowResult, type StepDeps, whatStands, workOn } from './steps.ts'

export type RunDeps = StepDeps &
  ExportDeps &
  Pick<Deps, 'changes' | 'webhooks'> & {
    readonly log: Log
  }

/** Rows that are worked on at once: enough that batches fill. */
const WINDOW = 256
/** Longer than a window takes. Whoever dies keeps a command waiting as long. */
const LEASE_MS = 30_000
/** How soon a row that waits for somebody is tried again. */
const AGAIN_MS = 15_000
const SKIPPED_AT_ONCE = 5000
/** No word about a row: whoever it acts for may not act from this moment, or a recovery began. */
const LEFT_AS_IT_WAS: ReadonlySet<string> = new Set([
  keyHasEnded().code,
  'member_not_found',
  'scope_missing',
  'in_recovery',
])

/** A window of the command that waits longest in these lanes; how many there were. */
export async function commandsRound(deps: RunDeps, lanes: readonly number[]): Promise<number> {
  const [taken] = await deps.reader.send([leaseCommand(lanes, LEASE_MS)])
  const [leased] = (taken?.rows ?? []).map(leasedFrom)
  if (!leased) return 0
  try {
    if (leased.cancelling || !(leased.gathering || leased.type === 'export')) await workOnRows(deps, leased)
    else await prepare(deps, leased)
  } finally {
    await deps.reader.send([releaseCommand(leased)])
  }
  return 1
}

async function workOnRows(deps: RunDeps, leased: Leased): Promise<void> {
  const rows = await takeWindow(deps, leased)
  if (rows.length === 0) await endIfOver(deps, leased, [])
  else await workOnWindow(deps, leased, rows)
}

/** Brings in the next rows, or writes the next page of the file. */
async function prepare(deps: RunDeps, leased: Leased): Promise<void> {
  const scopes = await scopesToAct(deps, leased)
  if (isRefusal(scopes)) return stopCommand(deps, leased, scopes, 'paused')
  const refused = await (leased.gathering ? gatherMore(deps, leased) : writeFile(deps, leased))
  if (!refused) return
  const { code } = refused
  await stopCommand(deps, leased, refused, code === 'command_too_large' ? 'cancelled' : 'paused')
}

/** The file is ready in the transaction that ends its command. */
async function writeFile(deps: RunDeps, leased: Leased): Promise<Refusal | null> {
  const written = await exportMore(deps, leased, LEASE_MS)
  if (isRefusal(written)) return written
  if (written.whole !== null) await endIfOver(deps, leased, [written.whole])
  return null
}

async function takeWindow({ reader }: RunDeps, leased: Leased): Promise<CommandRow[]> {
  const [, found] = await reader.send([beginWindow(leased, WINDOW, LEASE_MS), rowsToDo(leased, 2 * WINDOW)])
  return (found?.rows ?? []).map(commandRowFrom)
}

async function workOnWindow(deps: RunDeps, leased: Leased, rows: readonly CommandRow[]): Promise<void> {
  const scopes = await scopesToAct(deps, leased)
  const barred = isRefusal(scopes) ? scopes : null
  const results = await resultsOf(deps, leased, rows, scopes)
  if (isRefusal(results)) return stopCommand(deps, leased, results, 'paused')
  const recorded = rows.flatMap((row, i) => {
    const result = results[i]
    if (!result) return []
    const status = result.status === 'waiting' && leased.cancelling ? 'skipped' : result.status
    return [{ ...result, status, index: row.index, was: row.status } as const]
  })
  if (recorded.length > 0) await deps.reader.send([recordRows(leased, recorded, AGAIN_MS)])
  if (barred && !leased.cancelling && recorded.length < rows.length) return stopCommand(deps, leased, barred, 'paused')
  if (recorded.length < rows.length) deps.log.warn({ command: leased.id }, 'rows of a command are tried again')
}

/** What became of each row, null of one that could not be decided now and is left as it was; or why none can be. */
async function resultsOf(
  deps: RunDeps,
  leased: Leased,
  rows: readonly CommandRow[],
  scopes: ReadonlySet<Scope> | Refusal,
): Promise<readonly (RowResult | null)[] | Refusal> {
  const isAgain = ({ index, status }: CommandRow) => status === 'waiting' || index <= leased.begunBefore
  if (isRefusal(scopes))
    return Promise.all(rows.map((row) => decided(deps, row, () => ifBarred(deps, leased, row, scopes))))
  if (leased.type === 'events.replay') return replayRows(deps, leased, rows, readableTypes(scopes))
  if (!leased.dryRun) {
    const work = leased.type === 'payments.create' ? openPayment : workOn
    return Promise.all(
      rows.map((row) =>
        decided(deps, row, () =>
          // Nobody has begun to pay what waits for somebody: cancelled, it is left as it stands.
          leased.cancelling && row.status === 'waiting'
            ? leftAsItStands(deps, leased, row)
            : work(deps, leased, row, isAgain(row)),
        ),
      ),
    )
  }
  const ground = await groundOf(deps, leased, rows)
  const results: (RowResult | null)[] = []
  // In their order, for each takes from the wallets what the next ones lack.
  for (const row of rows) results.push(await decided(deps, row, () => checkRow(deps, leased, row, ground)))
  return withChecks(deps, leased, rows, results)
}

/** What was done before is told as done, whoever did it. The rest stays to do, or is skipped. */
async function ifBarred(deps: RunDeps, leased: Leased, row: CommandRow, barred: Refusal): Promise<RowResult | null> {
  const isBegun = row.status === 'waiting' || row.index <= leased.begunBefore
  const stood = leased.type === 'payments.create' ? paymentOfRow : whatStands
  const known = isBegun && !leased.dryRun ? await stood(deps, leased, row) : null
  return known ?? (leased.cancelling ? { ...failed(barred, null), status: 'waiting' } : null)
}

async function leftAsItStands(deps: RunDeps, leased: Leased, row: CommandRow): Promise<RowResult> {
  const { contractId, step, error, preview } = row
  return (await whatStands(deps, leased, row)) ?? { status: 'waiting', contractId, step, error, preview }
}

/** A fault that the next request would meet, too, leaves the row as it was; any other is the row's own. */
async function decided(
  { log }: RunDeps,
  row: CommandRow,
  work: () => Promise<RowResult | null>,
): Promise<RowResult | null> {
  try {
    const result = await work()
    // The next look stops the command, or there is none before the recovery is over. What is skipped since it was cancelled is over.
    return result?.status === 'failed' && LEFT_AS_IT_WAS.has(result.error?.code ?? '') ? null : result
  } catch (fault) {
    if (isAway(fault) || fault instanceof Overloaded || fault instanceof ShuttingDown || fault instanceof Busy)
      return null
    log.error({ err: fault, row: row.index }, 'a row of a command failed by a fault')
    const words = 'Something went wrong on our side. Nothing of this step was done.'
    return failed(refuse('internal_error', null, words), row.step)
  }
}

/** Ends a command whose rows are all over; of one that is cancelled the rest is skipped first. */
async function endIfOver(deps: RunDeps, leased: Leased, [fileHash]: readonly string[]): Promise<void> {
  const command = await findOne(deps, leased, leased.id)
  if (isRefusal(command)) return
  for (let skipped = command.cancelling ? SKIPPED_AT_ONCE : 0; skipped === SKIPPED_AT_ONCE; ) {
    const [result] = await deps.reader.send([skipRows(leased, SKIPPED_AT_ONCE)])
    skipped = Number(result?.rows[0]?.['skipped'] ?? 0)
  }
  const load = [lockCommand(leased), firstRowOf(leased)]
  await changeAccount(deps.changes, gatewayFor(leased), load, (loaded, { nowMs }) => {
    const now = commandIn(loaded)
    if (!now || now.endedAt !== null || !isOver(now, fileHash)) return unchanged(now)
    const status = now.cancelling ? 'cancelled' : 'completed'
    const isWhole = fileHash !== undefined && now.file !== null && !now.cancelling
    const file = isWhole && now.file ? { ...now.file, sha256: fileHash, expiresAt: fileExpiry(nowMs) } : now.file
    const ended: BulkCommand = { ...now, status, cancelling: false, gathering: false, endedAt: nowMs, file }
    const sealed = isWhole ? [sealFile(now, fileHash, fileExpiry(nowMs))] : []
    const after = { status, ...ended.progress }
    const object = { type: 'command', id: ended.id }
    const audited = [{ action: 'command.ended', object, before: { status: now.status }, after } as const]
    const statements = [moveCommand(ended), ...sealed, ...runRecorded(ended, loaded[1])]
    return { statements, audited, events: eventsOf(now, ended, nowMs), value: ended }
  })
}

/** Whether no row is left. A command that is paused does not end, but for one that is cancelled. */
function isOver({ type, status, gathering, cancelling, progress }: BulkCommand, fileHash: string | undefined): boolean {
  const { total, done, failed: refused, skipped } = progress
  if (!cancelling && (gathering || (type === 'export' && fileHash === undefined))) return false
  return done + refused + skipped === total && (status === 'running' || cancelling)
}
