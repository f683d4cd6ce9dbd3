// A provider's statement against the books, as tables of single lines and as whole days made by chance: every line and
// every delivery is accounted for exactly once, and nothing but a line that is not ours is an extra.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import {
  type Compared,
  compareStatement,
  dayAt,
  dayFrom,
  daysToState,
  dayText,
  type Line,
  type Stand,
  standOf,
  startOfDayMs,
} from '../../../src/domain/channel/reconcile.ts'
import { ask, type OneContract, paidContract } from '../../rig/model/one-contract.ts'

const DAY = dayFrom('2026-03-31')!
const NOON_MS = startOfDayMs(DAY) + 12 * 3_600_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const contractId = (index: number) => `0189abcd-0000-7000-8000-${index.toString(16).padStart(12, '0')}`

/** An attempt over 100.00 PHP that left at noon and arrived an hour later. */
function stand(changes: Partial<Stand> = {}, index = 1): Stand {
  const outcome = changes.outcome ?? 'delivered'
  const isDone = outcome === 'delivered' || outcome === 'returned'
  return {
    reference: attemptReference(contractId(index), 1),
    number: 1,
    lane: 0,
    accountId: contractId(0),
    contractId: contractId(index),
    channelId: 'rail',
    currency: 'PHP',
    amountMinor: 10_000n,
    outcome,
    words: `it is ${outcome}`,
    sentAtMs: NOON_MS,
    deliveredAtMs: isDone ? NOON_MS + HOUR_MS : null,
    returnedAtMs: outcome === 'returned' ? NOON_MS + 2 * HOUR_MS : null,
    ...changes,
  }
}

const lineOf = ({ reference }: Stand, kind: Line['kind'] = 'sent', changes: Partial<Line> = {}): Line => ({
  reference,
  kind,
  amountDecimal: '100.00',
  currency: 'PHP',
  ...changes,
})

/** Compares lines of the day with stands; what is not given of the days around is empty. */
function compared(lines: readonly Line[], stands: readonly Stand[], changes: Partial<Compared> = {}) {
  const known = new Map(stands.map((each) => [each.reference, each]))
  const stated = [
    { day: DAY - 1, lines: [] },
    { day: DAY, lines },
    { day: DAY + 1, lines: [] },
  ]
  return compareStatement({ day: DAY, channelId: 'rail', stated, known, ours: [], dayIs: 'over', ...changes })
}

const ours = stand()
const NOTHING = { matched: 0, awaited: 0, statedOutcomes: [], discrepancies: [] }
const REFERENCE = ours.reference

