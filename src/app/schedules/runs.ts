// The runs of schedules. A run is a command of one row, which is given in the transaction that moves its schedule on, so that it is
// never given twice; what becomes of it from then on is what becomes of any command (app/commands/).
import type { BulkCommand } from '../../domain/command/command.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import {
  type Maker,
  passed,
  paused,
  ran,
  type Run,
  RUN_SCOPES,
  type Schedule,
  writersOfSchedule,
} from '../../domain/schedule/schedule.ts'
import { Busy } from '../../engine/held-line.ts'
import { sameIdAgain } from '../../engine/restored.ts'
import { hash128 } from '../../platform/hashes.ts'
import { isAway, type Result, type Statement } from '../../platform/db.ts'
import { findApiKey, storedKeyFrom } from '../../store/accounts/callers.ts'
import { findCommand, insertCommand, moveCommand } from '../../store/commands/commands.ts'
import { insertCommandRows } from '../../store/commands/rows.ts'
import { findMember } from '../../store/members/members.ts'
import { dueSchedules, findSchedule, insertRun, scheduleFrom } from '../../store/schedules/schedules.ts'
import { presentSchedule } from '../../wire/schedules/schedule.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import { EMPTY_COMMAND } from '../commands/commands.ts'
import { memberScopes } from '../commands/makers.ts'
import { contractIdOf } from '../commands/steps.ts'
import type { Deps } from '../deps.ts'
import { type EarlierRunDeps, earlierRunsRound } from './earlier-runs.ts'
import { openRests, type Rests } from './rests.ts'
import { writtenSchedule } from './schedules.ts'

export type RunDeps = EarlierRunDeps & Pick<Deps, 'changes'> & { readonly rests: Rests }

const PAGE = 50

/** The rounds of one process: what met a fault in one is left alone by those after it, whichever lanes they are for. */
export function openScheduleRounds(deps: Omit<RunDeps, 'lanes' | 'rests'> & Parameters<typeof openRests>[0]) {
  const rests = openRests(deps)
  return (lanes: readonly number[]): Promise<number> => scheduleRound({ ...deps, lanes, rests })
}

/** Begins what is due; how much there was to do. */
export async function scheduleRound(deps: RunDeps): Promise<number> {
  const [due] = await deps.reader.send([dueSchedules(deps.lanes, deps.rests.ids(), PAGE)])
  const schedules = (due?.rows ?? []).map(scheduleFrom)
  const held = new Map<string, Busy>()
  for (const schedule of schedules) await beginOrRest(deps, schedule, held)
  return schedules.length + (await earlierRunsRound(deps))
}

/**
 * A fault that the next one would meet, too, ends the round; any other is the schedule's own. `held`: accounts that somebody holds, which
 * are not waited for again in this round.
 */
async function beginOrRest(deps: RunDeps, schedule: Schedule, held: Map<string, Busy>): Promise<void> {
  const busy = held.get(schedule.accountId)
  if (busy) return deps.rests.met(schedule, busy)
  try {
    await beginRun(deps, schedule)
    deps.rests.over(schedule)
  } catch (fault) {
    if (isAway(fault)) throw fault
    if (fault instanceof Busy) held.set(schedule.accountId, fault)
    deps.rests.met(schedule, fault)
  }
}

/** The schedule as it stands is looked at again, while its account is held: another gateway may have been here. */
async function beginRun({ changes }: RunDeps, due: Schedule): Promise<void> {
  const { lane, accountId, id, maker } = due
  const commandId = commandIdOf(due)
  const actor = { kind: 'gateway', id: 'schedules', address: null, requestId: null } as const
  const changer: Changer = { lane, accountId, keyId: null, actor }
  const load = [
    findSchedule({ lane, accountId, id }),
    whoMade({ lane, accountId }, maker),
    findCommand({ lane, accountId, id: commandId }),
  ]
  const answer = await changeAccount<null>(changes, changer, load, ([found, makers, run], { nowMs }) => {
    const [schedule] = (found?.rows ?? []).map(scheduleFrom)
    if (!schedule || schedule.nextAt === null || schedule.nextAt > nowMs) return unchanged(null)
    // Somebody changed it in this moment: the next look sees who, and what is due.
    if (schedule.version !== due.version || schedule.nextAt !== due.nextAt) return unchanged(null)
    if (run?.rows.length === 1) return stepped(schedule, passed(schedule, nowMs), nowMs)
    if (mayRun(maker, makers)) return begun(schedule, commandId, nowMs)
    const resting = paused(schedule, 'maker_ended', nowMs)
    return isRefusal(resting) ? resting : { ...writtenSchedule(schedule, resting, 'paused', nowMs), value: null }
  })
  // It would stay due: it must rest instead of being tried again at once.
  if (isRefusal(answer)) throw new Error(`a schedule that is due is refused: ${answer.code}`)
}

