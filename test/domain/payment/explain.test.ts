// What is said of a payment contract, in every shape that it can have: who must act, where the money is, and that a cancel does
// what was said of it.
import { expect, test } from 'vitest'
import { explainPayment } from '../../../src/domain/contract/explain-payment.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { CollectionResult } from '../../../src/domain/payment/commands.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { askPayment, type OnePayment, openPayment } from '../../rig/model/one-payment.ts'
import {
  cancel,
  choose,
  DONE,
  ends,
  expire,
  funded,
  giveBack,
  MONEY,
  OPEN,
  PAID,
  type PaymentMove,
  processDue,
  refund,
  says,
  told,
  wait,
} from '../../rig/model/payment-commands.ts'

const LESS = { ...MONEY, amountMinor: 4000n }
const REFUSED: CollectionResult = { kind: 'failed', code: 'c', message: 'm' }

type WaitsFor = ReturnType<typeof explainPayment>['waitsFor']

const SHAPES: readonly (readonly [shape: string, waitsFor: WaitsFor, moves: readonly PaymentMove[]])[] = [
  ['opened', 'payer', []],
  ['the rail is being told', 'gateway', [choose('gcash')]],
  ['the payer has to act', 'payer', OPEN],
  ['the payer did', 'channel', [...OPEN, told({ outcome: 'processing' })]],
  ['in doubt', 'channel', [choose('gcash'), says({ kind: 'unknown', reason: 'r' })]],
  ['the attempt failed', 'payer', [choose('gcash'), says(REFUSED)]],
  ['a cancel is pending', 'channel', [...OPEN, cancel]],
  ['another amount came', 'payer', [...OPEN, told(LESS)]],
  ['paid', 'gateway', PAID],
  ['paid twice', 'gateway', [...PAID, told(MONEY)]],
  ['a part goes back', 'gateway', [funded, ...PAID, refund(30)]],
  ['settled', 'nobody', DONE],
  ['settled, and a part went back', 'nobody', [funded, ...DONE, refund(30), ends('delivered')]],
  ['cancelled', 'nobody', [cancel]],
  ['money came twice, and could not go back', 'caller', [...DONE, told(MONEY), giveBack(null), ends('failed')]],
  ['expired', 'nobody', [...OPEN, wait(1), expire, processDue, says({ kind: 'voided' })]],
]

function standing(moves: readonly PaymentMove[]): OnePayment {
  const one = openPayment(false)
  for (const move of moves) move(one)
  return one
}

test.each(SHAPES)('%s: waits for %s', (_shape, waitsFor, moves) => {
  const { payment, job } = standing(moves)
  expect(explainPayment(payment, job)).toMatchObject({ waitsFor, summary: expect.stringMatching(/\.$/) })
})

test.each(SHAPES)('%s: all that came is somewhere', (_shape, _waitsFor, moves) => {
  const { payment, job } = standing(moves)
  const { places } = explainPayment(payment, job)
  const sum = places.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  const returnedMinor = payment.refunds.reduce(
    (total, { from, status, amountMinor }) =>
      from === 'suspense' && status !== 'failed' ? total + amountMinor : total,
    0n,
  )
  expect(sum).toBe(payment.receivedMinor - returnedMinor)
})

test.each(SHAPES)('%s: a cancel does what was said', (_shape, _waitsFor, moves) => {
  const one = standing(moves)
  const before = one.payment
  const { cancelNow } = explainPayment(before, one.job)
  const result = askPayment(one, { verb: 'cancel', id: before.id, reason: null, actor: 'account' })
  expect(cancelNow).toMatch(isRefusal(result) ? /^(is refused|changes nothing)/ : whatWasDone(before, one.payment))
})

function whatWasDone(before: Payment, after: Payment): RegExp {
  if (after === before) return /^changes nothing/
  return after.status === 'cancelled' ? /^ends the contract/ : /^has the channel close/
}