describe('one line', () => {
  test.each<[what: string, stand: Stand, line: Line]>([
    ['delivered', ours, lineOf(ours)],
    ['sent before it was returned', stand({ outcome: 'returned' }), lineOf(ours)],
    ['returned', stand({ outcome: 'returned' }), lineOf(ours, 'returned')],
    ['with more decimals than there are', ours, lineOf(ours, 'sent', { amountDecimal: '100.000' })],
    ['with fewer', ours, lineOf(ours, 'sent', { amountDecimal: '100' })],
    ['booked the day after', stand({ sentAtMs: NOON_MS - DAY_MS, deliveredAtMs: NOON_MS - DAY_MS }), lineOf(ours)],
    ['booked the day before', stand({ sentAtMs: NOON_MS + DAY_MS, deliveredAtMs: NOON_MS + DAY_MS }), lineOf(ours)],
    ['booked long before we heard of it', stand({ deliveredAtMs: NOON_MS + 9 * DAY_MS }), lineOf(ours)],
  ])('matches: %s', (_, known, line) => {
    expect(compared([line], [known])).toEqual({ ...NOTHING, matched: 1 })
  })

  test.each<[what: string, kind: 'extra' | 'differs', stands: Stand[], line: Line, why: RegExp]>([
    ['of nobody', 'extra', [], lineOf(ours), /no attempt of ours/],
    ['of an attempt that failed', 'extra', [stand({ outcome: 'failed' })], lineOf(ours), /no money left: it is failed/],
    ['back for one that failed', 'extra', [stand({ outcome: 'failed' })], lineOf(ours, 'returned'), /no money left/],
    ['of another channel', 'extra', [stand({ channelId: 'other' })], lineOf(ours), /through the channel other/],
    [
      'days after it was delivered',
      'extra',
      [stand({ sentAtMs: NOON_MS - 5 * DAY_MS, deliveredAtMs: NOON_MS - 4 * DAY_MS })],
      lineOf(ours),
      /it was on 2026-03-27/,
    ],
    [
      'of another amount',
      'differs',
      [ours],
      lineOf(ours, 'sent', { amountDecimal: '100.01' }),
      /10000 minor units of PHP/,
    ],
    ['of a part of a centavo', 'differs', [ours], lineOf(ours, 'sent', { amountDecimal: '100.001' }), /minor units/],
    ['of no amount', 'differs', [ours], lineOf(ours, 'sent', { amountDecimal: '1e2' }), /minor units/],
    ['of a negative amount', 'differs', [ours], lineOf(ours, 'sent', { amountDecimal: '-100.00' }), /minor units/],
    ['of another currency', 'differs', [ours], lineOf(ours, 'sent', { currency: 'USD' }), /minor units/],
    ['of no currency', 'differs', [ours], lineOf(ours, 'sent', { currency: 'XXXX' }), /minor units/],
    [
      'of an open one, but less',
      'differs',
      [stand({ outcome: 'open' })],
      lineOf(ours, 'sent', { amountDecimal: '1.00' }),
      /minor/,
    ],
  ])('does not fit: %s', (_, kind, stands, line, why) => {
    const id = stands.length === 0 ? null : ours.contractId
    const { discrepancies, ...rest } = compared([line], stands)
    expect(rest).toEqual({ matched: 0, awaited: 0, statedOutcomes: [] })
    const { amountDecimal, currency } = line
    const named = { kind, line: line.kind, reference: REFERENCE, contractId: id, amountDecimal, currency }
    expect(discrepancies).toEqual([{ ...named, why: expect.stringMatching(why) }])
  })

  test.each<[lines: Line['kind'][], outcome: Stand['outcome'], tells: string[]]>([
    [['sent'], 'open', ['delivered']],
    [['returned'], 'open', ['delivered', 'returned']],
    [['returned', 'sent'], 'open', ['delivered', 'returned']],
    [['returned'], 'delivered', ['returned']],
  ])('%j of one that is %s is news: %j', (kinds, outcome, outcomes) => {
    const known = stand({ outcome })
    const lines = kinds.map((kind) => lineOf(known, kind))
    expect(compared(lines, [known])).toEqual({ ...NOTHING, statedOutcomes: [{ stand: known, outcomes }] })
  })

  test.each<[what: string, before: Line[], lines: Line[], matched: number]>([
    ['twice on the day', [], [lineOf(ours), lineOf(ours)], 1],
    ['on the day and before', [lineOf(ours)], [lineOf(ours)], 0],
    ['over another amount the second time', [], [lineOf(ours), lineOf(ours, 'sent', { amountDecimal: '1.00' })], 1],
  ])('a second line of a reference is an extra: %s', (_, before, lines, matched) => {
    const stated = [
      { day: DAY - 1, lines: before },
      { day: DAY, lines },
    ]
    const result = compared([], [ours], { stated })
    expect(result).toMatchObject({ matched, discrepancies: [{ kind: 'extra', reference: REFERENCE }] })
    expect(result.discrepancies).toHaveLength(1)
  })
})

