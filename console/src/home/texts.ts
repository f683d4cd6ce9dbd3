// How Home writes rates, times and comparisons.
import { localeOf, type Language, useWords } from '../words/language.ts'
import { HOME } from './words.ts'

export const percentText = (rate: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 1 }).format(rate)

/** An amount as an axis has it: ₱12K. */
export function shortMoney(amount: number, currency: string, language: Language): string {
  try {
    return new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency,
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    }).format(amount)
  } catch {
    // No currency of Intl's.
    return new Intl.NumberFormat(localeOf(language), { notation: 'compact' }).format(amount)
  }
}

/** A day as short as an axis wants it. */
export const shortDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day))

/** A limit in seconds, in the largest unit that it is whole in. */
export function useSecondsText(): (seconds: number) => string {
  const w = useWords(HOME)
  return (seconds) => {
    if (seconds % 86_400 === 0) return w.daysLong(seconds / 86_400)
    if (seconds % 3600 === 0) return w.hours(seconds / 3600)
    return seconds % 60 === 0 ? w.minutes(seconds / 60) : w.seconds(seconds)
  }
}

/** A limit within which some of the completed were completed; a dash where none were. */
export function useTimeWords(): (limit: number | null, completed: number) => string {
  const w = useWords(HOME)
  const text = useSecondsText()
  return (limit, completed) => {
    if (completed === 0) return '—'
    return limit === null ? w.longer : text(limit)
  }
}

/** How an amount compares with that of the days before. */
export function useComparison(): (now: number, before: number, days: number, language: Language) => string {
  const w = useWords(HOME)
  return (now, before, days, language) => {
    if (before === 0) return w.firstTime(days)
    const change = now / before - 1
    if (Math.abs(change) < 0.0005) return w.same(days)
    const percent = percentText(Math.abs(change), language)
    return change > 0 ? w.more(percent, days) : w.less(percent, days)
  }
}
