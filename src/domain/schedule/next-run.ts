// The next run of a rule after a moment. Days of the rule come in order, the banking-day rule keeps their order, and two that
// fall on one day are one run: so runs rise, and no day has two. Pure.
import { firstDayOf, lastDayOf, localDay, momentAt, monthOf, weekdayOf } from './days.ts'
import { holidaysOf } from './holidays.ts'
import { NTHS, type Rule } from './rule.ts'

/** So far at most a banking day is from the day that the rule says; one that is farther does not count. */
const MOVED_DAYS_MAX = 40
/** A rule comes round within two years, whatever its interval. */
const HORIZON_DAYS = 800

/** The first run after the moment; null where there is none any more. What has run already is not counted here. */
export function nextRun(rule: Rule, afterMs: number): number | null {
  const after = Math.max(afterMs, rule.startsAt - 1)
  const today = localDay(rule.zone, after)
  for (const named of namedDays(rule, today - MOVED_DAYS_MAX, today + HORIZON_DAYS)) {
    const day = bankingDay(rule, named)
    if (day === null) continue
    const atMs = momentAt(rule.zone, day, rule.minutes)
    if (atMs > after) return rule.until !== null && atMs > rule.until ? null : atMs
  }
  return null
}

/** The runs that come after a moment, `most` at most; `ran` have been already. */
export function nextRuns(rule: Rule, afterMs: number, ran: number, most: number): number[] {
  const left = rule.count === null ? most : Math.min(most, rule.count - ran)
  const runs: number[] = []
  let last: number | null = afterMs
  while (runs.length < left && last !== null) {
    last = nextRun(rule, last)
    if (last !== null) runs.push(last)
  }
  return runs
}

/** The days that the rule names, rising, whether banks are open or not. */
function* namedDays(rule: Rule, from: number, to: number): Generator<number> {
  const { every, interval, zone, startsAt } = rule
  const start = localDay(zone, startsAt)
  if (every === 'once') {
    if (rule.date !== null) yield rule.date
    return
  }
  if (every === 'day') {
    const skipped = Math.max(0, Math.ceil((from - start) / interval))
    for (let day = start + skipped * interval; day <= to; day += interval) yield day
    return
  }
  if (every === 'week') {
    const monday = start - ((weekdayOf(start) + 6) % 7)
    const skipped = Math.max(0, Math.floor((from - monday) / (7 * interval)))
    for (let week = monday + skipped * 7 * interval; week <= to; week += 7 * interval)
      for (let day = week; day < week + 7; day++) if (rule.weekdays.has(weekdayOf(day))) yield day
    return
  }
  const first = monthOf(start)
  const skipped = Math.max(0, Math.floor((monthOf(from) - first) / interval))
  for (let month = first + skipped * interval; firstDayOf(month) <= to; month += interval) yield dayInMonth(rule, month)
}

/** The day of a month: the 31st of one that is shorter is its last. */
function dayInMonth({ day, nth, weekdays }: Rule, month: number): number {
  const [first, last] = [firstDayOf(month), lastDayOf(month)]
  if (day !== null) return Math.min(first + day - 1, last)
  const [weekday = 0] = weekdays
  if (nth === 'last' || nth === null) return last - ((weekdayOf(last) - weekday + 7) % 7)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * NTHS.indexOf(nth)
}

function bankingDay(rule: Rule, day: number): number | null {
  const { adjust } = rule
  if (adjust === 'none') return day
  if (adjust === 'previous') return openDay(rule, day, -1)
  const next = openDay(rule, day, 1)
  if (adjust === 'next' || (next !== null && monthOf(next) === monthOf(day))) return next
  return openDay(rule, day, -1)
}

/** The nearest day on which banks settle, in a direction. */
function openDay({ country, holidays }: Rule, from: number, step: 1 | -1): number | null {
  const known = holidaysOf(country)
  for (let day = from; Math.abs(day - from) < MOVED_DAYS_MAX; day += step) {
    const isWeekend = weekdayOf(day) === 0 || weekdayOf(day) === 6
    if (!isWeekend && !known.has(day) && !holidays.has(day)) return day
  }
  return null
}
