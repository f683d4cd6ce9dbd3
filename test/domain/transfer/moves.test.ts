// The table of moves against the code that decides: every status with every verb, in every shape that a contract of that
// status can have. Whatever is decided is on the table, whatever is off it changes nothing, and nothing throws.
import type { TransferVerb } from '../../../src/domain/transfer/commands.ts'
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/contract/decision.ts'
import { EVENT_TYPES, TRANSFER_STATUSES, type TransferStatus } from '../../../src/domain/transfer/moves.ts'
import { TRANSFER_MOVES, targetsOf } from '../../../src/domain/transfer/move-table.ts'
import { PAYMENT_MOVES } from '../../../src/domain/payment/move-table.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { ask, balanceOf, type OneContract, paidContract } from '../../rig/model/one-contract.ts'
import { factsOf, unlistedIn } from '../../rig/model/move-rows.ts'
import {
  byCallback,
  commandsOf,
  RAIL_RESULTS,
  type RailResult,
  reportOf,
  TRANSFER_VERBS,
} from '../../rig/model/transfer-commands.ts'

const HOUR_MS = 3_600_000

type Verbs = readonly (TransferVerb | RailResult | 'wait' | 'returned by callback')[]

/** Roads to every status, and to every shape of one. A word of the rail stands for its report. */
const ROADS: Readonly<Record<TransferStatus, readonly (readonly [shape: string, Verbs])[]>> = {
  draft: [['draft', []]],
  issued: [['issued', []]],
  expired: [['expired', []]],
  paid: [
    ['queued', []],
    ['queued and due', ['wait']],
    ['submitting', ['wait', 'submit']],
    ['unknown', ['wait', 'submit', 'unknown']],
    ['accepted', ['wait', 'submit', 'accepted']],
    ['sent back to the queue', ['wait', 'submit', 'not_sent']],
    ['cancel pending in mid-call', ['wait', 'submit', 'cancel']],
    ['cancel pending at the rail', ['wait', 'submit', 'accepted', 'cancel']],
    ['failed', ['wait', 'submit', 'failed']],
    ['tried again', ['wait', 'submit', 'failed', 'retry']],
    ['sent again', ['wait', 'submit', 'failed', 'retry', 'wait', 'submit']],
  ],
  completed: [
    ['at once', ['wait', 'submit', 'delivered']],
    ['after accepted', ['wait', 'submit', 'accepted', 'delivered']],
    ['after a refused cancel', ['wait', 'submit', 'delivered', 'cancel']],
    ['said to have come back', ['wait', 'submit', 'delivered', 'returned by callback']],
    ['at the second try', ['wait', 'submit', 'failed', 'retry', 'wait', 'submit', 'delivered']],
  ],
  returned: [['bounced', ['wait', 'submit', 'delivered', 'returned']]],
  cancelled: [
    ['before it was sent', ['cancel']],
    ['after it failed', ['wait', 'submit', 'failed', 'cancel']],
    ['after it bounced', ['wait', 'submit', 'delivered', 'returned', 'cancel']],
  ],
}

/** A contract of the status, by the road. Drafts and issued ones have not been paid, so they are wound back. */
function contractOf(status: TransferStatus, road: Verbs, refundsAtOnce: boolean): OneContract {
  const one = paidContract(refundsAtOnce)
  if (status === 'draft' || status === 'issued' || status === 'expired') {
    const issuedAt = status === 'draft' ? null : one.contract.issuedAt
    one.contract = { ...one.contract, status, issuedAt, paidAt: null, walletId: null, heldMinor: 0n }
    one.attempt = null
    return one
  }
  for (const step of road) {
    if (step === 'wait') one.nowMs += HOUR_MS
    else if (step === 'returned by callback') ask(one, byCallback(reportOf(one, 'returned', null)))
    else if ((RAIL_RESULTS as readonly string[]).includes(step)) ask(one, reportOf(one, step as RailResult, null))
    else for (const command of commandsOf(step as TransferVerb, one).slice(0, 1)) ask(one, command)
  }
  return one
}

const CASES = TRANSFER_STATUSES.flatMap((status) =>
  ROADS[status].flatMap(([shape, road]) =>
    [true, false].flatMap((refundsAtOnce) => {
      // Where the account refunds at once, failure does not last and is another status's road.
      const lasts = contractOf(status, road, refundsAtOnce).contract.status === status
      return lasts
        ? TRANSFER_VERBS.map(
            (verb) => [status, shape, refundsAtOnce ? 'refunds at once' : 'refunds by hand', verb, road] as const,
          )
        : []
    }),
  ),
)

test('every status and every shape of one is reached', () => {
  const reached = new Set(CASES.map(([status, shape]) => `${status} ${shape}`))
  const wanted = TRANSFER_STATUSES.flatMap((status) => ROADS[status].map(([shape]) => `${status} ${shape}`))
  expect([...reached].toSorted()).toEqual(wanted.toSorted())
})