describe('what we have as done', () => {
  const around = (day: number, kind: Line['kind'] = 'sent') => ({ stated: [{ day, lines: [lineOf(ours, kind)] }] })
  const back = stand({ outcome: 'returned' })
  test.each<[what: string, done: Stand, changes: Partial<Compared>, missing: string[]]>([
    ['no line anywhere', ours, {}, ['sent']],
    ['a line on the day', ours, around(DAY), []],
    ['a line on the day after', ours, around(DAY + 1), []],
    ['a line on the day before', ours, around(DAY - 1), []],
    ['the other kind of line', ours, around(DAY, 'returned'), ['sent']],
    ['sent and returned on one day, without a line', back, {}, ['sent', 'returned']],
    ['returned on the day, sent long before', { ...back, deliveredAtMs: NOON_MS - 9 * DAY_MS }, {}, ['returned']],
  ])('%s', (_, done, changes, missing) => {
    const result = compared([], [done], { ours: [done], ...changes })
    const found = result.discrepancies.filter(({ kind }) => kind === 'missing')
    expect(found.map(({ line, reference }) => [line, reference])).toEqual(missing.map((kind) => [kind, REFERENCE]))
  })

  test('is awaited, not missed, while the day runs', () => {
    expect(compared([], [ours], { ours: [ours], dayIs: 'running' })).toEqual({ ...NOTHING, awaited: 1 })
  })
})

describe('days', () => {
  test.each(['2026-02-29', '2026-3-1', '2026-13-01', '2026-04-31', 'yesterday', '', '2026-03-31T00:00:00Z'])(
    '%j is none',
    (text) => expect(dayFrom(text)).toBeNull(),
  )
  test('are those of Manila, whatever their text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (atMs) => {
        const day = dayAt(atMs)
        expect(dayFrom(dayText(day))).toBe(day)
        expect(startOfDayMs(day)).toBeLessThanOrEqual(atMs)
        expect(startOfDayMs(day + 1)).toBeGreaterThan(atMs)
      }),
    )
    expect(dayText(dayAt(Date.parse('2026-03-30T15:59:59.999Z')))).toBe('2026-03-30')
    expect(dayText(dayAt(Date.parse('2026-03-30T16:00:00Z')))).toBe('2026-03-31')
  })
  test.each<[what: string, sentDaysBefore: number[], today: number, days: number[]]>([
    ['the day and those around it', [], 9, [-1, 0, 1]],
    ['no day that has not begun', [], 0, [-1, 0]],
    ['from when the day’s deliveries were sent', [0, 3], 9, [-4, -3, -2, -1, 0, 1]],
  ])('that are needed: %s', (_, before, today, days) => {
    const stands = before.map((each) => stand({ sentAtMs: NOON_MS - each * DAY_MS }))
    expect(daysToState(DAY, stands, DAY + today)).toEqual(days.map((each) => DAY + each))
  })
  test('that are needed: a month back at most', () => {
    const days = daysToState(DAY, [stand({ sentAtMs: 0 })], DAY + 9)
    expect([days[0], days.at(-1)]).toEqual([DAY - 31, DAY + 1])
  })
})

