// Who ends a payment contract whose time has passed. The sweep leaves those that have a job to it and passes each by once, so the job
// may never let go of one: whatever happens to a contract, it is ended by its job where it has one that is due, and by the sweep else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastExpiry } from '../../../src/domain/contract/expiry.ts'
import { isLiveAttempt } from '../../../src/domain/payment/payment.ts'
import type { CollectionResult } from '../../../src/domain/payment/commands.ts'
import { type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  BANK,
  cancel,
  choose,
  expire,
  giveBack,
  hasReturned,
  MONEY,
  OPEN,
  type PaymentMove,
  PENDING,
  processDue,
  says,
  told,
  wait,
} from '../../rig/model/payment-commands.ts'

const HOUR_MS = 3_600_000
const LESS = { ...MONEY, amountMinor: 4000n }
const UNKNOWN: CollectionResult = { kind: 'unknown', reason: 'r' }
const FAILED: CollectionResult = { kind: 'failed', code: 'c', message: 'm' }

const MOVES: Readonly<Record<string, PaymentMove>> = {
  'chooses GCash': choose('gcash'),
  'chooses Maya': choose('maya'),
  'chooses a chain': choose('crypto'),
  'its rail waits': says(PENDING),
  'its rail works on it': says({ ...PENDING, status: 'processing' }),
  'its rail fails it': says(FAILED),
  'its rail does not answer': says(UNKNOWN),
  'its rail knows nothing of it': says({ kind: 'not_found' }),
  'its rail closes it': says({ kind: 'voided' }),
  'its rail answers too late': says(FAILED, 1),
  'the payer did': told({ outcome: 'processing' }),
  'an attempt failed': told({ outcome: 'failed' }),
  'an attempt of nobody failed': told({ outcome: 'failed', attempt: null, channelId: 'gcash' }),
  'all of it comes': told(MONEY),
  'less comes': told(LESS),
  'less comes from a bank': told({ ...LESS, payer: BANK }),
  'another currency comes': told({ ...MONEY, currency: 'USD', payer: BANK }),
  'is cancelled': cancel,
  'is swept': expire,
  'its job runs': processDue,
  'goes back by hand': giveBack(BANK),
  'went back before a restore': hasReturned,
  'twenty minutes pass': wait(1 / 3),
  'an hour passes': wait(1),
}

const isDue = ({ job }: OnePayment) => job !== null && job.dueAt !== null
const isOver = ({ payment, nowMs }: OnePayment) => payment.status === 'issued' && payment.expiresAt <= nowMs

/** Runs the job whenever it is due, with a rail that does not answer; else the sweep comes by once. */
function left(one: OnePayment): void {
  if (!isDue(one)) return expire(one)
  for (let runs = 0; one.payment.status === 'issued' && isDue(one) && runs < 1000; runs++) {
    // Often late, for the rail is asked for days.
    one.nowMs = Math.max(one.nowMs + HOUR_MS, one.job?.dueAt ?? 0)
    const fence = one.job?.fence
    processDue(one)
    if (one.job?.fence !== fence) says(UNKNOWN)(one)
  }
}

test('left alone, every contract whose time has passed comes to its end', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(fc.constantFrom(...Object.keys(MOVES)), { maxLength: 12 }),
      (returnsAtOnce, story) => {
        const one = openPayment(returnsAtOnce)
        for (const move of story) {
          const wasItsJobs = isOver(one) && isDue(one)
          MOVES[move]?.(one)
          const isIts = wasItsJobs || one.payment.attempts.some(isLiveAttempt)
          expect(one.payment.status === 'issued' && isIts && !isDue(one), `${move}: its job lets go of it`).toBe(false)
        }
        one.nowMs = Math.max(one.nowMs, one.payment.expiresAt)
        left(one)
        expect(one.payment.status).not.toBe('issued')
        expect(one.payment.cancellation?.status).not.toBe('pending')
      },
    ),
    { numRuns: 5000 },
  )
})

test('a cancellation whose rail never answers is done when the contract expires, and late money does not revive it', () => {
  const one = openPayment(false)
  for (const move of [...OPEN, cancel]) move(one)
  expect(one.payment.cancellation?.status).toBe('pending')
  one.nowMs = one.payment.expiresAt
  left(one)
  expect(one.payment).toMatchObject({ status: 'expired', cancellation: { status: 'done' } })
  told(MONEY)(one)
  expect(one.payment).toMatchObject({ status: 'expired', cancellation: { status: 'done' } })
  expect(one.payment.suspenseMinor).toBe(MONEY.amountMinor)
})

test('a contract that reads as expired is not cancelled any more, whether or not it was swept', () => {
  const one = openPayment(false)
  one.nowMs = one.payment.expiresAt
  expect(pastExpiry(one.payment).status).toBe('expired')
  cancel(one)
  expect(one.payment.status).toBe('issued')
  one.nowMs -= 1
  cancel(one)
  expect(one.payment.status).toBe('cancelled')
})

test('a contract over its time whose money goes back is ended by the same job, and at once', () => {
  const one = openPayment(true)
  for (const move of [...OPEN, told({ ...LESS, payer: BANK })]) move(one)
  expect(isDue(one)).toBe(true)
  one.nowMs = one.payment.expiresAt
  processDue(one)
  expect(one.payment).toMatchObject({ status: 'expired', suspenseMinor: 4000n })
  processDue(one)
  expect(one.payment.suspenseMinor).toBe(0n)
})

test('an attempt without a job, which nothing here makes, is given one by the sweep', () => {
  const one = openPayment(true)
  for (const move of OPEN) move(one)
  one.nowMs += HOUR_MS
  one.job = null
  expire(one)
  expect(one.job).toMatchObject({ dueAt: one.nowMs, channelId: 'gcash', status: 'open' })
  left(one)
  expect(one.payment.status).toBe('expired')
})
