// A rule in a sentence, for people.
import { knownUntil } from './holidays.ts'
import { readRule, type Rule, type RuleConfig, type Weekday } from './rule.ts'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** "Every 2 weeks on Monday and Friday at 09:00 (Asia/Manila), on the next banking day where it is none." */
export function wordsOf(config: RuleConfig): string {
  const when = `${daysOf(config)} at ${config.time} (${config.time_zone})`
  return `${when}${bankingOf(config)}${endOf(config)}.`
}

function daysOf({ every, interval, date, weekdays, nth, day }: RuleConfig): string {
  if (every === 'once') return `Once, on ${date ?? ''}`
  const often = (interval ?? 1) === 1 ? `Every ${every}` : `Every ${interval} ${every}s`
  if (every === 'day') return often
  const named = listed(weekdays ?? [])
  if (every === 'week') return `${often} on ${named}`
  return day
    ? `${often} on day ${day}${day > 28 ? ', or the last day of a shorter one' : ''}`
    : `${often} on the ${nth} ${named}`
}

function listed(weekdays: readonly Weekday[]): string {
  const names = weekdays.map(capital)
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

const MOVES = {
  none: '',
  next: 'on the next banking day where it is none',
  previous: 'on the banking day before where it is none',
  modified_following: 'on the next banking day of the month where it is none, else the one before',
} as const

function bankingOf({ banking_days: banking }: RuleConfig): string {
  const words = MOVES[banking?.adjust ?? 'none']
  return words === '' ? '' : `, ${words}`
}

function endOf({ until, count }: RuleConfig): string {
  if (count) return `, ${count === 1 ? 'once' : `${count} times`}`
  return until ? `, until ${until}` : ''
}

/** Until when the holidays of the rule's country are known; null where it looks at none. */
export function holidaysKnownUntil({ adjust, country }: Pick<Rule, 'adjust' | 'country'>): string | null {
  return adjust === 'none' || country === null ? null : knownUntil(country)
}

/** A rule that was found right before. */
export function ruleOf(config: RuleConfig, startsAt: number): Rule {
  const rule = readRule(config, startsAt)
  if (Array.isArray(rule)) throw new Error('a kept rule cannot be read')
  return rule as Rule
}
