// Passkeys, by an authenticator in software: made at the enrolment and later, enough to sign in, good once for each challenge,
// and refused whenever site, user, challenge, count or finger are not what they should be.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { openAuthenticator, type Twist } from '../../rig/members/authenticator.ts'
import { coded, cookieOf, invitation, joined, PASSWORD, withCookie } from './people.ts'

const ORIGIN = 'http://gateway.test'
const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

type Creation = {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
type Request = { readonly challenge: string; readonly rpId: string }

const requested = async () =>
  (await world.ask('POST', '/sessions/passkey-options', { body: {} })).data['options'] as Request
const present = (passkey: unknown) => world.ask('POST', '/sessions', { body: { passkey } })

/** Somebody who came in by a passkey alone. */
async function enrolled() {
  const authenticator = openAuthenticator(ORIGIN)
  const token = await invitation(world, caller, 'operator')
  const accepted = await world.ask('POST', `/invitations/${token}/accept`, {
    body: { name: 'Ana', password: PASSWORD },
  })
  const { token: next, passkey: options } = accepted.data['enrolment'] as { token: string; passkey: Creation }
  const passkey = authenticator.create(options)
  const reply = await world.ask('POST', `/invitations/${next}/confirm`, { body: { passkey, passkey_name: 'Phone' } })
  const member = reply.data['member'] as { id: string; factors: unknown }
  return { authenticator, member, options, passkey, ask: withCookie(world, cookieOf(reply)) }
}

const person = await enrolled()

test('a passkey ends the enrolment, and signs in by itself', async () => {
  expect(person.member.factors).toEqual({ authenticator: false, passkeys: 1, recovery_codes: 10 })
  const signedIn = await present(person.authenticator.get(await requested()))
  expect(signedIn.data['member']).toMatchObject({ id: person.member.id })
  const ask = withCookie(world, cookieOf(signedIn))
  const { data } = await ask('GET', '/members/me/passkeys')
  expect(data['passkeys']).toEqual([expect.objectContaining({ name: 'Phone', last_used_at: expect.any(String) })])
})

test('an answer is good once: not at the same time, and not again', async () => {
  const answer = person.authenticator.get(await requested())
  const both = await Promise.all([present(answer), present(answer)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect(coded(await present(answer))).toEqual([401, 'sign_in_failed'])
})

const TWISTS: [string, Twist][] = [
  ['another site', { origin: 'https://gateway.evil.example' }],
  ['a site of another name', { rpId: 'evil.example' }],
  ['a challenge of its own', { challenge: Buffer.from('0').toString('base64url') }],
  ['an answer to another question', { type: 'webauthn.create' }],
  ['no finger', { isVerified: false }],
  ['a count that was before', { counter: 1 }],
  ['another member’s name', { userHandle: Buffer.from('01890000-0000-7000-8000-000000000001').toString('base64url') }],
  ['no name', { userHandle: '' }],
]

test.each(TWISTS)('%s is refused', async (_, twist) => {
  expect(coded(await present(person.authenticator.get(await requested(), twist)))).toEqual([401, 'sign_in_failed'])
})

test('a passkey of one member does not sign in another, nor one that nobody registered', async () => {
  const second = await enrolled()
  const userHandle = Buffer.from(second.member.id).toString('base64url')
  expect(coded(await present(person.authenticator.get(await requested(), { userHandle })))).toEqual([
    401,
    'sign_in_failed',
  ])
  const stranger = openAuthenticator(ORIGIN)
  stranger.create(second.options)
  expect(coded(await present(stranger.get(await requested())))).toEqual([401, 'sign_in_failed'])
})

test('a challenge of a registration signs nobody in, and a registration is for its own member and once', async () => {
  const { challenge } = person.options
  expect(coded(await present(person.authenticator.get({ challenge, rpId: 'gateway.test' })))).toEqual([
    401,
    'sign_in_failed',
  ])
  const mine = await joined(world, caller, 'viewer')
  const options = async () =>
    (await mine.ask('POST', '/members/me/passkeys/options', { body: { password: PASSWORD } })).data[
      'options'
    ] as Creation
  const add = (passkey: unknown) => mine.ask('POST', '/members/me/passkeys', { body: { passkey, name: 'Key' } })
  const authenticator = openAuthenticator(ORIGIN)
  const refused = [400, 'invalid_passkey']
  // Made for somebody else, for another site, and without a finger.
  expect(coded(await add(authenticator.create({ ...(await options()), challenge })))).toEqual(refused)
  expect(coded(await add(authenticator.create(await options(), { origin: 'https://evil.example' })))).toEqual(refused)
  expect(coded(await add(authenticator.create(await options(), { isVerified: false })))).toEqual(refused)
  const passkey = authenticator.create(await options())
  const both = await Promise.all([add(passkey), add(passkey)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await mine.ask('DELETE', `/members/me/passkeys/${passkey.id}`)).status).toBe(200)
  expect(coded(await add(passkey))).toEqual(refused)
  expect(coded(await present(authenticator.get(await requested())))).toEqual([401, 'sign_in_failed'])
})

test('the only factor stays, and a removed member’s passkey opens nothing', async () => {
  const last = await enrolled()
  expect(coded(await last.ask('DELETE', `/members/me/passkeys/${last.passkey.id}`))).toEqual([409, 'last_factor'])
  const owner = await joined(world, caller, 'owner')
  await owner.ask('DELETE', `/members/${last.member.id}`)
  expect(coded(await present(last.authenticator.get(await requested())))).toEqual([401, 'sign_in_failed'])
  expect(await world.sql('select 1 from passkeys where member_id = $1', [last.member.id])).toEqual([])
})

test('what no authenticator makes is refused as a wrong sign-in, not as a fault', async () => {
  const options = await requested()
  const good = person.authenticator.get(options)
  const { response } = good as { response: Record<string, string> }
  const broken = [
    { ...good, response: { ...response, signature: 'AAAA' } },
    { ...good, response: { ...response, authenticatorData: '' } },
    { ...good, response: { ...response, clientDataJSON: 'e30' } },
    { ...good, response: { clientDataJSON: 'e30' } },
    { ...good, id: 'AAAA' },
  ]
  for (const each of broken) expect(coded(await present(each))).toEqual([401, 'sign_in_failed'])
})
