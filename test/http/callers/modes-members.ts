// The rows of members, their sessions and how they sign in, in the wall between test and live. A member is of one account, and so
// of its mode: whoever is a member on both sides signs in to one of them.
import { expect } from 'vitest'
import { totpAt } from '../../../src/platform/totp.ts'
import {
  coded,
  cookieOf,
  invitation,
  joined,
  newEmail,
  PASSWORD,
  type Person,
  signedInAgain,
  withCookie,
} from '../members/people.ts'
import { openAuthenticator } from '../../rig/members/authenticator.ts'
import type { Method } from '../../world.ts'
import { absent, all, type Body, type Crossing, ownMode, without } from './modes-crossings.ts'
import { type Side, stateOf } from './modes-stage.ts'

type Made = { readonly id: string; readonly livemode: boolean }
const isLive = ({ word }: Side) => word === 'live'

async function member({ caller }: Side): Promise<string> {
  const { data } = await caller.ask('POST', '/members', { body: { email: newEmail(), role: 'viewer' } })
  return (data['member'] as Made).id
}

const people = new Map<string, Promise<Person>>()
/** An owner of the side's account, who stays signed in. */
export function personOf(side: Side): Promise<Person> {
  const { accountId } = side.caller.account
  const person = people.get(accountId) ?? joined(side.world, side.caller, 'owner')
  people.set(accountId, person)
  return person
}

/** Asked by the side's member in place of its key. */
export const asPerson =
  (crossing: Crossing): Crossing =>
  async (asking, owning) => {
    const { ask } = await personOf(asking)
    await crossing({ ...asking, caller: { ...asking.caller, ask } }, owning)
  }

/** Does its work for whoever is signed in, and nothing on the other side. */
const forOneself =
  (method: Method, path: string, bodyOf: (person: Person) => Promise<Body> | Body, who = personOf): Crossing =>
  async (asking, owning) => {
    const person = await who(asking)
    const body = await bodyOf(person)
    const [before, own] = [await stateOf(owning), await stateOf(asking)]
    const reply = await person.ask(method, path, { body })
    expect([reply.status, reply.text.includes(owning.caller.account.accountId)], reply.text).toEqual([200, false])
    expect(await stateOf(owning)).toEqual(before)
    if (method !== 'GET' && !path.endsWith('/options')) expect(await stateOf(asking)).not.toEqual(own)
  }

const proof = ({ password }: Person) => ({ password })
const newcomer = (side: Side) => joined(side.world, side.caller, 'owner')

async function newCode({ ask, password }: Person): Promise<Body> {
  const { data } = await ask('POST', '/members/me/authenticator', { body: { password } })
  return { code: totpAt((data['authenticator'] as { secret: string }).secret, Date.now()) }
}

type Creation = Parameters<ReturnType<typeof openAuthenticator>['create']>[0]
async function newPasskey({ ask, password }: Person): Promise<Body> {
  const { data } = await ask('POST', '/members/me/passkeys/options', { body: { password } })
  return { passkey: openAuthenticator('http://gateway.test').create(data['options'] as Creation) }
}

async function passkey(side: Side): Promise<string> {
  const person = await personOf(side)
  const { data } = await person.ask('POST', '/members/me/passkeys', { body: await newPasskey(person) })
  return (data['passkey'] as Made).id
}

const proofBesidePasskey = async (person: Person) => {
  await person.ask('POST', '/members/me/passkeys', { body: await newPasskey(person) })
  return proof(person)
}

const currentOf = async ({ ask }: Pick<Person, 'ask'>) => (await ask('GET', '/sessions/current')).data
const session = async (side: Side) => ((await currentOf(await personOf(side)))['session'] as Made).id

