// The table of moves against everything that a transfer can come to: each decision is one row of it, each row was decided, and
// a row that is wrong in anything but its words is found.
import { expect, test } from 'vitest'
import { SOURCES } from '../../../src/domain/contract/move.ts'
import { TRANSFER_MOVES } from '../../../src/domain/transfer/move-table.ts'
import { factsOf, textsOf, unlistedIn, unseenIn } from '../../rig/model/move-rows.ts'
import { draftContract, givingBack } from '../../rig/model/one-contract.ts'
import { DEAR, DONE, funded, giveBack, MONEY, PAID, refund, told } from '../../rig/model/payment-commands.ts'
import { openPayment } from '../../rig/model/one-payment.ts'
import { stepsFrom } from '../../rig/model/transfer-walk.ts'
import { SPOILS, unnoticed } from '../../rig/model/wrong-rows.ts'

const NEVER_AGAIN = { retries: 0, fallbackChannels: [] }
const ONCE_MORE = { retries: 1, fallbackChannels: [] }

/** A payment that gives money back, once for each place that it may take it from. */
const REFUNDS = [
  [...DONE, refund(30)],
  [...PAID, refund(30)],
  [funded, ...PAID, refund(null)],
  [...PAID, told(MONEY), giveBack(null)],
  [funded, ...DONE, told(MONEY), giveBack(DEAR)],
].map((road) => {
  const one = openPayment(false)
  for (const move of road) move(one)
  return one
})

const seen = new Set(
  stepsFrom([
    draftContract(false, ONCE_MORE),
    draftContract(true, NEVER_AGAIN),
    draftContract(false, NEVER_AGAIN, 'free'),
    ...REFUNDS.map((payment) => givingBack(payment)),
  ]).map(factsOf),
)

test('every decision is one row of the table, and every row was decided', () => {
  expect([...unlistedIn(TRANSFER_MOVES, seen), ...unseenIn(TRANSFER_MOVES, seen)]).toEqual([])
})

test('the money of every source is held and given back', () => {
  const opened = TRANSFER_MOVES.filter(({ verb }) => verb === 'refund' || verb === 'cancel')
  const texts = opened.filter(({ from }) => from === null || from === 'paid').flatMap((move) => [...textsOf(move)])
  expect(texts).toHaveLength(2 * SOURCES.length + 1)
  expect(texts.filter((text) => !seen.has(text))).toEqual([])
})

test.each(SPOILS)('a row with %s is found, whichever it is', (_, spoil) => {
  expect(unnoticed(TRANSFER_MOVES, seen, spoil)).toEqual([])
})
