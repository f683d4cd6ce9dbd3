// Policies over HTTP: what is read and kept, how faults are named, versions, conditions, who may write them, and what is told.
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'
import { joined } from '../members/people.ts'
import { ABOVE_1000, DENY, LARGE, policiesOf, type PolicyShown, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = policiesOf(caller)
const post = (body: object) => caller.ask('POST', '/policies', { body })

const uuid = '0198c0de-0000-7000-8000-000000000001'
const admin = await joined(world, caller, 'admin')
const profileOf = async (by: Caller, name: string) => {
  const { data } = await by.ask('POST', '/profiles', { body: { type: 'person', name } })
  return (data['profile'] as { id: string }).id
}
const ana = await profileOf(caller, 'Ana Cruz')
const EVERY_FIELD = [
  ABOVE_1000,
  { field: 'currency', op: 'in', values: ['PHP', 'USD'] },
  { field: 'channel', op: 'not_in', values: ['sandbox'] },
  { field: 'recipient.country', op: 'in', values: ['PH'] },
  { field: 'recipient.profile', op: 'in', values: [ana] },
  { field: 'recipient.new', within_days: 3 },
  { field: 'key', op: 'not_in', values: [caller.keyId] },
  { field: 'member', op: 'in', values: [admin.id] },
  { field: 'hour', from: 18, to: 8 },
  { field: 'weekday', values: [6, 7] },
  { field: 'sum', by: 'account', window: 'day', op: 'above', value: 200_000.5, currency: 'PHP' },
  { field: 'count', by: 'recipient', window: '30_days', op: 'above', value: 10 },
]

const EVERY_OUTCOME = [
  { kind: 'allow' },
  DENY,
  { kind: 'approvals', count: 2, role: 'approver' },
  { kind: 'approvals', count: 1, role: null },
  { kind: 'verification', verification: 'name', verifier: null, on_unavailable: 'wait' },
  { kind: 'delay', seconds: 3_600 },
]

describe('a policy', () => {
  test('is kept as it was written, with a sentence that says what it does', async () => {
    const made = await mine.make({ ...LARGE, description: 'No large ones.', priority: 5 })
    expect(made).toMatchObject({
      ...LARGE,
      description: 'No large ones.',
      priority: 5,
      status: 'active',
      version: 1,
      livemode: false,
      sentence: 'Deny transfers above PHP 1,000.00: “Too much at once.”',
    })
    expect(await mine.get(made.id)).toEqual(made)
    await mine.archive(made.id)
  })

  test('of every field and every outcome is shown as it was sent, and what is shown can be sent back', async () => {
    for (const then of EVERY_OUTCOME) {
      const made = await mine.make({ name: 'All', when: EVERY_FIELD, then })
      expect([made.when, made.then]).toEqual([EVERY_FIELD, then])
      expect(await mine.patch(made.id, made)).toEqual(made)
      await mine.archive(made.id)
    }
  })

  test.each<[string, object, [code: string, param: string]]>([
    ['no name', { when: [], then: DENY }, ['missing_name', 'name']],
    ['no outcome', { name: 'A' }, ['missing_then', 'then']],
    ['a deny without words', { name: 'A', then: { kind: 'deny' } }, ['missing_then_words', 'then.words']],
    [
      'a delay of eight days',
      { name: 'A', then: { kind: 'delay', seconds: 691_200 } },
      ['invalid_then_seconds', 'then.seconds'],
    ],
    [
      'a role that may not approve',
      { name: 'A', then: { kind: 'approvals', count: 1, role: 'viewer' } },
      ['invalid_then_role', 'then.role'],
    ],
    [
      'an outcome with what it does not have',
      { name: 'A', then: { kind: 'allow', count: 1 } },
      ['invalid_then_count', 'then.count'],
    ],
    ['archived from the start', { ...LARGE, status: 'archived' }, ['invalid_status', 'status']],
  ])('of %s is refused', async (_what, body, [code, param]) => {
    expect(told(await post(body))).toEqual([400, code, param])
  })

  test.each<[string, object, [code: string, param: string]]>([
    ['a field that is none', { field: 'colour' }, ['invalid_when_field', 'when.1.field']],
    [
      'an amount without its currency',
      { field: 'amount', op: 'above', value: 1 },
      ['missing_when_currency', 'when.1.currency'],
    ],
    ['an amount with a fraction too long', { ...ABOVE_1000, value: 1.005 }, ['invalid_when_value', 'when.1.value']],
    ['an amount below zero', { ...ABOVE_1000, value: -1 }, ['invalid_when_value', 'when.1.value']],
    ['a currency that is none', { ...ABOVE_1000, currency: 'XXX' }, ['invalid_when_currency', 'when.1.currency']],
    ['an amount by its op of lists', { ...ABOVE_1000, op: 'in' }, ['invalid_when_op', 'when.1.op']],
    ['a list with a comparison', { field: 'currency', op: 'above', values: ['PHP'] }, ['invalid_when_op', 'when.1.op']],
    [
      'a channel that is not there',
      { field: 'channel', op: 'in', values: ['sandbox', 'gcahs'] },
      ['invalid_when_values', 'when.1.values.1'],
    ],
    [
      'a country that is none',
      { field: 'recipient.country', op: 'in', values: ['XX'] },
      ['invalid_when_values', 'when.1.values.0'],
    ],
    ['an empty list', { field: 'currency', op: 'in', values: [] }, ['invalid_when_values', 'when.1.values']],
    ['91 days', { field: 'recipient.new', within_days: 91 }, ['invalid_when_within_days', 'when.1.within_days']],
    ['an hour that never is', { field: 'hour', from: 8, to: 8 }, ['invalid_when_to', 'when.1.to']],
    ['an eighth day of the week', { field: 'weekday', values: [8] }, ['invalid_when_values', 'when.1.values.0']],
    [
      'a sum without its window',
      { field: 'sum', by: 'account', op: 'above', value: 1, currency: 'PHP' },
      ['missing_when_window', 'when.1.window'],
    ],
    [
      'half a payment',
      { field: 'count', by: 'account', window: 'day', op: 'above', value: 0.5 },
      ['invalid_when_value', 'when.1.value'],
    ],
    ['what the field does not have', { ...ABOVE_1000, window: 'day' }, ['invalid_when_window', 'when.1.window']],
    ['a misspelt member', { ...ABOVE_1000, curency: 'PHP' }, ['unknown_parameter', 'when.1.curency']],
  ])('with a condition of %s is refused by its place', async (_what, condition, [code, param]) => {
    expect(told(await post({ ...LARGE, when: [ABOVE_1000, condition] }))).toEqual([400, code, param])
  })

  test('names everything that is wrong with it at once', async () => {
    const { error } = await post({ ...LARGE, when: [{ field: 'amount' }], then: { kind: 'delay' } })
    expect(error.errors?.map(({ param }: { param: string | null }) => param)).toEqual([
      'when.0.op',
      'when.0.value',
      'when.0.currency',
      'then.seconds',
    ])
  })

  test('that names what is not there, or is another account’s, is refused by its place; in a trial, too', async () => {
    const theirs = await profileOf(other, 'Somebody Else')
    const strangers: [string, string][] = [
      ['recipient.profile', uuid],
      ['recipient.profile', theirs],
      ['recipient.profile', admin.id],
      ['member', ana],
      ['member', uuid],
      ['key', other.keyId],
      ['key', 'abc123'],
    ]
    for (const [field, value] of strangers) {
      const known = { field: 'recipient.profile', op: 'in', values: [ana] }
      const policy = { ...LARGE, when: [known, { field, op: 'not_in', values: [value] }] }
      expect(told(await post(policy)), `${field} ${value}`).toEqual([400, 'invalid_when_values', 'when.1.values.0'])
      const tried = await caller.ask('POST', '/policies/rehearse', { body: { policy } })
      expect(told(tried)).toEqual([400, 'invalid_when_values', 'policy.when.1.values.0'])
    }
    const asked = { kind: 'verification', verification: 'list', verifier: uuid }
    expect(told(await post({ ...LARGE, then: asked }))).toEqual([400, 'invalid_then_verifier', 'then.verifier'])
    const { id } = await mine.make()
    const patch = { when: [{ field: 'member', op: 'in', values: [uuid] }] }
    const patched = await caller.ask('PATCH', `/policies/${id}`, { body: patch })
    expect(told(patched)).toEqual([400, 'invalid_when_values', 'when.0.values.0'])
    await mine.archive(id)
  })

  test('that names a verifier names one in use, of the kind that is asked for', async () => {
    const body = { kind: 'list', name: 'Own list' }
    const made = await caller.ask('POST', '/verifiers', { body })
    const { id: verifier } = made.data['verifier'] as { id: string }
    const asking = (verification: string) => ({ ...LARGE, then: { kind: 'verification', verification, verifier } })
    expect(told(await post(asking('name')))).toEqual([400, 'invalid_then_verifier', 'then.verifier'])
    const policy = await mine.make(asking('list'))
    expect(policy.sentence).toContain(`by the verifier “Own list” (${verifier})`)
    await caller.ask('DELETE', `/verifiers/${verifier}`)
    const other_ = await post(asking('list'))
    expect([told(other_), other_.error.message]).toEqual([
      [400, 'invalid_then_verifier', 'then.verifier'],
      expect.stringContaining('is archived'),
    ])
    expect((await mine.patch(policy.id, { priority: 9 })).priority).toBe(9)
    await mine.archive(policy.id)
  })

  test('says in its sentence what people call whom it names, as they are called now', async () => {
    const when = [
      { field: 'recipient.profile', op: 'in', values: [ana] },
      { field: 'member', op: 'not_in', values: [admin.id] },
    ]
    const { id, sentence } = await mine.make({ ...LARGE, when })
    expect(sentence).toContain(`to the profile “Ana Cruz” (${ana}), not paid by the member “`)
    await caller.ask('PATCH', `/profiles/${ana}`, { body: { name: 'Ana Reyes' } })
    const shown = [await mine.get(id), await mine.get(id, '?version=1'), await mine.move(id, 'pause')]
    for (const each of shown) expect(each.sentence).toContain(`“Ana Reyes” (${ana})`)
    const { data } = await mine.done('GET', '/policies?status=paused')
    expect((data['policies'] as PolicyShown[])[0]?.sentence).toContain('“Ana Reyes”')
    await mine.archive(id)
  })

  test('has 20 conditions and no more', async () => {
    const when = Array.from({ length: 20 }, () => ABOVE_1000)
    await mine.archive((await mine.make({ ...LARGE, when })).id)
    expect(told(await post({ ...LARGE, when: [...when, ABOVE_1000] }))).toEqual([400, 'invalid_when', 'when'])
  })
})

describe('a change of a policy', () => {
  test('makes a version each; what changes nothing makes none', async () => {
    const { id, ...first } = await mine.make()
    const second = await mine.patch(id, { priority: 7, then: { words: 'Ask first.' } })
    expect([second.version, second.priority, second.then.words, second.when]).toEqual([2, 7, 'Ask first.', first.when])
    expect(await mine.patch(id, { priority: 7 })).toEqual(second)
    const third = await mine.patch(id, { then: { kind: 'approvals', count: 2 } })
    expect([third.version, third.then]).toEqual([3, { kind: 'approvals', count: 2, role: null }])
    expect(await mine.get(id, '?version=1')).toEqual({ id, ...first })
    expect((await caller.ask('GET', `/policies/${id}?version=9`)).error.code).toBe('policy_not_found')
    const all = await caller.all<PolicyShown>(`/policies/${id}/versions`, 'policies', 2)
    expect(all.map(({ version }) => version)).toEqual([3, 2, 1])
    await mine.archive(id)
  })

  test('pauses, resumes and archives it; the archived stays as it is', async () => {
    const { id } = await mine.make()
    expect((await mine.move(id, 'pause')).status).toBe('paused')
    expect((await mine.move(id, 'pause')).version).toBe(2)
    expect((await mine.move(id, 'resume')).status).toBe('active')
    const archived = await mine.archive(id)
    expect([archived.status, archived.version]).toEqual(['archived', 4])
    expect(await mine.archive(id)).toEqual(archived)
    for (const [method, path] of [
      ['PATCH', ''],
      ['PUT', '/resume'],
      ['PUT', '/pause'],
    ] as const)
      expect(told(await caller.ask(method, `/policies/${id}${path}`, { body: {} }))).toEqual([
        409,
        'policy_archived',
        'id',
      ])
  })

  test('is refused of another version than the one that was read', async () => {
    const { id } = await mine.make()
    await mine.patch(id, { priority: 1 })
    const stale = { body: { priority: 2 }, headers: { 'If-Match': '"1"' } }
    expect(told(await caller.ask('PATCH', `/policies/${id}`, stale))).toEqual([412, 'precondition_failed', 'If-Match'])
    const read = await caller.ask('GET', `/policies/${id}`)
    expect(read.headers['etag']).toBe('"2"')
    await mine.archive(id)
  })

  test('is told in the audit list, with what was and what is, and as an event', async () => {
    const { id } = await mine.make()
    await mine.patch(id, { priority: 3 })
    await mine.archive(id)
    const { entries } = (await mine.done('GET', `/audit?object=${id}`)).data as {
      entries: { action: string; before: unknown; after: unknown }[]
    }
    expect(entries.map(({ action }) => action)).toEqual(['policy.archived', 'policy.updated', 'policy.created'])
    expect([entries[1]?.before, entries[1]?.after]).toEqual([{ priority: 100 }, { priority: 3 }])
    const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events', 100)
    const types = events.filter(({ data }) => data.object.id === id).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['policy.archived', 'policy.created', 'policy.updated'])
  })
})

