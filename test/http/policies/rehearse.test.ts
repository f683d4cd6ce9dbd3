// Policies over HTTP that look back: what the last days would have met, and limits that count from the moment they are switched on.
import { afterAll, expect, test } from 'vitest'
import type { RehearsalReply } from '../../../src/wire/policies/rehearsal.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { policiesOf, told } from './policy-stage.ts'

// Nothing leaves meanwhile, so that what is cancelled comes back at once.
const world = await openWorld({ undoSeconds: 3600 })
afterAll(() => world.stop())

type Rehearsal = Wire<typeof RehearsalReply>['data']['rehearsal']

const LIMIT = { field: 'sum', by: 'account', window: 'day', op: 'above', value: 250, currency: 'PHP' }
const DAILY = { name: 'Daily limit', when: [LIMIT], then: { kind: 'deny', words: 'That is all for today.' } }
const APPROVED = { name: 'Two see it', then: { kind: 'approvals', count: 2 } }

async function rehearsed({ ask }: Caller, body: object = {}): Promise<Rehearsal> {
  const { status, text, data } = await ask('POST', '/policies/rehearse', { body })
  if (status !== 200) throw new Error(text)
  return data['rehearsal'] as Rehearsal
}

/** Which refusal it is. */
const code = (reply: Reply) => [reply.status, reply.error.code]
const payAgain = (caller: Caller, id: string) => caller.ask('PUT', `/contracts/transfer/${id}/pay`)

test('a policy that is not saved says which payments it would have met, and why; of one account alone', async () => {
  const [ana, ben] = [await world.newCaller(), await world.newCaller()]
  for (let i = 0; i < 2; i++) await ana.paid()
  const last = await ana.paid()
  await ben.paid()
  const found = await rehearsed(ana, { policy: DAILY })
  const sentence = found.policies[0]?.sentence ?? ''
  expect(sentence).toContain('250')
  expect(found).toMatchObject({ livemode: false, cut_at: null, next: null })
  expect(found.currencies).toMatchObject([
    { currency: 'PHP', paid: { transfers: 3, amount: 300 }, denied: { transfers: 1, amount: 100 } },
  ])
  expect(found.policies).toEqual([{ policy: null, name: 'Daily limit', sentence, applied: 1, met: 1 }])
  const reason = { policy: null, name: 'Daily limit', effect: 'denied', sentence }
  expect(found.contracts).toMatchObject([
    { contract: last.id, amount: 100, currency: 'PHP', recipient: 'Ana Reyes', effects: ['denied'], reasons: [reason] },
  ])
  const other = await rehearsed(ben, { policy: DAILY })
  expect([other.contracts, other.currencies[0]?.paid.transfers]).toEqual([[], 1])
  // Nothing was written: nothing holds.
  expect((await ana.paid()).status).toBe('paid')
})

test('it is rehearsed with those that are active, or alone; a saved one whether or not it is asked', async () => {
  const caller = await world.newCaller()
  await caller.paid()
  const policies = policiesOf(caller)
  const approved = await policies.make({ ...APPROVED, status: 'paused' })
  const all = { name: 'Nothing leaves', then: { kind: 'deny', words: 'Closed.' } }
  expect((await rehearsed(caller)).policies).toEqual([])
  await policies.move(approved.id, 'resume')
  const together = await rehearsed(caller, { policy: all })
  expect(together.contracts.map(({ effects }) => effects)).toEqual([['denied']])
  expect(together.policies.map(({ policy, applied, met }) => [policy, applied, met])).toEqual([
    [approved.id, 1, 0],
    [null, 1, 1],
  ])
  expect((await rehearsed(caller, { policy: all, alone: true })).policies).toHaveLength(1)
  await policies.move(approved.id, 'pause')
  const saved = await rehearsed(caller, { policy_id: approved.id, days: 1 })
  expect(saved.contracts.map(({ effects, reasons }) => [effects, reasons[0]?.policy])).toEqual([
    [['approvals'], approved.id],
  ])
})

test('a change of one is rehearsed in its place, not beside it', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 3; i++) await caller.paid()
  const strict = await policiesOf(caller).make({ ...DAILY, when: [{ ...LIMIT, value: 1000 }] })
  const change = { ...DAILY, when: [{ ...LIMIT, value: 150 }] }
  const changed = await rehearsed(caller, { policy: change, policy_id: strict.id })
  expect(changed.policies.map(({ policy, met }) => [policy, met])).toEqual([[strict.id, 2]])
  const beside = await rehearsed(caller, { policy: change })
  expect(beside.policies.map(({ policy, met }) => [policy, met])).toEqual([
    [strict.id, 0],
    [null, 2],
  ])
})

test('contracts come in pages', async () => {
  const caller = await world.newCaller()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await caller.paid()).id)
  const page = await rehearsed(caller, { policy: APPROVED, limit: 2 })
  expect([page.contracts.map(({ contract }) => contract), page.next]).toEqual([ids.slice(0, 2), ids[1]])
  const rest = await rehearsed(caller, { policy: APPROVED, limit: 2, after: page.next })
  expect([rest.contracts.map(({ contract }) => contract), rest.next]).toEqual([ids.slice(2), null])
  expect(rest.currencies).toEqual(page.currencies)
})

test('what is wrong is said by its place', async () => {
  const { ask } = world.caller
  const tried = async (body: object) => told(await ask('POST', '/policies/rehearse', { body }))
  const wrong = { ...DAILY, when: [{ ...LIMIT, value: -1 }] }
  expect(await tried({ policy: wrong })).toEqual([400, 'invalid_when_value', 'policy.when.0.value'])
  expect(await tried({ days: 91 })).toEqual([400, 'invalid_days', 'days'])
  const theirs = await policiesOf(world.other).make()
  for (const body of [{ policy_id: theirs.id }, { policy_id: theirs.id, policy: DAILY }])
    expect(await tried(body)).toEqual([404, 'policy_not_found', 'id'])
  const blind = await world.withKey(world.caller, { scopes: ['policies:read'] })
  expect(code(await blind.ask('POST', '/policies/rehearse', { body: {} }))).toEqual([403, 'scope_missing'])
})

test('a limit counts what was paid before it was made, and what came back', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 2; i++) await caller.paid()
  const undone = await caller.paid()
  await caller.cancel(undone.id)
  const { id } = await caller.issued()
  const policies = policiesOf(caller)
  const { id: policy } = await policies.make(DAILY)
  expect(code(await payAgain(caller, id))).toEqual([403, 'policy_denied'])
  await policies.patch(policy, { when: [{ ...LIMIT, value: 300 }] })
  expect((await payAgain(caller, id)).status).toBe(200)
  // While it is paused nothing is counted; all of it is once it is asked again.
  await policies.move(policy, 'pause')
  await caller.paid()
  await policies.patch(policy, { when: [{ ...LIMIT, value: 450 }] })
  await policies.move(policy, 'resume')
  const last = await caller.issued()
  expect(code(await payAgain(caller, last.id))).toEqual([403, 'policy_denied'])
})
