// When schedules run: the days that a rule names, banking days, and the clocks of zones that are put forward and back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localDay, localText, momentAt, weekdayOf } from '../../../src/domain/schedule/days.ts'
import { BANK_HOLIDAYS } from '../../../src/domain/schedule/holidays.ts'
import { nextRun, nextRuns } from '../../../src/domain/schedule/next-run.ts'
import { ADJUSTMENTS, NTHS, readRule, type Rule, type RuleConfig, WEEKDAYS } from '../../../src/domain/schedule/rule.ts'
import { wordsOf } from '../../../src/domain/schedule/words.ts'

const MANILA = 'Asia/Manila'
const START = Date.parse('2026-11-23T00:00:00Z')

function ruleOf(config: Partial<RuleConfig>, start = START): Rule {
  const read = readRule({ every: 'day', time: '09:00', time_zone: MANILA, ...config }, start)
  if (Array.isArray(read)) throw new Error(JSON.stringify(read))
  return read as Rule
}

const shown = (config: Partial<RuleConfig>, most = 3, start = START) => {
  const rule = ruleOf(config, start)
  return nextRuns(rule, start, 0, most).map((atMs) => localText(rule.zone, atMs).slice(0, 16))
}

describe('a rule runs', () => {
  test.each<[string, Partial<RuleConfig>, string[]]>([
    ['once', { every: 'once', date: '2026-12-01' }, ['2026-12-01T09:00']],
    ['once, never in the past', { every: 'once', date: '2026-11-01' }, []],
    ['every day', {}, ['2026-11-23T09:00', '2026-11-24T09:00', '2026-11-25T09:00']],
    ['every third day', { interval: 3 }, ['2026-11-23T09:00', '2026-11-26T09:00', '2026-11-29T09:00']],
    [
      'on weekdays',
      { every: 'week', weekdays: ['friday', 'monday'] },
      ['2026-11-23T09:00', '2026-11-27T09:00', '2026-11-30T09:00'],
    ],
    [
      'every second week, counted from the week it starts in',
      { every: 'week', interval: 2, weekdays: ['monday'] },
      ['2026-11-23T09:00', '2026-12-07T09:00', '2026-12-21T09:00'],
    ],
    [
      'on the 31st, or the last day',
      { every: 'month', day: 31, starts_at: '2027-01-01T00:00:00Z' },
      ['2027-01-31T09:00', '2027-02-28T09:00', '2027-03-31T09:00'],
    ],
    [
      'on the last Friday',
      { every: 'month', nth: 'last', weekdays: ['friday'] },
      ['2026-11-27T09:00', '2026-12-25T09:00', '2027-01-29T09:00'],
    ],
    [
      'on the first Monday of every second month',
      { every: 'month', interval: 2, nth: 'first', weekdays: ['monday'], starts_at: '2026-12-01T00:00:00Z' },
      ['2026-12-07T09:00', '2027-02-01T09:00', '2027-04-05T09:00'],
    ],
    [
      'on the next banking day',
      { every: 'month', day: 25, banking_days: { adjust: 'next', country: 'PH' }, starts_at: '2026-12-01T00:00:00Z' },
      ['2026-12-28T09:00', '2027-01-25T09:00', '2027-02-25T09:00'],
    ],
    [
      'on the banking day before',
      { every: 'month', nth: 'last', weekdays: ['friday'], banking_days: { adjust: 'previous', country: 'PH' } },
      ['2026-11-27T09:00', '2026-12-23T09:00', '2027-01-29T09:00'],
    ],
    [
      'within its month, where the next banking day is in another',
      { every: 'month', day: 31, banking_days: { adjust: 'modified_following', country: 'PH' } },
      ['2026-11-27T09:00', '2026-12-29T09:00', '2027-01-29T09:00'],
    ],
    [
      'around holidays of its own',
      { banking_days: { adjust: 'next', holidays: ['2026-11-23', '2026-11-24'] } },
      ['2026-11-25T09:00', '2026-11-26T09:00', '2026-11-27T09:00'],
    ],
    ['until its end', { until: '2026-11-24T01:00:00Z' }, ['2026-11-23T09:00', '2026-11-24T09:00']],
    ['so many times', { count: 2 }, ['2026-11-23T09:00', '2026-11-24T09:00']],
  ])('%s', (_what, config, expected) => {
    expect(shown(config)).toEqual(expected)
  })

  test('once where several of its days move to one', () => {
    const rule = { banking_days: { adjust: 'next' }, starts_at: '2026-12-04T00:00:00Z' } as const
    expect(shown(rule)).toEqual(['2026-12-04T09:00', '2026-12-07T09:00', '2026-12-08T09:00'])
  })

  test('where it missed runs, next after now, not at each that it missed', () => {
    const rule = ruleOf({})
    expect(nextRun(rule, Date.parse('2026-12-10T05:00:00Z'))).toBe(Date.parse('2026-12-11T01:00:00Z'))
  })
})

