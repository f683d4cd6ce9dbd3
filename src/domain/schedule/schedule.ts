// A schedule: a transfer that is made, issued and paid again and again by a rule. What is decided about one, and each of its runs.
import type { Scope } from '../account/scopes.ts'
import { type ActsFor, isSame, WRITERS_MAX, withWriter, writersOf } from '../account/writers.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import { nextRun } from './next-run.ts'
import { type Rule, type RuleConfig } from './rule.ts'
import { ruleOf } from './words.ts'

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]

export const RUN_STATUSES = ['running', 'paid', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** What whoever makes a schedule must be allowed, now and at each run. */
export const RUN_SCOPES: readonly Scope[] = ['commands:write', 'contracts:write', 'transfers:issue', 'transfers:pay']

/** How many of an account's may be active or paused. */
export const SCHEDULES_MAX = 100

/** As whom the runs act. */
export type Maker = ActsFor

/** Why a schedule rests: somebody asked for it, or whoever made it may not do it any more. */
export type PauseReason = 'asked' | 'maker_ended'

/** A draft as a caller would send it: a text of the wire, which is read anew at each run. */
export type Template = { readonly amount: number; readonly currency: string } & Readonly<Record<string, unknown>>

/** What a caller says of a schedule. */
export type SchedulePlan = {
  readonly name: string | null
  readonly template: Template
  /** By which channel and whom it pays, as the template was read when it was written. */
  readonly channelId: string | null
  readonly recipientName: string | null
  /** The wallet to pay from; null for that of the currency. */
  readonly source: string | null
  readonly rule: RuleConfig
}

export type Schedule = SchedulePlan & {
  readonly lane: number
  readonly accountId: string
  readonly id: string
  readonly livemode: boolean
  readonly profileId: string
  readonly version: number
  readonly status: ScheduleStatus
  /** Milliseconds since the epoch; null unless active. */
  readonly nextAt: number | null
  /** How many runs there have been. */
  readonly runs: number
  readonly paused: PauseReason | null
  readonly maker: Maker
  /** Who wrote what it pays and when, for whomever it runs: members and keys. What was stored before they were kept has no such member. */
  readonly writers?: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** One run. The id of its contract is known before it is made, so that no crash makes two. */
export type Run = {
  readonly number: number
  readonly dueAt: number
  readonly startedAt: number
  readonly contractId: string
  /** The command that carries it out; null of one that was begun before runs were commands. */
  readonly commandId: string | null
  readonly status: RunStatus
  readonly problem: Problem | null
}

type Owner = Pick<Schedule, 'lane' | 'accountId' | 'id' | 'livemode' | 'profileId' | 'maker'>

/** A new schedule; one whose rule never runs is refused. */
export function newSchedule(owner: Owner, plan: SchedulePlan, nowMs: number): Schedule | Refusal {
  const made: Schedule = {
    ...owner,
    ...plan,
    version: 1,
    status: 'active',
    nextAt: null,
    runs: 0,
    paused: null,
    writers: withWriter([], owner.maker),
    createdAt: nowMs,
    updatedAt: nowMs,
    endedAt: null,
  }
  return following(made, nowMs)
}

/**
 * The schedule by another plan: as whoever changes it from now on. A run that is due already, and that nobody has begun yet, is not lost
 * for a change of its amount or name, nor for one of its rule by which it runs then, too. `alike`: as {@link withWriter} knows them.
 */
export function replanned(
  schedule: Schedule,
  plan: SchedulePlan,
  maker: Maker,
  nowMs: number,
  alike: readonly string[] = [],
): Schedule | Refusal {
  if (schedule.status === 'ended') return hasEnded()
  const changed = { ...schedule, ...plan, maker }
  if (same(schedule, changed)) return schedule
  const writers = withWriter(writersBefore(schedule, maker, alike), maker, alike)
  if (writers.length > WRITERS_MAX) return tooManyWriters()
  const later = { ...changed, writers, version: schedule.version + 1, updatedAt: nowMs }
  const { nextAt } = schedule
  if (nextAt !== null && nextAt <= nowMs && runsThen(later, nextAt)) return later
  const followed = following({ ...later, status: 'active' }, nowMs)
  if (isRefusal(followed) || schedule.status === 'active') return followed
  return { ...followed, status: 'paused', nextAt: null }
}

function runsThen(schedule: Schedule, at: number): boolean {
  const rule = ruleIn(schedule)
  return (rule.count === null || schedule.runs < rule.count) && nextRun(rule, at - 1) === at
}

const same = (before: SchedulePlan, after: SchedulePlan) => saidOf(before) === saidOf(after)
const saidOf = ({ name, template, source, rule }: SchedulePlan) => JSON.stringify([name, template, source, rule])

export function paused(schedule: Schedule, reason: PauseReason, nowMs: number): Schedule | Refusal {
  if (schedule.status === 'ended') return hasEnded()
  if (schedule.status === 'paused') return schedule
  return { ...next(schedule, nowMs), status: 'paused', paused: reason, nextAt: null }
}

/** Goes on after now, as whoever resumes it, who is no writer yet: runs that were left out meanwhile stay left out. */
export function resumed(
  schedule: Schedule,
  maker: Maker,
  nowMs: number,
  alike: readonly string[] = [],
): Schedule | Refusal {
  if (schedule.status === 'ended') return hasEnded()
  if (schedule.status === 'active') return schedule
  const writers = writersBefore(schedule, maker, alike)
  if (writers.length > WRITERS_MAX) return tooManyWriters()
  return following({ ...next(schedule, nowMs), status: 'active', paused: null, maker, writers }, nowMs)
}

export function ended(schedule: Schedule, nowMs: number): Schedule {
  if (schedule.status === 'ended') return schedule
  return { ...next(schedule, nowMs), status: 'ended', paused: null, nextAt: null, endedAt: nowMs }
}

/** The schedule after the run that is due; with none left it has ended. However many were missed, one makes up for them. */
export const ran = (schedule: Schedule, nowMs: number): Schedule => movedOn(schedule, schedule.runs + 1, nowMs)

/** The schedule after a time whose run is there already, and counted. */
export const passed = (schedule: Schedule, nowMs: number): Schedule => movedOn(schedule, schedule.runs, nowMs)

function movedOn(schedule: Schedule, runs: number, nowMs: number): Schedule {
  const rule = ruleIn(schedule)
  const isLast = rule.count !== null && runs >= rule.count
  const nextAt = isLast ? null : nextRun(rule, nowMs)
  const after = { ...next(schedule, nowMs), runs, nextAt }
  return nextAt === null ? { ...after, status: 'ended', endedAt: nowMs } : after
}

const next = (schedule: Schedule, nowMs: number): Schedule => ({
  ...schedule,
  version: schedule.version + 1,
  updatedAt: nowMs,
})

export const ruleIn = ({ rule, createdAt }: Pick<Schedule, 'rule' | 'createdAt'>): Rule => ruleOf(rule, createdAt)

/** The schedule with the next moment at which it runs. */
function following(schedule: Schedule, nowMs: number): Schedule | Refusal {
  const rule = ruleIn(schedule)
  const isOver = rule.count !== null && schedule.runs >= rule.count
  const nextAt = isOver ? null : nextRun(rule, nowMs)
  if (nextAt !== null) return { ...schedule, nextAt }
  const words = 'By this rule there is no run any more. Give a day that is to come, or a later end.'
  return refuseAll([invalid('rule', words)])
}

/** Who wrote it: nobody of them approves what it pays, for whomever it runs. */
export const writersOfSchedule = ({ writers, maker }: Pick<Schedule, 'writers' | 'maker'>): readonly string[] =>
  writersOf(writers, maker)

/**
 * Its writers before somebody takes it over: also the one for whom it ran, whom a gateway of the release before may have let change it
 * without keeping them.
 */
function writersBefore(schedule: Schedule, maker: Maker, alike: readonly string[] = []): readonly string[] {
  const { keyId } = schedule.maker
  const isKnown = isSame(schedule.maker, maker) || (keyId !== null && alike.includes(keyId))
  return isKnown ? writersOfSchedule(schedule) : withWriter(writersOfSchedule(schedule), schedule.maker)
}

/** One of them that was forgotten could approve what they wrote. */
const tooManyWriters = (): Refusal =>
  refuseAll([
    invalid(
      'id',
      `${WRITERS_MAX} members and keys have written the schedule, and nobody else may. End it, and make a new one.`,
    ),
  ])

const hasEnded = () =>
  refuse('schedule_ended', 'id', 'The schedule has ended, and is not changed any more. Make a new one.')

/** The same text for an id that does not exist and for one that another account owns. */
export const scheduleNotFound = () =>
  refuse('schedule_not_found', 'id', 'No schedule of yours has this id. See GET /schedules.')

export const schedulesFull = () =>
  refuse(
    'schedules_full',
    null,
    `The account has ${SCHEDULES_MAX} schedules that have not ended, which is as many as it may have. End one that nobody needs.`,
  )