/**
 * The id of the command of a run, and so that of its contract: of the schedule and the time at which it is due, and of nothing else.
 * Where a restore has undone a run, the one that is begun in its place has the same reference at the rail, and pays no second time.
 * Made of the time and not of the number: one run may make up for several.
 */
function commandIdOf({ lane, accountId, id, nextAt }: Schedule): string {
  if (nextAt === null) throw new Error('a run of a schedule that is not due')
  return sameIdAgain({ lane, accountId }, nextAt, `schedule ${id} ${nextAt}`)
}

function whoMade({ lane, accountId }: Pick<Schedule, 'lane' | 'accountId'>, { keyId, memberId }: Maker): Statement {
  if (memberId !== null) return findMember({ lane, accountId, id: memberId })
  if (keyId !== null) return findApiKey(lane, keyId)
  throw new Error('a schedule that nobody made')
}

/** Whether whoever made the schedule could still do by hand what it does. */
function mayRun({ memberId }: Maker, found: Result | undefined): boolean {
  const row = found?.rows[0]
  if (!row) return false
  const scopes = memberId === null ? new Set<string>(storedKeyFrom(row).scopes) : memberScopes(row)
  return RUN_SCOPES.every((scope) => scopes.has(scope))
}

/** A schedule that only moves on: its run at this time is there already, for the clock or its plan went back. It pays nothing. */
const stepped = (before: Schedule, after: Schedule, nowMs: number): AccountChange<null> => ({
  ...writtenSchedule(before, after, after.status === 'ended' ? 'ended' : 'updated', nowMs),
  value: null,
})

function begun(schedule: Schedule, commandId: string, nowMs: number): AccountChange<null> {
  const after = ran(schedule, nowMs)
  const dueAt = schedule.nextAt ?? nowMs
  const command = commandOfRun(schedule, commandId, after.runs, dueAt)
  const run: Run = {
    number: after.runs,
    dueAt,
    startedAt: nowMs,
    contractId: contractIdOf(command, { index: 0 }),
    commandId: command.id,
    status: 'running',
    problem: null,
  }
  const object = presentSchedule(after, [run], nowMs)
  const end = after.status === 'ended' ? writtenSchedule(schedule, after, 'ended', nowMs) : null
  const save = end?.statements ?? writtenSchedule(schedule, after, 'updated', nowMs).statements
  return {
    statements: [...save, ...given(command, schedule, nowMs), insertRun(schedule, run)],
    audited: end?.audited ?? [],
    events: [{ type: 'schedule.run', object }, ...(end?.events ?? [])],
    value: null,
  }
}

/** The command of a run: it acts for whoever made the schedule, as if they had given it when it was due. */
function commandOfRun(schedule: Schedule, id: string, run: number, dueAt: number): BulkCommand {
  const { lane, accountId, livemode, name, maker } = schedule
  return {
    ...EMPTY_COMMAND,
    ...maker,
    writers: writersOfSchedule(schedule),
    lane,
    accountId,
    livemode,
    id,
    type: 'transfers.payout',
    status: 'open',
    description: name,
    schedule: { id: schedule.id, run },
    createdAt: dueAt,
  }
}

/** A command with its one row, started. The row is the draft as it was sent: it is read when it is done. */
function given(command: BulkCommand, { template, source }: Schedule, nowMs: number): Statement[] {
  const sent = JSON.stringify(source === null ? template : { ...template, source })
  const row = { index: 0, line: null, hash: hash128(sent), sent }
  const started = { ...command, status: 'queued', startedAt: nowMs } as const
  return [insertCommand(command), insertCommandRows(command, [row]), moveCommand(started)]
}