describe('what the books say of an attempt', () => {
  const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  type Step = 'cancel' | 'retry' | Outcome['kind']
  const led = (road: readonly Step[]): OneContract => {
    const one = paidContract(false)
    const { id } = one.contract
    for (const kind of road) {
      const outcome = { kind, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
      const { number, channelId } = one.attempt!
      if (kind === 'cancel') ask(one, { verb: 'cancel', id, reason: null, actor: 'account' })
      else if (kind === ('retry' as Step)) ask(one, { verb: 'retry', id, channelId: 'other' })
      else ask(one, { verb: 'report', id, number, channelId, fence: null, outcome, connector: CONNECTOR })
    }
    return one
  }
  test.each<[road: Step[], number: number, said: [Stand['outcome'], string] | null]>([
    [[], 1, ['open', 'rail']],
    [['accepted'], 1, ['open', 'rail']],
    [['delivered'], 1, ['delivered', 'rail']],
    [['failed'], 1, ['failed', 'rail']],
    [['cancel'], 1, ['failed', 'rail']],
    [['delivered', 'returned'], 1, ['returned', 'rail']],
    [['delivered', 'returned', 'cancel'], 1, ['returned', 'rail']],
    [['failed', 'retry', 'delivered'], 1, ['failed', 'rail']],
    [['failed', 'retry', 'delivered'], 2, ['delivered', 'other']],
    [['delivered'], 2, null],
    [['delivered'], 0, null],
  ])('after %j attempt %i is %j', (road, number, said) => {
    const { contract, nowMs } = led(road)
    const is = standOf(contract, number)
    expect(is && [is.outcome, is.channelId]).toEqual(said)
    const named = said && [10_000n, attemptReference(contract.id, number)]
    expect(is && [is.amountMinor, is.reference]).toEqual(named)
    expect(is?.returnedAtMs ?? null).toBe(said?.[0] === 'returned' ? nowMs : null)
  })
  test('a draft has none', () => {
    expect(standOf({ ...paidContract(true).contract, paidAt: null }, 1)).toBeNull()
  })
})

/** What is planted for one attempt: where it stands by our books, and how often the provider booked it. */
type Planted = { readonly outcome: Stand['outcome'] | 'not ours'; readonly sent: number; readonly back: number }

const planted: fc.Arbitrary<Planted> = fc.record({
  outcome: fc.constantFrom<Planted['outcome']>('open', 'delivered', 'delivered', 'returned', 'failed', 'not ours'),
  sent: fc.constantFrom(0, 1, 1, 1, 2, 3),
  back: fc.constantFrom(0, 0, 1, 2),
})

test('a day made by chance, shuffled: each line and each delivery comes to one thing, as it was planted', () => {
  fc.assert(
    fc.property(fc.array(planted, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (plants, dice) => {
      const stands = plants.map(({ outcome }, index) =>
        stand({ outcome: outcome === 'not ours' ? 'failed' : outcome }, index + 1),
      )
      const lines = plants
        .flatMap(({ sent, back }, index) => [
          ...Array.from({ length: sent }, () => lineOf(stands[index]!)),
          ...Array.from({ length: back }, () => lineOf(stands[index]!, 'returned')),
        ])
        .map((line) => ({ line, at: dice.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ line }) => line)
      const known = stands.filter((_, index) => plants[index]!.outcome !== 'not ours')
      const done = known.filter(({ outcome }) => outcome === 'delivered' || outcome === 'returned')
      const { matched, statedOutcomes, discrepancies } = compared(lines, known, { ours: done })

      const sums = { matched: 0, extra: 0, differs: 0, missing: 0, told: 0 }
      for (const { outcome, sent, back } of plants) {
        const first = { sent: Math.min(sent, 1), back: Math.min(back, 1) }
        // A debit beyond the first has gone again.
        const hasGoneAgain = back > 0 && back < sent
        if (hasGoneAgain && (outcome === 'open' || outcome === 'delivered')) sums.differs += 1
        sums.extra += sent - first.sent + back - first.back
        if (outcome === 'not ours' || outcome === 'failed') sums.extra += first.sent + first.back
        if (outcome === 'open') sums.told += Math.max(first.sent, first.back)
        if (outcome === 'delivered' || outcome === 'returned') {
          sums.matched += first.sent
          sums.missing += 1 - first.sent
        }
        if (outcome === 'delivered') sums.told += hasGoneAgain ? 0 : first.back
        if (outcome === 'returned') {
          sums.matched += first.back
          sums.missing += 1 - first.back
        }
      }
      const count = (kind: string) => discrepancies.filter((each) => each.kind === kind).length
      const told = statedOutcomes.length
      const found = { matched, extra: count('extra'), differs: count('differs'), missing: count('missing'), told }
      expect(found).toEqual(sums)
      expect(discrepancies.length).toBe(sums.extra + sums.differs + sums.missing)
    }),
    { numRuns: 500 },
  )
})
