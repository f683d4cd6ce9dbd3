// Days of a time zone as moments, and moments as days. Knows nothing of the business.

const DAY_MS = 86_400_000

/** The first moment of a day ("2026-11-01") in a time zone (IANA), in milliseconds since the epoch. */
export function startOfDay(day: string, timeZone: string): number {
  const midnightUtcMs = Date.parse(`${day}T00:00:00Z`)
  // The offset at a guess gives a better guess; a day that begins with a change of the clocks needs the second.
  const guess = midnightUtcMs - offsetMs(midnightUtcMs, timeZone)
  return midnightUtcMs - offsetMs(guess, timeZone)
}

/** The first moment after the day. */
export function endOfDay(day: string, timeZone: string): number {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  return startOfDay(next, timeZone)
}

/** The day that a moment is in. */
export function dayIn(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 10)
}

/** The hour (0–23) and the day of the week (1 is Monday, ISO 8601) that clocks in a time zone show at a moment. */
export function clockIn(atMs: number, timeZone: string): { readonly hour: number; readonly weekday: number } {
  const local = new Date(atMs + offsetMs(atMs, timeZone))
  return { hour: local.getUTCHours(), weekday: local.getUTCDay() || 7 }
}

function offsetMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** To make one takes longer than to use it; there are some hundred time zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const figures = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  const made = new Intl.DateTimeFormat('en-US', { ...figures, timeZone, hourCycle: 'h23', calendar: 'gregory' })
  formats.set(timeZone, made)
  return made
}
