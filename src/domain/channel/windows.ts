// When a batch rail takes what is sent: cut-off times on banking days of its own place. Pure: times are milliseconds since
// the epoch, days are whole days since 1970-01-01 there.

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAYS_LOOKED_AHEAD = 60

/** The windows of a rail. Minutes are those of the rail's place; it has no summer time. */
export type Windows = {
  readonly offsetMinutes: number
  /** Minutes after midnight, rising. */
  readonly cutOffs: readonly number[]
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>
  readonly holidays: ReadonlySet<number>
}

/** As an operator writes them. */
export type WindowsConfig = {
  /** "+08:00" */
  readonly utc_offset: string
  /** "10:00", "15:30" */
  readonly cut_offs: readonly string[]
  /** 0 is Sunday; Monday to Friday where it is left out. */
  readonly weekdays?: readonly number[]
  /** "2026-12-25" */
  readonly holidays?: readonly string[]
}

const WORKDAYS = [1, 2, 3, 4, 5] as const

/** The windows, or what is wrong with them and where. */
export function parseWindows(config: WindowsConfig): Windows | { readonly fault: string; readonly param: string } {
  const [, sign, hours = '', minutes = ''] = /^([+-])(0\d|1[0-4]):([0-5]\d)$/.exec(config.utc_offset) ?? []
  if (sign === undefined) return { param: 'utc_offset', fault: 'must look like +08:00' }
  const cutOffs = config.cut_offs.map(minutesOf).sort((a, b) => a - b)
  if (cutOffs.length === 0 || cutOffs.includes(-1))
    return { param: 'cut_offs', fault: 'must be times of day like 15:00, at least one' }
  const holidays = (config.holidays ?? []).map(dayOf)
  if (holidays.includes(null)) return { param: 'holidays', fault: 'must be dates like 2026-12-25' }
  const weekdays = config.weekdays ?? WORKDAYS
  if (weekdays.length === 0 || weekdays.some((day) => !Number.isInteger(day) || day < 0 || day > 6))
    return { param: 'weekdays', fault: 'must be days from 0 (Sunday) to 6, at least one' }
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return {
    offsetMinutes,
    cutOffs,
    weekdays: new Set(weekdays),
    holidays: new Set(holidays.filter((day) => day !== null)),
  }
}

/** The first cut-off at or after a moment. Nothing where the next two months are all holidays. */
export function nextCutOff(windows: Windows, atMs: number): number | null {
  const localMs = atMs + windows.offsetMinutes * MINUTE_MS
  const today = Math.floor(localMs / DAY_MS)
  for (let day = today; day < today + DAYS_LOOKED_AHEAD; day++) {
    if (!isBankingDay(windows, day)) continue
    const cutOff = windows.cutOffs.find((minute) => day * DAY_MS + minute * MINUTE_MS >= localMs)
    if (cutOff !== undefined) return day * DAY_MS + cutOff * MINUTE_MS - windows.offsetMinutes * MINUTE_MS
  }
  return null
}

/** A moment as the clocks of the rail's place show it: "2026-11-23T10:00:00+08:00". */
export function localTime(windows: Windows, atMs: number): string {
  const text = new Date(atMs + windows.offsetMinutes * MINUTE_MS).toISOString().slice(0, 19)
  return `${text}${offsetText(windows)}`
}

/** The windows as an operator would write them: what `parseWindows` read, every member present and in order. */
export function windowsConfig(windows: Windows): Required<WindowsConfig> {
  const { cutOffs, weekdays, holidays } = windows
  return {
    utc_offset: offsetText(windows),
    cut_offs: cutOffs.map(timeOfDay),
    weekdays: [...weekdays].sort((a, b) => a - b),
    holidays: [...holidays].sort((a, b) => a - b).map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
  }
}

function offsetText({ offsetMinutes }: Windows): string {
  return `${offsetMinutes < 0 ? '-' : '+'}${timeOfDay(Math.abs(offsetMinutes))}`
}

function timeOfDay(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

function isBankingDay({ weekdays, holidays }: Windows, day: number): boolean {
  // 1970-01-01 was a Thursday.
  return weekdays.has((day + 4) % 7) && !holidays.has(day)
}

function minutesOf(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? -1 : Number(hours) * 60 + Number(minutes)
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** A date of the Gregorian calendar as days since 1970-01-01, or null when it is none. */
function dayOf(text: string): number | null {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  const daysInMonth = m === 2 && isLeap(y) ? 29 : MONTH_DAYS[m - 1]
  if (y < 1970 || daysInMonth === undefined || d < 1 || d > daysInMonth) return null
  const before = y - 1
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  const monthDays = MONTH_DAYS.slice(0, m - 1).reduce((sum, days) => sum + days, 0)
  return before * 365 + leapDays + monthDays + (m > 2 && isLeap(y) ? 1 : 0) + d - 1 - 719_162
}
