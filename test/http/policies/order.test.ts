// The order of policies and what one would say before it is saved, over HTTP: a policy is put at its place, and a preview writes nothing.
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { placed, reordered } from '../../../src/domain/policy/order.ts'
import { inOrder, type Policy } from '../../../src/domain/policy/policy.ts'
import { openWorld } from '../../world.ts'
import { joined } from '../members/people.ts'
import { DENY, LARGE, policiesOf, type PolicyShown, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const short = (policies: readonly PolicyShown[]) => policies.map(({ name, priority }) => `${name} ${priority}`)

async function named(...names: readonly string[]) {
  const caller = await world.newCaller()
  const mine = policiesOf(caller)
  const ids: string[] = []
  for (const name of names) ids.push((await mine.make({ ...LARGE, name })).id)
  const place = (id: string, before?: string | null) =>
    caller.ask('PUT', `/policies/${id}/place`, { body: before === undefined ? {} : { before } })
  return {
    caller,
    mine,
    ids,
    place,
    order: async (...wanted: Parameters<typeof place>) => shown(await place(...wanted)),
  }
}

const shown = ({ data }: { readonly data: Record<string, unknown> }) => short(data['policies'] as PolicyShown[])

describe('the place of a policy', () => {
  test('is before another one or the last; who keeps the priority has no other version', async () => {
    const { mine, ids, order, caller } = await named('a', 'b', 'c', 'd')
    const [a = '', b = '', c = '', d = ''] = ids
    await mine.move(b, 'pause')
    expect(await order(c, a)).toEqual(['c 99', 'a 100', 'b 100', 'd 100'])
    expect(await order(c)).toEqual(['a 100', 'b 100', 'd 100', 'c 101'])
    expect(await order(d, b)).toEqual(['a 100', 'd 100', 'b 101', 'c 101'])
    expect(await order(d, b)).toEqual(['a 100', 'd 100', 'b 101', 'c 101'])
    expect(await Promise.all([a, b, c, d].map(async (id) => (await mine.get(id)).version))).toEqual([1, 3, 3, 1])
    const { entries } = (await mine.done('GET', `/audit?object=${b}`)).data as {
      entries: { action: string; before: unknown; after: unknown }[]
    }
    expect(entries[0]).toMatchObject({ action: 'policy.updated', before: { priority: 100 }, after: { priority: 101 } })
    const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events', 100)
    const updated = events.filter(({ type }) => type === 'policy.updated').map(({ data }) => data.object.id)
    expect(updated.toSorted()).toEqual([b, b, c, c].toSorted())
  })

  test('decides which of two is asked first, from the next payment on', async () => {
    const { caller, mine, ids, order } = await named('Nothing')
    const allow = await mine.make({ name: 'All', then: { kind: 'allow' } })
    await mine.patch(ids[0] ?? '', { when: [], then: DENY })
    const pay = async () =>
      (await caller.ask('PUT', `/contracts/transfer/${(await caller.issued()).id}/pay`, { body: {} })).status
    expect(await pay()).toBe(403)
    await order(allow.id, ids[0])
    expect(await pay()).toBe(200)
  })

  test('is none of another account, before none of another account, and none of one that is archived', async () => {
    const { mine, ids, place } = await named('a', 'b')
    const [a = '', b = ''] = ids
    const theirs = (await named('theirs')).ids[0] ?? ''
    expect(told(await place(theirs))).toEqual([404, 'policy_not_found', 'id'])
    expect(told(await place('nothing'))).toEqual([404, 'policy_not_found', 'id'])
    for (const before of [theirs, a]) expect(told(await place(a, before))).toEqual([400, 'invalid_before', 'before'])
    await mine.archive(b)
    expect(told(await place(a, b))).toEqual([400, 'invalid_before', 'before'])
    expect(told(await place(b, a))).toEqual([409, 'policy_archived', 'id'])
    expect((await mine.get(a)).version).toBe(1)
  })

  test('is put by a person in live mode, and by nobody who only reads', async () => {
    const live = await world.newCaller({ livemode: true })
    const admin = await joined(world, live, 'admin')
    const made = await admin.ask('POST', '/policies', { body: LARGE })
    const path = `/policies/${(made.data['policy'] as PolicyShown).id}/place`
    expect(told(await live.ask('PUT', path, { body: {} }))).toEqual([403, 'person_required', null])
    expect((await admin.ask('PUT', path, { body: {} })).status).toBe(200)
    const viewer = await joined(world, live, 'viewer')
    expect(told(await viewer.ask('PUT', path, { body: {} }))[1]).toBe('scope_missing')
    expect((await viewer.ask('POST', '/policies/preview', { body: LARGE })).status).toBe(200)
  })

  test('is the wanted one whatever the priorities were, and leaves the order of the others', () => {
    const priority = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 1, 100, 999, 1000))
    const some = fc.uniqueArray(fc.record({ id: fc.uuid(), priority }), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 100,
    })
    fc.assert(
      fc.property(some, fc.nat(), fc.nat(), (made, one, other) => {
        const policies = made.map((each) => ({ ...each, version: 1, status: 'active' }) as Policy)
        const moved = policies[one % policies.length]?.id ?? ''
        const before = policies[other % policies.length]?.id ?? ''
        const wanted = placed(policies, moved, before === moved ? null : before)
        if (isRefusal(wanted)) throw new Error(wanted.message)
        const changed = new Map(reordered(wanted, moved, 5).map((policy) => [policy.id, policy]))
        const after = wanted.map((policy) => changed.get(policy.id) ?? policy)
        const ids = (all: readonly Policy[]) => all.map(({ id }) => id)
        expect(ids(inOrder(after))).toEqual(ids(wanted))
        const others = (all: readonly Policy[]) => ids(all).filter((id) => id !== moved)
        expect(others(wanted)).toEqual(others(inOrder(policies)))
        expect(after.every((each) => each.priority >= 0 && each.priority <= 1000)).toBe(true)
        expect(reordered(after, moved, 6)).toEqual([])
      }),
    )
  })
})

describe('a preview', () => {
  test('says what a policy would do, and writes nothing', async () => {
    const { caller, mine } = await named()
    const { status, data } = await caller.ask('POST', '/policies/preview', { body: LARGE })
    const sentence = 'Deny transfers above PHP 1,000.00: “Too much at once.”'
    expect(status).toBe(200)
    expect(data['preview']).toEqual({ ...LARGE, description: null, priority: 100, status: 'active', sentence })
    expect((await mine.done('GET', '/policies')).data['policies']).toEqual([])
  })

  test('names what is wrong, as a policy that is made does', async () => {
    const { caller } = await named()
    const body = { ...LARGE, when: [{ field: 'amount', op: 'in', value: -1, currency: 'XXQ' }] }
    for (const path of ['/policies/preview', '/policies'])
      expect(told(await caller.ask('POST', path, { body }))).toEqual([400, 'invalid_when_op', 'when.0.op'])
  })
})
