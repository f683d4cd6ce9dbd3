// A policy that names a key goes on with the keys that it is rolled into, and with those that it makes: whoever has a key does not
// leave its limits behind with its id. What people make stands for itself.
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'
import { type Fields, holderIn, make, type Made, PAYING, rolled } from '../accounts/key-stage.ts'
import { joined } from '../members/people.ts'
import { DENY, policiesOf } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
const holder = holderIn(world)
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const SCOPES = [...PAYING, 'transfers:cancel', 'keys:write']
const ABOVE_50 = { field: 'amount', op: 'above', value: 50, currency: 'PHP' }
const DAILY = { field: 'sum', by: 'key', window: 'day', op: 'above', value: 100, currency: 'PHP' }
const named = (op: 'in' | 'not_in', ...made: Made[]) => ({ field: 'key', op, values: made.map(({ key }) => key.id) })

/** An account whose keys a person makes. */
async function account() {
  const caller = await world.newCaller()
  const person = await joined(world, caller, 'admin')
  const given = (fields: Fields = {}): Promise<Made> => make(person, { scopes: SCOPES, ...fields })
  return { caller, person, given, policies: policiesOf(caller) }
}

/** How a transfer of so much ends that is paid with this key: null where it is paid. */
async function paid(caller: Caller, made: Made, amount: number): Promise<string | null> {
  const { id } = await caller.issued({ amount, currency: 'PHP' })
  const reply = await holder(made).ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
  return reply.status === 200 ? null : reply.error.code
}

test('what a key may not do, the keys that it is rolled into may not either, whoever rolls it', async () => {
  const { caller, person, given, policies } = await account()
  const [first, other] = [await given(), await given()]
  await policies.make({ name: 'Large', when: [named('in', first), ABOVE_50], then: DENY })
  const second = await rolled(first, holder(first))
  const third = await rolled(second, person)
  for (const key of [first, second, third]) {
    expect(await paid(caller, key, 60)).toBe('policy_denied')
    expect(await paid(caller, key, 50)).toBeNull()
  }
  expect(await paid(caller, other, 60)).toBeNull()
})

test('a policy that names the second key of a line holds for the third, and none of another line is listed', async () => {
  const { caller, person, given, policies } = await account()
  const first = await given()
  const second = await rolled(first, person)
  await policies.make({ name: 'All others', when: [named('not_in', second)], then: DENY })
  const third = await rolled(second, person)
  expect(await paid(caller, third, 10)).toBeNull()
  expect(await paid(caller, await given(), 10)).toBe('policy_denied')
})

test('the days of a key go on with the keys that it is rolled into, and what comes back is taken off them', async () => {
  const { caller, person, given, policies } = await account()
  const first = await given()
  await policies.make({ name: 'Daily', when: [DAILY], then: DENY })
  expect(await paid(caller, first, 60)).toBeNull()
  const second = await rolled(first, person)
  expect([await paid(caller, second, 60), await paid(caller, first, 60)]).toEqual(['policy_denied', 'policy_denied'])
  const { id } = await caller.issued({ amount: 40, currency: 'PHP' })
  expect((await holder(second).ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })).status).toBe(200)
  expect(await paid(caller, first, 1)).toBe('policy_denied')
  // By a key that is none of these: whose money it gives back, the history says.
  expect((await caller.cancel(id)).status).toBe('cancelled')
  expect([await paid(caller, first, 41), await paid(caller, first, 40)]).toEqual(['policy_denied', null])
  expect(await paid(caller, await given(), 100)).toBeNull()
})

test('a limit that comes into force later counts what a key and its successors paid before', async () => {
  const { caller, person, given, policies } = await account()
  const first = await given()
  expect(await paid(caller, first, 60)).toBeNull()
  const second = await rolled(first, person, { overlap_seconds: 0 })
  expect(await paid(caller, second, 30)).toBeNull()
  const when = [named('in', second), DAILY]
  const { data } = await caller.ask('POST', '/policies/rehearse', {
    body: { days: 1, policy: { name: 'Less', when: [named('in', second), { ...DAILY, value: 80 }], then: DENY } },
  })
  expect(data['rehearsal']).toMatchObject({ currencies: [{ denied: { transfers: 1, amount: 30 } }] })
  await policies.make({ name: 'Daily', when, then: DENY })
  expect([await paid(caller, second, 11), await paid(caller, second, 10)]).toEqual(['policy_denied', null])
})