describe('the clocks of a zone', () => {
  test('that skip a time: the run is the next moment that they show', () => {
    const rule = { time: '02:30', time_zone: 'America/New_York', starts_at: '2027-03-13T12:00:00Z' }
    expect(shown(rule, 2)).toEqual(['2027-03-14T03:00', '2027-03-15T02:30'])
  })

  test('that show a time twice: the run is the first of them, and there is one', () => {
    const rule = ruleOf({ time: '01:30', time_zone: 'America/New_York', starts_at: '2026-10-31T12:00:00Z' }, 0)
    const runs = nextRuns(rule, Date.parse('2026-10-31T12:00:00Z'), 0, 2)
    expect(runs.map((atMs) => localText(rule.zone, atMs))).toEqual([
      '2026-11-01T01:30:00-04:00',
      '2026-11-02T01:30:00-05:00',
    ])
  })

  test('are right in zones of half hours', () => {
    expect(new Date(momentAt('Asia/Kathmandu', localDay('Asia/Kathmandu', START), 0)).toISOString()).toBe(
      '2026-11-22T18:15:00.000Z',
    )
    const gap = momentAt('Australia/Lord_Howe', localDay('UTC', Date.parse('2027-10-03T00:00:00Z')), 135)
    expect(localText('Australia/Lord_Howe', gap).slice(0, 16)).toBe('2027-10-03T02:30')
  })
})

const ZONES = ['Asia/Manila', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'UTC']
const anyRule: fc.Arbitrary<Partial<RuleConfig>> = fc
  .record({
    days: fc.oneof(
      fc.record({ every: fc.constant('day' as const), interval: fc.integer({ min: 1, max: 40 }) }),
      fc.record({
        every: fc.constant('week' as const),
        interval: fc.integer({ min: 1, max: 6 }),
        weekdays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
      }),
      fc.record({ every: fc.constant('month' as const), day: fc.integer({ min: 1, max: 31 }) }),
      fc.record({
        every: fc.constant('month' as const),
        nth: fc.constantFrom(...NTHS),
        weekdays: fc.constantFrom(...WEEKDAYS).map((day) => [day]),
      }),
    ),
    minutes: fc.integer({ min: 0, max: 1439 }),
    time_zone: fc.constantFrom(...ZONES),
    adjust: fc.constantFrom(...ADJUSTMENTS),
  })
  .map(({ days, minutes, time_zone, adjust }) => ({
    ...days,
    time: [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':'),
    time_zone,
    banking_days: { adjust, country: 'PH' },
  }))
const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 0, 1) })

