// The days on which no bank of a country settles, of the years for which they are known.
import { dayOf } from './days.ts'

// Of the Philippines: by statute (RA 9492, RA 10966, Holy Week by the date of Easter), and for 2026 those of Proclamation 1006,
// s. 2025. Others are proclaimed during the year (Eid'l Fitr, Eid'l Adha): an operator adds them to a channel, and whoever makes a
// schedule adds them to it.
const PHILIPPINES = [
  ...daysOf(2026, '01-01 02-17 04-02 04-03 04-04 04-09 05-01 06-12 08-21 08-31 11-01 11-02 11-30 12-08 12-24 12-25'),
  ...daysOf(2026, '12-30 12-31'),
  ...daysOf(2027, '01-01 03-25 03-26 03-27 04-09 05-01 06-12 08-21 08-30 11-01 11-30 12-08 12-25 12-30 12-31'),
]

function daysOf(year: number, days: string): string[] {
  return days.split(' ').map((day) => `${year}-${day}`)
}

/** By country; beyond the years that are listed, only Saturdays and Sundays are no banking days. */
export const BANK_HOLIDAYS = { PH: PHILIPPINES } as const satisfies Readonly<Record<string, readonly string[]>>

export type HolidayCountry = keyof typeof BANK_HOLIDAYS
export const HOLIDAY_COUNTRIES = Object.keys(BANK_HOLIDAYS) as HolidayCountry[]

const DAYS = new Map(
  HOLIDAY_COUNTRIES.map((country) => [country, new Set(BANK_HOLIDAYS[country].map((date) => dayOf(date) ?? -1))]),
)

const NONE: ReadonlySet<number> = new Set()

export const holidaysOf = (country: HolidayCountry | null): ReadonlySet<number> =>
  (country === null ? undefined : DAYS.get(country)) ?? NONE

/** The last day for which the holidays of the country are known. */
export function knownUntil(country: HolidayCountry): string {
  const years = BANK_HOLIDAYS[country].map((date) => date.slice(0, 4)).toSorted()
  return `${years.at(-1) ?? '1970'}-12-31`
}