test('a key does not leave its limits by making another; keys of one person have one each', async () => {
  const { caller, given, policies } = await account()
  const first = await given()
  await policies.make({ name: 'Large', when: [named('in', first), ABOVE_50], then: DENY })
  await policies.make({ name: 'Daily', when: [DAILY], then: DENY })
  const second = await make(holder(first), { scopes: SCOPES })
  const third = await rolled(await make(holder(second), { scopes: SCOPES }), holder(second))
  expect([await paid(caller, second, 60), await paid(caller, third, 60)]).toEqual(['policy_denied', 'policy_denied'])
  expect([await paid(caller, third, 50), await paid(caller, second, 50)]).toEqual([null, null])
  expect([await paid(caller, first, 1), await paid(caller, third, 1)]).toEqual(['policy_denied', 'policy_denied'])
  expect(await paid(caller, await given(), 100)).toBeNull()
})

describe('what a policy lets a key do more goes on with its rolls, and not with the keys that it makes', () => {
  const REST = { name: 'Large', priority: 20, when: [ABOVE_50], then: DENY }
  const ALLOW = { kind: 'allow' }
  test.each([
    ['leaves out', (key: Made) => [{ ...REST, when: [named('not_in', key), ABOVE_50] }]],
    ['allows', (key: Made) => [{ name: 'Free', priority: 10, when: [named('in', key)], then: ALLOW }, REST]],
  ])('where it %s the key', async (_how, policiesFor) => {
    const { caller, person, given, policies } = await account()
    const first = await given()
    for (const policy of policiesFor(first)) await policies.make(policy)
    const second = await rolled(first, holder(first))
    const made = await make(holder(first), { scopes: SCOPES })
    const madeAndRolled = await rolled(made, holder(made))
    expect([await paid(caller, first, 60), await paid(caller, second, 60)]).toEqual([null, null])
    for (const { key } of [first, second]) expect((await person.ask('DELETE', `/keys/${key.id}`)).status).toBe(200)
    for (const key of [made, madeAndRolled, await make(holder(madeAndRolled), { scopes: SCOPES })])
      expect(await paid(caller, key, 60)).toBe('policy_denied')
    expect(await paid(caller, made, 50)).toBeNull()
  })

  test('what it allows all but a key, the keys that this makes may not either', async () => {
    const { caller, given, policies } = await account()
    const first = await given()
    await policies.make({ name: 'Free', priority: 10, when: [named('not_in', first)], then: ALLOW })
    await policies.make(REST)
    const made = await make(holder(first), { scopes: SCOPES })
    expect([await paid(caller, first, 60), await paid(caller, made, 60)]).toEqual(['policy_denied', 'policy_denied'])
    expect(await paid(caller, await given(), 60)).toBeNull()
  })
})

test('a policy that names a key that another made holds for its successors, and not for its maker', async () => {
  const { caller, person, given, policies } = await account()
  const maker = await given()
  const made = await make(holder(maker), { scopes: SCOPES })
  await policies.make({ name: 'Large', when: [named('in', made), ABOVE_50], then: DENY })
  expect(await paid(caller, await rolled(made, person), 60)).toBe('policy_denied')
  expect(await paid(caller, await make(holder(made), { scopes: SCOPES }), 60)).toBe('policy_denied')
  expect(await paid(caller, maker, 60)).toBeNull()
  expect(await paid(caller, await make(holder(maker), { scopes: SCOPES }), 60)).toBeNull()
})

test('a trial says of a key what would be said of it', async () => {
  const { caller, person, given, policies } = await account()
  const first = await given()
  await policies.make({ name: 'Large', when: [named('in', first), ABOVE_50], then: DENY })
  const second = await rolled(first, person)
  const draft = { amount: 60, currency: 'PHP' }
  const { data } = await caller.ask('POST', '/policies/evaluate', { body: { draft, key: second.key.id } })
  expect(data['evaluation']).toMatchObject({ decision: 'denied' })
})

test('a policy says of keys what was sent, and is the same when it is sent again', async () => {
  const { person, given, policies } = await account()
  const second = await rolled(await given(), person)
  const made = await policies.make({ name: 'Large', when: [named('in', second), ABOVE_50], then: DENY })
  expect(made.when).toEqual([named('in', second), ABOVE_50])
  expect(await policies.patch(made.id, { when: made.when })).toMatchObject({ version: 1 })
  const changed = await policies.patch(made.id, { priority: 7 })
  expect(changed).toMatchObject({ version: 2, when: made.when })
})
