// A worker that was frozen in its call comes back when others have decided without it: what proves that money went is never lost, and
// nothing is sent again once its channel may have forgotten that it had it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConnectorFacts } from '../../../src/domain/transfer/commands.ts'
import type { Absence, Outcome } from '../../../src/domain/channel/outcome.ts'
import { ask, type OneContract, paidContract } from '../../rig/model/one-contract.ts'
import { giveUp, RAIL } from '../../rig/model/rail.ts'

const LEASE_MS = 15_000
const DAY_MS = 86_400_000

function submit(one: OneContract, connector: ConnectorFacts): number {
  one.nowMs = Math.max(one.nowMs, one.attempt?.dueAt ?? 0)
  ask(one, { verb: 'submit', id: one.contract.id, leaseMs: LEASE_MS, connector })
  return one.attempt?.fence ?? 0
}

function report(one: OneContract, fence: number | null, outcome: Outcome | Absence, connector = RAIL): void {
  const { number, channelId } = one.attempt!
  ask(one, { verb: 'report', id: one.contract.id, number, channelId, fence, outcome, connector })
}

const DELIVERED: Outcome = { kind: 'delivered', providerId: null }
const ACCEPTED: Outcome = { kind: 'accepted', providerId: null }
const attemptOf = ({ attempt }: OneContract) => attempt!
const typesOf = (one: OneContract) => one.contract.activities.map(({ type }) => type)

describe('the call of a lease that is over', () => {
  test.each([
    ['delivered', DELIVERED],
    ['accepted', ACCEPTED],
  ])('%s after the refund is an operator’s to look at', (_, outcome) => {
    const one = paidContract(false)
    const frozen = submit(one, RAIL)
    ask(one, { verb: 'cancel', id: one.contract.id, reason: null, actor: 'account' })
    giveUp(one)
    expect(one.contract.status).toBe('cancelled')
    report(one, frozen, outcome)
    expect(one.contract.status).toBe('cancelled')
    expect(typesOf(one).at(-1)).toBe('outcome_disputed')
  })

  test('delivered before it goes again ends it: it is not sent a second time', () => {
    const one = paidContract(false)
    const frozen = submit(one, RAIL)
    giveUp(one)
    expect(one.attempt?.status).toBe('queued')
    report(one, frozen, DELIVERED)
    expect(one.contract.status).toBe('completed')
    expect(submit(one, RAIL)).toBe(one.attempt?.fence)
    expect(one.attempt).toMatchObject({ status: 'delivered', dueAt: null })
  })

  test('what came back is left to whoever asks now: that it had gone is no news without it', () => {
    const one = paidContract(false)
    const frozen = submit(one, RAIL)
    giveUp(one)
    const { number, channelId } = attemptOf(one)
    const of = { verb: 'report', id: one.contract.id, number, channelId, fence: frozen, connector: RAIL } as const
    ask(one, { ...of, outcome: DELIVERED, basis: 'return' })
    ask(one, { ...of, outcome: { kind: 'returned', code: 'bounced', message: 'Came back.' } })
    expect(attemptOf(one).status).toBe('queued')
  })

  test.each<[string, Outcome | Absence]>([
    ['a failure', { kind: 'failed', code: 'invalid_account', message: 'No.' }],
    ['nothing sent', { kind: 'not_sent', reason: 'late' }],
    ['nothing found', { kind: 'not_found' }],
    ['doubt', { kind: 'unknown', reason: 'timeout' }],
  ])('%s changes nothing', (_, outcome) => {
    const one = paidContract(false)
    const frozen = submit(one, RAIL)
    one.nowMs = one.attempt?.dueAt ?? 0
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector: RAIL })
    const before = { contract: one.contract, attempt: one.attempt }
    report(one, frozen, outcome)
    expect({ contract: one.contract, attempt: one.attempt }).toEqual(before)
  })
})

test('a look that whoever stood still never made is made soon, however many came before it, and proves no absence', () => {
  const one = paidContract(false)
  submit(one, RAIL)
  report(one, attemptOf(one).fence, { kind: 'unknown', reason: 'timeout' }, RAIL)
  const look = (outcome: Outcome | Absence) => {
    one.nowMs = Math.max(one.nowMs + 1, attemptOf(one).dueAt ?? 0)
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector: RAIL })
    report(one, attemptOf(one).fence, outcome, RAIL)
  }
  for (let looks = 0; looks < 8; looks += 1) look({ kind: 'unknown', reason: 'timeout' })
  const { tries } = attemptOf(one)
  look({ kind: 'not_found' })
  look({ kind: 'not_sent', reason: 'the process stood still until the lease was too old for a call' })
  expect(attemptOf(one)).toMatchObject({ status: 'unknown', tries: tries + 1, absentSince: null })
  expect((attemptOf(one).dueAt ?? 0) - one.nowMs).toBeLessThanOrEqual(5_000)
})

