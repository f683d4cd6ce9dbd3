// A rule as its form holds it, and as the API takes it. What does not go with the frequency is not sent.
import type { ScheduleRule, ScheduleRuleInput } from '../../../sdk/src/index.ts'

export const FREQUENCIES = ['once', 'day', 'week', 'month'] as const
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const NTHS = ['first', 'second', 'third', 'fourth', 'last'] as const
export const ADJUSTMENTS = ['none', 'next', 'previous', 'modified_following'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export type RuleForm = {
  readonly every: (typeof FREQUENCIES)[number]
  readonly interval: string
  readonly date: string
  readonly weekdays: readonly Weekday[]
  /** Of a month: a day by its number, or the n-th weekday. */
  readonly by: 'day' | 'nth'
  readonly day: string
  readonly nth: (typeof NTHS)[number]
  readonly weekday: Weekday
  readonly time: string
  readonly zone: string
  readonly adjust: (typeof ADJUSTMENTS)[number]
  readonly country: string
  readonly holidays: string
  readonly ends: 'never' | 'until' | 'count'
  /** As the reader's own clock shows it. */
  readonly until: string
  readonly count: string
  /** Kept as it is: weeks and months are counted from it. */
  readonly startsAt: string | null
}

export const emptyRule = (zone: string): RuleForm => ({
  every: 'month',
  interval: '1',
  date: '',
  weekdays: ['friday'],
  by: 'day',
  day: '31',
  nth: 'last',
  weekday: 'friday',
  time: '09:00',
  zone,
  adjust: 'previous',
  country: 'PH',
  holidays: '',
  ends: 'never',
  until: '',
  count: '12',
  startsAt: null,
})

export function ruleFormOf(rule: ScheduleRule): RuleForm {
  const { every, interval, date, weekdays, nth, day, time, time_zone: zone, banking_days: banking } = rule
  const { until, count, starts_at: startsAt } = rule
  const empty = emptyRule(zone)
  return {
    ...empty,
    every,
    interval: String(interval ?? 1),
    date: date ?? '',
    weekdays: every === 'week' && weekdays ? weekdays : empty.weekdays,
    by: nth ? 'nth' : 'day',
    day: day ? String(day) : empty.day,
    nth: nth ?? empty.nth,
    weekday: (every === 'month' ? weekdays?.[0] : undefined) ?? empty.weekday,
    time,
    adjust: banking?.adjust ?? 'none',
    country: banking?.country ?? '',
    holidays: (banking?.holidays ?? []).join(', '),
    ends: count ? 'count' : until ? 'until' : 'never',
    until: until ? ownClock(until) : '',
    count: count ? String(count) : empty.count,
    startsAt: startsAt ?? null,
  }
}

/** A moment as an input of the browser takes it. */
function ownClock(at: string): string {
  const moment = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`
}

/** The whole rule: what it does not have is null, so that a patch clears it. What is typed wrong is sent, for the gateway to refuse. */
export function ruleOf(form: RuleForm): ScheduleRuleInput {
  const { every, adjust, country } = form
  const isMonth = every === 'month'
  const isNth = isMonth && form.by === 'nth'
  // What runs once ends with that, whatever was chosen before.
  const ends = every === 'once' ? 'never' : form.ends
  return {
    every,
    interval: every === 'once' ? null : numberIn(form.interval),
    date: every === 'once' ? form.date || null : null,
    weekdays: every === 'week' ? form.weekdays : isNth ? [form.weekday] : null,
    nth: isNth ? form.nth : null,
    day: isMonth && !isNth ? numberIn(form.day) : null,
    time: form.time,
    time_zone: form.zone,
    banking_days: adjust === 'none' ? null : { adjust, country: country || null, holidays: daysIn(form.holidays) },
    starts_at: every === 'once' ? null : form.startsAt,
    until: ends === 'until' ? momentIn(form.until) : null,
    count: ends === 'count' ? numberIn(form.count) : null,
  }
}

/** 0, which every member refuses, where it is no whole number: null would be none at all, and a rule without an end. */
const numberIn = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : 0)

/** The text itself, which is refused, where it is no moment. */
function momentIn(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

const daysIn = (text: string): string[] | null => {
  const days = text.split(/[\s,;]+/).filter((day) => day !== '')
  return days.length === 0 ? null : days
}
