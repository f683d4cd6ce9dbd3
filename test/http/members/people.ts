// People who sign in, for tests: invited, come in, and speak by their cookie as a browser's page of the gateway would.
import { inviteMember } from '../../../src/app/members/members.ts'
import type { Gateway } from '../../../src/main/assemble.ts'
import { OPERATORS, type Role } from '../../../src/domain/account/roles.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { totpAt } from '../../../src/platform/totp.ts'
import type { Caller } from '../../world-caller.ts'
import type { Client, Method, Reply, Sent } from '../../world-client.ts'

export type Person = {
  readonly id: string
  readonly email: string
  readonly password: string
  /** Of the authenticator. */
  readonly secret: string
  readonly recoveryCodes: string[]
  /** What the browser sends. */
  readonly cookie: string
  readonly ask: (method: Method, path: string, sent?: Sent) => Promise<Reply>
}

export const PASSWORD = 'four plain words together'
const OWN_PAGE = { origin: 'http://gateway.test', 'sec-fetch-site': 'same-origin' }

let count = 0
export const newEmail = () => `person${++count}.${process.pid}@people.example`

type Account = Pick<Caller, 'account'>
/** What people come in by. */
type Entrance = Pick<Client, 'ask'> & { readonly gateway: Gateway }

/** The text of an invitation that the operators of the gateway make. */
export async function invitation(
  world: Entrance,
  { account }: Account,
  role: Role,
  email = newEmail(),
): Promise<string> {
  const { lane, accountId } = account
  const actor = { kind: 'operator', id: 'Ana Cruz', address: null, requestId: null } as const
  const wanted = { email, role, name: null }
  const invited = await inviteMember(
    world.gateway.deps.changes,
    { lane, accountId, keyId: null, actor },
    OPERATORS,
    wanted,
  )
  if (isRefusal(invited)) throw new Error(invited.message)
  return invited.token
}

/** Somebody who was invited, accepted and enrolled an authenticator. */
export async function joined(world: Entrance, owner: Account, role: Role, email = newEmail()): Promise<Person> {
  return comeIn(world, await invitation(world, owner, role, email), email)
}

export async function comeIn(world: Entrance, token: string, email: string): Promise<Person> {
  const accepted = await world.ask('POST', `/invitations/${token}/accept`, {
    body: { name: 'Ana Reyes', password: PASSWORD },
  })
  const { token: next, authenticator } = accepted.data['enrolment'] as {
    token: string
    authenticator: { secret: string }
  }
  const code = totpAt(authenticator.secret, Date.now())
  const reply = await world.ask('POST', `/invitations/${next}/confirm`, { body: { code } })
  const { id } = reply.data['member'] as { id: string }
  const recoveryCodes = reply.data['recovery_codes'] as string[]
  const cookie = cookieOf(reply)
  const { secret } = authenticator
  return { id, email, password: PASSWORD, secret, recoveryCodes, cookie, ask: withCookie(world, cookie) }
}

/** Requests of a page of the gateway, by a cookie. */
export const withCookie =
  (world: Pick<Client, 'ask'>, cookie: string): Person['ask'] =>
  (method, path, sent = {}) =>
    world.ask(method, path, { ...sent, headers: { cookie, ...OWN_PAGE, ...sent.headers } })

/** What a reply sets, as a browser sends it back. */
export function cookieOf({ headers }: Pick<Reply, 'headers'>): string {
  const [cookie = ''] = (headers['set-cookie'] ?? '').split(';')
  if (!/^\w+=gcs_/.test(cookie)) throw new Error(`no session was set: ${headers['set-cookie']}`)
  return cookie
}

/** One more session, by a recovery code: a code by time is good once in half a minute. */
export async function signedInAgain(world: Entrance, person: Person): Promise<Person> {
  const code = person.recoveryCodes.pop()
  const reply = await world.ask('POST', '/sessions', { body: { email: person.email, password: person.password, code } })
  const cookie = cookieOf(reply)
  return { ...person, cookie, ask: withCookie(world, cookie) }
}

type Refused = Pick<Reply, 'status'> & { readonly error: Pick<Reply['error'], 'code'> }
export const coded = ({ status, error }: Refused): [number, string] => [status, error.code]
