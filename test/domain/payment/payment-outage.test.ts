// A gateway that was away past the end of a contract's time. What was paid meanwhile was paid in time: each open attempt is asked about
// before the clock ends its contract, and no rail, however silent, keeps one open for ever.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CollectionResult } from '../../../src/domain/payment/commands.ts'
import { dueAttempt } from '../../../src/domain/payment/decision.ts'
import { isLiveAttempt } from '../../../src/domain/payment/payment.ts'
import { askPayment, type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  cancel,
  choose,
  expire,
  MONEY,
  OPEN,
  type PaymentMove,
  PENDING,
  processDue,
  says,
  seenOf,
  SILENCE,
  told,
  wait,
} from '../../rig/model/payment-commands.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const UNKNOWN: CollectionResult = { kind: 'unknown', reason: 'timeout' }
const NOT_SENT: CollectionResult = { kind: 'not_sent', reason: 'the channel takes no calls' }
const STILL_OPEN: CollectionResult = { kind: 'still_open', status: 'pending' }
const PAYING: CollectionResult = { kind: 'still_open', status: 'processing' }

/** Open at its rail until long after its time was over, without a look of the gateway meanwhile. */
function awayFor(ms: number, moves: readonly PaymentMove[] = OPEN): OnePayment {
  const one = openPayment(true)
  for (const move of moves) move(one)
  one.nowMs = one.payment.expiresAt + ms
  return one
}

/** Its job runs when it is due, and the rail says of the attempt whose turn it is what it says: its number, and null for no question. */
function asked(one: OnePayment, word: CollectionResult): number | null {
  one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
  const fence = one.job?.fence
  processDue(one)
  const attempt = one.job?.fence === fence ? undefined : dueAttempt(one.payment, one.nowMs, one.job?.tries ?? 0)
  if (!one.job || !attempt) return null
  const { id } = one.payment
  const [{ number }, seen] = [attempt, seenOf(one.payment, attempt.number)]
  askPayment(one, { verb: 'report_collection', id, number, fence: one.job.fence, result: word, seen })
  return number
}

test.each([
  ['sixteen minutes', 16 * 60_000],
  ['five hours', 5 * HOUR_MS],
  ['four days', 4 * DAY_MS],
])('after %s its rail is asked first: what it was paid meanwhile makes it paid', (_, ms) => {
  const one = awayFor(ms)
  expire(one)
  processDue(one)
  expect(one.payment.status).toBe('issued')
  told(MONEY)(one)
  expect(one.payment).toMatchObject({ status: 'paid', suspenseMinor: 0n })
})

test('a cancellation that waited for its rail is decided by the rail, too', () => {
  const [closed, paid] = [awayFor(5 * HOUR_MS, [...OPEN, cancel]), awayFor(5 * HOUR_MS, [...OPEN, cancel])]
  asked(closed, { kind: 'voided' })
  expect(closed.payment).toMatchObject({ status: 'cancelled', cancellation: { status: 'done' } })
  processDue(paid)
  told(MONEY)(paid)
  expect(paid.payment).toMatchObject({ status: 'paid', cancellation: { status: 'refused' } })
})

test('a rail that does not answer just then is asked four times before the clock ends the contract', () => {
  const one = awayFor(5 * HOUR_MS)
  for (const looks of [1, 2, 3]) {
    expect(asked(one, UNKNOWN)).toBe(1)
    expect([looks, one.payment.status]).toEqual([looks, 'issued'])
  }
  asked(one, UNKNOWN)
  expect(one.payment.status).toBe('expired')
  expect(one.nowMs).toBeLessThan(one.payment.expiresAt + 5 * HOUR_MS + 2 * 60_000)
})

test('a rail that does not close it, for it was paid or is about to be, is waited for as one that works on it', () => {
  const one = awayFor(5 * HOUR_MS)
  for (let looks = 0; looks < 10; looks++) asked(one, looks === 0 ? PAYING : UNKNOWN)
  expect(one.payment).toMatchObject({ status: 'issued', attempts: [{ status: 'processing' }] })
  one.nowMs = one.payment.expiresAt + 3 * DAY_MS
  for (let looks = 0; looks < 4; looks++) asked(one, UNKNOWN)
  expect(one.payment.status).toBe('expired')
})

test('where its price alone is over, it is asked to close again', () => {
  const one = openPayment(true)
  for (const move of [choose('crypto'), says(PENDING), wait(0.4)]) move(one)
  // What it has a price for holds an hour: the contract is over first, and here it is not.
  const attempts = one.payment.attempts.map((each) => ({
    ...each,
    quote: each.quote && { ...each.quote, expiresAt: one.nowMs - 1 },
  }))
  one.payment = { ...one.payment, attempts }
  asked(one, PAYING)
  expect(one.payment.attempts).toMatchObject([{ status: 'pending' }])
})

