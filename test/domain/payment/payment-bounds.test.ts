// How much one payment contract can grow, whoever asks for it: each version repeats the whole of it. What is beyond the bounds
// stays in the books, or with the provider's event that waits for a person, and what was paid can always go back.
import { describe, expect, test } from 'vitest'
import { paymentText } from '../../../src/store/contracts/payment-documents.ts'
import { type Dice, diceOf, newSeed } from '../../rig/dice.ts'
import { askPayment, moneyFaults, type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  BANK,
  DONE,
  ends,
  funded,
  giveBack,
  namedAs,
  type PaymentMove,
  processDue,
  refund,
  refunding,
  returning,
  telling,
  told,
  wait,
} from '../../rig/model/payment-commands.ts'

const REFUNDS_MAX = 100
/** A contract that has come to every bound, and has failed for two years since, in bytes of its newest document. */
const DOCUMENT_BYTES_MAX = 200_000
/** One that only its key holder has made longer, in a day. */
const REFUNDED_BYTES_MAX = 45_000
const LATE = { outcome: 'succeeded', amountMinor: 1n, currency: 'PHP', payer: BANK } as const

function paid(...moves: readonly PaymentMove[]): OnePayment {
  const one = openPayment(true)
  for (const move of [...DONE, funded, ...moves]) move(one)
  return one
}

const repeated = (times: number, ...moves: readonly PaymentMove[]) => Array.from({ length: times }, () => moves).flat()
const bytesOf = ({ payment }: OnePayment) => Buffer.byteLength(paymentText(payment))
const from = ({ payment }: OnePayment, origin: 'payment' | 'suspense') =>
  payment.refunds.filter((each) => each.from === origin)

describe('refunds by request', () => {
  test('a hundred are of a part; then only all that is left goes back, and nothing is left behind', () => {
    const one = paid(...repeated(REFUNDS_MAX, refund(0.01), ends('delivered')))
    const { version } = one.payment
    const message =
      'The payment has had 100 refunds: 100 may be of a part. Leave amount out: all that is left, PHP 99.00, can still be refunded at once.'
    expect(askPayment(one, refunding(one, 98.99))).toMatchObject({
      code: 'refunds_exhausted',
      param: 'amount',
      message,
    })
    expect(one.payment.version).toBe(version)
    expect(askPayment(one, refunding(one, 99.01))).toMatchObject({ code: 'refund_exceeds_payment' })
    for (const move of [refund(99), ends('delivered')]) move(one)
    expect(one.payment.refundedMinor).toBe(one.payment.paidMinor)
    expect(bytesOf(one)).toBeLessThan(REFUNDED_BYTES_MAX)
    expect([from(one, 'payment').length, moneyFaults(one)]).toEqual([REFUNDS_MAX + 1, []])
  })

  test('those that failed count, and their money goes back with the rest', () => {
    const one = paid(...repeated(REFUNDS_MAX, refund(60), ends('failed')))
    expect(one.payment.refundedMinor).toBe(0n)
    expect(askPayment(one, refunding(one, 60))).toMatchObject({ code: 'refunds_exhausted', param: 'amount' })
    for (const move of [refund(null), ends('delivered')]) move(one)
    expect([one.payment.refundedMinor, moneyFaults(one)]).toEqual([10_000n, []])
  })

  test('a part that fails after the rest was sent goes back at once', () => {
    const one = paid(...repeated(REFUNDS_MAX - 1, refund(0.01), ends('delivered')), refund(0.01))
    const open = one.children.at(-1)
    for (const move of [refund(null), ends('delivered')]) move(one)
    // The rail tells of the older one last.
    if (open) one.children.push(open)
    for (const move of [ends('failed'), refund(null), ends('delivered')]) move(one)
    expect([one.payment.refundedMinor, moneyFaults(one)]).toEqual([10_000n, []])
  })

  test('one of all the rest that fails again and again waits twice as long each time, three weeks at most', () => {
    const one = paid(...repeated(REFUNDS_MAX, refund(0.01), ends('delivered')), refund(null), ends('failed'))
    for (let tries = 0; tries < 14; tries++) {
      const hours = 2 ** Math.min(tries, 9)
      wait(hours - 0.01)(one)
      const again = new Date(one.nowMs + 36_000).toISOString()
      const refused = askPayment(one, refunding(one, null))
      expect(refused).toMatchObject({ code: 'refunds_exhausted', param: 'amount' })
      expect('message' in refused && refused.message).toContain(`send it again after ${again}`)
      for (const move of [wait(0.01), refund(null)]) move(one)
      expect(from(one, 'payment')).toHaveLength(REFUNDS_MAX + 2 + tries)
      ends('failed')(one)
    }
    for (const move of [wait(24 * 22), refund(null), ends('delivered')]) move(one)
    expect([one.payment.refundedMinor, moneyFaults(one)]).toEqual([10_000n, []])
  })

  test('reasons have a length together; without one a refund is made as before', () => {
    const one = paid()
    const long = 'é'.repeat(1000)
    for (let n = 0; n < 20; n++) askPayment(one, refunding(one, 0.01, null, long))
    expect(from(one, 'payment')).toHaveLength(20)
    const message =
      'The reasons of all refunds of a payment have 20000 characters at most, and 0 are left: shorten it, or leave it out.'
    for (const amount of [0.01, null])
      expect(askPayment(one, refunding(one, amount, null, 'x'))).toMatchObject({
        code: 'refunds_exhausted',
        param: 'reason',
        message,
      })
    refund(null, null, null)(one)
    expect(one.payment.refundedMinor).toBe(10_000n)
    expect(bytesOf(one)).toBeLessThan(REFUNDED_BYTES_MAX + 2 * 20_000)
  })

  test('of a contract that grew before there was a bound, all that is left goes back at once', () => {
    const one = paid(refund(0.01), ends('delivered'))
    const [first] = one.payment.refunds
    if (!first) throw new Error('it has a refund')
    const before = Array.from({ length: 1000 }, () => first)
    one.payment = { ...one.payment, refunds: before }
    for (const move of [refund(null), ends('delivered')]) move(one)
    expect([one.payment.refundedMinor, moneyFaults(one)]).toEqual([10_000n, []])
  })
})

