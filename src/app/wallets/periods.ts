// Moments and days of a query as milliseconds. A day is one of the account's time zone.
import { endOfDay, startOfDay } from '../../platform/days.ts'

const DATE_LENGTH = 10

export const isDay = (text: string): boolean => text.length === DATE_LENGTH

/** A moment, or the first one of a day. */
export function instantOf(text: string, timeZone: string): number {
  return isDay(text) ? startOfDay(text, timeZone) : Date.parse(text)
}

/** A moment, or the first one after a day. */
export function endOf(text: string, timeZone: string): number {
  return isDay(text) ? endOfDay(text, timeZone) : Date.parse(text)
}

/** The same for what has passed: of today as much as there is. */
export function pastEndOf(text: string, timeZone: string, nowMs: number): number {
  const endMs = endOf(text, timeZone)
  return isDay(text) && startOfDay(text, timeZone) <= nowMs ? Math.min(endMs, nowMs) : endMs
}