test('a rail that was never called has said nothing: three days pass before the clock ends the contract', () => {
  const one = awayFor(0)
  while (one.payment.status === 'issued' && one.nowMs < one.payment.expiresAt + 4 * DAY_MS) {
    one.nowMs += HOUR_MS
    asked(one, NOT_SENT)
  }
  expect(one.payment.status).toBe('expired')
  expect(one.nowMs).toBeGreaterThanOrEqual(one.payment.expiresAt + 3 * DAY_MS)
})

test('a call during which the machine stood still was made before: its silence is no answer of now', () => {
  const one = openPayment(true)
  for (const move of [...OPEN, ...SILENCE, wait(0.3)]) move(one)
  expect(one.payment.expiresAt).toBeGreaterThan(one.nowMs)
  processDue(one)
  one.nowMs = one.payment.expiresAt + 5 * HOUR_MS
  says(UNKNOWN)(one)
  expect(one.payment.status).toBe('issued')
})

test('a look that died with its process just before the end of the time was made before it: the looks after it are counted anew', () => {
  const one = openPayment(true)
  for (const move of [...OPEN, ...SILENCE, ...SILENCE]) move(one)
  one.nowMs = one.payment.expiresAt - 1
  processDue(one)
  // Its lease ends after the expiry.
  expect(one.job).toMatchObject({ tries: 9, dueAt: one.payment.expiresAt + 999 })
  one.nowMs = one.payment.expiresAt + 5 * HOUR_MS
  for (const looks of [1, 2, 3]) {
    expect(asked(one, UNKNOWN)).toBe(1)
    expect([looks, one.payment.status]).toEqual([looks, 'issued'])
  }
  asked(one, UNKNOWN)
  expect(one.payment.status).toBe('expired')
})

const BEFORE: Readonly<Record<string, PaymentMove>> = {
  'chooses GCash': choose('gcash'),
  'chooses Maya': choose('maya'),
  'chooses a code': choose('qr'),
  'its rail waits': says(PENDING),
  'its rail works on it': says({ ...PENDING, status: 'processing' }),
  'its rail does not answer': says(UNKNOWN),
  'the payer did': told({ outcome: 'processing' }),
  'the first attempt failed': told({ outcome: 'failed', attempt: 1 }),
  'another amount comes': told({ ...MONEY, amountMinor: 4000n }),
  'is cancelled': cancel,
  'its job runs': (one) => void asked(one, UNKNOWN),
  'a minute passes': wait(1 / 60),
  'twenty minutes pass': wait(1 / 3),
}
const WORDS: readonly CollectionResult[] = [UNKNOWN, UNKNOWN, STILL_OPEN, PAYING, { kind: 'voided' }]

/** Asks until the contract is issued no more: the attempts that were asked about, and those that were left open. */
function untilEnded(one: OnePayment, answers: readonly number[]) {
  const called = new Set<number | null>()
  const looksMax = 10_000
  for (let looks = 0; one.payment.status === 'issued' && looks < looksMax; looks++) {
    // Often late, for a rail that works on a payment is asked for days.
    if (looks > 20) one.nowMs += HOUR_MS
    if (one.job === null || one.job.dueAt === null) expire(one)
    else called.add(asked(one, WORDS[answers[looks] ?? 0] ?? UNKNOWN))
  }
  return { called, open: one.payment.attempts.filter(isLiveAttempt).map(({ number }) => number) }
}

test('whatever came before, and whatever its rails say, each open attempt is asked about before the clock ends the contract', () => {
  const moves = fc.array(fc.constantFrom(...Object.keys(BEFORE)), { maxLength: 12 })
  const words = fc.array(fc.nat(WORDS.length - 1), { maxLength: 40 })
  const away = fc.integer({ min: 0, max: 5 * DAY_MS })
  let leftOpen = 0
  fc.assert(
    fc.property(moves, words, away, (story, answers, ms) => {
      const one = openPayment(true)
      for (const move of story) BEFORE[move]?.(one)
      const isOverBefore = one.payment.status !== 'issued'
      one.nowMs = Math.max(one.nowMs, one.payment.expiresAt) + ms
      const { called, open } = untilEnded(one, answers)
      expect(one.payment.status).not.toBe('issued')
      expect(open.filter((number) => !isOverBefore && !called.has(number))).toEqual([])
      leftOpen += isOverBefore || open.length === 0 ? 0 : 1
    }),
    { numRuns: 1500 },
  )
  expect(leftOpen).toBeGreaterThan(100)
})
