// The table of moves against everything that a transfer can come to: each decision is one row of it, each row was decided, and
// a row that is wrong in anything but its words is found.
import { expect, test } from 'vitest'
import { SOURCES } from '../../../src/domain/contract/move.ts'
import { TRANSFER_MOVES } from '../../../src/domain/transfer/move-table.ts'
import { FREE, type VerificationNeed } from '../../../src/domain/policy/judge.ts'
import { factsOf, textsOf, unlistedIn, unseenIn } from '../../rig/model/move-rows.ts'
import { adopt, ask, draftContract, givingBack, heldContract, paidContract } from '../../rig/model/one-contract.ts'
import { giveUp, RAIL } from '../../rig/model/rail.ts'
import { DEAR, DONE, funded, giveBack, MONEY, PAID, refund, told } from '../../rig/model/payment-commands.ts'
import { openPayment } from '../../rig/model/one-payment.ts'
import { copyOf, orderOf, stepsFrom, walkFrom } from '../../rig/model/transfer-walk.ts'
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

const NAME_CHECK: VerificationNeed = {
  policyId: 'q',
  version: 1,
  name: 'Names',
  verification: 'name',
  verifierId: null,
  onUnavailable: 'wait',
}

/** Who asks for approvals, for verifications, or for both; nothing was given yet. */
const ASKING = [
  { approvals: [{ policyId: 'p', version: 1, name: 'Two', count: 2, role: null }], verifications: [] },
  { approvals: [], verifications: [NAME_CHECK] },
  { approvals: [{ policyId: 'p', version: 1, name: 'Two', count: 2, role: null }], verifications: [NAME_CHECK] },
].map((asked) => ({
  judge: () => ({ ...FREE, ...asked }),
  roleOf: () => null,
  termsHash: () => 'hash',
  lackingVerifications: () =>
    asked.verifications.map((need) => ({ ...need, standing: 'not_started' as const, words: '', verificationId: null })),
}))

/** What is asked for with the issue, and what in place of a payment, where the policy is newer than the issue. */
const requested = ASKING.flatMap((rules) => {
  const [atIssue, atPay] = [draftContract(false, NEVER_AGAIN), draftContract(false, NEVER_AGAIN)]
  ask(atIssue, { verb: 'issue', id: atIssue.contract.id, preview: null }, rules)
  ask(atPay, { verb: 'issue', id: atPay.contract.id, preview: null })
  ask(atPay, { verb: 'pay', id: atPay.contract.id, preview: null, walletId: null }, rules)
  return [...atIssue.steps, ...atPay.steps]
})

/** What a rail executed and the books have forgotten, whatever they knew of the contract. */
const adopted = [draftContract(false, NEVER_AGAIN), paidContract(false)].flatMap((beginning) =>
  walkFrom([beginning]).states.flatMap((state) =>
    [1, 2, 3].flatMap((number) => {
      const one = copyOf(state)
      adopt(one, one.contract, orderOf(one.contract, number))
      return one.steps
    }),
  ),
)
const unknown = draftContract(false, NEVER_AGAIN)
adopt(unknown, null, orderOf(unknown.contract, 1))

/** Sent, given up by a rail that knows nothing of it, and due again when that has forgotten what it knew. */
const forgotten = paidContract(false)
forgotten.nowMs = forgotten.attempt?.dueAt ?? 0
ask(forgotten, { verb: 'submit', id: forgotten.contract.id, leaseMs: 1000, connector: RAIL })
giveUp(forgotten)
ask(forgotten, {
  verb: 'submit',
  id: forgotten.contract.id,
  leaseMs: 1000,
  connector: { ...RAIL, dedupeLifetimeMs: 0 },
})

const seen = new Set(
  [
    ...requested,
    ...adopted,
    ...unknown.steps,
    ...forgotten.steps,
    ...stepsFrom([
      draftContract(false, ONCE_MORE),
      draftContract(true, NEVER_AGAIN),
      draftContract(false, NEVER_AGAIN, 'free'),
      heldContract(),
      ...REFUNDS.map((payment) => givingBack(payment)),
    ]),
  ].map(factsOf),
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
