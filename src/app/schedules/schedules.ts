// Schedules, as their account writes and reads them: make, change, pause, resume, end, list.
import type { Audited } from '../../domain/account/audit.ts'
import { changed } from '../../domain/account/audit.ts'
import type { AccountEventType } from '../../domain/account/events.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import {
  ended,
  type Maker,
  newSchedule,
  paused,
  replanned,
  resumed,
  type Run,
  type Schedule,
  type SchedulePlan,
  SCHEDULES_MAX,
  scheduleNotFound,
  schedulesFull,
} from '../../domain/schedule/schedule.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  countSchedules,
  findSchedule,
  listRuns,
  listSchedules,
  runFrom,
  saveSchedule,
  type ScheduleFilter,
  scheduleFrom,
  writersAlike,
} from '../../store/schedules/schedules.ts'
import { presentSchedule } from '../../wire/schedules/schedule.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'

export type ScheduleDeps = Pick<Deps, 'changes' | 'newContractId' | 'reader'>
type Verb = 'created' | 'updated' | 'paused' | 'resumed' | 'ended'

/** Who is told: a schedule that is resumed is one that changed. */
const EVENTS: Readonly<Record<Verb, AccountEventType>> = {
  created: 'schedule.created',
  updated: 'schedule.updated',
  paused: 'schedule.paused',
  resumed: 'schedule.updated',
  ended: 'schedule.ended',
}

type Owner = { readonly livemode: boolean; readonly profileId: string; readonly maker: Maker }

export function createSchedule(
  deps: ScheduleDeps,
  changer: Changer,
  owner: Owner,
  plan: SchedulePlan,
): Promise<Schedule | Refusal> {
  const { lane, accountId } = changer
  // The ids of its runs' contracts are made of its own.
  const own = { lane, accountId, id: deps.newContractId(changer, null), ...owner }
  return changeAccount<Schedule>(deps.changes, changer, [countSchedules(changer)], ([counted], { nowMs }) => {
    if (Number(counted?.rows[0]?.['schedules']) >= SCHEDULES_MAX) return schedulesFull()
    const made = newSchedule(own, plan, nowMs)
    return isRefusal(made) ? made : writtenSchedule(null, made, 'created', nowMs)
  })
}

/** What is wanted of a schedule, and as which of its versions it must stand; undefined for any. */
export type ScheduleAsked = { readonly id: string; readonly versions?: readonly number[] | undefined }

/** A schedule by another plan. The runs act as whoever changed it last: nobody changes what others answer for. */
export const updateSchedule = (
  deps: ScheduleDeps,
  changer: Changer,
  asked: ScheduleAsked,
  plan: SchedulePlan,
  maker: Maker,
) =>
  change(
    deps,
    changer,
    asked,
    'updated',
    (before, nowMs, [alike]) => replanned(before, plan, maker, nowMs, keysIn(alike)),
    alikeTo(changer, asked, maker),
  )

const alikeTo = (changer: Changer, { id }: ScheduleAsked, { keyId }: Maker): Statement[] =>
  keyId === null ? [] : [writersAlike(changer, id, keyId)]

const keysIn = (alike: Result | undefined): string[] => (alike?.rows ?? []).map((row) => row['key_id'] as string)

export const pauseSchedule = (deps: ScheduleDeps, changer: Changer, asked: ScheduleAsked) =>
  change(deps, changer, asked, 'paused', (before, nowMs) => paused(before, 'asked', nowMs))

export const resumeSchedule = (deps: ScheduleDeps, changer: Changer, asked: ScheduleAsked, maker: Maker) =>
  change(
    deps,
    changer,
    asked,
    'resumed',
    (before, nowMs, [alike]) => resumed(before, maker, nowMs, keysIn(alike)),
    alikeTo(changer, asked, maker),
  )

export const endSchedule = (deps: ScheduleDeps, changer: Changer, asked: ScheduleAsked) =>
  change(deps, changer, asked, 'ended', ended)