describe('late money', () => {
  test('goes back a hundred times; then it waits for a person as it came, and nothing grows', () => {
    const one = paid(...repeated(REFUNDS_MAX, told(LATE), processDue, ends('delivered')))
    expect(from(one, 'suspense')).toHaveLength(REFUNDS_MAX)
    const { payment } = one
    for (let i = 0; i < 50; i++)
      expect(askPayment(one, telling(one, LATE))).toMatchObject({
        status: 'needs_review',
        reason: 'too many amounts came that do not fit the contract, with those that were returned',
      })
    expect([one.payment, moneyFaults(one)]).toEqual([payment, []])
  })

  test('that a person takes in beyond it is booked, and goes back', () => {
    const one = paid(...repeated(REFUNDS_MAX, told(LATE), processDue, ends('delivered')))
    expect(askPayment(one, { ...telling(one, LATE), retakes: 'needs_review' })).toMatchObject({ status: 'applied' })
    expect(one.payment.suspenseMinor).toBe(1n)
    for (const move of [processDue, ends('delivered')]) move(one)
    expect([one.payment.suspenseMinor, from(one, 'suspense').length, moneyFaults(one)]).toEqual([0n, 101, []])
  })

  test('what waits and what was returned count together, and what failed to go back counts once', () => {
    const one = paid(...repeated(60, told(LATE), processDue, ends('delivered')), told(LATE), processDue, ends('failed'))
    // Returns are held from here on: 60 are back, one waits again.
    for (const move of repeated(39, told(LATE))) move(one)
    expect(askPayment(one, telling(one, LATE))).toMatchObject({ status: 'needs_review' })
    expect([one.payment.suspenseMinor, moneyFaults(one)]).toEqual([40n, []])
  })

  test('whose return by hand fails again and again is returned ever more rarely', () => {
    const one = paid(told(LATE), processDue, ends('failed'))
    // Elsewhere than back goes only what has settled.
    for (const move of repeated(REFUNDS_MAX, wait(24 * 22), giveBack(BANK), ends('failed'))) move(one)
    expect(from(one, 'suspense')).toHaveLength(REFUNDS_MAX + 1)
    expect(askPayment(one, returning(one, BANK))).toMatchObject({ code: 'refunds_exhausted', param: 'id' })
    for (const move of [wait(24 * 22), giveBack(BANK), ends('delivered')]) move(one)
    expect([one.payment.suspenseMinor, moneyFaults(one)]).toEqual([0n, []])
  })
})

test('the payer is named as twenty other profiles at most', () => {
  const one = paid()
  for (let n = 0; n < 20; n++) namedAs(n)(one)
  const { version } = one.payment
  namedAs(20)(one)
  expect(one.payment.version).toBe(version)
  expect(one.payment.payerProfile).toMatchObject({ profile: 'profile 19' })
})

/** Whatever makes a contract longer, thrown until long after every bound. */
const GROWTH = (dice: Dice): readonly PaymentMove[] =>
  dice.pick<readonly PaymentMove[]>([
    [refund(0.01), tried(ends('delivered'))],
    [refund(0.01), tried(ends('failed'))],
    [refund(null), tried(ends('failed'))],
    [told(LATE), processDue, tried(ends(dice.pick(['delivered', 'failed'] as const)))],
    [giveBack(BANK), tried(ends(dice.pick(['delivered', 'failed'] as const)))],
    [namedAs(dice.whole(0, 99))],
    [wait(dice.pick([0.1, 100]))],
  ])

/** What is not begun has no end. */
const tried =
  (move: PaymentMove): PaymentMove =>
  (one) => {
    if (one.payment.refunds.some(({ status }) => status === 'open')) move(one)
  }

test('whatever is asked and whatever comes, the document stays small, the money balances, and the rest can go back', () => {
  const seed = newSeed()
  const dice = diceOf(seed)
  let bytesMax = 0
  for (let stories = 0; stories < 4; stories++) {
    const one = paid()
    for (let n = 0; n < 1500; n++) {
      for (const move of GROWTH(dice)) move(one)
      expect(moneyFaults(one), `seed ${seed}`).toEqual([])
    }
    bytesMax = Math.max(bytesMax, bytesOf(one))
    for (const move of [wait(24 * 22), refund(null), ends('delivered')]) move(one)
    expect([one.payment.refundedMinor, moneyFaults(one)], `seed ${seed}`).toEqual([10_000n, []])
  }
  console.log(`bounds: 4 payments of 1500 rounds each, ${bytesMax} bytes at most, seed ${seed}`)
  expect(bytesMax).toBeLessThan(DOCUMENT_BYTES_MAX)
})
