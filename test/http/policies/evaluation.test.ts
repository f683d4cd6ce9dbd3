// Policies tried on transfers: the verdict and its trace, whose contracts may be tried, and that a payment then meets the same.
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Evaluation } from '../../../src/wire/policies/evaluation.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import { type Caller, openWorld, READY } from '../../world.ts'
import { LARGE, policiesOf, told } from './policy-stage.ts'

type Verdict = Wire<typeof Evaluation>

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = policiesOf(caller)
const draftOf = (amount: number) => ({ ...READY, amount, currency: 'PHP' })

async function tried(body: object, id?: string): Promise<Verdict> {
  const { data } = await mine.done('POST', id === undefined ? '/policies/evaluate' : `/policies/${id}/evaluate`, body)
  return data['evaluation'] as Verdict
}

beforeEach(async () => {
  const { data } = await mine.done('GET', '/policies?status=active&limit=100')
  for (const { id } of data['policies'] as { id: string }[]) await mine.archive(id)
})

describe('a trial', () => {
  test('says what each condition met, and why it is denied', async () => {
    const { id } = await mine.make({ ...LARGE, when: [...LARGE.when, { field: 'weekday', values: [1] }] })
    // A Monday, and the Tuesday after it, in UTC.
    const monday = await tried({ draft: draftOf(2_000), at: '2026-11-02T04:00:00Z' }, id)
    expect(monday).toMatchObject({
      decision: 'denied',
      words: 'Too much at once.',
      denied_by: { id, name: LARGE.name, version: 1 },
    })
    expect(monday.traces[0]?.conditions.map(({ words, met, value }) => [words, met, value])).toEqual([
      ['above PHP 1,000.00', true, 'PHP 2,000.00'],
      ['on Monday', true, 'Monday'],
    ])
    const tuesday = await tried({ draft: draftOf(2_000), at: '2026-11-03T04:00:00Z' }, id)
    expect([tuesday.decision, tuesday.traces[0]?.applies]).toEqual(['allowed', false])
  })

  test('of one that is not saved, or is paused, judges as if it were active', async () => {
    expect(await tried({ policy: LARGE, draft: draftOf(2_000) })).toMatchObject({
      decision: 'denied',
      denied_by: { id: null, name: LARGE.name, version: null },
    })
    const { id } = await mine.make({ ...LARGE, status: 'paused' })
    expect((await tried({ draft: draftOf(2_000) }, id)).decision).toBe('denied')
    expect((await tried({ draft: draftOf(2_000) })).decision).toBe('allowed')
  })

  test('names its faults by their place', async () => {
    const ask = async (body: object) => told(await caller.ask('POST', '/policies/evaluate', { body }))
    expect(await ask({})).toEqual([400, 'missing_draft', 'draft'])
    expect(await ask({ draft: { amount: 5, currency: 'XXX' } })).toEqual([400, 'invalid_currency', 'draft.currency'])
    expect(await ask({ policy: { ...LARGE, when: [{ field: 'amount' }] }, draft: draftOf(1) })).toEqual([
      400,
      'missing_when_op',
      'policy.when.0.op',
    ])
    const theirs = await other.draft()
    expect(await ask({ contract_id: theirs.id })).toEqual([404, 'contract_not_found', 'contract_id'])
    const [wallet] = (await other.ask('GET', '/wallets')).data['wallets'] as { id: string }[]
    expect(await ask({ draft: draftOf(1), source: wallet?.id })).toEqual([404, 'wallet_not_found', 'source'])
    const weak = await world.withKey(caller, { scopes: ['policies:read'] })
    const own = await caller.draft()
    const asked = await weak.ask('POST', '/policies/evaluate', { body: { contract_id: own.id } })
    expect(told(asked)).toEqual([403, 'scope_missing', null])
  })

  test('adds requirements up, and takes the longest delay', async () => {
    await mine.make({ name: 'Two', then: { kind: 'approvals', count: 2, role: 'approver' } })
    await mine.make({ name: 'One', then: { kind: 'approvals', count: 1 } })
    await mine.make({ name: 'Hour', then: { kind: 'delay', seconds: 3_600 } })
    await mine.make({ name: 'Minute', then: { kind: 'delay', seconds: 60 } })
    const verdict = await tried({ draft: draftOf(5) })
    expect(verdict.decision).toBe('needs')
    expect(verdict.approvals.map(({ policy, count, given, role }) => [policy?.name, count, given, role])).toEqual([
      ['Two', 2, 0, 'approver'],
      ['One', 1, 0, null],
    ])
    expect(verdict.delay_seconds).toBe(3_600)
  })
})

const amount = fc.constantFrom(10, 50, 100)
const condition = fc.oneof(
  fc.record({
    field: fc.constant('amount'),
    op: fc.constantFrom('above', 'at_least', 'below', 'at_most'),
    value: amount,
    currency: fc.constantFrom('PHP', 'USD'),
  }),
  fc.record({
    field: fc.constant('sum'),
    by: fc.constantFrom('account', 'recipient', 'key', 'wallet'),
    window: fc.constantFrom('hour', 'day', '30_days'),
    op: fc.constant('above'),
    value: fc.constantFrom(60, 200),
    currency: fc.constant('PHP'),
  }),
  fc.record({
    field: fc.constant('count'),
    by: fc.constantFrom('account', 'recipient'),
    window: fc.constantFrom('hour', 'day'),
    op: fc.constant('above'),
    value: fc.nat(3),
  }),
  fc.record({ field: fc.constant('recipient.new'), within_days: fc.constant(1) }),
  fc.record({ field: fc.constant('channel'), op: fc.constantFrom('in', 'not_in'), values: fc.constant(['sandbox']) }),
)
const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'deny', words: 'No.' }) },
  fc.constant({ kind: 'allow' }),
  fc.constant({ kind: 'approvals', count: 1, role: null }),
)
const policy = fc.record({
  name: fc.constant('P'),
  priority: fc.nat(3),
  when: fc.array(condition, { maxLength: 2 }),
  then: outcome,
})

const CODES = { allowed: undefined, denied: 'policy_denied', needs: 'approval_required' } as const

/** What a payment is told of what the trial said a moment before. */
async function paysAsTried(payer: Caller, value: number): Promise<void> {
  const { id } = await payer.issued({ amount: value, currency: 'PHP' })
  const { decision } = await tried({ contract_id: id })
  const reply = await payer.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
  expect(reply.status === 200 ? undefined : reply.error.code).toBe(CODES[decision])
}

test('a payment meets what a trial said of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(policy, { minLength: 1, maxLength: 3 }),
      fc.array(amount, { minLength: 1, maxLength: 3 }),
      async (policies, values) => {
        const ids: string[] = []
        for (const each of policies) ids.push((await mine.make(each)).id)
        for (const value of values) await paysAsTried(caller, value)
        for (const id of ids) await mine.archive(id)
      },
    ),
    { numRuns: 15, seed: 27 },
  )
})
