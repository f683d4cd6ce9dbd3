// Attempts that follow one another, by an account's setting, by command, and by an operator's word: there is one at a time,
// each with its own number, reference and hold, and the money leaves once, through the channel that is said to have it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TransferCommand } from '../../../src/domain/transfer/commands.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { TRANSFER_MOVES } from '../../../src/domain/transfer/move-table.ts'
import type { Attempt } from '../../../src/domain/transfer/transfer.ts'
import { factsOf, unlistedIn } from '../../rig/model/move-rows.ts'
import { ask, balanceOf, type OneContract, paidContract, spentMinor } from '../../rig/model/one-contract.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
const HOUR_MS = 3_600_000
const OPEN = ['submitting', 'accepted', 'unknown']

const wordOf = (kind: Outcome['kind']) => ({ kind, reason: 'r', code: 'c', message: 'm', providerId: null }) as Outcome

function reported(one: OneContract, kind: Outcome['kind'], changes: Partial<TransferCommand> = {}) {
  const { number, channelId } = one.attempt!
  const { id } = one.contract
  const command = { verb: 'report', id, number, channelId, fence: null, outcome: wordOf(kind), connector: CONNECTOR }
  return ask(one, { ...command, ...changes } as TransferCommand)
}

/** Sends what is queued and lets the rail refuse it for good, until nothing is queued any more; the channels that it went through. */
function failedEverywhere(one: OneContract): string[] {
  const through: string[] = []
  while (one.attempt!.status === 'queued') {
    one.nowMs = Math.max(one.nowMs, one.attempt!.dueAt!)
    ask(one, { verb: 'submit', id: one.contract.id, leaseMs: 1000, connector: CONNECTOR })
    through.push(one.attempt!.channelId)
    reported(one, 'failed')
  }
  return through
}

test.each<[retries: number, fallbackChannels: string[], through: string[]]>([
  [0, [], ['rail']],
  [2, [], ['rail', 'rail', 'rail']],
  [0, ['other'], ['rail', 'other']],
  [1, ['other', 'third'], ['rail', 'rail', 'other', 'other', 'third', 'third']],
  [0, ['rail', 'other'], ['rail', 'other']],
  [0, ['closed down', 'other'], ['rail', 'other']],
])(
  '%i retries and %j to fall back to: it goes through %j, and then comes back',
  (retries, fallbackChannels, through) => {
    const one = paidContract(true, { retries, fallbackChannels })
    expect(failedEverywhere(one)).toEqual(through)
    expect(one.contract).toMatchObject({ status: 'cancelled', heldMinor: 0n, execution: { number: through.length } })
    expect(spentMinor(one)).toBe(0n)
    expect(one.contract.activities.filter((line) => line.type === 'transfer_retried')).toHaveLength(through.length - 1)
    expect(one.events.filter((event) => event === 'contract.cancelled')).toHaveLength(1)
  },
)

test('what pays a payment of this gateway goes by no other channel: there it would pay an account instead', () => {
  const one = paidContract(true, { retries: 0, fallbackChannels: ['other'] })
  one.contract = { ...one.contract, pays: one.contract.id }
  expect(failedEverywhere(one)).toEqual(['rail'])
})

test('the same channel is left a minute of rest; another one is tried at once', () => {
  const one = paidContract(true, { retries: 1, fallbackChannels: ['other'] })
  const waits: number[] = []
  for (let number = 1; number <= 2; number += 1) {
    reported(one, 'failed')
    waits.push(one.attempt!.dueAt! - one.nowMs)
  }
  reported(one, 'failed')
  expect(one.attempt).toMatchObject({ channelId: 'other' })
  expect([waits[0], waits[1]]).toEqual([60_000, 0])
})

test('a cancellation that waits ends the tries: the payer wants the money back', () => {
  const one = paidContract(false, { retries: 5, fallbackChannels: ['other'] })
  reported(one, 'accepted')
  ask(one, { verb: 'cancel', id: one.contract.id, reason: null, actor: 'account' })
  reported(one, 'failed')
  expect(one.contract).toMatchObject({ status: 'cancelled', execution: { number: 1 } })
})

