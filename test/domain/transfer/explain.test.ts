// What is said of a contract, in every shape that it can have: who must act, by when, where the money is, and that a
// cancel does what was said of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explain } from '../../../src/domain/contract/explain-transfer.ts'
import type { ReportTransfer } from '../../../src/domain/transfer/commands.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { ask, balanceOf, type OneContract, paidContract } from '../../rig/model/one-contract.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
type Step =
  | 'wait'
  | 'submit'
  | 'inquire'
  | 'cancel'
  | 'retry'
  | 'unasked'
  | 'callback: failed'
  | 'callback: failed, unaskable'
  | 'callback: returned'
  | 'answer: accepted'
  | 'answer: failed'
  | Outcome['kind']

function take(one: OneContract, step: Step): void {
  const { id } = one.contract
  switch (step) {
    case 'wait':
      one.nowMs += 3_600_000
      return
    case 'submit':
      return void ask(one, { verb: 'submit', id, leaseMs: 1000, connector: CONNECTOR })
    case 'inquire':
      return void ask(one, { verb: 'inquire', id, leaseMs: 1000, connector: CONNECTOR })
    case 'unasked':
      return void ask(one, { verb: 'inquire', id, leaseMs: 1000, connector: { ...CONNECTOR, inquiry: false } })
    case 'cancel':
      return void ask(one, { verb: 'cancel', id, reason: null, actor: 'account' })
    case 'retry':
      return void ask(one, { verb: 'retry', id, channelId: 'other' })
    case 'callback: failed':
      return said(one, 'failed', { basis: 'callback' })
    case 'callback: failed, unaskable':
      return said(one, 'failed', { basis: 'callback', connector: { ...CONNECTOR, inquiry: false } })
    case 'callback: returned':
      return said(one, 'returned', { basis: 'callback' })
    case 'answer: accepted':
      return said(one, 'accepted', { fence: one.attempt!.fence })
    case 'answer: failed':
      return said(one, 'failed', { fence: one.attempt!.fence })
    case 'not_sent':
    case 'accepted':
    case 'delivered':
    case 'failed':
    case 'returned':
    case 'unknown':
      return said(one, step)
  }
}