type Round = { readonly waitMs: number; readonly isUnsent: boolean }

/** Each time between the first call and the end of the lease of a later one, of an attempt that is sent, lost and kept waiting. */
function spansOf(rounds: readonly Round[], connector: ConnectorFacts): number[] {
  const one = paidContract(false)
  const spans: number[] = []
  let sentAtMs: number | null = null
  for (const { waitMs, isUnsent } of rounds) {
    one.nowMs += waitMs
    submit(one, connector)
    const { status, fence, dueAt } = attemptOf(one)
    if (status !== 'submitting') return spans
    if (sentAtMs !== null) spans.push((dueAt ?? 0) - sentAtMs)
    if (!isUnsent) sentAtMs ??= one.nowMs
    report(one, fence, isUnsent ? { kind: 'not_sent', reason: 'no room' } : { kind: 'unknown', reason: '' }, connector)
    for (let looks = 0; looks < 8 && attemptOf(one).status === 'unknown'; looks += 1) {
      one.nowMs = Math.max(one.nowMs + 1, attemptOf(one).dueAt ?? 0)
      ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector })
      report(one, attemptOf(one).fence, { kind: 'not_found' }, connector)
    }
  }
  return spans
}

test('however it is sent, lost and kept waiting, no call is made once its channel may have forgotten the first', () => {
  const round = fc.record({ waitMs: fc.integer({ min: 0, max: DAY_MS }), isUnsent: fc.boolean() })
  let calls = 0
  fc.assert(
    fc.property(
      fc.integer({ min: LEASE_MS + 1, max: 2 * DAY_MS }),
      fc.array(round, { maxLength: 12 }),
      (dedupeLifetimeMs, rounds) => {
        const spans = spansOf(rounds, { ...RAIL, dedupeLifetimeMs })
        calls += spans.length
        expect(spans.filter((spanMs) => spanMs >= dedupeLifetimeMs)).toEqual([])
      },
    ),
  )
  expect(calls).toBeGreaterThan(0)
})

test('what waited longer than its channel remembers is asked about, and by nobody sent', () => {
  const one = paidContract(false)
  const connector = { ...RAIL, dedupeLifetimeMs: DAY_MS }
  submit(one, connector)
  giveUp(one, connector)
  one.nowMs += 30 * DAY_MS
  submit(one, connector)
  expect(attemptOf(one)).toMatchObject({ status: 'unknown' })
  expect(one.contract.execution.status).toBe('unknown')
})

test('a rail that was silent about money that came back has denied nothing: its first denial is not its last', () => {
  const one = paidContract(false)
  report(one, submit(one, RAIL), DELIVERED)
  const { number, channelId } = attemptOf(one)
  const callback = { verb: 'report', id: one.contract.id, number, channelId, fence: null, connector: RAIL } as const
  ask(one, { ...callback, outcome: { kind: 'returned', code: 'bounced', message: 'Came back.' }, basis: 'callback' })
  const look = (outcome: Outcome | Absence) => {
    one.nowMs = Math.max(one.nowMs + 1, attemptOf(one).dueAt ?? 0)
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector: RAIL })
    report(one, attemptOf(one).fence, outcome, RAIL)
  }
  for (let looks = 0; looks < 100; looks += 1) look({ kind: 'unknown', reason: 'timeout' })
  look(DELIVERED)
  expect(attemptOf(one).dueAt).not.toBeNull()
  expect((attemptOf(one).dueAt ?? 0) - one.nowMs).toBeLessThanOrEqual(60_000)
  for (let looks = 0; looks < 200 && attemptOf(one).dueAt !== null; looks += 1) look(DELIVERED)
  expect(attemptOf(one).dueAt).toBeNull()
})

test('a rail that was silent about an order that it works on is asked again within minutes of its answer, not an hour later', () => {
  const one = paidContract(false)
  report(one, submit(one, RAIL), ACCEPTED)
  const look = (outcome: Outcome) => {
    one.nowMs = Math.max(one.nowMs + 1, attemptOf(one).dueAt ?? 0)
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector: RAIL })
    report(one, attemptOf(one).fence, outcome, RAIL)
    return (attemptOf(one).dueAt ?? 0) - one.nowMs
  }
  for (let looks = 0; looks < 20; looks += 1) look({ kind: 'unknown', reason: 'timeout' })
  expect(look(ACCEPTED)).toBe(300_000)
  // What answers counted stays counted: one look without an answer does not begin the ladder anew.
  const waits = [ACCEPTED, ACCEPTED, ACCEPTED].map(look)
  expect(waits).toEqual([900_000, 3_600_000, 3_600_000])
  expect([look({ kind: 'unknown', reason: 'timeout' }), look(ACCEPTED)]).toEqual([60_000, 3_600_000])
})
