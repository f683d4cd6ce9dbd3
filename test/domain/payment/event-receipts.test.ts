// Money that only an event reported goes back by another way than its rail's own refund only after that rail, asked about it, knows it:
// to the account that the rail names. Whatever else it answers, nothing leaves.
import { expect, test } from 'vitest'
import type { LookedReceipt } from '../../../src/domain/payment/commands.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { diceOf, newSeed } from '../../rig/dice.ts'
import { askPayment, moneyFaults, type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  BANK,
  cancel,
  choose,
  giveBack,
  looked,
  MONEY,
  PENDING,
  processDue,
  processingDue,
  says,
  told,
  toldByEvent,
  wait,
} from '../../rig/model/payment-commands.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const MALLORY = { channelId: 'gcash', recipient: { name: 'Mallory', wallet: '666' } }
/** By a code, which has no refund of its own: late, from the account that the event names. */
const CLAIM = { ...MONEY, attempt: null, channelId: 'qr', payer: MALLORY }
const known = (amountDecimal = '100.00', payer: typeof BANK | null = BANK, currency = 'PHP'): LookedReceipt => ({
  kind: 'received',
  money: { id: 'any', amountDecimal, currency, payer },
})
const SILENT: LookedReceipt = { kind: 'unknown', reason: 'no answer' }

function late(): OnePayment {
  const one = openPayment(true)
  for (const move of [cancel, toldByEvent(CLAIM), processDue]) move(one)
  return one
}

/** Which amount the next look at what is due leases the job for; null where it is for none. */
function leasedFor(one: OnePayment): string | null {
  const decision = askPayment(one, processingDue(one.payment.id))
  return isRefusal(decision) || !('toLookFor' in decision) ? null : (decision.toLookFor?.objectId ?? null)
}

const lines = ({ payment }: OnePayment) => payment.activities.map(({ type }) => type)
const why = ({ payment }: OnePayment) => payment.activities.at(-1)?.data?.['reason']

test('it goes to the account that its rail names, not to the one that the event names', () => {
  const one = late()
  expect(one.children).toEqual([])
  looked(known())(one)
  const [back] = one.children
  expect([back?.transfer.terms.recipient?.wallet, back?.transfer.terms.amountMinor]).toEqual(['1', 10_000n])
  expect([one.payment.suspenseMinor, one.payment.returnsHeld, moneyFaults(one)]).toEqual([0n, false, []])
})

test.each([
  ['another amount', known('99.99')],
  ['another currency', known('100.00', BANK, 'USD')],
  ['nobody who paid', known('100.00', null)],
  ['nobody that could be asked', { kind: 'not_askable' }],
] satisfies [string, LookedReceipt][])('its rail knows %s: it waits for a person', (_, answer) => {
  const one = late()
  looked(answer)(one)
  expect([one.children, one.payment.returnsHeld, one.payment.suspenseMinor]).toEqual([[], true, 10_000n])
  expect([lines(one).at(-1), String(why(one)).length > 10]).toEqual(['refund_failed', true])
})

test('a rail may list money a moment after it told of it: not known counts after a minute', () => {
  const one = late()
  looked({ kind: 'not_found' })(one)
  expect([one.payment.returnsHeld, (one.job?.dueAt ?? 0) > one.nowMs]).toEqual([false, true])
  one.nowMs += MINUTE_MS
  expect(leasedFor(one)).not.toBeNull()
  looked({ kind: 'not_found' })(one)
  expect([one.payment.returnsHeld, one.children]).toEqual([true, []])
})

test('a rail without an answer is asked ever more rarely, each hour at last, and nobody is told that it does not know the money', () => {
  const one = late()
  const from = one.nowMs
  const waits: number[] = []
  while (one.nowMs < from + 72 * HOUR_MS) {
    looked(SILENT)(one)
    waits.push((one.job?.dueAt ?? 0) - one.nowMs)
    one.nowMs = one.job?.dueAt ?? 0
    expect(leasedFor(one)).not.toBeNull()
  }
  expect([waits[0], waits.at(-1), waits.toSorted((a, b) => a - b)]).toEqual([5_000, HOUR_MS, waits])
  expect([waits.length < 100, one.payment.returnsHeld, one.children]).toEqual([true, false, []])
  looked(known())(one)
  expect(one.children).toHaveLength(1)
})

test('what the process itself had no time to ask is asked within a minute', () => {
  const one = late()
  one.nowMs += 10 * HOUR_MS
  processDue(one)
  looked({ kind: 'not_sent', reason: 'r' })(one)
  expect((one.job?.dueAt ?? 0) - one.nowMs).toBeLessThanOrEqual(MINUTE_MS)
})

test('neither a silent rail nor one that does not close an attempt has the other asked without a pause', () => {
  const one = openPayment(true)
  const road = [choose('gcash'), says(PENDING), choose('maya'), told({ ...MONEY, attempt: 1 }), toldByEvent(CLAIM)]
  for (const move of road) move(one)
  const from = one.nowMs
  let leases = 0
  while (one.nowMs < from + HOUR_MS && leases < 1000) {
    one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? from + HOUR_MS)
    const fence = one.job?.fence
    const isReceipt = leasedFor(one) !== null
    leases += one.job?.fence === fence ? 0 : 1
    if (isReceipt) looked(SILENT)(one)
    else if (one.job?.fence !== fence) says({ kind: 'still_open', status: 'pending' })(one)
  }
  expect(leases).toBeGreaterThan(4)
  expect(leases).toBeLessThan(60)
})

