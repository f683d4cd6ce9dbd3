// Times for people: in the time of this machine with its distance from UTC, or with --utc in UTC. And the moments that options
// name: a day, a time, or how long ago.
import { secondsIn, wordOf } from './arguments.ts'

export type Time = string | number | Date | null | undefined

let isUtc = false

/** For the command that runs: each begins by saying it. */
export function showTimesIn(zone: 'local' | 'utc'): void {
  isUtc = zone === 'utc'
}

/** "2026-11-01 08:00:00+08:00", or with --utc "2026-11-01 00:00:00Z". Numbers are Unix seconds. */
export function timeText(at: Time): string {
  if (at === null || at === undefined) return ''
  const date = new Date(typeof at === 'number' ? at * 1000 : at)
  if (Number.isNaN(date.getTime())) return String(at)
  const aheadMinutes = isUtc ? 0 : -date.getTimezoneOffset()
  const shown = new Date(date.getTime() + aheadMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  return `${shown}${isUtc ? 'Z' : offsetText(aheadMinutes)}`
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}

const two = (count: number) => String(count).padStart(2, '0')

/** A moment as an option names it; which one a day means is not known before the zone is. */
export type Moment = { readonly first: () => string; readonly last: () => string }

/** A day has a first and a last moment, here or with --utc in UTC; everything else is one. */
export const moment = wordOf(
  'Give a day such as 2026-11-01, a time such as 2026-11-01T08:00:00Z, or how long ago, such as 24h or 7d.',
  (text): Moment | null => {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayNamed(text)
    const seconds = secondsIn(text)
    const atMs = seconds === null ? timeNamed(text) : Date.now() - seconds * 1000
    if (atMs === null || Number.isNaN(atMs)) return null
    const iso = () => new Date(atMs).toISOString()
    return { first: iso, last: iso }
  },
)

function dayNamed(day: string): Moment | null {
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return null
  const at = (time: string) => () => new Date(`${day}T${time}${isUtc ? 'Z' : ''}`).toISOString()
  return { first: at('00:00:00.000'), last: at('23:59:59.999') }
}

const timeNamed = (text: string) =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text) ? Date.parse(text) : null