const seen = new Set<string>()

describe.each(CASES)('%s, %s, %s: %s', (status, _shape, refunds, verb, road) => {
  const targets = targetsOf(status, verb)

  test('does what the table says, or nothing', () => {
    const fresh = () => contractOf(status, road, refunds === 'refunds at once')
    for (const wait of [0, 400 * HOUR_MS])
      for (const [i] of commandsOf(verb, fresh()).entries()) {
        const one = fresh()
        one.nowMs += wait
        const before = one.contract
        const decision = ask(one, commandsOf(verb, one)[i]!)
        const changed = isRefusal(decision) || !decision.changed ? null : decision
        for (const step of one.steps) seen.add(factsOf(step))
        expect(faultsOf(before, one.contract, changed)).toEqual([])
        expect(targets.length > 0 || changed === null).toBe(true)
        expect(balanceOf(one, 'available')).toBeGreaterThanOrEqual(0n)
        expect([...one.balances.values()].reduce((sum, each) => sum + each, 0n)).toBe(1_000_000n)
      }
  })
})

test('every decision is one row of the table', () => {
  expect(unlistedIn(TRANSFER_MOVES, seen)).toEqual([])
})

/** What there is against the next version of a contract, or against any where nothing was changed. */
function faultsOf(before: Transfer, now: Transfer, changed: Decision | null): string[] {
  if (changed === null) return now === before ? [] : ['changed without a change']
  const { after, event } = changed
  const rules: [string, boolean][] = [
    ['a version was left out', after.version === before.version + 1],
    ['a sequence was left out', after.sequence === before.sequence + (event ? 1 : 0)],
    ['history was rewritten', before.activities.every((line, i) => after.activities[i] === line)],
  ]
  return rules.filter(([, holds]) => !holds).map(([fault]) => fault)
}

test.each(RAIL_RESULTS.filter((word) => word !== 'delivered'))(
  'after a definite failure the word %s moves neither status nor money',
  (word) => {
    const one = contractOf('paid', ['wait', 'submit', 'failed'], false)
    const [before, balances] = [one.contract, new Map(one.balances)]
    for (const fence of [null, one.attempt!.fence]) ask(one, reportOf(one, word, fence))
    expect([one.contract.status, one.contract.heldMinor]).toEqual([before.status, before.heldMinor])
    expect(one.balances).toEqual(balances)
  },
)

describe('a rail that takes its definite failure back', () => {
  const failed: Verbs = ['wait', 'submit', 'failed']
  const clearing = (one: OneContract) => balanceOf(one, 'clearing:rail')

  test('while the money still waits: it went, and counts as gone', () => {
    const one = contractOf('paid', failed, false)
    ask(one, reportOf(one, 'delivered', null))
    expect([one.contract.status, one.contract.heldMinor]).toEqual(['completed', 0n])
    expect(clearing(one)).toBe(one.contract.debitMinor - one.contract.feeMinor)
  })

  test('while the next attempt has not left: that one never will', () => {
    const one = contractOf('paid', [...failed, 'retry'], false)
    ask(one, reportOf(one, 'delivered', null, 1))
    expect([one.contract.status, one.attempt?.status, one.attempt?.number]).toEqual(['completed', 'delivered', 1])
    expect(one.contract.execution).toMatchObject({ number: 1, reference: one.attempt?.reference })
    expect(clearing(one)).toBe(one.contract.debitMinor - one.contract.feeMinor)
  })

  test.each([
    ['is on its way', 'paid', [...failed, 'retry', 'wait', 'submit']],
    ['is delivered', 'completed', [...failed, 'retry', 'wait', 'submit', 'delivered']],
    ['was refunded', 'cancelled', [...failed, 'cancel']],
  ] as const)('while the money of another %s: no money moves, and an operator is told once', (_, status, road) => {
    const one = contractOf(status, road, false)
    const balances = new Map(one.balances)
    const number = road.includes('retry' as never) ? 1 : one.attempt!.number
    for (let i = 0; i < 3; i++) ask(one, reportOf(one, 'delivered', null, number))
    expect(one.balances).toEqual(balances)
    expect(one.contract.activities.filter((line) => line.type === 'outcome_disputed')).toHaveLength(1)
  })
})

describe('the table itself', () => {
  test('ends somewhere: a cancelled and an expired contract move no more, but where a recovery finds that a rail has its money', () => {
    for (const status of ['cancelled', 'expired'] as const)
      for (const { verb, to } of TRANSFER_MOVES.filter(({ from }) => from === status))
        expect(to).toBe(verb === 'adopt' ? 'paid' : status)
  })

  test('names, with that of payment contracts, every event there is', () => {
    const named = [...TRANSFER_MOVES, ...PAYMENT_MOVES].map(({ event }) => event)
    const events = new Set(named.filter((event) => event !== null))
    expect([...events].toSorted()).toEqual([...EVENT_TYPES].toSorted())
  })
})