async function change(
  { changes }: ScheduleDeps,
  changer: Changer,
  { id, versions }: ScheduleAsked,
  verb: Exclude<Verb, 'created'>,
  decide: (before: Schedule, nowMs: number, loaded: readonly Result[]) => Schedule | Refusal,
  more: readonly Statement[] = [],
): Promise<Schedule | Refusal> {
  if (!isUuid(id)) return scheduleNotFound()
  const { lane, accountId } = changer
  const load = [findSchedule({ lane, accountId, id }), ...more]
  return changeAccount<Schedule>(changes, changer, load, ([found, ...loaded], { nowMs }) => {
    const [before] = (found?.rows ?? []).map(scheduleFrom)
    if (!before) return scheduleNotFound()
    if (versions && !versions.includes(before.version)) return isAnotherVersion(before)
    const after = decide(before, nowMs, loaded)
    if (isRefusal(after)) return after
    return after === before ? unchanged(before) : writtenSchedule(before, after, verb, nowMs)
  })
}

function isAnotherVersion({ version }: Schedule): Refusal {
  const fix = 'Read it again, and send the ETag of what you read.'
  return refuse('precondition_failed', 'If-Match', `The schedule has changed: it stands at version ${version}. ${fix}`)
}

/** A schedule with all that is written of a change. */
export function writtenSchedule(
  before: Schedule | null,
  after: Schedule,
  verb: Verb,
  nowMs: number,
): AccountChange<Schedule> {
  const audited = auditedChange(before, after, verb)
  return {
    statements: [saveSchedule(after)],
    audited: [audited],
    events: [{ type: EVENTS[verb], object: presentSchedule(after, [], nowMs) }],
    value: after,
  }
}

function auditedChange(before: Schedule | null, after: Schedule, verb: Verb): Audited {
  const difference = changed(before ? said(before) : {}, said(after)) ?? { before: {}, after: {} }
  const object = { type: 'schedule', id: after.id }
  return { action: `schedule.${verb}`, object, before: before && difference.before, after: difference.after }
}

/** What of a schedule the audit list compares. */
const said = ({ name, template, source, rule, status, paused: reason }: Schedule) => ({
  name,
  template,
  source,
  rule,
  status,
  paused: reason,
})

export type ScheduleWithRuns = { readonly schedule: Schedule; readonly runs: readonly Run[] }

/** So many of the latest runs are shown with a schedule. */
const RUNS_SHOWN = 5
const ALL_RUNS = 2_147_483_647

export async function findWithRuns(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId }: AccountKey,
  id: string,
): Promise<ScheduleWithRuns | Refusal> {
  if (!isUuid(id)) return scheduleNotFound()
  const key = { lane, accountId, id }
  const page = { below: ALL_RUNS, limit: RUNS_SHOWN }
  const [found, runs] = await reader.send([findSchedule(key), listRuns(key, [id], page)])
  const [schedule] = (found?.rows ?? []).map(scheduleFrom)
  return schedule ? { schedule, runs: (runs?.rows ?? []).map(runFrom) } : scheduleNotFound()
}

/** Schedules of the account with their latest runs, newest first, one more than the limit. */
export async function schedulesOf(
  { reader }: Pick<Deps, 'reader'>,
  account: AccountKey,
  filter: ScheduleFilter,
): Promise<ScheduleWithRuns[]> {
  const [found] = await reader.send([listSchedules(account, filter)])
  const schedules = (found?.rows ?? []).map(scheduleFrom)
  if (schedules.length === 0) return []
  const ids = schedules.map(({ id }) => id)
  const [ran] = await reader.send([listRuns(account, ids, { below: ALL_RUNS, limit: RUNS_SHOWN })])
  const runs = (ran?.rows ?? []).map(runFrom)
  return schedules.map((schedule) => ({ schedule, runs: runs.filter(({ scheduleId }) => scheduleId === schedule.id) }))
}

/** The runs of a schedule below a number, the newest first, one more than the limit. */
export async function runsOf(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId }: AccountKey,
  id: string,
  { below, limit }: { readonly below: number | null; readonly limit: number },
): Promise<Run[] | Refusal> {
  if (!isUuid(id)) return scheduleNotFound()
  const key = { lane, accountId, id }
  const page = { below: below ?? ALL_RUNS, limit: limit + 1 }
  const [found, runs] = await reader.send([findSchedule(key), listRuns(key, [id], page)])
  return found?.rows.length === 1 ? (runs?.rows ?? []).map(runFrom) : scheduleNotFound()
}
