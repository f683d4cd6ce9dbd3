// Signing in, and what somebody tries who may not: codes again, guesses, planted sessions, pages of other origins.
import { afterAll, expect, test } from 'vitest'
import { totpAt } from '../../../src/platform/totp.ts'
import { openWorld, type Reply } from '../../world.ts'
import { coded, cookieOf, joined, PASSWORD, type Person, signedInAgain, withCookie } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
const url = await world.listen()
afterAll(() => world.stop())

const FAILED = [401, 'sign_in_failed']
const person = await joined(world, caller, 'admin')

const attempt = (who: Pick<Person, 'email' | 'password'>, code?: string, others: object = {}) =>
  world.ask('POST', '/sessions', {
    body: { email: who.email, password: who.password, ...(code && { code }), ...others },
  })
/** As if half a minute and more had gone by since the last code. */
const later = () => world.sql('update members set totp_step = totp_step - 2')
const codeNow = ({ secret }: Person) => totpAt(secret, Date.now())
const failuresOf = async ({ id }: Person) =>
  (
    await world.sql<{ failures: number; locked: boolean }>(
      'select failures, locked_until is not null as locked from members where id = $1',
      [id],
    )
  )[0]

test('a password is not enough, and a code is taken once', async () => {
  await later()
  expect(coded(await attempt(person))).toEqual([401, 'second_factor_required'])
  const code = codeNow(person)
  const both = await Promise.all([attempt(person, code), attempt(person, code), attempt(person, code)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  expect(coded(await attempt(person, code))).toEqual(FAILED)
  const first = person.recoveryCodes.pop() ?? ''
  expect((await attempt(person, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
  expect(coded(await attempt(person, first))).toEqual(FAILED)
  await signedInAgain(world, person)
  expect(await failuresOf(person)).toEqual({ failures: 0, locked: false })
})

test('an unknown address, a wrong password, a removed member and another account’s id hear the same', async () => {
  const gone = await joined(world, caller, 'viewer')
  await person.ask('DELETE', `/members/${gone.id}`)
  const tries = [
    { email: 'nobody@people.example', password: 'four plain words', code: '123456' },
    { email: person.email, password: 'four plain words', code: '123456' },
    { email: person.email, password: person.password, code: '12345' },
    { email: gone.email, password: gone.password, code: gone.recoveryCodes[0] },
    { email: person.email, password: person.password, code: person.recoveryCodes[0], account: other.account.accountId },
    { email: 'no address', password: 'four plain words', code: '123456' },
  ]
  const replies: Reply[] = []
  for (const body of tries) replies.push(await world.ask('POST', '/sessions', { body }))
  const heard = replies.map(({ status, text, headers }) => [status, text.replace(/req_\w+/, ''), headers['set-cookie']])
  expect(new Set(heard.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(coded(replies[0]!)).toEqual(FAILED)
  await signedInAgain(world, person)
})

test('ten wrong in a row lock the member, whoever guesses, from however many sides, and on another process too', async () => {
  const victim = await joined(world, caller, 'viewer')
  await later()
  // Codes are guessed with the right password, many at once, and each of them is counted.
  const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => attempt(victim, String(i).padStart(6, '0'))))
  for (const guess of guesses) expect(coded(guess)).toEqual(FAILED)
  expect(await failuresOf(victim)).toEqual({ failures: 0, locked: true })
  const refused = await world.sql(`select 1 from audit_entries where action = 'session.refused' and object_id = $1`, [
    victim.id,
  ])
  expect(refused).toHaveLength(10)
  expect(coded(await attempt(victim, codeNow(victim)))).toEqual(FAILED)
  const neighbour = await world.beside()
  const body = { email: victim.email, password: victim.password, code: victim.recoveryCodes[0] }
  expect(coded(await neighbour.ask('POST', '/sessions', { body }))).toEqual(FAILED)
  await neighbour.stop()
  await world.sql(`update members set locked_until = now() - interval '1 second' where id = $1`, [victim.id])
  await signedInAgain(world, victim)
})

test('tries are limited before a password is looked at: by address of the sender, and by e-mail address, known or not', async () => {
  const { doors } = world.config
  const guarded = await world.beside({ doors: { ...doors, authFailuresPerMinute: 10 } })
  const counted = (statuses: readonly number[], turned: number) => statuses.filter((each) => each === turned).length
  // The buckets fill while the tries last: one more may get through.
  const byAddress: number[] = []
  for (let i = 0; i < 12; i++) {
    const body = { email: 'nobody@people.example', password: 'x' }
    byAddress.push((await guarded.ask('POST', '/sessions', { body, from: `198.51.${i}.1` })).status)
  }
  expect(counted(byAddress, 429)).toBeGreaterThanOrEqual(1)
  expect(byAddress.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
  const bySender: number[] = []
  for (let i = 0; i < 23; i++) {
    const body = { name: 'Ana', password: PASSWORD }
    bySender.push((await guarded.ask('POST', '/invitations/gci_none/accept', { body, from: '203.0.113.9' })).status)
  }
  expect(counted(bySender, 429)).toBeGreaterThanOrEqual(1)
  expect(bySender.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404))
  await guarded.stop()
})

test('of one address in two accounts only who knows the password hears of them, and says which', async () => {
  const twin = await joined(world, other, 'viewer', person.email)
  expect(coded(await attempt({ ...person, password: 'four plain words' }, '123456'))).toEqual(FAILED)
  const which = await attempt(person, person.recoveryCodes[0])
  expect(coded(which)).toEqual([409, 'account_required'])
  expect(which.error.message).toContain(other.account.accountId)
  const account = other.account.accountId
  const signedIn = await attempt(person, twin.recoveryCodes.pop(), { account })
  expect(signedIn.data['member']).toMatchObject({ id: twin.id })
  await person.ask('GET', '/sessions')
  await world.sql(`update members set status = 'removed' where id = $1`, [twin.id])
})

test('a session is new at every sign-in: one that was planted before is never taken over', async () => {
  const planted = person.cookie
  const code = person.recoveryCodes.pop()
  const reply = await world.ask('POST', '/sessions', {
    body: { email: person.email, password: person.password, code },
    headers: { cookie: planted },
  })
  expect(cookieOf(reply)).not.toBe(planted)
  const made = `gateway_session=gcs_00AAAAAAAA_${'A'.repeat(38)}`
  expect(coded(await world.ask('GET', '/sessions/current', { headers: { cookie: made } }))).toEqual([
    401,
    'invalid_session',
  ])
  const two = { cookie: `${cookieOf(reply)}; ${planted}` }
  expect(coded(await world.ask('GET', '/sessions/current', { headers: two }))).toEqual([401, 'session_required'])
  const flags = reply.headers['set-cookie'] ?? ''
  expect(flags).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
  expect(reply.headers['cache-control']).toBe('no-store')
})

test('over https the cookie is __Host- and Secure, and the plain name is no session', async () => {
  const secure = await world.beside({ publicUrl: 'https://gateway.example' })
  const body = { email: person.email, password: person.password, code: person.recoveryCodes.pop() }
  const reply = await secure.ask('POST', '/sessions', { body })
  const cookie = reply.headers['set-cookie'] ?? ''
  expect(cookie).toMatch(/^__Host-gateway_session=gcs_.*; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
  const [pair = ''] = cookie.split(';')
  const current = (sent: string) => secure.ask('GET', '/sessions/current', { headers: { cookie: sent } })
  expect((await current(pair)).status).toBe(200)
  expect(coded(await current(pair.replace('__Host-', '')))).toEqual([401, 'session_required'])
  await secure.stop()
})

const FOREIGN: [string, Record<string, string>][] = [
  ['no origin at all', {}],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['no origin that can be said', { origin: 'null' }],
  ['another port', { origin: 'http://gateway.test:8080' }],
  ['a name that begins like ours', { origin: 'http://gateway.test.evil.example' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'http://gateway.test' }],
  ['a page of a neighbour host', { 'sec-fetch-site': 'same-site' }],
  ['no page', { 'sec-fetch-site': 'none' }],
]

test.each(FOREIGN)('over a real connection, a write by session from %s is refused', async (_, headers) => {
  const before = await world.sql('select position from accounts order by account_id')
  const send = (method: string, path: string, body: object | null, others: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { ...headers, ...others, cookie: person.cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
  for (const [method, path, body] of [
    ['POST', '/contracts/transfer', { amount: 1, currency: 'PHP' }],
    ['PATCH', `/members/${person.id}`, { name: 'Mallory' }],
    ['DELETE', '/sessions/current', null],
  ] as const) {
    const reply = await send(method, path, body)
    const { error } = (await reply.json()) as { error: { code: string } }
    expect([reply.status, error.code]).toEqual([403, 'cross_site_request'])
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
  }
  expect(await world.sql('select position from accounts order by account_id')).toEqual(before)
})

test('a page of another origin signs nobody in, and one of our own may write', async () => {
  const body = { email: person.email, password: person.password, code: person.recoveryCodes[0] }
  const foreign = await world.ask('POST', '/sessions', { body, headers: { origin: 'https://evil.example' } })
  expect(coded(foreign)).toEqual([403, 'cross_site_request'])
  const own = { cookie: person.cookie, origin: 'http://gateway.test' }
  const write = await world.ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PHP' }, headers: own })
  expect(write.status).toBe(200)
})

test('a new password ends the other sessions, and needs the old one', async () => {
  const [here, there] = [await signedInAgain(world, person), await signedInAgain(world, person)]
  const change = (password: string, wanted: string) =>
    here.ask('PUT', '/members/me/password', { body: { password, new_password: wanted } })
  expect(coded(await change('four plain words', 'another four plain words'))).toEqual([403, 'not_proven'])
  expect(coded(await change(person.password, 'short'))).toEqual([400, 'invalid_new_password'])
  expect(coded(await change(person.password, `${person.email} is me`))).toEqual([400, 'invalid_new_password'])
  expect((await change(person.password, 'another four plain words')).status).toBe(200)
  const live = await here.ask('GET', '/sessions')
  expect((live.data['sessions'] as { current: boolean }[]).map(({ current }) => current)).toEqual([true])
  const write = await withCookie(world, there.cookie)('POST', '/contracts/transfer', {
    body: { amount: 1, currency: 'PHP' },
  })
  expect(write.status).toBe(401)
  await here.ask('PUT', '/members/me/password', {
    body: { password: 'another four plain words', new_password: person.password },
  })
})

test('an authenticator is replaced by who shows its code, and the last factor stays', async () => {
  const here = await signedInAgain(world, await joined(world, caller, 'viewer'))
  const proof = { password: here.password }
  const begun = await here.ask('POST', '/members/me/authenticator', { body: proof })
  const { secret } = begun.data['authenticator'] as { secret: string }
  await later()
  expect(coded(await here.ask('PUT', '/members/me/authenticator', { body: { code: codeNow(here) } }))).toEqual([
    403,
    'not_proven',
  ])
  const code = totpAt(secret, Date.now())
  expect((await here.ask('PUT', '/members/me/authenticator', { body: { code } })).status).toBe(200)
  // The code that confirmed it is used up, and those of the old one are worth nothing.
  expect(coded(await attempt(here, code))).toEqual(FAILED)
  expect(coded(await here.ask('DELETE', '/members/me/authenticator', { body: proof }))).toEqual([409, 'last_factor'])
  const codes = await here.ask('POST', '/members/me/recovery-codes', { body: proof })
  const [fresh = ''] = codes.data['recovery_codes'] as string[]
  expect(coded(await attempt(here, here.recoveryCodes[0]))).toEqual(FAILED)
  expect((await attempt(here, fresh)).status).toBe(200)
})
