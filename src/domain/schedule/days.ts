// Days of the Gregorian calendar as whole numbers since 1970-01-01, and the clocks of a time zone. Pure: Intl knows the zones.

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A date such as "2026-12-25" as a day, or null where it is none. */
export function dayOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const atMs = Date.parse(`${text}T00:00:00Z`)
  // A day that its month does not have is read as one of the next.
  if (Number.isNaN(atMs) || atMs < 0 || new Date(atMs).toISOString().slice(0, 10) !== text) return null
  return atMs / DAY_MS
}

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 4) % 7

/** The months since January of year 0 that the day's month comes after. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS
export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1

const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some hundred zones; names differ in capitals, too. */
const FORMATS_MAX = 1000

/** Throws for a zone that is none. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZone: zone,
    hourCycle: 'h23',
    calendar: 'gregory',
  })
  if (formats.size >= FORMATS_MAX) formats.clear()
  formats.set(zone, made)
  return made
}

/** Whether the name is one of the IANA data base; an offset such as +08:00 is none. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** What the clocks of a zone show at a moment, as milliseconds since the epoch on such a clock. */
function localMs(zone: string, atMs: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export const localDay = (zone: string, atMs: number): number => Math.floor(localMs(zone, atMs) / DAY_MS)

/** A moment as the clocks of the zone show it: "2026-11-30T09:00:00+08:00". */
export function localText(zone: string, atMs: number): string {
  const shown = localMs(zone, atMs)
  const offset = Math.round((shown - atMs) / MINUTE_MS)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const figures = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':')
  return `${new Date(shown).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${figures}`
}

/**
 * The moment at which the clocks of a zone show a minute of a day. Where they are put back and show it twice, the first one;
 * where they are put forward and never show it, the first moment after the gap.
 */
export function momentAt(zone: string, day: number, minutes: number): number {
  const wanted = day * DAY_MS + minutes * MINUTE_MS
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((atMs) => localMs(zone, atMs) - atMs)
  const [earliest, latest] = [wanted - Math.max(...offsets), wanted - Math.min(...offsets)]
  if (localMs(zone, earliest) === wanted) return earliest
  if (localMs(zone, latest) === wanted) return latest
  // The clocks jump between the two: to the minute at which they do.
  let [before, after] = [Math.floor(earliest / MINUTE_MS), Math.ceil(latest / MINUTE_MS)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localMs(zone, middle * MINUTE_MS) < wanted) before = middle
    else after = middle
  }
  return after * MINUTE_MS
}