const me = '/members/me'
const sessionRows: Readonly<Record<string, Crossing>> = {
  'GET /sessions': asPerson(without('/sessions', 'sessions', session)),
  'GET /sessions/current': async (asking) => {
    const { account_id: accountId, member: seen } = await currentOf(await personOf(asking))
    expect([accountId, (seen as Made).livemode]).toEqual([asking.caller.account.accountId, isLive(asking)])
  },
  'DELETE /sessions/{id}': asPerson(absent('DELETE', '/sessions/{id}', session)),
  'DELETE /sessions/current': async (asking, owning) => {
    const [theirs, mine] = [await personOf(owning), await newcomer(asking)]
    const brief = await signedInAgain(asking.world, mine)
    expect((await brief.ask('DELETE', '/sessions/current')).status).toBe(200)
    expect(coded(await brief.ask('GET', '/sessions/current'))).toEqual([401, 'invalid_session'])
    for (const { ask } of [mine, theirs]) expect((await ask('GET', '/sessions/current')).status).toBe(200)
  },
  'PUT /members/me/password': forOneself(
    'PUT',
    `${me}/password`,
    (person) => ({ ...proof(person), new_password: 'four other plain words' }),
    newcomer,
  ),
  'POST /members/me/authenticator': forOneself('POST', `${me}/authenticator`, proof),
  'PUT /members/me/authenticator': forOneself('PUT', `${me}/authenticator`, newCode),
  'DELETE /members/me/authenticator': forOneself('DELETE', `${me}/authenticator`, proofBesidePasskey, newcomer),
  'POST /members/me/recovery-codes': forOneself('POST', `${me}/recovery-codes`, proof),
  'POST /members/me/passkeys/options': forOneself('POST', `${me}/passkeys/options`, proof),
  'POST /members/me/passkeys': forOneself('POST', `${me}/passkeys`, newPasskey),
  'GET /members/me/passkeys': asPerson(without(`${me}/passkeys`, 'passkeys', passkey)),
  'DELETE /members/me/passkeys/{id}': asPerson(absent('DELETE', `${me}/passkeys/{id}`, passkey)),
}

/** A link leads to the account that made it, whatever key is sent along, and a member of the other side is none of it. */
async function comesIn(asking: Side, owning: Side): Promise<void> {
  const { world } = asking
  const headers = { 'x-api-key': asking.caller.apiKey }
  const before = await stateOf(asking)
  const token = await invitation(world, owning.caller, 'viewer')
  const seen = await world.ask('GET', `/invitations/${token}`, { headers })
  const { accountId } = owning.caller.account
  expect(seen.data['invitation']).toMatchObject({ account_id: accountId, livemode: isLive(owning) })
  const body = { name: 'Ana', password: PASSWORD }
  const accepted = await world.ask('POST', `/invitations/${token}/accept`, { headers, body })
  expect(accepted.status, accepted.text).toBe(200)
  type Enrolment = { readonly token: string; readonly authenticator: { readonly secret: string } }
  const { token: next, authenticator } = accepted.data['enrolment'] as Enrolment
  const code = totpAt(authenticator.secret, Date.now())
  const confirmed = await world.ask('POST', `/invitations/${next}/confirm`, { headers, body: { code } })
  expect([confirmed.status, (confirmed.data['member'] as Made).livemode]).toEqual([200, isLive(owning)])
  expect((await currentOf({ ask: withCookie(world, cookieOf(confirmed)) }))['account_id']).toBe(accountId)
  expect(await stateOf(asking)).toEqual(before)
}

/** One address, one password, a member on each side: the code of one opens the other side to nobody. */
async function signsIn(asking: Side, owning: Side): Promise<void> {
  const { world } = asking
  const email = newEmail()
  const [mine] = [
    await joined(world, asking.caller, 'owner', email),
    await joined(world, owning.caller, 'owner', email),
  ]
  const signIn = (side: Side, code: string | undefined) =>
    world.ask('POST', '/sessions', {
      body: { email, password: PASSWORD, code, account: side.caller.account.accountId },
    })
  expect(coded(await signIn(owning, mine.recoveryCodes[0]))).toEqual([401, 'sign_in_failed'])
  const right = await signIn(asking, mine.recoveryCodes[0])
  expect(right.data['member']).toMatchObject({ id: mine.id, livemode: isLive(asking) })
  const { account_id: accountId } = await currentOf({ ask: withCookie(world, cookieOf(right)) })
  expect(accountId).toBe(asking.caller.account.accountId)
}

/** Asked by nobody in particular: the answer is of no side. */
const ofNoSide =
  (path: string, status: number): Crossing =>
  async (asking, owning) => {
    const reply = await asking.world.ask('POST', path, { body: {}, headers: { 'x-api-key': asking.caller.apiKey } })
    expect(reply.status, reply.text).toBe(status)
    for (const { caller } of [asking, owning]) expect(reply.text).not.toContain(caller.account.accountId)
  }

const signInRows: Readonly<Record<string, Crossing>> = {
  'GET /invitations/{token}': comesIn,
  'POST /invitations/{token}/accept': comesIn,
  'POST /invitations/{token}/confirm': comesIn,
  'POST /sessions': signsIn,
  'POST /sessions/passkey-options': ofNoSide('/sessions/passkey-options', 200),
  // There is no provider to go to.
  'POST /sessions/oidc': ofNoSide('/sessions/oidc', 409),
}

