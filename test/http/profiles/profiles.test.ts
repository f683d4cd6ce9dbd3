// Profiles and their destinations over HTTP: what is read and kept, versions, conditions, the account's own, likely duplicates,
// and what of it is told.
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { ANA, BANK, type Duplicate, GCASH, type ProfileBody, profilesOf, told } from './profile-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = profilesOf(caller)
const post = (body: object) => caller.ask('POST', '/profiles', { body })
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  caller.ask('PATCH', `/profiles/${id}`, { body, headers })

describe('a profile', () => {
  test('is kept as a recipient of a draft is: numbers and countries in one form, no blanks, no card numbers', async () => {
    const fields = {
      ...ANA,
      name: ' Ana Reyes​',
      address: 'card 4111 1111 1111 1111',
      reference: 'C-1',
      metadata: { team: 'north', note: '4111111111111111' },
    }
    const made = await mine.make(fields)
    expect(made).toMatchObject({
      type: 'person',
      name: 'Ana Reyes',
      mobile: '+639171234567',
      country: 'PH',
      address: 'card [card ending 1111]',
      reference: 'C-1',
      metadata: { team: 'north', note: '[card ending 1111]' },
      status: 'active',
      relation: 'contact',
      version: 1,
      destinations: [],
    })
    expect(await mine.get(made.id)).toEqual(made)
  })

  test.each<[string, object, [string, string]]>([
    ['nobody', {}, ['missing_name', 'name']],
    ['blanks for a name', { name: ' ​' }, ['missing_name', 'name']],
    ['a number that is none', { mobile: '12' }, ['invalid_mobile', 'mobile']],
    ['a country that is none', { name: 'A', country: 'XX' }, ['invalid_country', 'country']],
    ['an address that is none', { email: 'ana' }, ['invalid_email', 'email']],
    ['another type', { name: 'A', type: 'robot' }, ['invalid_type', 'type']],
    ['a name too long', { name: 'x'.repeat(256) }, ['invalid_name', 'name']],
    ['metadata without end', { name: 'A', metadata: { ['x'.repeat(41)]: '1' } }, ['invalid_metadata', 'metadata']],
    ['a misspelt member', { nmae: 'A' }, ['unknown_parameter', 'nmae']],
    ['an account', { name: 'A', wallet: '1' }, ['unknown_parameter', 'wallet']],
  ])('of %s is refused', async (_what, body, [code, param]) => {
    const { status, error } = await post(body)
    expect([status, error.code, error.param]).toEqual([400, code, param])
  })

  test('changes by a merge patch, a version each; what changes nothing makes none', async () => {
    const { id } = await mine.make({ ...ANA, metadata: { a: '1', b: '2' } })
    const second = await mine.patch(id, { email: null, metadata: { a: null, c: '3' } })
    expect([second.version, second.email, second.metadata]).toEqual([2, null, { b: '2', c: '3' }])
    expect(await mine.patch(id, { name: 'Ana Reyes', mobile: '0917-123-4567' })).toEqual(second)
    expect(await mine.patch(id, second)).toEqual(second)
    expect(told(await patch(id, { name: null, mobile: null }))).toEqual([400, 'missing_name', 'name'])
  })

  test('shows each version that it had, and the list of them', async () => {
    const { id, ...first } = await mine.make()
    await mine.patch(id, { name: 'Ana Cruz' })
    await mine.pay(id)
    expect(await mine.get(id, '?version=1')).toEqual({ id, ...first })
    const all = await caller.all<ProfileBody>(`/profiles/${id}/versions`, 'profiles', 2)
    expect(all.map(({ version, name, destinations }) => [version, name, destinations.length])).toEqual([
      [3, 'Ana Cruz', 1],
      [2, 'Ana Cruz', 0],
      [1, 'Ana Reyes', 0],
    ])
    expect((await caller.ask('GET', `/profiles/${id}?version=4`)).error.code).toBe('profile_not_found')
    expect((await caller.ask('GET', `/profiles/${id}?version=0`)).error.code).toBe('invalid_version')
  })

  test('is archived and restored; in between it cannot be changed', async () => {
    const { id } = await mine.make()
    expect((await mine.archive(id)).status).toBe('archived')
    expect((await mine.archive(id)).version).toBe(2)
    expect(told(await patch(id, { name: 'B' }))).toEqual([409, 'profile_archived', 'id'])
    expect((await caller.ask('POST', `/profiles/${id}/destinations`, { body: BANK })).error.code).toBe(
      'profile_archived',
    )
    expect((await mine.restore(id)).status).toBe('active')
    expect((await mine.patch(id, { name: 'B' })).version).toBe(4)
  })
})