describe('policies', () => {
  test('of another account are not there', async () => {
    const { id } = await mine.make()
    const theirs = policiesOf(other)
    expect((await theirs.done('GET', '/policies')).data['policies']).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['PATCH', ''],
      ['PUT', '/pause'],
      ['PUT', '/resume'],
      ['DELETE', ''],
    ] as const) {
      const reply = await other.ask(method, `/policies/${id}${path}`, method === 'GET' ? {} : { body: {} })
      expect(told(reply)).toEqual([404, 'policy_not_found', 'id'])
    }
    expect((await mine.get(id)).version).toBe(1)
    await mine.archive(id)
  })

  test('are listed newest first, in pages, and by status', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await mine.make({ ...LARGE, name })).id)
    await mine.move(ids[1] ?? '', 'pause')
    const all = await caller.all<PolicyShown>('/policies', 'policies', 2)
    expect(all.slice(0, 3).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    const active = await caller.all<PolicyShown>('/policies?status=active', 'policies', 2)
    expect(active.map(({ name }) => name)).toEqual(['c', 'a'])
    for (const id of ids) await mine.archive(id)
    expect(await caller.all<PolicyShown>('/policies?status=paused', 'policies', 2)).toEqual([])
  })

  test('are 50 active ones and 100 altogether at the most', async () => {
    const made: string[] = []
    const make = async (status: string) => made.push((await mine.make({ ...LARGE, status })).id)
    for (let i = 0; i < 50; i++) await make('active')
    expect(told(await post(LARGE))).toEqual([409, 'policies_full', 'status'])
    for (let i = 0; i < 50; i++) await make('paused')
    expect(told(await post({ ...LARGE, status: 'paused' }))).toEqual([409, 'policies_full', null])
    expect(told(await caller.ask('PUT', `/policies/${made[99]}/resume`))).toEqual([409, 'policies_full', 'status'])
    for (const id of made) await mine.archive(id)
  })
})