function said(one: OneContract, kind: Outcome['kind'], by: Partial<ReportTransfer> = {}): void {
  const outcome = { kind, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
  const { number, channelId } = one.attempt!
  const { id } = one.contract
  ask(one, { verb: 'report', id, number, channelId, fence: null, outcome, connector: CONNECTOR, ...by })
}

function led(road: readonly Step[], refundsAtOnce: 'at once' | 'by hand' = 'by hand'): OneContract {
  const one = paidContract(refundsAtOnce === 'at once')
  for (const step of road) take(one, step)
  return one
}

const explained = ({ contract, attempt }: OneContract) => explain(contract, attempt, 'flowing')

test.each<[road: readonly Step[], waitsFor: string, happensByItself: 'yes' | 'no', said: RegExp, cancelNow: RegExp]>([
  [[], 'gateway', 'yes', /has not left/, /^refunds all of it, the fee included$/],
  [['wait', 'submit'], 'gateway', 'yes', /being told at this moment/, /recall where it can/],
  [['wait', 'submit', 'accepted'], 'channel', 'yes', /has accepted it/, /recall where it can/],
  [['wait', 'submit', 'accepted', 'cancel'], 'channel', 'yes', /cancellation waits/, /^changes nothing/],
  [['wait', 'submit', 'unknown'], 'channel', 'yes', /Nobody knows yet/, /never both/],
  [['wait', 'submit', 'wait', 'unasked'], 'operator', 'no', /Nobody knows yet/, /never both/],
  [['wait', 'submit', 'failed'], 'caller', 'no', /refused it for good/, /a retry sends it again/],
  [['wait', 'submit', 'failed', 'retry'], 'gateway', 'yes', /has not left/, /^refunds all/],
  [['wait', 'submit', 'delivered'], 'nobody', 'no', /^The money has arrived\.$/, /^is refused/],
  [['wait', 'submit', 'delivered', 'failed'], 'operator', 'no', /has contradicted/, /^is refused/],
  [['wait', 'submit', 'delivered', 'returned'], 'caller', 'no', /sent back/, /the fee stays earned/],
  [
    ['wait', 'submit', 'unknown', 'callback: failed'],
    'channel',
    'yes',
    /A callback says .* \(c\); .* asked/,
    /never both/,
  ],
  [
    ['wait', 'submit', 'wait', 'unasked', 'callback: failed, unaskable'],
    'operator',
    'no',
    /A callback says .* cannot be asked/,
    /never both/,
  ],
  [
    ['wait', 'submit', 'accepted', 'callback: failed', 'answer: accepted'],
    'operator',
    'yes',
    /has accepted it.*otherwise/,
    /recall where it can/,
  ],
  [
    ['wait', 'submit', 'accepted', 'callback: failed', 'answer: accepted', 'answer: failed'],
    'caller',
    'no',
    /^The channel refused it for good[^:]*$/,
    /a retry sends it again/,
  ],
  [
    ['wait', 'submit', 'unknown', 'callback: failed', 'delivered'],
    'operator',
    'no',
    /arrived\. A signed/,
    /^is refused/,
  ],
  [['wait', 'submit', 'delivered', 'callback: returned'], 'nobody', 'no', /^The money has arrived\.$/, /^is refused/],
  [['cancel'], 'nobody', 'no', /^Cancelled, and refunded/, /^changes nothing/],
  [['cancel', 'delivered'], 'operator', 'no', /refunded[^.]*\. The channel has contradicted/, /^changes nothing/],
])('after %j it waits for the %s', (road, waitsFor, happensByItself, said, cancelNow) => {
  const { summary, waitsFor: who, byMs, cancelNow: cancel } = explained(led(road))
  expect([who, byMs === null ? 'no' : 'yes']).toEqual([waitsFor, happensByItself])
  expect(summary).toMatch(said)
  expect(cancel).toMatch(cancelNow)
})

test('a channel that is frozen keeps only what has not left, and only the operator can let it go', () => {
  const { contract, attempt } = led([])
  expect(explain(contract, attempt, 'frozen')).toMatchObject({ waitsFor: 'operator', byMs: null })
  const sent = led(['wait', 'submit', 'accepted'])
  expect(explain(sent.contract, sent.attempt, 'frozen')).toEqual(explained(sent))
})

test('what comes back and is refunded by itself waits for the gateway, and says when', () => {
  const one = led(['wait', 'submit', 'delivered', 'returned'], 'at once')
  expect(explained(one)).toMatchObject({ waitsFor: 'gateway', byMs: one.nowMs })
})

test('drafts and issued contracts wait for their caller until they expire, and bind nothing', () => {
  const { contract } = led([])
  for (const status of ['draft', 'issued'] as const) {
    const unpaid = { ...contract, status, paidAt: null, heldMinor: 0n }
    expect(explain(unpaid, null, 'flowing')).toMatchObject({ waitsFor: 'caller', byMs: contract.expiresAt, places: [] })
  }
  const expired = { ...contract, status: 'expired' as const, heldMinor: 0n }
  expect(explain(expired, null, 'flowing')).toMatchObject({ waitsFor: 'nobody', byMs: null, places: [] })
})

test('an issued contract that policies hold says which, how many of how many, and who may', () => {
  const { contract } = led([])
  const need = { policyId: 'p', version: 1, name: 'Two approvers', count: 2, role: 'approver' } as const
  const approval = { memberId: 'm', name: 'Ana', role: 'approver', at: 0, termsHash: 'h' } as const
  // Who approved twice is one member; another role is none of those who are asked.
  const given = [approval, approval, { ...approval, memberId: 'n', role: 'owner' } as const]
  const requirements = { askedAt: 0, approvals: [need], verifications: [], given }
  const { summary } = explain({ ...contract, status: 'issued', requirements }, null, 'flowing')
  expect(summary).toContain('“Two approvers” asks for 2 different members of the role approver, and 1 approved.')
})

const STEPS: readonly Step[] = [
  'wait',
  'wait',
  'submit',
  'submit',
  'inquire',
  'cancel',
  'retry',
  'accepted',
  'delivered',
  'failed',
  'unknown',
  'returned',
  'not_sent',
  'callback: failed',
  'callback: returned',
  'answer: accepted',
]

test('whatever has happened, the places named are the places of the books, and a cancel does what was said', () => {
  const met = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 14 }), fc.boolean(), (road, atOnce) => {
      const one = led(road, atOnce ? 'at once' : 'by hand')
      const { places, cancelNow } = explained(one)
      const { contract } = one
      met.set(contract.status, (met.get(contract.status) ?? 0) + 1)
      expect(places.reduce((sum, place) => sum + place.amountMinor, 0n)).toBe(contract.debitMinor)
      for (const { account, amountMinor } of places) {
        const inBooks = account === 'recipient' ? clearedMinor(one) : balanceOf(one, account)
        // What is available is not only this contract's.
        expect(account === 'available' ? amountMinor : inBooks, account).toBe(amountMinor)
      }
      cancelDoes(one, cancelNow)
    }),
    { numRuns: 1500 },
  )
  expect(['paid', 'completed', 'returned', 'cancelled'].filter((status) => (met.get(status) ?? 0) < 20)).toEqual([])
})

const clearedMinor = (one: OneContract) =>
  ['rail', 'other'].reduce((sum, id) => sum + balanceOf(one, `clearing:${id}`), 0n)

/** Cancels for real and compares with the words. */
function cancelDoes(one: OneContract, cancelNow: string): void {
  const before = { contract: one.contract, available: balanceOf(one, 'available') }
  const decision = ask(one, { verb: 'cancel', id: one.contract.id, reason: null, actor: 'account' })
  const came = balanceOf(one, 'available') - before.available
  const { debitMinor, feeMinor } = before.contract
  const refusedNow = isRefusal(decision) || decision.answer !== null
  expect(refusedNow).toBe(cancelNow.startsWith('is refused'))
  const said = (words: string) => cancelNow.startsWith(words)
  const promised = said('refunds all of it') ? debitMinor : said('refunds what came back') ? debitMinor - feeMinor : 0n
  expect(came).toBe(promised)
  expect(said('changes nothing') && one.contract !== before.contract).toBe(false)
  expect(said('asks the channel') && one.contract.cancellation?.status !== 'pending').toBe(false)
}
