// The rule of a schedule as options, and as the API takes it.
import { ADJUSTMENTS, FREQUENCIES, WEEKDAYS, type RuleConfig, NTHS } from '../../domain/schedule/rule.ts'
import { commaWords, wholeNumber, wordOf } from '../arguments.ts'
import { choice, option, required, type Values } from '../command.ts'

const weekdays = wordOf(`Give weekdays after commas: ${WEEKDAYS.join(', ')}.`, (text) => {
  const words = commaWords(text.toLowerCase())
  const known = words.flatMap((word) => WEEKDAYS.find((day) => day === word || day.slice(0, 3) === word) ?? [])
  return known.length === words.length && known.length > 0 ? known : null
})

const DETAILS = {
  interval: option('<n>', 'every n-th of them: 2 with week is every second week', wholeNumber),
  date: option('<day>', 'with once: the day, such as 2026-12-01'),
  weekdays: option('<days>', 'with week, and with --nth: monday,friday', weekdays),
  nth: choice('<place>', 'with month: which of its weekdays', NTHS),
  day: option('<n>', 'with month: the day; 31 is the last of a shorter month', wholeNumber),
  banking: choice('<rule>', 'where the day is no banking day (default: next, with a country or holidays)', ADJUSTMENTS),
  country: option('<code>', 'whose bank holidays count, such as PH'),
  holidays: option('<days>', 'days of your own on which nothing is paid, after commas', commaWords),
  from: option('<time>', 'from then on (default: now), such as 2026-12-01T00:00:00Z'),
  until: option('<time>', 'the last moment at which it may run'),
  count: option('<n>', 'so many runs', wholeNumber),
}

export const RULE = {
  every: required(choice('<period>', 'how often', FREQUENCIES)),
  at: required(option('<time>', 'the time of day, such as 09:00')),
  zone: required(option('<name>', 'whose clock: a name such as Asia/Manila')),
  ...DETAILS,
}

export function ruleOf({
  every,
  at,
  zone,
  banking,
  country,
  holidays,
  from,
  ...rest
}: Values<typeof RULE>): RuleConfig {
  const { interval, date, weekdays: days, nth, day, until, count } = rest
  const isBanking = banking !== undefined || country !== undefined || holidays !== undefined
  return {
    every,
    time: at,
    time_zone: zone,
    ...given({ interval, date, weekdays: days, nth, day, until, count, starts_at: from }),
    ...(isBanking ? { banking_days: { adjust: banking ?? 'next', ...given({ country, holidays }) } } : {}),
  }
}

const given = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
