// When a schedule runs: the rule as callers write it, read into one that is right, with all that is wrong of it at once. Pure.
import { invalid, missing, type Problem } from '../contract/refusals.ts'
import { dayOf, isZone } from './days.ts'
import { HOLIDAY_COUNTRIES, type HolidayCountry } from './holidays.ts'

export const FREQUENCIES = ['once', 'day', 'week', 'month'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** In the order of a week as it is planned. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const NTHS = ['first', 'second', 'third', 'fourth', 'last'] as const
export type Nth = (typeof NTHS)[number]

export const ADJUSTMENTS = ['none', 'next', 'previous', 'modified_following'] as const
export type Adjustment = (typeof ADJUSTMENTS)[number]

/** A rule as it is written, shown and kept. */
export type RuleConfig = {
  readonly every: Frequency
  readonly interval?: number | null | undefined
  readonly date?: string | null | undefined
  readonly weekdays?: readonly Weekday[] | null | undefined
  readonly nth?: Nth | null | undefined
  readonly day?: number | null | undefined
  readonly time: string
  readonly time_zone: string
  readonly banking_days?:
    | {
        readonly adjust: Adjustment
        readonly country?: string | null | undefined
        readonly holidays?: readonly string[] | null | undefined
      }
    | null
    | undefined
  readonly starts_at?: string | null | undefined
  readonly until?: string | null | undefined
  readonly count?: number | null | undefined
}

/** One that is right. Days are whole days since 1970-01-01, weekdays count from Sunday, moments are milliseconds. */
export type Rule = {
  readonly every: Frequency
  readonly interval: number
  readonly date: number | null
  readonly weekdays: ReadonlySet<number>
  readonly nth: Nth | null
  readonly day: number | null
  readonly minutes: number
  readonly zone: string
  readonly adjust: Adjustment
  readonly country: HolidayCountry | null
  readonly holidays: ReadonlySet<number>
  readonly startsAt: number
  readonly until: number | null
  readonly count: number | null
}

const INTERVAL_MAX: Readonly<Record<Frequency, number>> = { once: 1, day: 366, week: 53, month: 24 }
const COUNT_MAX = 10_000
const DAY_MAX = 31
const DAY_WORDS = 'rule.day is a day of a month, from 1 to 31; 31 is the last of a shorter one.'
export const OWN_HOLIDAYS_MAX = 366

/** The rule, or what is wrong with it. `startsAt` is from when it holds where it does not say. */
export function readRule(config: RuleConfig, startsAt: number): Rule | Problem[] {
  const problems = [...clockFaults(config), ...daysFaults(config), ...endFaults(config), ...bankingFaults(config)]
  if (problems.length > 0) return problems
  const { every, interval, date, weekdays, nth, day, time, time_zone: zone, starts_at, until, count } = config
  const banking = config.banking_days ?? null
  const rule: Rule = {
    every,
    interval: interval ?? 1,
    date: date ? dayOf(date) : null,
    weekdays: new Set((weekdays ?? []).map(placeOf)),
    nth: nth ?? null,
    day: day ?? null,
    minutes: minutesOf(time),
    zone,
    adjust: banking?.adjust ?? 'none',
    country: HOLIDAY_COUNTRIES.find((each) => each === banking?.country) ?? null,
    holidays: new Set((banking?.holidays ?? []).flatMap((each) => dayOf(each) ?? [])),
    startsAt: starts_at ? Date.parse(starts_at) : startsAt,
    until: until ? Date.parse(until) : null,
    count: count ?? null,
  }
  if (rule.until !== null && rule.until < rule.startsAt)
    return [invalid('rule.until', 'rule.until must be after rule.starts_at.')]
  return rule
}

const isWithin = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most

/** 0 is Sunday. */
const placeOf = (weekday: Weekday): number => (WEEKDAYS.indexOf(weekday) + 1) % 7

function minutesOf(time: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined ? -1 : Number(hours) * 60 + Number(minutes)
}

function clockFaults({ time, time_zone: zone }: RuleConfig): Problem[] {
  return [
    ...(minutesOf(time) >= 0 ? [] : [invalid('rule.time', 'rule.time must be a time of day such as 09:00.')]),
    ...(isZone(zone)
      ? []
      : [invalid('rule.time_zone', 'rule.time_zone must be a name of the IANA data base, such as Asia/Manila.')]),
  ]
}

/** Which members go with which frequency: one that says nothing there is refused, for it meant something. */
function daysFaults(config: RuleConfig): Problem[] {
  const { every, interval, date, weekdays, nth, day } = config
  const isSet = { interval, date, weekdays, nth, day }
  const fits: Readonly<Record<Frequency, readonly (keyof typeof isSet)[]>> = {
    once: ['date'],
    day: ['interval'],
    week: ['interval', 'weekdays'],
    month: ['interval', 'weekdays', 'nth', 'day'],
  }
  const strange = (Object.keys(isSet) as (keyof typeof isSet)[])
    .filter((name) => (isSet[name] ?? null) !== null && !fits[every].includes(name))
    .map((name) => invalid(`rule.${name}`, `rule.${name} does not go with every ${every}. Leave it out.`))
  return [...strange, ...intervalFaults(config), ...dayFaults(config)]
}

function intervalFaults({ every, interval }: RuleConfig): Problem[] {
  const most = INTERVAL_MAX[every]
  if (every === 'once' || isWithin(interval ?? 1, most)) return []
  return [invalid('rule.interval', `rule.interval of every ${every} is a whole number from 1 to ${most}.`)]
}

function dayFaults({ every, date, weekdays, nth, day }: RuleConfig): Problem[] {
  if (every === 'once') {
    if (!date) return [missing('rule.date', 'Give the day on which it runs, such as 2026-12-01.')]
    return dayOf(date) === null ? [invalid('rule.date', 'rule.date must be a day such as 2026-12-01.')] : []
  }
  const count = weekdays?.length ?? 0
  if (every === 'week' && count === 0) return [missing('rule.weekdays', 'Give at least one, such as friday.')]
  if (every !== 'month') return []
  if (day !== null && day !== undefined) {
    if (nth || count > 0) return [invalid('rule.day', 'rule.day goes without rule.nth and rule.weekdays.')]
    return isWithin(day, DAY_MAX) ? [] : [invalid('rule.day', DAY_WORDS)]
  }
  if (nth && count === 1) return []
  return [missing('rule.day', 'Give rule.day; or rule.nth with one of rule.weekdays, such as the last friday.')]
}

function endFaults({ every, count, until, starts_at }: RuleConfig): Problem[] {
  if (every === 'once' && (count || until || starts_at))
    return [invalid('rule.every', 'What runs once needs no rule.starts_at, rule.until and rule.count.')]
  if (count && until) return [invalid('rule.count', 'Give rule.until or rule.count, not both.')]
  const unread = Object.entries({ starts_at, until }).filter(([, at]) => at && Number.isNaN(Date.parse(at)))
  return [
    ...unread.map(([name]) => invalid(`rule.${name}`, `rule.${name} must be a time such as 2026-12-01T00:00:00Z.`)),
    ...(count === null || count === undefined || isWithin(count, COUNT_MAX)
      ? []
      : [invalid('rule.count', `rule.count is a whole number from 1 to ${COUNT_MAX}.`)]),
  ]
}

function bankingFaults({ banking_days: banking }: RuleConfig): Problem[] {
  if (!banking) return []
  const { country = null, holidays } = banking
  const known = country === null || HOLIDAY_COUNTRIES.some((each) => each === country)
  const words = `The holidays of ${HOLIDAY_COUNTRIES.join(', ')} are known. Leave it out, and list your own holidays.`
  return [
    ...(known ? [] : [invalid('rule.banking_days.country', `rule.banking_days.country: ${words}`)]),
    ...((holidays ?? []).every((each) => dayOf(each) !== null)
      ? []
      : [invalid('rule.banking_days.holidays', 'rule.banking_days.holidays must be days such as 2026-12-24.')]),
  ]
}
