// Time as the Philippine rails keep it: days of Manila, and when a batch is settled. Manila has no summer time.

const OFFSET_MS = 8 * 3_600_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What came in before this hour of a banking day is settled that day, the rest on the next one. */
const CUT_OFF_HOUR = 15
const SETTLEMENT_HOUR = 17

/** The day in Manila, "2026-01-31". */
export function dayOf(atMs: number): string {
  return new Date(atMs + OFFSET_MS).toISOString().slice(0, 10)
}

/** The time on the clocks of Manila, "2026-01-31T08:00:00.000+08:00". */
export function timeInManila(atMs: number): string {
  return new Date(atMs + OFFSET_MS).toISOString().replace('Z', '+08:00')
}

/** When a day of Manila begins; null when the text names none. */
export function startOfDay(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null
  const atMs = Date.parse(`${day}T00:00:00+08:00`)
  return Number.isNaN(atMs) || dayOf(atMs) !== day ? null : atMs
}

export function endOfDay(startMs: number): number {
  return startMs + DAY_MS
}

/** When what comes in now is settled: 17:00, today or on the next banking day. Holidays are banking days here. */
export function settlementAfter(nowMs: number): number {
  let startMs = Math.floor((nowMs + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS
  if (nowMs >= startMs + CUT_OFF_HOUR * HOUR_MS) startMs += DAY_MS
  while (isWeekend(startMs)) startMs += DAY_MS
  return startMs + SETTLEMENT_HOUR * HOUR_MS
}

function isWeekend(startMs: number): boolean {
  const weekday = new Date(startMs + OFFSET_MS).getUTCDay()
  return weekday === 0 || weekday === 6
}
