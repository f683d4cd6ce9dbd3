// The wall between members: what a session, a link or a password opens, for whoever has none, a key, or somebody else's. A route
// without a row fails.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { SESSION_ROUTES, SIGN_IN_ROUTES } from '../callers/tenant-members.ts'
import { coded, joined, type Person } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

const mine = await joined(world, caller, 'viewer')
const theirs = await joined(world, other, 'owner')
const colleague = await joined(world, caller, 'owner')

const PROOF = { password: 'four plain words' }
const PASSKEY = { passkey: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e30' } } }

/** What each is asked with. */
const BODIES: Readonly<Record<(typeof SESSION_ROUTES)[number], object | null>> = {
  'GET /sessions': null,
  'GET /sessions/current': null,
  'DELETE /sessions/current': null,
  'DELETE /sessions/{id}': null,
  'PUT /members/me/password': { ...PROOF, new_password: 'four other plain words' },
  'POST /members/me/authenticator': PROOF,
  'PUT /members/me/authenticator': { code: '123456' },
  'DELETE /members/me/authenticator': PROOF,
  'POST /members/me/recovery-codes': PROOF,
  'POST /members/me/passkeys/options': PROOF,
  'POST /members/me/passkeys': PASSKEY,
  'GET /members/me/passkeys': null,
  'DELETE /members/me/passkeys/{id}': null,
  'PUT /verifications/{id}/pass': { reason: 'Known in person.' },
  'PUT /verifications/{id}/fail': { reason: 'Somebody else.' },
}

const rows = SESSION_ROUTES.map((name) => {
  const [method = '', path = ''] = name.split(' ')
  const body = BODIES[name]
  return { name, method: method as 'GET', path: path.replace('{id}', 'AAAA'), sent: body === null ? {} : { body } }
})
const stateOf = () => world.sql('select * from members order by id')

test.each(rows)('$name: none and a key are told to sign in', async ({ method, path, sent }) => {
  const before = await stateOf()
  for (const headers of [{}, { 'x-api-key': caller.apiKey }, { authorization: 'Bearer x' }])
    expect(coded(await world.ask(method, path, { ...sent, headers }))).toEqual([401, 'session_required'])
  const forged = { cookie: `gateway_session=${'x'.repeat(40)}` }
  expect(coded(await world.ask(method, path, { ...sent, headers: forged }))).toEqual([401, 'invalid_session'])
  expect(await stateOf()).toEqual(before)
})

const sessionIdOf = async (person: Person) =>
  ((await person.ask('GET', '/sessions/current')).data['session'] as { id: string }).id

test('a session of somebody else is one that does not exist', async () => {
  const absent = '01890000-0000-7000-8000-000000000001'
  for (const id of [await sessionIdOf(theirs), await sessionIdOf(colleague), absent, 'x'])
    expect(coded(await mine.ask('DELETE', `/sessions/${id}`))).toEqual([404, 'session_not_found'])
  for (const each of [theirs, colleague]) expect((await each.ask('GET', '/sessions')).status).toBe(200)
})

test('lists hold what is one’s own', async () => {
  const sessions = (await mine.ask('GET', '/sessions')).data['sessions'] as { id: string }[]
  expect(sessions.map(({ id }) => id)).toEqual([await sessionIdOf(mine)])
  expect((await mine.ask('GET', '/members/me/passkeys')).data['passkeys']).toEqual([])
})

test('sessions are no keys: no list shows them', async () => {
  const all = await caller.ask('GET', '/keys')
  expect(all.status).toBe(200)
  const live = await world.sql<{ key_id: string }>('select key_id from api_keys where member_id is not null')
  expect(live.length).toBeGreaterThan(2)
  for (const { key_id: id } of live) expect(all.text).not.toContain(id)
})

test('the routes by which somebody comes in take no caller at all', async () => {
  const open = world.routes.filter(({ method, path }) => SIGN_IN_ROUTES.some((name) => name === `${method} ${path}`))
  expect(open).toHaveLength(SIGN_IN_ROUTES.length)
  const token = `gci_00_${'A'.repeat(49)}`
  const body = { name: 'Ana', password: 'four plain words' }
  for (const headers of [{}, { 'x-api-key': caller.apiKey }]) {
    expect(coded(await world.ask('GET', `/invitations/${token}`, { headers }))).toEqual([404, 'invitation_not_found'])
    expect(coded(await world.ask('POST', `/invitations/${token}/accept`, { headers, body }))).toEqual([
      404,
      'invitation_not_found',
    ])
    const confirmed = await world.ask('POST', `/invitations/${token}/confirm`, { headers, body: { code: '123456' } })
    expect(coded(confirmed)).toEqual([404, 'invitation_not_found'])
    expect(coded(await world.ask('POST', '/sessions', { headers, body: {} }))).toEqual([400, 'missing_email'])
  }
})