describe('versions as conditions', () => {
  test('of two patches of one version one is written, and the other told of it', async () => {
    const { id } = await mine.make()
    const names = ['B', 'C', 'D', 'E']
    const replies = await Promise.all(names.map((name) => patch(id, { name }, { 'if-match': '"1"' })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
    const after = await mine.get(id)
    expect([after.version, names[replies.findIndex(({ status }) => status === 200)]]).toEqual([2, after.name])
  })

  test('patches of different members without one are all kept, in some order', async () => {
    const { id } = await mine.make()
    const pairs = Array.from({ length: 8 }, (_, i) => ({ [`k${i}`]: String(i) }))
    await Promise.all(pairs.map((metadata) => mine.patch(id, { metadata })))
    const after = await mine.get(id)
    expect([after.version, after.metadata]).toEqual([9, Object.assign({}, ...pairs)])
  })

  test('a profile that the client has is not sent again', async () => {
    const { id } = await mine.make()
    const { headers } = await caller.ask('GET', `/profiles/${id}`)
    expect(headers['etag']).toBe('"1"')
    const known = { 'x-api-key': caller.apiKey, 'if-none-match': '"1"' }
    const again = await world.gateway.app.inject({ method: 'GET', url: `/profiles/${id}`, headers: known })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })
})

describe('the list', () => {
  test('is found by type, status, reference, e-mail and mobile, in whatever form they are asked', async () => {
    const firm = await mine.make({
      type: 'business',
      name: 'Reyes & Co',
      reference: 'firm 1',
      email: 'Pay@Reyes.example',
    })
    const person = await mine.make({ name: 'Cora', reference: 'firm 1', mobile: '0919 000 0001' })
    await mine.archive(firm.id)
    const found = async (query: string) =>
      (await caller.all<ProfileBody>(`/profiles?${query}`, 'profiles', 1)).map(({ id }) => id)
    expect(await found('reference=firm%201')).toEqual([person.id, firm.id])
    expect(await found('reference=firm%201&type=business')).toEqual([firm.id])
    expect(await found('reference=firm%201&status=active')).toEqual([person.id])
    expect(await found('email=pay@REYES.example')).toEqual([firm.id])
    expect(await found('mobile=09190000001')).toEqual([person.id])
    expect(await found('mobile=%2B639190000001&status=archived')).toEqual([])
    expect(await found('email=nobody@example.com')).toEqual([])
    expect(told(await caller.ask('GET', '/profiles?mobile=x'))).toEqual([400, 'invalid_mobile', 'mobile'])
    expect(told(await caller.ask('GET', '/profiles?after=x'))).toEqual([400, 'invalid_after', 'after'])
  })

  test('follows what changed: the old number finds nobody', async () => {
    const { id } = await mine.make({ name: 'Dan', mobile: '09190000002' })
    await mine.patch(id, { mobile: '09190000003' })
    const { data } = await caller.ask('GET', '/profiles?mobile=09190000002')
    expect(data['profiles']).toEqual([])
  })
})

describe('a destination', () => {
  const add = (id: string, body: object) => caller.ask('POST', `/profiles/${id}/destinations`, { body })

  test('has what its channel requires: of the account it keeps what it took from the profile', async () => {
    const { id } = await mine.make()
    const saved = await mine.pay(id, { channel: 'gcash', label: 'her phone' })
    expect([saved.recipient.mobile, saved.default, saved.version, saved.label]).toEqual([
      '+639171234567',
      true,
      1,
      'her phone',
    ])
    await mine.patch(id, { mobile: '09189999999' })
    expect((await mine.get(id)).destinations[0]?.recipient.mobile).toBe('+639171234567')
  })

  test.each<[string, object, [string, string]]>([
    ['what its channel requires', { channel: 'sandbox' }, ['missing_recipient_wallet', 'recipient.wallet']],
    ['a channel', { recipient: { wallet: '1' } }, ['missing_channel', 'channel']],
    ['a channel that there is', { channel: 'pigeon' }, ['invalid_channel', 'channel']],
    [
      'a wallet of this gateway that there is',
      { channel: 'wallet', recipient: { wallet: caller.account.accountId } },
      ['invalid_recipient_wallet', 'recipient.wallet'],
    ],
    [
      'a form that its channel takes',
      { channel: 'instapay', recipient: { wallet: '!', tag: 'BOPIPHMM' } },
      ['invalid_recipient_wallet', 'recipient.wallet'],
    ],
  ])('without %s is refused', async (_what, body, [code, param]) => {
    const { id } = await mine.make()
    const { status, error } = await add(id, body)
    expect([status, error.code, error.param]).toEqual([400, code, param])
    expect((await mine.get(id)).version).toBe(1)
  })

  test('may be a wallet of the mode, another account’s or one’s own', async () => {
    const { id } = await mine.make({ name: 'Test' })
    const theirs = await other.wallet('PHP')
    expect((await mine.pay(id, { channel: 'wallet', recipient: { wallet: theirs.id } })).recipient.wallet).toBe(
      theirs.id,
    )
    const own = await caller.wallet('PHP')
    expect((await mine.pay(id, { channel: 'wallet', recipient: { wallet: own.id } })).recipient.wallet).toBe(own.id)
  })

  test('is another version when it pays otherwise, and not when it is called otherwise', async () => {
    const { id } = await mine.make()
    const first = await mine.pay(id)
    const named = await mine.repay(id, first.id, { label: 'salary' })
    expect([named.version, named.changed_at, named.label]).toEqual([1, first.changed_at, 'salary'])
    const moved = await mine.repay(id, first.id, { recipient: { wallet: '000999999999' } })
    expect([moved.version, moved.recipient.wallet, moved.changed_at > first.changed_at]).toEqual([
      2,
      '000999999999',
      true,
    ])
    const elsewhere = await mine.repay(id, first.id, { channel: 'gcash', recipient: { wallet: null } })
    expect([elsewhere.version, elsewhere.recipient.mobile, elsewhere.recipient.wallet]).toEqual([
      3,
      '+639171234567',
      null,
    ])
  })

  test('one is the default; archived, it is shown and is not used', async () => {
    const { id } = await mine.make()
    const [first, second] = [await mine.pay(id), await mine.pay(id, { ...GCASH, default: true })]
    const shown = (await mine.get(id)).destinations.map((each) => [each.id, each.default])
    expect(shown).toEqual([
      [first.id, false],
      [second.id, true],
    ])
    await mine.drop(id, second.id)
    expect((await mine.get(id)).destinations.map(({ status, default: isDefault }) => [status, isDefault])).toEqual([
      ['active', false],
      ['archived', false],
    ])
    const path = `/profiles/${id}/destinations/${second.id}`
    expect((await caller.ask('PATCH', path, { body: { label: 'x' } })).error.code).toBe('destination_not_found')
    expect((await caller.ask('DELETE', path)).status).toBe(404)
  })

  test('there are twenty in use at most, and the newest twenty archived ones are shown', async () => {
    const { id } = await mine.make()
    const account = (n: number) => ({ channel: 'sandbox', recipient: { wallet: String(1_000_000_000 + n) } })
    for (let n = 0; n < 20; n++) await mine.pay(id, account(n))
    expect(told(await add(id, account(20)))).toEqual([409, 'destinations_full', 'id'])
    for (let n = 21; n < 43; n++) {
      const [oldest] = (await mine.get(id)).destinations.filter(({ status }) => status === 'active')
      await mine.drop(id, oldest?.id ?? '')
      await mine.pay(id, account(n))
    }
    const { destinations } = await mine.get(id)
    const archived = destinations.filter(({ status }) => status === 'archived')
    expect([destinations.length, archived.length, archived[0]?.recipient.wallet]).toEqual([40, 20, '1000000002'])
  })
})

describe('likely duplicates', () => {
  const duplicates = async (reply: Promise<{ data: Readonly<Record<string, unknown>> }>) =>
    (await reply).data['duplicates'] as Duplicate[]

  test('are named by what both have alike, in whatever form it was written, and nothing is refused', async () => {
    const fresh = profilesOf(await world.newCaller({ funds: {} }))
    const ana = await fresh.make({ name: 'Ana', mobile: '09175550001', email: 'Ana@One.example' })
    await fresh.pay(ana.id, { channel: 'sandbox', recipient: { wallet: '0001-2345 X' } })
    const second = fresh.done('POST', '/profiles', {
      name: 'A. Reyes',
      mobile: '+63 917 555 0001',
      email: 'ana@one.EXAMPLE',
    })
    expect(await duplicates(second)).toEqual([{ id: ana.id, name: 'Ana', same: ['mobile', 'email'] }])
    const third = await fresh.make({ name: 'Ben' })
    const same = { channel: 'sandbox', recipient: { wallet: '00012345x' } }
    expect(await duplicates(fresh.done('POST', `/profiles/${third.id}/destinations`, same))).toEqual([
      { id: ana.id, name: 'Ana', same: ['account'] },
    ])
    expect(await duplicates(fresh.done('PATCH', `/profiles/${third.id}`, { email: 'ana@one.example' }))).toHaveLength(2)
    await fresh.archive(ana.id)
    expect(await duplicates(fresh.done('PATCH', `/profiles/${third.id}`, { email: null }))).toEqual([])
  })

  test('have an account at one bank, whichever branch its code names', async () => {
    const fresh = profilesOf(await world.newCaller({ funds: {} }))
    const at = (tag: string) => ({ channel: 'sandbox', recipient: { wallet: '00012345', tag } })
    const [first, second] = [await fresh.make({ name: 'Ana' }), await fresh.make({ name: 'Ben' })]
    await fresh.pay(first.id, at('BOPIPHMMXXX'))
    const found = (tag: string) => duplicates(fresh.done('POST', `/profiles/${second.id}/destinations`, at(tag)))
    expect(await found('MBTCPHMM')).toEqual([])
    expect(await found('BOPIPHMM')).toEqual([{ id: first.id, name: 'Ana', same: ['account'] }])
  })

  test('are never another account’s', async () => {
    const number = { name: 'Eve', mobile: '09175550009' }
    await profilesOf(other).make(number)
    expect(await duplicates(mine.done('POST', '/profiles', number))).toEqual([])
  })
})

describe('the account’s own', () => {
  test('is made of its name, changed like any other, listed nowhere and never archived', async () => {
    const fresh = await world.newCaller({ funds: {} })
    const own = profilesOf(fresh)
    const first = await own.get('me')
    expect(first).toMatchObject({
      id: fresh.account.profileId,
      name: 'Test',
      relation: 'own',
      version: 0,
      type: 'business',
    })
    expect(await own.get(first.id)).toEqual(first)
    expect(await own.patch('me', {})).toEqual(first)
    const changed = await own.patch('me', { email: 'pay@shop.example' })
    expect([changed.version, changed.name, changed.email, changed.relation]).toEqual([
      1,
      'Test',
      'pay@shop.example',
      'own',
    ])
    await own.pay('me', { channel: 'sandbox', recipient: { wallet: '000123' } })
    expect((await own.get('me')).version).toBe(2)
    expect(told(await fresh.ask('DELETE', '/profiles/me'))).toEqual([409, 'profile_is_own', 'id'])
    expect(told(await fresh.ask('DELETE', `/profiles/${first.id}`))).toEqual([409, 'profile_is_own', 'id'])
    expect((await fresh.ask('GET', '/profiles')).data['profiles']).toEqual([])
  })

  test('is what its contracts name, and nobody else finds it', async () => {
    const { issued_by: issuedBy, paid_by: paidBy } = await caller.paid()
    expect(paidBy).toBe(issuedBy)
    expect((await mine.get(issuedBy ?? '')).relation).toBe('own')
    expect(told(await other.ask('GET', `/profiles/${issuedBy}`))).toEqual([404, 'profile_not_found', 'id'])
  })
})

test('each change is an event and an entry of the audit list, of its own members alone', async () => {
  const fresh = await world.newCaller({ funds: {} })
  const own = profilesOf(fresh)
  const { id } = await own.make()
  await own.patch(id, { name: 'Ana Cruz' })
  await own.archive(id)
  await own.restore(id)
  const events = await fresh.all<{ type: string; data: { object: ProfileBody } }>('/events', 'events')
  expect(events.map(({ type, data }) => [type, data.object.version])).toEqual([
    ['profile.created', 1],
    ['profile.updated', 2],
    ['profile.archived', 3],
    ['profile.updated', 4],
  ])
  expect(events.at(-1)?.data.object).toEqual(await own.get(id))
  const audit = await world.sql<{ action: string; before: object; after: object; actor_id: string }>(
    'select action, before, after, actor_id from audit_entries where account_id = $1 order by id',
    [fresh.account.accountId],
  )
  expect(audit.map(({ action }) => action)).toEqual(
    ['created', 'updated', 'archived', 'restored'].map((each) => `profile.${each}`),
  )
  expect([audit[1]?.before, audit[1]?.after, audit[1]?.actor_id]).toEqual([
    { name: 'Ana Reyes' },
    { name: 'Ana Cruz' },
    fresh.keyId,
  ])
})
