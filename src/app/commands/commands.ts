// Commands as their account gives them: made, filled with rows, started, paused, resumed, cancelled, and looked at.
import {
  type BulkCommand,
  type CommandRow,
  type CommandType,
  type CommandVerb,
  movedCommand,
  OPEN_COMMANDS_MAX,
  ROWS_MAX,
  type RowStatus,
  type Wanted,
} from '../../domain/command/command.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { actingFor, type ActsFor, isSame, sessionOf, withWriter, writersOf } from '../../domain/account/writers.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { OwnedKey } from '../../store/columns.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import {
  type CommandFilter,
  commandFrom,
  commandOfDryRun,
  countOpenCommands,
  findCommand,
  insertCommand,
  listCommands,
  lockCommand,
  moveCommand,
} from '../../store/commands/commands.ts'
import {
  commandRowFrom,
  firstMissingRow,
  insertCommandRows,
  knownRows,
  listCommandRows,
  type RowFilter,
  type NewRow,
  sumsOfCommand,
} from '../../store/commands/rows.ts'
import { powersFrom } from '../../store/accounts/keys.ts'
import { presentCommand } from '../../wire/commands/commands.ts'
import { hash128 } from '../../platform/hashes.ts'
import { ownRow } from '../accounts/keys.ts'
import { changeAccount, type Changer, type NewEvent, unchanged } from '../accounts/changes.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import type { SentRow } from './columns.ts'
import { refuseBounded, refuseLacking } from './makers.ts'

export type CommandDeps = Pick<Deps, 'changes' | 'reader' | 'newContractId'>

/** What is asked of a new command. */
export type NewCommand = {
  readonly type: CommandType
  readonly dryRun: boolean
  /** Whether the rows of a dry run are done though they were started before. */
  readonly again: boolean
  readonly description: string | null
  readonly reference: string | null
  readonly wanted: Wanted | null
  /** Under which it is made once; null where it may be made again. */
  readonly key: Pick<IdempotencyKey, 'keyHash'> | null
}

const commandNotFound = (): Refusal => refuse('command_not_found', 'id', 'No command of yours has this id.')

/** Makes a command that takes rows, or one that finds what to do itself and starts. Who makes it is who its rows act for. */
export async function createCommand(
  { changes, newContractId }: CommandDeps,
  changer: Changer,
  caller: Caller,
  { key, again, ...asked }: NewCommand,
): Promise<BulkCommand | Refusal> {
  const lacking = refuseLacking(caller.scopes, asked.type, asked.wanted)
  if (lacking) return lacking
  const { lane, accountId, livemode } = caller
  // The ids of its rows' contracts are made of its own.
  const id = newContractId(caller, key)
  const { wanted } = asked
  const gathering = asked.type !== 'export' && wanted !== null && (wanted.filter ?? wanted.dryRunId) !== null
  const isStarted = gathering || asked.type === 'export'
  const load = [countOpenCommands(caller), ...dryRunOf({ lane, accountId }, wanted)]
  return changeAccount<BulkCommand>(changes, changer, load, ([counted, found, started], { head, nowMs }) => {
    const dryRun = commandIn(found ? [found] : [])
    const before = commandIn(started ? [started] : [])
    if (before && !again) return startedBefore(before)
    if (Number(counted?.rows[0]?.['open']) >= OPEN_COMMANDS_MAX)
      return refuse('commands_full', null, `${OPEN_COMMANDS_MAX} commands have not ended. Finish or cancel one.`)
    const command: BulkCommand = {
      ...EMPTY_COMMAND,
      lane,
      accountId,
      livemode,
      id,
      ...actingFor(caller),
      sessionId: sessionOf(caller),
      writers: withWriter(dryRun ? writersOf(dryRun.writers, dryRun) : [], caller),
      ...asked,
      status: isStarted ? 'queued' : 'open',
      gathering,
      upTo: isStarted ? head.position : null,
      file: asked.type === 'export' ? { parts: 0, bytes: 0, sha256: null, expiresAt: null } : null,
      createdAt: nowMs,
      startedAt: isStarted ? nowMs : null,
    }
    const after = { type: command.type, dry_run: command.dryRun, reference: command.reference }
    const audited = { action: 'command.created', object: { type: 'command', id }, before: null, after } as const
    return { statements: [insertCommand(command)], audited: [audited], events: [], value: command }
  })
}

