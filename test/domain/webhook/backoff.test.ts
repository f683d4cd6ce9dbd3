// How long to wait before a rail is asked again: the ladder, then every hour for ever.
import { expect, test } from 'vitest'
import { inquiryDelayMs, triesUnanswered } from '../../../src/domain/webhook/backoff.ts'

test.each([
  [0, 5_000],
  [1, 15_000],
  [2, 60_000],
  [3, 300_000],
  [4, 900_000],
  [5, 3_600_000],
  [6, 3_600_000],
  [1_000_000, 3_600_000],
])('after %d inquiries the next comes in %d ms', (tries, delayMs) => {
  expect(inquiryDelayMs(tries)).toBe(delayMs)
})

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [20, 19],
])('of %d tries %d count where the last was not answered', (tries, counted) => {
  expect(triesUnanswered(tries)).toBe(counted)
})
