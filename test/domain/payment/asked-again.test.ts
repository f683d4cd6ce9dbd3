// When the rail of a payment is asked again: what it was not asked counts for nothing, and another purpose begins anew.
import { expect, test } from 'vitest'
import type { CollectionResult } from '../../../src/domain/payment/commands.ts'
import { isLiveAttempt } from '../../../src/domain/payment/payment.ts'
import { askPayment, type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  choose,
  MONEY,
  OPEN,
  PENDING,
  processDue,
  says,
  seenOf,
  told,
  toldByEvent,
} from '../../rig/model/payment-commands.ts'

const HOUR_MS = 3_600_000
const NOT_SENT: CollectionResult = { kind: 'not_sent', reason: 'the channel takes no calls' }
const SILENT: CollectionResult = { kind: 'unknown', reason: 'timeout' }

/** Two attempts, of which the first is open for ten minutes and looked at eight times; then all of it comes by the second. */
function paidWhileAnotherIsOpen(): OnePayment {
  const one = openPayment(true)
  for (const move of [choose('maya'), says(PENDING), ...OPEN]) move(one)
  for (let looks = 0; looks < 8; looks += 1) look(one, PENDING)
  told(MONEY)(one)
  expect(one.payment.status).toBe('paid')
  return one
}

/** Asked when it is due, and answered so; how long until it is asked again, and null where it never is. */
function look(one: OnePayment, word: CollectionResult): number | null {
  one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
  processDue(one)
  says(word)(one)
  const dueAt = one.job?.dueAt ?? null
  return dueAt === null ? null : dueAt - one.nowMs
}

test.each([
  ['not sent', NOT_SENT],
  ['not answered', SILENT],
])('an attempt that is to be closed is asked about soon again where the first call was %s', (_, word) => {
  const waitMs = look(paidWhileAnotherIsOpen(), word)
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(60_000)
})

test('long after its contract was over, a call that was not sent does not end that its rail is asked; one that was, does', () => {
  const one = paidWhileAnotherIsOpen()
  one.nowMs = one.payment.expiresAt + 73 * HOUR_MS
  expect(look(one, NOT_SENT)).not.toBeNull()
  for (let looks = 0; looks < 10; looks += 1) expect(look(one, NOT_SENT)).toBeLessThanOrEqual(HOUR_MS)
  expect(look(one, SILENT)).toBeNull()
})

test('long after its contract was over, a rail that does not answer about one attempt leaves what came by another due', () => {
  const one = openPayment(true)
  for (const move of [...OPEN, choose('qr'), says(PENDING)]) move(one)
  one.nowMs = one.payment.expiresAt + 73 * HOUR_MS
  for (let looks = 0; looks < 4; looks += 1) look(one, SILENT)
  expect(one.payment.status).toBe('expired')
  // Only an event tells of it, so that it is looked for at its rail: the first attempt comes first in its turn.
  toldByEvent({ ...MONEY, attempt: 2 })(one)
  expect([one.payment.suspenseMinor, one.job?.dueAt]).toEqual([MONEY.amountMinor, one.nowMs])
  expect(look(one, SILENT)).not.toBeNull()
  while (one.payment.attempts.some(isLiveAttempt)) look(one, { kind: 'voided' })
  expect(one.job?.dueAt).not.toBeNull()
})

test('while an attempt that is to be closed has no turn, the one after it is not asked without an end', () => {
  const one = openPayment(true)
  for (const move of [...OPEN, choose('maya')]) move(one)
  const holds = (): number => {
    const [{ id }, fence] = [one.payment, one.job?.fence ?? 0]
    const result = { ...PENDING, status: 'processing' } as const
    askPayment(one, { verb: 'report_collection', id, number: 2, fence, result, seen: seenOf(one.payment, 2) })
    return (one.job?.dueAt ?? 0) - one.nowMs
  }
  expect(one.payment.attempts).toMatchObject([{ superseded: true, status: 'pending' }, { superseded: false }])
  // It is open now: the first is closed at once.
  expect(holds()).toBe(0)
  const waits: number[] = []
  for (let looks = 0; looks < 6; looks += 1) {
    one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
    processDue(one)
    waits.push(holds())
  }
  // Its own turn comes between, and then the first one's at once.
  expect(waits).toEqual([5_000, 0, 60_000, 0, 60_000, 0])
  expect(one.payment.attempts).toMatchObject([{ status: 'pending' }, { status: 'processing' }])
  one.nowMs = one.payment.expiresAt - 1
  processDue(one)
  expect(holds()).toBe(1)
})
