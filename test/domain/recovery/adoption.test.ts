// Every state that a transfer can come to, against every line that a provider can list about it in a recovery: each pair has one answer,
// the answers end, and none of them makes money leave, or gives back what the provider has.
import { expect, test } from 'vitest'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import {
  type Answer,
  answerTo,
  channelsLacking,
  type ListedOrder,
  sharerOf,
} from '../../../src/domain/recovery/compare.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { adopt, ask, balanceOf, draftContract, type OneContract } from '../../rig/model/one-contract.ts'
import { reportOf } from '../../rig/model/transfer-commands.ts'
import { copyOf, orderOf, walkFrom } from '../../rig/model/transfer-walk.ts'
import { RAIL } from '../../rig/model/rail.ts'

const NEVER_AGAIN = { retries: 0, fallbackChannels: [] }
const ONCE_MORE = { retries: 1, fallbackChannels: ['other'] }
const STATES = walkFrom([draftContract(true, NEVER_AGAIN), draftContract(false, ONCE_MORE)]).states

const LINES = (['accepted', 'sent', 'returned'] as const).flatMap((ended) =>
  [1, 2, 3].flatMap((number) => [
    ...[0n, 5n, null].map((offMinor) => ({ ended, number, channelId: 'rail', offMinor })),
    { ended, number, channelId: 'other', offMinor: 0n },
  ]),
)
type Line = (typeof LINES)[number]

function listed(contract: Transfer, { ended, number, channelId: other, offMinor }: Line): ListedOrder {
  const { amountMinor, channelId, currency } = orderOf(contract, number)
  return {
    reference: attemptReference(contract.id, number),
    contractId: contract.id,
    number,
    channelId: other === 'rail' ? channelId : other,
    ended,
    amountMinor: offMinor === null ? null : amountMinor + offMinor,
    currency,
  }
}

/** Does as a recovery does until it ends; the answers on the way. */
function recover(one: OneContract, order: ListedOrder, isKnown = true): Answer[] {
  const answers: Answer[] = []
  let contract = isKnown ? one.contract : null
  while (answers.length < 8) {
    const answer = answerTo(contract, order)
    answers.push(answer)
    const before = contract
    if (answer.kind === 'adopt') {
      const { contractId: id, number, channelId, amountMinor, currency } = order
      const money = { amountMinor: amountMinor ?? 0n, currency, channelId }
      const took = { verb: 'adopt', id, livemode: false, number, ...money, operator: 'ana', epoch: 2 } as const
      if (isRefusal(adopt(one, contract, { ...took, isKnown: answer.isKnown }))) return answers
    } else if (answer.kind === 'report') for (const kind of answer.outcomes) told(one, order, order.number, kind)
    else return answers
    contract = one.contract
    if (before && before.version === contract.version) return answers
  }
  throw new Error('it does not end')
}