/** The dry run whose rows it takes: whoever wrote them wrote its own. And the command that they were started by before. */
function dryRunOf(account: Pick<OwnedKey, 'lane' | 'accountId'>, wanted: Wanted | null): Statement[] {
  if (wanted === null || wanted.dryRunId === null) return []
  const key = { ...account, id: wanted.dryRunId }
  return [findCommand(key), commandOfDryRun(key)]
}

// Looked at while the account is held: of two who start the same dry run at once, the second is refused.
const startedBefore = ({ id, status }: BulkCommand) =>
  refuse(
    'command_started_before',
    'dry_run_id',
    `The rows of this dry run were started before, as the command ${id}, which is ${status}. To do all of them once more: again.`,
  )

/** Of a command that nothing has happened to. */
export const EMPTY_COMMAND = {
  dryRun: false,
  description: null,
  reference: null,
  sessionId: null,
  writers: [],
  wanted: null,
  schedule: null,
  gathering: false,
  upTo: null,
  stopped: null,
  file: null,
  cancelling: false,
  progress: { total: 0, done: 0, failed: 0, waiting: 0, skipped: 0 },
  startedAt: null,
  endedAt: null,
} as const satisfies Partial<BulkCommand>

/** Adds rows from an index on. Rows that are there already with the same content change nothing. */
export async function addRows(
  deps: CommandDeps,
  caller: Caller,
  id: string,
  { first, rows }: { readonly first: number; readonly rows: readonly SentRow[] },
): Promise<BulkCommand | Refusal> {
  const command = await findOne(deps, caller, id)
  if (isRefusal(command)) return command
  const lacking = refuseLacking(caller.scopes, command.type, command.wanted)
  if (lacking) return lacking
  if (!isSame(command, caller))
    return refuse(
      'exceeds_own_access',
      'id',
      'Rows act for whoever made the command: only they add rows. Make one of your own.',
    )
  if (first + rows.length > ROWS_MAX)
    return refuseAll([invalid('rows', `A command holds at most ${ROWS_MAX.toLocaleString('en')} rows.`)])
  const added = rows.map(({ line, sent }, i): NewRow => {
    const text = JSON.stringify(sent)
    return { index: first + i, line, hash: hash128(text), sent: text }
  })
  const [known] = await deps.reader.send([knownRows(command, added)])
  const { same = 0, differing = null } = known?.rows[0] ?? {}
  if (differing !== null)
    return refuse('command_row_differs', 'rows', `Row ${Number(differing)} is there already, and holds something else.`)
  // The same rows again, after the command was started, change nothing; one that is not there by then never will be.
  if (command.status !== 'open') return same === rows.length ? command : notOpen(command.status)
  const [inserted] = await deps.reader.send([insertCommandRows(command, added)])
  if (inserted?.rows.length === 0) return notOpen('started')
  return findOne(deps, caller, id)
}

const notOpen = (status: string) =>
  refuse('command_not_movable', 'id', `The command takes no rows any more: it is ${status}.`)

