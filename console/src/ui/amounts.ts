// How money, times and counts are written in the language of the reader. Amounts come as numbers in major units from the API,
// and are only shown: nothing here calculates.
import type { Language } from '../words/language.ts'
import { localeOf } from '../words/language.ts'
import { moneyIn } from '../words/money.ts'

/** In the very digits that it has: an amount is never rounded to be shown (words/money.ts). */
export const moneyText = (amount: number | string, currency: string, language: Language): string =>
  moneyIn(localeOf(language), amount, currency)

export const countText = (count: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language)).format(count)

/** The moment as the reader's own clock says it. */
export function timeText(
  at: string | number | Date,
  language: Language,
  style: 'long' | 'short' | 'day' = 'short',
): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'day'
      ? { dateStyle: 'medium' }
      : style === 'long'
        ? { dateStyle: 'full', timeStyle: 'long' }
        : { dateStyle: 'medium', timeStyle: 'short' }
  return new Intl.DateTimeFormat(localeOf(language), options).format(new Date(at))
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago, or how long until; null beyond a week, where the date says more. */
export function agoText(at: string | number | Date, nowMs: number, language: Language): string | null {
  const seconds = (new Date(at).getTime() - nowMs) / 1000
  if (Math.abs(seconds) > 7 * 86_400) return null
  const format = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' })
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(Math.round(seconds), 'second')
}