function told(one: OneContract, { channelId }: ListedOrder, number: number, kind: Outcome['kind']): void {
  const outcome = { kind, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
  ask(one, { ...reportOf(one, 'unknown', null, number), channelId, outcome })
}

const PAIRS = STATES.flatMap((state) => LINES.map((line) => ({ state, line })))

test('the states are many and the pairs more', () => {
  expect(STATES.length).toBeGreaterThan(40)
  expect(new Set(STATES.map(({ contract }) => contract.status)).size).toBe(7)
})

/** The pairs about which something does not hold. */
const faultsOf = (check: (state: OneContract, line: Line) => readonly (readonly [fault: string, holds: boolean])[]) =>
  PAIRS.flatMap(({ state, line }) =>
    check(state, line)
      .filter(([, holds]) => !holds)
      .map(
        ([fault]) =>
          `${fault}: ${state.contract.status}, ${JSON.stringify({ ...line, offMinor: String(line.offMinor) })}`,
      ),
  )

test('each pair ends, and what ends as settled has its money where the provider has it', () => {
  const faults = faultsOf((state, line) => {
    const one = copyOf(state)
    const { kind } = recover(one, listed(one.contract, line)).at(-1) ?? { kind: null }
    const { status, heldMinor, execution } = one.contract
    const isSettled = kind === 'matched' && line.ended === 'sent'
    return [
      ['money was made', [...one.balances.values()].reduce((sum, each) => sum + each, 0n) === 1_000_000n],
      ['below nothing', balanceOf(one, 'available') >= 0n && balanceOf(one, 'held') >= 0n],
      ['not where it is', !isSettled || ['completed', 'returned', 'cancelled'].includes(status)],
      ['given back', !isSettled || status !== 'cancelled' || state.contract.completedAt !== null],
      ['no review', kind !== 'in_review' || (status === 'paid' && execution.status === 'unknown' && heldMinor > 0n)],
    ]
  })
  expect(faults).toEqual([])
})

test('what was adopted is due for nothing: no worker sends it, and no caller pays it again', () => {
  const faults = faultsOf((state, line) => {
    const one = copyOf(state)
    const isAdopted = recover(one, listed(one.contract, line)).some(({ kind }) => kind === 'adopt')
    if (!isAdopted || one.contract === state.contract) return []
    const before = one.contract
    one.nowMs += 3_600_000
    ask(one, { verb: 'submit', id: before.id, leaseMs: 1000, connector: RAIL })
    ask(one, { verb: 'pay', id: before.id, preview: null, walletId: null })
    return [['it moves again', one.contract === before && !['queued', 'submitting'].includes(before.execution.status)]]
  })
  expect(faults).toEqual([])
})

test('an order is adopted once, however often it is compared', () => {
  const faults = faultsOf((state, line) => {
    const one = copyOf(state)
    const order = listed(one.contract, line)
    recover(one, order)
    const { contract } = one
    recover(one, order)
    return [['it changed again', one.contract === contract]]
  })
  expect(faults).toEqual([])
})

test('an order of a contract that the books lost is in review with its hold, until it is resolved', () => {
  for (const as of ['delivered', 'failed'] as const) {
    const one = draftContract(false, ONCE_MORE)
    const order = listed(one.contract, { ended: 'sent', number: 1, channelId: 'rail', offMinor: 0n })
    expect(recover(one, order, false).map(({ kind }) => kind)).toEqual(['adopt', 'in_review'])
    expect([one.contract.status, balanceOf(one, 'held')]).toEqual(['paid', order.amountMinor])
    const resolved = { verb: 'resolve', id: one.contract.id, as, evidence: 'a letter', operator: 'ana' } as const
    ask(one, resolved)
    // Nobody knows to whom it was to go: it is not tried again.
    expect(one.contract.status).toBe(as === 'delivered' ? 'completed' : 'cancelled')
    expect(balanceOf(one, 'held')).toBe(0n)
  }
})

test('a channel keeps the recovery from its end until it was compared, or is left out by name', () => {
  const read = { readFrom: 0, readUntil: 1, matched: 0, words: '' }
  const compared = [
    { channelId: 'a', state: 'complete', ...read },
    { channelId: 'b', state: 'failed', ...read },
    { channelId: 'd', state: 'unlisted', ...read },
  ] as const
  const line = { reference: 'r', contractId: null, amountMinor: 1n, currency: 'PHP', words: '', at: 0 }
  const lacking = { channelId: 'd', kind: 'lacking', ...line } as const
  const of = (...without: string[]) =>
    channelsLacking(['a', 'b', 'c', 'd'], compared, [lacking], without).map(({ channelId }) => channelId)
  expect(of()).toEqual(['b', 'c', 'd'])
  expect(of('b', 'c', 'd')).toEqual([])
})

test('of channels that share a list, an order is compared with the one that it went through, or the first', () => {
  const { contract } = draftContract(true, ONCE_MORE)
  const own = contract.terms.channelId ?? ''
  const order = listed(contract, { ended: 'sent', number: 1, channelId: 'rail', offMinor: 0n })
  expect(sharerOf(['first', own], contract, order)).toBe(own)
  expect(sharerOf(['first', 'second'], contract, order)).toBe('first')
  expect(sharerOf(['first', own], null, order)).toBe('first')
})