test('a late "delivered" of an attempt that had failed takes the place of one that has not left, or is kept for an operator', () => {
  const waiting = paidContract(false)
  const from = waiting.attempt!
  reported(waiting, 'failed')
  ask(waiting, { verb: 'retry', id: waiting.contract.id, channelId: 'other' })
  const sent = { ...waiting, balances: new Map(waiting.balances) }
  const late = { number: 1, channelId: 'rail' } as Partial<TransferCommand>

  expect(reported(waiting, 'delivered', { ...late, channelId: 'other' } as Partial<TransferCommand>)).toMatchObject({
    changed: false,
  })
  reported(waiting, 'delivered', late)
  expect(waiting.contract).toMatchObject({ status: 'completed', execution: { number: 1, reference: from.reference } })
  expect([balanceOf(waiting, 'clearing:rail'), balanceOf(waiting, 'clearing:other')]).toEqual([10_000n, 0n])

  sent.nowMs += HOUR_MS
  ask(sent, { verb: 'submit', id: sent.contract.id, leaseMs: 1000, connector: CONNECTOR })
  reported(sent, 'delivered', late)
  expect(sent.contract).toMatchObject({ status: 'paid', execution: { number: 2, status: 'submitting' } })
  expect(sent.contract.activities.at(-1)?.type).toBe('outcome_disputed')
})

test('nobody but the channel that has the attempt is heard about it', () => {
  const one = paidContract(true)
  reported(one, 'delivered', { channelId: 'other' } as Partial<TransferCommand>)
  expect(one.contract.status).toBe('paid')
})

test('attempts are counted with three digits, and there is none after the last', () => {
  const one = paidContract(false)
  reported(one, 'failed')
  one.attempt = { ...one.attempt!, number: 999 }
  one.contract = { ...one.contract, execution: { ...one.contract.execution, number: 999 } }
  expect(ask(one, { verb: 'retry', id: one.contract.id, channelId: null })).toMatchObject({
    code: 'transfer_not_failed',
  })
})

type Step =
  | { readonly kind: 'wait' | 'submit' | 'inquire' | 'cancel' | 'retry' }
  | { readonly kind: 'resolve'; readonly as: 'delivered' | 'failed' }
  | { readonly kind: 'word'; readonly word: Outcome['kind']; readonly about: number }

const words = ['accepted', 'delivered', 'failed', 'failed', 'failed', 'unknown', 'returned', 'not_sent'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc
      .constantFrom<Step['kind'][]>('wait', 'submit', 'inquire', 'cancel', 'retry', 'retry')
      .map((kind) => ({ kind }) as Step),
    weight: 4,
  },
  {
    arbitrary: fc.constantFrom('delivered' as const, 'failed' as const).map((as) => ({ kind: 'resolve', as }) as Step),
    weight: 1,
  },
  {
    arbitrary: fc
      .record({ word: fc.constantFrom(...words), about: fc.constantFrom(0, 0, 0, 1) })
      .map((said) => ({ kind: 'word', ...said }) as Step),
    weight: 4,
  },
)

/** The channel of each attempt so far, as the walk saw it begin. */
type Walk = { readonly one: OneContract; readonly channels: string[] }

type Before = Pick<OneContract, 'contract' | 'balances'> & { readonly attempt: Attempt }

function play({ one, channels }: Walk, next: Step): void {
  const before: Before = { contract: one.contract, attempt: one.attempt!, balances: new Map(one.balances) }
  const decision = decided(one, channels, next)
  const isRefused = decision !== null && isRefusal(decision)
  const isAsBefore = one.contract === before.contract && one.attempt === before.attempt
  expect(isRefused && !isAsBefore, 'a refusal changes nothing').toBe(false)
  const isResolved = next.kind === 'resolve' && !isRefused
  expect(isResolved && ![...OPEN, 'failed'].includes(before.attempt.status), before.attempt.status).toBe(false)
  if (one.attempt!.number !== before.attempt.number) followsFailure(one.attempt!, before, next, channels)
  moneyIsKept(one, channels)
  expect(one.contract.version - before.contract.version).toBe(one.contract === before.contract ? 0 : 1)
}

