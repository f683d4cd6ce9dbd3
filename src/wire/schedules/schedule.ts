// A schedule on the wire: its template, its rule, the runs that come and those that were.
import Type, { type Static } from 'typebox'
import { localText } from '../../domain/schedule/days.ts'
import { nextRuns } from '../../domain/schedule/next-run.ts'
import {
  ADJUSTMENTS,
  FREQUENCIES,
  NTHS,
  OWN_HOLIDAYS_MAX,
  type Rule as DomainRule,
  type RuleConfig,
  WEEKDAYS,
} from '../../domain/schedule/rule.ts'
import {
  RUN_STATUSES,
  ruleIn,
  type Run as DomainRun,
  type Schedule as DomainSchedule,
  SCHEDULE_STATUSES,
} from '../../domain/schedule/schedule.ts'
import { holidaysKnownUntil, wordsOf } from '../../domain/schedule/words.ts'
import { ListQuery } from '../api.ts'
import {
  closed,
  envelope,
  ignored,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { DraftBody } from '../transfer-requests.ts'

const optional = <T extends Parameters<typeof nullable>[0]>(schema: T) => Type.Optional(nullable(schema))
const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A day, such as 2026-12-24.' })

const BankingDays = closed(
  {
    adjust: Type.Enum([...ADJUSTMENTS], {
      description:
        'Where the day is no banking day: none leaves it, next and previous move it, modified_following moves it on within its month, else back.',
    }),
    country: optional(
      Type.String({ maxLength: 2, description: 'Whose bank holidays count: PH. Saturdays and Sundays always do.' }),
    ),
    holidays: optional(
      Type.Array(date, { maxItems: OWN_HOLIDAYS_MAX, description: 'Days of your own on which nothing is paid.' }),
    ),
  },
  { $id: 'BankingDays' },
)

const ScheduleRule = closed(
  {
    every: Type.Enum([...FREQUENCIES]),
    interval: optional(
      Type.Integer({ minimum: 1, maximum: 366, description: 'Every second week is 2. By default 1.' }),
    ),
    date: optional({ ...date, description: 'With once: the day.' } as typeof date),
    weekdays: optional(
      Type.Array(Type.Enum([...WEEKDAYS]), {
        minItems: 1,
        maxItems: 7,
        description: 'With week: on which days. With month and nth: the one day.',
      }),
    ),
    nth: optional(Type.Enum([...NTHS], { description: 'With month: which of its weekdays, such as the last friday.' })),
    day: optional(
      Type.Integer({ minimum: 1, maximum: 31, description: 'With month: the day; in a shorter month its last one.' }),
    ),
    time: Type.String({
      maxLength: 5,
      description:
        'Of the day, such as 09:00. One that the clocks skip is the next that they show; of one that they show twice, the first.',
    }),
    time_zone: Type.String({ maxLength: 64, description: 'Of the IANA data base, such as Asia/Manila.' }),
    banking_days: optional(BankingDays),
    starts_at: optional(
      time('From then on; by default from when the schedule was made. Weeks and months are counted from it.'),
    ),
    until: optional(time('The last moment at which it may run.')),
    count: optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'So many runs, then it ends.' })),
  },
  { $id: 'ScheduleRule' },
)

/** What a schedule shows of itself and a request cannot change. What was read can so be sent back. */
const OWNED =
  'id livemode status version pays words next_runs last_runs runs paused_reason holidays_known_until created_by created_at updated_at ended_at'.split(
    ' ',
  )

const name = text(100, 'Your own name for it.')
const source = optional(uuid('The wallet to pay from; by default the account’s wallet in the currency.'))

export const ScheduleBody = closed(
  { name, template: DraftBody, source, rule: ScheduleRule, ...ignored(OWNED) },
  { $id: 'ScheduleRequest' },
)

export type ScheduleBody = Static<typeof ScheduleBody>

/** A patch of any depth: what comes of it is read as a new schedule is. */
const mended = (description: string) => Type.Optional(Type.Object({}, { additionalProperties: true, description }))

export const SchedulePatchBody = closed(
  {
    name,
    template: mended('Members of the template that change.'),
    source,
    rule: mended('Members of the rule that change.'),
    ...ignored(OWNED),
  },
  { $id: 'SchedulePatch', description: 'A JSON merge patch (RFC 7396): null clears.' },
)

const Moment = Type.Object({
  at: time('When.'),
  local: Type.String({ description: 'As the clocks of the rule’s zone show it.' }),
})

export const ScheduleRun = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.' }),
    due_at: time('When it was due.'),
    started_at: time('When it began: later than due_at where the gateway was down.'),
    status: Type.Enum([...RUN_STATUSES], {
      description: 'paid: the contract is paid, and its own status says how far the money has got.',
    }),
    contract_id: uuid('The transfer contract of the run; not there where it failed before there was one.'),
    // As in events of commands: those of earlier releases lack it.
    command_id: Type.Optional(
      nullable(
        uuid(
          'The command that carries it out: its progress, its row and the error of it. Null of runs before there were such, absent in events of earlier releases.',
        ),
      ),
    ),
    error: nullable(Type.Object({ code: Type.String(), param: nullableText, message: Type.String() })),
  },
  { $id: 'ScheduleRun' },
)

