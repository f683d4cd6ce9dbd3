// Signing in at an OpenID provider of this machine: who is a member with a verified address comes in; whatever the answer says
// wrongly, or whoever else's it is, opens nothing.
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/main/config/config.ts'
import { openWorld } from '../../world.ts'
import { type Answer, CLIENT, startOpenidProvider } from '../../rig/members/openid-provider.ts'
import { coded, cookieOf, invitation, joined, newEmail, withCookie } from './people.ts'

const provider = await startOpenidProvider()
const world = await openWorld({ workers: 'resting', config: { oidc: { issuer: provider.issuer, ...CLIENT } } })
const { caller, other } = world
afterAll(async () => {
  await world.stop()
  await provider.stop()
})

const person = await joined(world, caller, 'operator')
const { email } = person

type Begun = { readonly url: string; readonly cookie: string }

async function begin(account?: string): Promise<Begun> {
  const reply = await world.ask('POST', '/sessions/oidc', { body: account === undefined ? {} : { account } })
  const set = reply.headers['set-cookie'] ?? ''
  expect(set).toMatch(/^gateway_oidc=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  return { url: reply.data['url'] as string, cookie: set.split(';')[0] ?? '' }
}

/** The browser comes back: to a page, which is no operation of the document. */
async function comeBack(back: URL, cookie: string) {
  const url = `${back.pathname}${back.search}`
  const reply = await world.gateway.app.inject({ method: 'GET', url, headers: cookie === '' ? {} : { cookie } })
  const { 'set-cookie': set, 'content-type': type } = reply.headers
  const error = reply.statusCode === 200 ? { code: '' } : reply.json<{ error: { code: string } }>().error
  return {
    status: reply.statusCode,
    error,
    headers: { 'set-cookie': set?.toString(), 'content-type': type?.toString() },
  }
}

/** A whole sign-in. */
async function signIn(answer: Answer, account?: string) {
  const begun = await begin(account)
  return comeBack(provider.signIn(begun.url, answer), begun.cookie)
}

const FAILED = [401, 'sign_in_failed']

test('a member with a verified address is signed in, whatever its case', async () => {
  const reply = await signIn({ email: email.toUpperCase() })
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const current = await withCookie(world, cookieOf(reply))('GET', '/sessions/current')
  expect(current.data['member']).toMatchObject({ id: person.id, role: 'operator' })
  const [entry] = await world.sql<{ after: object }>(
    `select after from audit_entries where action = 'session.created' order by id desc limit 1`,
  )
  expect(entry?.after).toEqual({ member: person.id, by: 'oidc' })
})

const WRONG: [string, Answer][] = [
  ['an address that is not verified', { email, verified: false }],
  ['an address of which nothing is said', { email, claims: { email_verified: undefined } }],
  ['one that is verified in words', { email, claims: { email_verified: 'true' } }],
  ['an address of nobody', { email: 'nobody@people.example' }],
  ['no address', { email, claims: { email: undefined } }],
  ['another state', { email, state: 'a state of somebody else' }],
  ['another nonce', { email, claims: { nonce: 'a nonce of somebody else' } }],
  ['no nonce', { email, claims: { nonce: undefined } }],
  ['another audience', { email, claims: { aud: 'another client' } }],
  ['another issuer', { email, claims: { iss: 'https://evil.example' } }],
  ['a time that is over', { email, claims: { exp: 1_700_000_000 } }],
  ['the signature of another key', { email, isForged: true }],
]

test.each(WRONG)('%s opens nothing', async (_, answer) => {
  const reply = await signIn(answer)
  expect(coded(reply)).toEqual(FAILED)
  expect(reply.headers['set-cookie']).toBeUndefined()
})

test('an answer is for the browser that began, and is good once', async () => {
  const [mine, theirs] = [await begin(), await begin()]
  const back = provider.signIn(mine.url, { email })
  const before = provider.exchanges()
  expect(coded(await comeBack(back, ''))).toEqual(FAILED)
  expect(coded(await comeBack(back, theirs.cookie))).toEqual(FAILED)
  expect(coded(await comeBack(back, 'gateway_oidc=00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA'))).toEqual(FAILED)
  expect(provider.exchanges()).toBe(before)
  expect((await comeBack(back, mine.cookie)).status).toBe(200)
  expect(coded(await comeBack(back, mine.cookie))).toEqual(FAILED)
})

test('invited and removed people do not come in, and of two accounts one is said', async () => {
  const [waiting, gone] = [newEmail(), await joined(world, caller, 'viewer')]
  await invitation(world, caller, 'viewer', waiting)
  await world.sql(`update members set status = 'removed' where id = $1`, [gone.id])
  for (const each of [waiting, gone.email]) expect(coded(await signIn({ email: each }))).toEqual(FAILED)
  const twin = await joined(world, other, 'viewer', email)
  expect(coded(await signIn({ email }))).toEqual([409, 'account_required'])
  const reply = await signIn({ email }, other.account.accountId)
  const current = await withCookie(world, cookieOf(reply))('GET', '/sessions/current')
  expect(current.data['member']).toMatchObject({ id: twin.id })
})

/** A browser that comes back, and asks for a page; to a gateway beside this one, too. */
async function seen(url: string, back: URL, cookie: string) {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const reply = await fetch(`${url}${back.pathname}${back.search}`, { headers: { accept, cookie } })
  const { status, headers } = reply
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  return { status, text: await reply.text(), set: headers.get('set-cookie'), again: headers.get('retry-after') }
}
const leadsTo = (code: string) => `<meta http-equiv="refresh" content="0;url=/console/?refused=${code}">`

test('a person who comes back and is refused is led to the sign-in, with why, and with no session', async () => {
  const url = await world.listen()
  const nobody = await begin()
  const refused = await seen(url, provider.signIn(nobody.url, { email: 'nobody@people.example' }), nobody.cookie)
  expect([refused.status, refused.set]).toEqual([401, null])
  expect(refused.text).toContain(leadsTo('sign_in_failed'))
  const cancelled = await begin()
  const back = new URL(`http://gateway.test/sessions/oidc/callback?error=access_denied&state=x`)
  expect((await seen(url, back, cancelled.cookie)).text).toContain(leadsTo('sign_in_failed'))
  expect((await seen(url, back, '')).text).toContain(leadsTo('sign_in_failed'))
  const mine = await begin()
  const member = await joined(world, caller, 'viewer')
  const welcome = await seen(url, provider.signIn(mine.url, { email: member.email }), mine.cookie)
  expect([welcome.status, welcome.set]).toEqual([200, expect.stringContaining('gateway_session=gcs_')])
})

test('a provider that is away, and tries that are too many, are said in a page, too', async () => {
  const lost = await world.beside({ oidc: { issuer: 'http://127.0.0.1:9', ...CLIENT } })
  const begun = await begin()
  const away = await seen(await lost.listen(0), provider.signIn(begun.url, { email }), begun.cookie)
  expect([away.status, away.text]).toEqual([503, expect.stringContaining(leadsTo('oidc_unavailable'))])
  await lost.stop()
  const guarded = await world.beside({ doors: { ...world.config.doors, authFailuresPerMinute: 1 } })
  const url = await guarded.listen(0)
  const back = new URL('http://gateway.test/sessions/oidc/callback?code=x&state=x')
  const replies = [await seen(url, back, ''), await seen(url, back, ''), await seen(url, back, '')]
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 429])
  expect(replies[2]).toMatchObject({
    text: expect.stringContaining(leadsTo('rate_limited')),
    again: expect.any(String),
  })
  await guarded.stop()
})