test('a silent rail does not keep a contract from expiring in time', () => {
  const one = openPayment(true)
  for (const move of [toldByEvent({ ...CLAIM, amountMinor: 4000n }), wait(0.4), processDue, looked(SILENT)]) move(one)
  expect(one.job?.dueAt).toBeLessThanOrEqual(one.payment.expiresAt)
})

test('by hand it goes to the account that an event named only where the caller names it, too', () => {
  const one = late()
  giveBack(null)(one)
  expect(one.children).toEqual([])
  giveBack(MALLORY)(one)
  expect(one.children[0]?.transfer.terms.recipient?.wallet).toBe('666')
})

test('of several amounts each is asked about in its turn', () => {
  const one = openPayment(true)
  cancel(one)
  for (let i = 0; i < 3; i++) toldByEvent(CLAIM)(one)
  const asked = new Set<string | null>()
  for (let i = 0; i < 6; i++) {
    one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
    const objectId = leasedFor(one)
    asked.add(objectId)
    const decision = askPayment(one, {
      ...processingDue(one.payment.id),
      looked: { objectId: objectId ?? '', fence: one.job?.fence ?? 0, found: SILENT },
    })
    expect(isRefusal(decision)).toBe(false)
  }
  expect([asked.size, asked.has(null)]).toEqual([3, false])
})

test('an answer to a lease that another one followed moves nothing', () => {
  const one = late()
  one.nowMs = one.job?.dueAt ?? 0
  processDue(one)
  looked(known(), 1)(one)
  expect([one.children, one.payment.suspenseMinor]).toEqual([[], 10_000n])
  looked(known())(one)
  expect(one.children).toHaveLength(1)
})

test('what the gateway itself saw, and what its rail refunds, is looked for nowhere', () => {
  const seen = openPayment(true)
  for (const move of [cancel, told(CLAIM), processDue]) move(seen)
  expect(seen.children[0]?.transfer.terms.recipient?.wallet).toBe('666')
  const refunded = openPayment(true)
  for (const move of [cancel, toldByEvent({ ...CLAIM, channelId: 'gcash' }), processDue]) move(refunded)
  const [back] = refunded.children
  expect([back?.transfer.terms.channelId, back?.transfer.terms.recipient?.wallet ?? null]).toEqual(['gcash', null])
  expect(back?.transfer.origin?.refundOf).toMatch(/^object/)
})

test('with attempts open the rails are asked in turn, so that no silence about the one keeps another from being asked', () => {
  const one = openPayment(true)
  const stray = { ...CLAIM, amountMinor: 4000n }
  for (const move of [choose('gcash'), says(PENDING), choose('maya'), says(PENDING), toldByEvent(stray)]) move(one)
  const leases: string[] = []
  for (let i = 0; i < 9; i++) {
    one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
    const fence = one.job?.fence ?? 0
    const name = leasedFor(one)
    expect(one.job?.fence).toBe(fence + 1)
    leases.push(name === null ? `attempt ${(Math.max(0, (one.job?.tries ?? 1) - 1) % 2) + 1}` : 'amount')
    if (name === null) says({ kind: 'unknown', reason: 'r' })(one)
    else looked(SILENT)(one)
  }
  expect(new Set(leases)).toEqual(new Set(['amount', 'attempt 1', 'attempt 2']))
})

const isConfirmed = (answer: LookedReceipt, amount: string) =>
  answer.kind === 'received' && answer.money.amountDecimal === amount

test('whatever rails answer, nothing leaves by an event that they did not confirm, and no lease is without end', () => {
  const seed = newSeed()
  const dice = diceOf(seed)
  const tally = { gone: 0, held: 0 }
  for (let story = 0; story < 400; story++) {
    const one = openPayment(true)
    if (dice.chance(0.7)) cancel(one)
    const claims = dice.whole(1, 4)
    for (let i = 0; i < claims; i++) toldByEvent({ ...CLAIM, amountMinor: BigInt(dice.whole(1, 9_999)) })(one)
    const confirmed = new Set<string>()
    for (let i = 0; i < 60 && one.job?.dueAt !== null; i++) {
      one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
      const objectId = leasedFor(one)
      const receipt = objectId === null ? undefined : one.receipts.get(objectId)
      if (!receipt) continue
      const amount = `${receipt.amountMinor / 100n}.${String(receipt.amountMinor % 100n).padStart(2, '0')}`
      const answer = dice.pick([known(amount), known(amount), { kind: 'not_found' } as const, SILENT, known('1000.00')])
      const before = one.children.length
      looked(answer, dice.chance(0.1) ? 1 : 0)(one)
      const hasGone = one.children.length > before
      expect(hasGone && !isConfirmed(answer, amount), `seed ${seed}, story ${story}`).toBe(false)
      if (hasGone) confirmed.add(receipt.objectId)
      expect(moneyFaults(one), `seed ${seed}, story ${story}`).toEqual([])
    }
    expect(one.children.map(({ transfer }) => transfer.terms.recipient?.wallet)).toEqual([...confirmed].map(() => '1'))
    tally.gone += confirmed.size
    tally.held += one.payment.returnsHeld ? 1 : 0
  }
  expect(Math.min(tally.gone, tally.held)).toBeGreaterThan(50)
})