export const Schedule = Type.Object(
  {
    id: uuid('Of the schedule.'),
    livemode,
    name: nullableText,
    status: Type.Enum([...SCHEDULE_STATUSES]),
    pays: Type.Object({
      amount: Type.Number(),
      currency: Type.String(),
      channel: nullableText,
      recipient: nullable(
        Type.String({ description: 'The name of whom it pays, as it stood when the template was read.' }),
      ),
    }),
    template: Type.Record(Type.String(), Type.Unknown(), { description: 'The draft of each run.' }),
    source: nullable(uuid('The wallet; null for that of the currency.')),
    rule: ScheduleRule,
    words: Type.String({ description: 'The rule in a sentence.' }),
    holidays_known_until: nullable({
      ...date,
      description: 'Later bank holidays are not known yet: only weekends and your own.',
    } as typeof date),
    next_runs: Type.Array(Moment, { description: 'The next five.' }),
    runs: Type.Integer({ description: 'How many there have been.' }),
    last_runs: Type.Array(ScheduleRun, { description: 'The latest five, newest first.' }),
    paused_reason: nullable(
      Type.Enum(['asked', 'maker_ended'], {
        description: 'maker_ended: who made it may not pay any more. Whoever resumes it makes it theirs.',
      }),
    ),
    created_by: Type.Object({
      type: Type.Enum(['key', 'member']),
      id: Type.String({ description: 'As whom the runs act.' }),
    }),
    version: Type.Integer(),
    created_at: time('When.'),
    updated_at: time('When.'),
    ended_at: nullableTime,
  },
  { $id: 'Schedule' },
)

/** A rule by itself: nothing is made of it. */
export const RuleBody = closed({ rule: ScheduleRule }, { $id: 'ScheduleRuleRequest' })

export const RuleReply = envelope(
  'number',
  Type.Object({
    words: Type.String({ description: 'The rule in a sentence.' }),
    next_runs: Type.Array(Moment, { description: 'The next five; none where the rule never runs again.' }),
    holidays_known_until: nullable({
      ...date,
      description: 'Later bank holidays are not known yet: only weekends and your own.',
    } as typeof date),
  }),
)

export const ScheduleReply = envelope('number', Type.Object({ schedule: Schedule }))
export const SchedulesReply = envelope('number', Type.Object({ schedules: Type.Array(Schedule), next: nullableText }))
export const RunsReply = envelope('number', Type.Object({ runs: Type.Array(ScheduleRun), next: nullableText }))

export const SchedulesQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...SCHEDULE_STATUSES])),
})

const NEXT_SHOWN = 5

/** The schedule as every reply and event shows it, at a moment. */
export function presentSchedule(
  schedule: DomainSchedule,
  runs: readonly DomainRun[],
  nowMs: number,
): Wire<typeof Schedule> {
  const rule = ruleIn(schedule)
  const { keyId, memberId } = schedule.maker
  return {
    id: schedule.id,
    livemode: schedule.livemode,
    name: schedule.name,
    status: schedule.status,
    pays: {
      amount: schedule.template.amount,
      currency: schedule.template.currency,
      channel: schedule.channelId,
      recipient: schedule.recipientName,
    },
    template: schedule.template,
    source: schedule.source,
    rule: schedule.rule as Wire<typeof ScheduleRule>,
    words: wordsOf(schedule.rule),
    holidays_known_until: holidaysKnownUntil(rule),
    next_runs: schedule.status === 'active' ? comingRuns(schedule, rule, nowMs) : [],
    runs: schedule.runs,
    last_runs: runs.map(presentRun),
    paused_reason: schedule.paused,
    created_by: memberId === null ? { type: 'key', id: keyId ?? '' } : { type: 'member', id: memberId },
    version: schedule.version,
    created_at: iso(schedule.createdAt),
    updated_at: iso(schedule.updatedAt),
    ended_at: isoOrNull(schedule.endedAt),
  }
}

/** The run that is due counts, too, until it begins. */
function comingRuns({ nextAt, runs }: DomainSchedule, rule: DomainRule, nowMs: number) {
  const first = nextAt === null ? [] : [nextAt]
  const others = nextRuns(rule, Math.max(nowMs, nextAt ?? nowMs), runs + first.length, NEXT_SHOWN - first.length)
  return [...first, ...others].map((atMs) => momentOf(rule, atMs))
}

const momentOf = ({ zone }: DomainRule, atMs: number) => ({ at: iso(atMs), local: localText(zone, atMs) })

/** A rule as it would run, had its schedule been made at this moment. */
export const presentRule = (config: RuleConfig, rule: DomainRule, nowMs: number) => ({
  words: wordsOf(config),
  next_runs: nextRuns(rule, nowMs, 0, NEXT_SHOWN).map((atMs) => momentOf(rule, atMs)),
  holidays_known_until: holidaysKnownUntil(rule),
})

export function presentRun(run: DomainRun): Wire<typeof ScheduleRun> {
  return {
    number: run.number,
    due_at: iso(run.dueAt),
    started_at: iso(run.startedAt),
    status: run.status,
    contract_id: run.contractId,
    command_id: run.commandId,
    error: run.problem,
  }
}