test('without the console the page says it itself, and an account’s name is text in it', async () => {
  const { accountId } = other.account
  const shared = await joined(world, caller, 'viewer')
  await joined(world, other, 'viewer', shared.email)
  await world.sql('update accounts set name = $2 where account_id = $1', [accountId, '<img src=x onerror=alert(1)>'])
  const plain = await world.beside({ console: 'off' })
  const begun = await begin()
  const back = provider.signIn(begun.url, { email: shared.email })
  const { status, text } = await seen(await plain.listen(0), back, begun.cookie)
  expect([status, text]).toEqual([409, expect.stringContaining('&lt;img src=x onerror=alert(1)&gt;')])
  expect(text).not.toContain('<img')
  expect(text).not.toContain('http-equiv')
  await plain.stop()
})

test('its settings belong together, and lead to https or to this machine', () => {
  const env = {
    GATEWAY_OIDC_ISSUER: 'https://id.example',
    GATEWAY_OIDC_CLIENT_ID: 'x',
    GATEWAY_OIDC_CLIENT_SECRET: 'y',
  }
  expect(readConfig(env).oidc).toEqual({ issuer: 'https://id.example', clientId: 'x', clientSecret: 'y' })
  expect(readConfig({}).oidc).toBeNull()
  for (const wrong of [
    { GATEWAY_OIDC_CLIENT_ID: '' },
    { GATEWAY_OIDC_ISSUER: 'http://id.example' },
    { GATEWAY_OIDC_ISSUER: 'id' },
  ])
    expect(() => readConfig({ ...env, ...wrong })).toThrow(/GATEWAY_OIDC_ISSUER/)
})

test('without a provider it is said, and one that does not answer is no sign-in', async () => {
  const plain = await world.beside({ oidc: null })
  expect(coded(await plain.ask('POST', '/sessions/oidc', { body: {} }))).toEqual([409, 'oidc_not_configured'])
  await plain.stop()
  const lost = await world.beside({ oidc: { issuer: 'http://127.0.0.1:9', ...CLIENT } })
  expect(coded(await lost.ask('POST', '/sessions/oidc', { body: {} }))).toEqual([503, 'oidc_unavailable'])
  await lost.stop()
  // A private address is called only where it is allowed.
  const inside = await world.beside({ oidc: { issuer: provider.issuer, ...CLIENT }, webhookAllow: [] })
  expect(coded(await inside.ask('POST', '/sessions/oidc', { body: {} }))).toEqual([503, 'oidc_unavailable'])
  await inside.stop()
})
