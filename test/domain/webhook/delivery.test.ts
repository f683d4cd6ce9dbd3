// When deliveries are tried again and endpoints left in peace: the ladder, the breaker, the end.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DELIVERY_LADDER_MS,
  disabledBecause,
  type Health,
  healthAfter,
  HORIZON_MS,
  nextTryAt,
  TRUSTED_MAX,
  type TryResult,
} from '../../../src/domain/webhook/delivery.ts'

const HOUR_MS = 3_600_000
const WELL: Health = {
  failures: 0,
  openings: 0,
  openUntil: null,
  trusted: TRUSTED_MAX,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  failedTries: 0,
  latencyMs: null,
}
const answered = (statusCode: number, retryAfterMs: number | null = null): TryResult => ({
  outcome: statusCode < 300 ? 'delivered' : 'refused',
  statusCode,
  retryAfterMs,
})
const SILENT: TryResult = { outcome: 'no_answer', statusCode: null, retryAfterMs: null }
const MIDDLE = 0.5
const seldom = { tries: 1, failures: 1 }

describe('the ladder', () => {
  test('is twelve tries over 75.7 hours', () => {
    expect(DELIVERY_LADDER_MS).toHaveLength(12)
    expect(HORIZON_MS / HOUR_MS).toBeCloseTo(75.71, 2)
  })

  test('every wait is its rung, a fifth more or less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 11 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
        const rung = DELIVERY_LADDER_MS[tries] as number
        const wait = (nextTryAt(tries, answered(500), { createdAt: 0 }, 0, chance, 1) as number) / rung
        expect(wait).toBeGreaterThanOrEqual(0.799)
        expect(wait).toBeLessThanOrEqual(1.201)
      }),
    )
  })

  test('the twelfth failure is the last', () => {
    expect(nextTryAt(11, answered(500), { createdAt: 0 }, 0, MIDDLE, 1)).not.toBeNull()
    expect(nextTryAt(12, answered(500), { createdAt: 0 }, 0, MIDDLE, 1)).toBeNull()
  })

  test('a delivery that was kept from being tried ends at the horizon', () => {
    expect(nextTryAt(3, answered(500), { createdAt: 0 }, HORIZON_MS - 1, MIDDLE, 1)).not.toBeNull()
    expect(nextTryAt(3, answered(500), { createdAt: 0 }, HORIZON_MS, MIDDLE, 1)).toBeNull()
  })

  test.each([
    ['no answer', SILENT],
    ['429', answered(429)],
    ['503', answered(503)],
  ])('after %s nothing is sent for a minute', (_, result) => {
    expect(nextTryAt(1, result, { createdAt: 0 }, 0, 0, 1)).toBe(60_000)
  })

  test.each([
    [100, 2000, 5000, 'a wish under the rung does not hasten it'],
    [100, 20_000, 20_000, 'a wish between the rungs is granted'],
    [100, 900_000, 30_000, 'a wish over the next rung is not'],
  ])('Retry-After: at %i with a wish of %i ms the wait is %i ms: %s', (now, wish, wait) => {
    expect(nextTryAt(1, answered(500, wish), { createdAt: 0 }, now, MIDDLE, 1)).toBe(now + wait)
  })
})

const after = (health: Health, results: readonly TryResult[], atMs = 0) =>
  results.reduce((each, result) => healthAfter(each, result, 10, seldom, atMs, 1), health)
const five = Array.from({ length: 5 }, () => answered(500))

describe('the breaker', () => {
  test('opens at the fifth failure in a row, for half a minute', () => {
    expect(after(WELL, five.slice(1)).openUntil).toBeNull()
    expect(after(WELL, five).openUntil).toBe(30_000)
  })

  test('opens when half of at least twenty fail', () => {
    const open = (tries: number, failures: number) =>
      healthAfter(WELL, answered(500), 10, { tries, failures }, 0, 1).openUntil
    expect(open(19, 19)).toBeNull()
    expect(open(20, 9)).toBeNull()
    expect(open(20, 10)).toBe(30_000)
  })

  test('calls that were under way when it opened open it no further', () => {
    const open = after(WELL, five)
    expect(after(open, five, 1000)).toMatchObject({ openings: 1, openUntil: 30_000 })
  })

  test('then one probe goes; each that fails doubles the pause, up to a quarter of an hour', () => {
    let health = after(WELL, five)
    const pauses = [30_000]
    for (let i = 0; i < 7; i++) {
      expect(health.trusted).toBe(1)
      const at = health.openUntil as number
      health = healthAfter(health, answered(500), 10, seldom, at, 1)
      pauses.push((health.openUntil as number) - at)
    }
    expect(pauses.map((each) => each / 1000)).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
  })

  test('a success closes it; trust doubles with each, and the count of openings ends with full trust', () => {
    const open = after(WELL, five)
    const trust = [1, 2, 3, 4].map((n) => after(open, Array(n).fill(answered(200)), 30_000))
    expect(trust.map((each) => each.trusted)).toEqual([2, 4, 8, 16])
    expect(trust.map((each) => each.openings)).toEqual([1, 1, 1, 0])
    expect(trust[0]).toMatchObject({ openUntil: null, failures: 0, failingSince: null, failedTries: 0 })
  })

  test('whatever happens, trust and pause stay in their bounds', () => {
    const results = fc.array(fc.constantFrom(answered(200), answered(500), SILENT), { maxLength: 60 })
    fc.assert(
      fc.property(results, (all) => {
        let health = WELL
        let now = 0
        for (const result of all) {
          now = Math.max(now, health.openUntil ?? 0) + 1
          health = healthAfter(health, result, 10, seldom, now, 1)
          expect(health.trusted).toBeGreaterThanOrEqual(1)
          expect(health.trusted).toBeLessThanOrEqual(TRUSTED_MAX)
          expect((health.openUntil ?? now) - now).toBeLessThanOrEqual(900_000)
          expect(health.failures === 0).toBe(result.outcome === 'delivered')
        }
      }),
    )
  })
})

describe('leaving an endpoint alone', () => {
  const DAY_MS = 24 * HOUR_MS
  const failing = (failedTries: number): Health => ({ ...WELL, failingSince: 0, failedTries })

  test('410 Gone does it at once', () => {
    expect(disabledBecause(WELL, answered(410), 0, 1)).toBe('gone')
  })

  test('five days without a success do, and ten tries', () => {
    expect(disabledBecause(failing(10), answered(500), 5 * DAY_MS, 1)).toBe('failing')
    expect(disabledBecause(failing(9), answered(500), 5 * DAY_MS, 1)).toBeNull()
    expect(disabledBecause(failing(10), answered(500), 5 * DAY_MS - 1, 1)).toBeNull()
    expect(disabledBecause(WELL, answered(500), 5 * DAY_MS, 1)).toBeNull()
  })
})