/** Starts, pauses, resumes or cancels a command. Whoever sets it going must be allowed what its rows need. */
export async function moveCommandBy(
  { changes }: CommandDeps,
  changer: Changer,
  caller: Pick<Caller, 'keyId' | 'memberId' | 'scopes'>,
  id: string,
  verb: CommandVerb,
): Promise<BulkCommand | Refusal> {
  if (!isUuid(id)) return commandNotFound()
  const key = { lane: changer.lane, accountId: changer.accountId, id }
  const load = [lockCommand(key), firstMissingRow(key), ...ownRow(changer)]
  return changeAccount<BulkCommand>(changes, changer, load, (loaded, { nowMs }) => {
    const [command, [, gap, own]] = [commandIn(loaded), loaded]
    if (command === null) return commandNotFound()
    const goesOn = verb === 'start' || verb === 'resume'
    const lacking = goesOn ? refuseLacking(caller.scopes, command.type, command.wanted) : null
    if (lacking) return lacking
    const after = movedCommand(command, verb, nowMs, (gap?.rows[0]?.['missing'] ?? null) as number | null)
    if (isRefusal(after)) return after
    if (after === command) return unchanged(command)
    const moved = goesOn ? setGoingBy(caller, command, after) : after
    const row = goesOn && !isSame(moved, caller) ? own?.rows[0] : undefined
    const bounded = row ? refuseBounded(command.type, powersFrom(row)) : null
    if (bounded) return bounded
    const audited = {
      action: `command.${AUDITED[verb]}`,
      object: { type: 'command', id },
      before: { status: command.status },
      after: { status: moved.status },
    } as const
    return {
      statements: [moveCommand(moved)],
      audited: [audited],
      events: eventsOf(command, moved, nowMs),
      value: moved,
    }
  })
}

/**
 * What was stopped acts from now on for whoever resumes it: the one before may be gone. Its rows stay what others wrote. A member who sets
 * their own going does so by the session that they have now.
 */
function setGoingBy(caller: ActsFor, before: BulkCommand, after: BulkCommand): BulkCommand {
  const isTakenOver = before.status === 'paused' && before.stopped !== null
  if (!isTakenOver && !isSame(before, caller)) return after
  const writers = writersOf(before.writers, before)
  return { ...after, ...actingFor(caller), sessionId: sessionOf(caller), writers }
}

const AUDITED = { start: 'started', pause: 'paused', resume: 'resumed', cancel: 'cancelled' } as const

export function commandIn([found]: readonly Result[]): BulkCommand | null {
  return (found?.rows ?? []).map(commandFrom)[0] ?? null
}

/** What is told of a command that was moved: that it has ended, or rests. */
export function eventsOf(before: BulkCommand, { status, ...after }: BulkCommand, nowMs: number): NewEvent[] {
  if (status === before.status || (status !== 'completed' && status !== 'cancelled' && status !== 'paused')) return []
  return [{ type: `command.${status}`, object: presentCommand({ ...after, status }, nowMs) }]
}

export async function findOne(
  { reader }: Pick<CommandDeps, 'reader'>,
  { lane, accountId }: Pick<OwnedKey, 'lane' | 'accountId'>,
  id: string,
): Promise<BulkCommand | Refusal> {
  if (!isUuid(id)) return commandNotFound()
  const [found] = await reader.send([findCommand({ lane, accountId, id })])
  const row = found?.rows[0]
  return row ? commandFrom(row) : commandNotFound()
}

/** What rows come to in a currency, by their status. Minor units. */
export type CommandSum = {
  readonly currency: string
  readonly status: RowStatus
  readonly rows: number
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly debitMinor: bigint
}

export async function sumsOf({ reader }: Pick<CommandDeps, 'reader'>, command: BulkCommand): Promise<CommandSum[]> {
  const [found] = await reader.send([sumsOfCommand(command)])
  return (found?.rows ?? []).map((row) => ({
    currency: row['currency'] as string,
    status: row['status'] as RowStatus,
    rows: row['rows'] as number,
    amountMinor: BigInt(row['amount_minor'] as string),
    feeMinor: BigInt(row['fee_minor'] as string),
    debitMinor: BigInt(row['debit_minor'] as string),
  }))
}

export async function commandsOf(
  { reader }: Pick<CommandDeps, 'reader'>,
  caller: Caller,
  filter: CommandFilter,
): Promise<BulkCommand[]> {
  const [found] = await reader.send([listCommands(caller, filter)])
  return (found?.rows ?? []).map(commandFrom)
}

export async function rowsOf(
  { reader }: Pick<CommandDeps, 'reader'>,
  command: BulkCommand,
  filter: RowFilter & { readonly after: number; readonly limit: number },
): Promise<CommandRow[]> {
  const [found] = await reader.send([listCommandRows(command, filter)])
  return (found?.rows ?? []).map(commandRowFrom)
}