const at = (method: Method, path: string, body?: Body) => absent(method, `/members/{id}${path}`, member, body)
const invited = { email: 'invited@people.example', role: 'viewer' }

/** Operators see both modes; a member of an account that does not operate sees none of it. */
const ofOperators = (method: Method, path: string, body?: Body): Crossing =>
  asPerson(async (asking, owning) => {
    const before = await stateOf(owning)
    const reply = await asking.caller.ask(method, path.replace('{id}', NOBODY).replace('{channel}', 'maya'), { body })
    expect(coded(reply)).toEqual([403, 'scope_missing'])
    expect(await stateOf(owning)).toEqual(before)
  })
const NOBODY = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'
const EVIDENCE = { evidence: 'a letter' }

const operatorRows: Readonly<Record<string, Crossing>> = {
  'GET /operations/transfers': ofOperators('GET', '/operations/transfers'),
  'PUT /operations/transfers/{id}/close': ofOperators('PUT', '/operations/transfers/{id}/close', EVIDENCE),
  'GET /operations/resolutions': ofOperators('GET', '/operations/resolutions'),
  'POST /operations/resolutions': ofOperators('POST', '/operations/resolutions', {
    contract_id: NOBODY,
    as: 'failed',
    ...EVIDENCE,
  }),
  'GET /operations/resolutions/{id}': ofOperators('GET', '/operations/resolutions/{id}'),
  'PUT /operations/resolutions/{id}/approve': ofOperators('PUT', '/operations/resolutions/{id}/approve', {}),
  'PUT /operations/resolutions/{id}/reject': ofOperators('PUT', '/operations/resolutions/{id}/reject', {
    reason: 'mine now',
  }),
  'GET /operations/freezes': ofOperators('GET', '/operations/freezes'),
  'POST /operations/freezes': ofOperators('POST', '/operations/freezes', { channel: 'maya', reason: 'mine now' }),
  'DELETE /operations/freezes/{channel}': ofOperators('DELETE', '/operations/freezes/{channel}', EVIDENCE),
  'GET /operations/payouts': ofOperators('GET', '/operations/payouts'),
  'PUT /operations/payouts/pause': ofOperators('PUT', '/operations/payouts/pause', EVIDENCE),
  'PUT /operations/payouts/resume': ofOperators('PUT', '/operations/payouts/resume', EVIDENCE),
  'GET /operations/recovery': ofOperators('GET', '/operations/recovery'),
  'PUT /operations/recovery/compare': ofOperators('PUT', '/operations/recovery/compare'),
  'PUT /operations/recovery/resume': ofOperators('PUT', '/operations/recovery/resume', EVIDENCE),
  'GET /operations/payment-events': ofOperators('GET', '/operations/payment-events'),
  'PUT /operations/payment-events/{id}/take': ofOperators('PUT', '/operations/payment-events/{id}/take', {
    account_id: NOBODY,
    ...EVIDENCE,
  }),
  'GET /operations/reconciliations': ofOperators('GET', '/operations/reconciliations'),
  'POST /operations/reconciliations': ofOperators('POST', '/operations/reconciliations', { channel: 'maya' }),
  'GET /operations/reconciliations/{id}': ofOperators('GET', '/operations/reconciliations/{id}'),
  'GET /operations/balances': ofOperators('GET', '/operations/balances'),
  'GET /operations/entries': ofOperators('GET', '/operations/entries'),
  'GET /operations/proofs': ofOperators('GET', '/operations/proofs'),
  'POST /operations/proofs': ofOperators('POST', '/operations/proofs', {}),
  'GET /operations/proofs/{id}': ofOperators('GET', '/operations/proofs/{id}'),
}

export const memberRows: Readonly<Record<string, Crossing>> = {
  'POST /members': all(
    ownMode('POST', '/members', invited, ({ data }) => (data['member'] as Made).livemode),
    asPerson(ownMode('POST', '/members', invited, ({ data }) => (data['member'] as Made).livemode)),
  ),
  'GET /members': without('/members', 'members', member),
  'GET /members/{id}': at('GET', ''),
  'PATCH /members/{id}': at('PATCH', '', { name: 'mine now' }),
  'POST /members/{id}/reset': at('POST', '/reset'),
  'DELETE /members/{id}': all(at('DELETE', ''), asPerson(at('DELETE', ''))),
  ...sessionRows,
  ...signInRows,
  ...operatorRows,
}