describe('whatever the rule', () => {
  test('runs rise, no day has two, none is before its start, and each is found from any moment before it', () => {
    fc.assert(
      fc.property(anyRule, moments, fc.double({ min: 0, max: 1, noNaN: true }), (config, start, part) => {
        const rule = ruleOf(config, start)
        const runs = nextRuns(rule, start - 1, 0, 6)
        expect(runs.length).toBe(6)
        const days = runs.map((atMs) => localDay(rule.zone, atMs))
        for (const [i, atMs] of runs.entries()) {
          expect(atMs).toBeGreaterThanOrEqual(start)
          const before = runs[i - 1]
          if (before === undefined) continue
          expect(atMs).toBeGreaterThan(before)
          expect(days[i]).toBeGreaterThan(days[i - 1] ?? 0)
          expect(nextRun(rule, Math.floor(before + part * (atMs - before - 1)))).toBe(atMs)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('a rule for banking days runs on nothing else', () => {
    const banking = anyRule.filter(({ banking_days }) => banking_days?.adjust !== 'none')
    fc.assert(
      fc.property(banking, moments, (config, start) => {
        const rule = ruleOf(config, start)
        for (const atMs of nextRuns(rule, start, 0, 4)) {
          const day = localDay(rule.zone, atMs)
          expect([1, 2, 3, 4, 5]).toContain(weekdayOf(day))
          expect(BANK_HOLIDAYS.PH).not.toContain(new Date(day * 86_400_000).toISOString().slice(0, 10))
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('what is no rule is refused, and named', () => {
  test.each<[Partial<RuleConfig>, string]>([
    [{ time: '9:00' }, 'rule.time'],
    [{ time_zone: '+08:00' }, 'rule.time_zone'],
    [{ time_zone: 'Asia/Atlantis' }, 'rule.time_zone'],
    [{ every: 'once' }, 'rule.date'],
    [{ every: 'once', date: '2026-02-30' }, 'rule.date'],
    [{ every: 'once', date: '2026-12-01', count: 2 }, 'rule.every'],
    [{ every: 'week' }, 'rule.weekdays'],
    [{ every: 'month' }, 'rule.day'],
    [{ every: 'month', nth: 'last' }, 'rule.day'],
    [{ every: 'month', day: 3, nth: 'last', weekdays: ['friday'] }, 'rule.day'],
    [{ every: 'day', day: 3 }, 'rule.day'],
    [{ every: 'month', day: 1, interval: 25 }, 'rule.interval'],
    // Every door reads a rule by this one alone: of an interval of nothing the next run would be looked for without end.
    [{ interval: 0 }, 'rule.interval'],
    [{ interval: -1 }, 'rule.interval'],
    [{ interval: 1.5 }, 'rule.interval'],
    [{ every: 'month', day: 0 }, 'rule.day'],
    [{ every: 'month', day: 32 }, 'rule.day'],
    [{ count: 0 }, 'rule.count'],
    [{ count: 10_001 }, 'rule.count'],
    [{ starts_at: 'soon' }, 'rule.starts_at'],
    [{ until: '2027-13-01T00:00:00Z' }, 'rule.until'],
    [{ count: 2, until: '2027-01-01T00:00:00Z' }, 'rule.count'],
    [{ starts_at: '2027-01-01T00:00:00Z', until: '2026-12-01T00:00:00Z' }, 'rule.until'],
    [{ banking_days: { adjust: 'next', country: 'DE' } }, 'rule.banking_days.country'],
    [{ banking_days: { adjust: 'next', holidays: ['2026-13-01'] } }, 'rule.banking_days.holidays'],
  ])('%j', (config, param) => {
    const read = readRule({ every: 'day', time: '09:00', time_zone: MANILA, ...config }, START)
    expect(Array.isArray(read) ? read.map((problem) => problem.param) : read).toEqual([param])
  })
})

test('a rule in words', () => {
  const rule = { every: 'week', interval: 2, weekdays: ['monday', 'friday'], time: '09:00', time_zone: MANILA } as const
  expect(wordsOf({ ...rule, count: 3 })).toBe('Every 2 weeks on Monday and Friday at 09:00 (Asia/Manila), 3 times.')
})
