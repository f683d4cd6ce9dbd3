// Bodies that mean harm, sent to profiles and destinations: refused with 4xx and kept nowhere, or kept as the text that they are.
// And the look-ups of profiles go by an index, however many there are.
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { findMarked, findProfiles, listProfiles } from '../../../src/store/profiles/profiles.ts'
import { DestinationBody, ProfileBody } from '../../../src/wire/profiles/profile.ts'
import { openWorld } from '../../world.ts'
import { BANK, profilesOf } from './profile-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = profilesOf(caller)
const { id } = await mine.make({ name: 'Ana' })
const destination = await mine.pay(id)
const ROUTES = [
  ['POST', '/profiles', '"name":"A"'],
  ['PATCH', `/profiles/${id}`, '"name":"A"'],
  ['POST', `/profiles/${id}/destinations`, '"channel":"sandbox"'],
  ['PATCH', `/profiles/${id}/destinations/${destination.id}`, '"label":"A"'],
] as const

describe.each(ROUTES)('%s %s', (method, path, valid) => {
  const send = (body: string | Buffer) => caller.ask(method, path, { body })

  test.each<[string, string | Buffer]>([
    ['nested 17 deep', `{${valid},"metadata":${'{"a":'.repeat(17)}1${'}'.repeat(17)}}`],
    ['a member twice', `{${valid},${valid}}`],
    ['a NUL', `{${valid},"label":"a\\u0000b"}`],
    ['half a surrogate pair', `{${valid},"label":"\\ud800"}`],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['an array', `[{${valid}}]`],
    ['half of it', `{${valid},"na`],
  ])('%s is no JSON here', async (_what, body) => {
    const before = await mine.get(id)
    const { status, error } = await send(body)
    expect([status, error.code]).toEqual([400, 'malformed_json'])
    expect(await mine.get(id)).toEqual(before)
  })

  test('names that mean something to JavaScript are unknown, and names of card data are refused', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const { status, error } = await send(`{${valid},"${name}":{"polluted":true}}`)
      expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', name])
    }
    expect((await send(`{${valid},"metadata":{"cvc":"123"}}`)).error.code).toBe('card_data_not_allowed')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('every member that is not the gateway’s own is refused where it is no text of its length', async () => {
    const { properties } = path.includes('destinations') ? DestinationBody : ProfileBody
    const own = Object.entries(properties).filter(([, shape]) => !(shape as { readOnly?: boolean }).readOnly)
    expect(own.length).toBeGreaterThan(3)
    for (const [name] of own)
      for (const value of [
        5,
        [],
        ['x'],
        'x'.repeat(2000),
        name === 'recipient' || name === 'metadata' ? 'x' : { a: 1 },
      ]) {
        const { status, error } = await send(JSON.stringify({ [name]: value }))
        expect([status, error.type], `${name} ${JSON.stringify(value).slice(0, 40)}`).toEqual([
          400,
          'invalid_request_error',
        ])
      }
  })
})

test('text of all the world’s scripts comes back as it was, and finds its profile', async () => {
  const reference = 'Ñandú 東京 🏦 "quoted" \\ Ζ̡͂'
  const made = await mine.make({ name: '\u202e Ana', reference, metadata: { ['__proto__']: 'x', 'a"b': '\\' } })
  expect([made.reference, made.metadata]).toEqual([reference, { ['__proto__']: 'x', 'a"b': '\\' }])
  const found = await caller.all<{ id: string }>(`/profiles?reference=${encodeURIComponent(reference)}`, 'profiles')
  expect(found.map((each) => each.id)).toEqual([made.id])
})

test('an account of the greatest length is found as a duplicate like any other', async () => {
  const long = { ...BANK, recipient: { wallet: 'ﷺ'.repeat(255) } }
  const [one, two] = [await mine.make({ name: 'L1' }), await mine.make({ name: 'L2' })]
  await mine.pay(one.id, long)
  const { data } = await mine.done('POST', `/profiles/${two.id}/destinations`, long)
  expect(data['duplicates']).toEqual([{ id: one.id, name: 'L1', same: ['account'] }])
})

test('among 5,000 profiles each look-up goes by an index', async () => {
  const { lane, accountId } = caller.account
  await world.sql(
    `insert into profiles (lane, account_id, livemode, id, version, type, status)
     select $1, $2, false, gen_random_uuid(), 1, 'person', 'active' from generate_series(1, 5000)`,
    [lane, accountId],
  )
  await world.sql(
    `insert into profile_versions (lane, account_id, profile_id, version, document)
     select p.lane, p.account_id, p.id, 1, '{}' from profiles p
      where not exists (select 1 from profile_versions v where v.lane = p.lane and v.profile_id = p.id)`,
  )
  await world.sql(
    `insert into profile_marks (lane, account_id, mark, profile_id, kind)
     select p.lane, p.account_id, gen_random_uuid(), p.id, 'mobile' from profiles p`,
  )
  for (const table of ['profiles', 'profile_versions', 'profile_marks']) await world.sql(`analyze ${table}`)
  const mark = { kind: 'mobile', value: '+639171234567' } as const
  const all = { type: null, status: null, marks: [], except: id, after: null, limit: 25 }
  const key = { lane, accountId, id }
  const client = new pg.Client(world.database.owner)
  await client.connect()
  for (const { text, values, name } of [
    findMarked(key, [mark], 20),
    findProfiles(key, [id]),
    listProfiles(key, all),
    listProfiles(key, { ...all, marks: [mark], status: 'active' }),
    listProfiles(key, { ...all, status: 'archived' }),
  ]) {
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(`explain ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan, name).toMatch(/Index/)
    expect(plan, name).not.toMatch(/Seq Scan/)
  }
  await client.end()
})