/** A new attempt is the next one, waits, and leaves nothing behind that may still move money. */
function followsFailure(attempt: Attempt, before: Before, next: Step, channels: string[]): void {
  const { number, status, fence, reference, contractId } = attempt
  const isLateWord = number < before.attempt.number
  // The word of an earlier attempt takes the place of one that has not left.
  const mayEnd = next.kind === 'retry' ? ['failed'] : isLateWord ? ['queued', 'failed'] : ['queued', ...OPEN]
  expect(mayEnd, `${next.kind} while ${before.attempt.status}`).toContain(before.attempt.status)
  const follows = isLateWord ? [before.attempt.number - 1, 'delivered'] : [before.attempt.number + 1, 'queued']
  expect([number, status]).toEqual(follows)
  expect(reference).toBe(`${contractId.replaceAll('-', '')}${String(number).padStart(3, '0')}`)
  expect(isLateWord || fence === 0).toBe(true)
  channels.splice(number - 1, 1, attempt.channelId)
}

function decided(one: OneContract, channels: readonly string[], next: Step) {
  const { id } = one.contract
  switch (next.kind) {
    case 'wait':
      one.nowMs += HOUR_MS
      return null
    case 'submit':
      return ask(one, { verb: 'submit', id, leaseMs: 1000, connector: CONNECTOR })
    case 'inquire':
      return ask(one, { verb: 'inquire', id, leaseMs: 1000, connector: CONNECTOR })
    case 'cancel':
      return ask(one, { verb: 'cancel', id, reason: null, actor: 'account' })
    case 'retry':
      return ask(one, { verb: 'retry', id, channelId: one.contract.version % 2 === 0 ? 'third' : null })
    case 'resolve':
      return ask(one, { verb: 'resolve', id, as: next.as, evidence: 'a letter', operator: 'Ana' })
    case 'word': {
      const number = Math.max(1, one.attempt!.number - next.about)
      return reported(one, next.word, { number, channelId: channels[number - 1]! } as Partial<TransferCommand>)
    }
  }
}

function moneyIsKept(one: OneContract, channels: readonly string[]): void {
  const { contract, attempt } = one
  const { debitMinor, feeMinor, heldMinor } = contract
  for (const account of ['available', 'held', 'in_transit']) expect(balanceOf(one, account)).toBeGreaterThanOrEqual(0n)
  expect(heldMinor).toBe(balanceOf(one, 'held') + balanceOf(one, 'in_transit'))
  const cleared = ['rail', 'other', 'third'].map((id) => balanceOf(one, `clearing:${id}`))
  const received = cleared.reduce((sum, each) => sum + each, 0n)
  expect(spentMinor(one)).toBe(heldMinor + received + balanceOf(one, 'fee_revenue'))
  // Never more than once, and never while it is held.
  expect([0n, debitMinor - feeMinor]).toContain(received)
  expect(received > 0n && heldMinor > 0n).toBe(false)
  if (contract.status === 'completed')
    expect(balanceOf(one, `clearing:${channels[attempt!.number - 1]}`)).toBe(received)
  expect(attempt!.status === 'accepted').toBe(balanceOf(one, 'in_transit') > 0n)
}

test('whatever is tried, resolved and said in whatever order, there is one attempt at a time and the money leaves once', () => {
  const decided = new Set<string>()
  const met = { retried: 0, fellBack: 0, resolved: 0, disputed: 0 }
  const settings = fc.record({
    retries: fc.constantFrom(0, 0, 1),
    fallbackChannels: fc.constantFrom<string[]>([], ['other']),
  })
  fc.assert(
    fc.property(fc.boolean(), settings, fc.array(step, { maxLength: 40, size: 'max' }), (atOnce, onFailure, steps) => {
      const walk: Walk = { one: paidContract(atOnce, onFailure), channels: ['rail'] }
      for (const next of steps) play(walk, next)
      for (const each of walk.one.steps) decided.add(factsOf(each))
      const { activities } = walk.one.contract
      const has = (type: string) => (activities.some((line) => line.type === type) ? 1 : 0)
      met.retried += has('transfer_retried')
      met.fellBack += walk.channels.includes('other') ? 1 : 0
      met.resolved += has('resolved')
      met.disputed += has('outcome_disputed')
    }),
    { numRuns: 1000 },
  )
  expect(Object.entries(met).filter(([, times]) => times < 20)).toEqual([])
  expect(unlistedIn(TRANSFER_MOVES, decided)).toEqual([])
})
