// Nobody makes, changes or takes away what is stronger than himself: a table of tries, each refused, and nothing is written.
import { afterAll, expect, test } from 'vitest'
import { type Role, ROLES, scopesOf } from '../../../src/domain/account/roles.ts'
import { type Scope, SCOPES } from '../../../src/domain/account/scopes.ts'
import { type Caller, type Method, openWorld, type Reply } from '../../world.ts'
import { coded, joined, newEmail, type Person } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

const people = new Map<Role, Person>()
for (const role of ROLES) people.set(role, await joined(world, caller, role))
const as = (role: Role) => people.get(role)!
const secondAdmin = await joined(world, caller, 'admin')
const keyWith = (scopes: readonly Scope[]) => world.withKey(caller, { scopes })
const inviting = await keyWith(['members:write', 'accounts:read', ...scopesOf('viewer')])
const all = await keyWith(SCOPES)
const foreign = await joined(world, world.other, 'owner')
/** A key with every scope, and one bound: a member would have none. */
async function boundBy(assignment: string): Promise<Caller> {
  const key = await keyWith(SCOPES)
  await world.sql(`update api_keys set ${assignment} where key_id = $1`, [key.keyId])
  return key
}
const capped = await boundBy(`transfer_max = '[{"currency":"PHP","max_minor":"10000"}]'`)
const placed = await boundBy(`addresses = '{127.0.0.0/8}'`)
const ending = await boundBy(`expires_at = now() + interval '1 day'`)

type Who = Pick<Person, 'ask'> | Pick<Caller, 'ask'>
type Row = [what: string, who: Who, method: Method, path: string, body: unknown, answer: [number, string]]

const NO_SCOPE: [number, string] = [403, 'scope_missing']
const NOT_HIS: [number, string] = [403, 'role_not_allowed']
const ABSENT: [number, string] = [404, 'member_not_found']
const invite = (role: Role) => ({ email: newEmail(), role })
const of = (role: Role) => `/members/${as(role).id}`

const TRIES: Row[] = [
  ['an operator invites', as('operator'), 'POST', '/members', invite('viewer'), NO_SCOPE],
  ['an approver invites', as('approver'), 'POST', '/members', invite('viewer'), NO_SCOPE],
  ['a developer invites', as('developer'), 'POST', '/members', invite('viewer'), NO_SCOPE],
  ['a viewer invites', as('viewer'), 'POST', '/members', invite('viewer'), NO_SCOPE],
  ['an admin makes an owner', as('admin'), 'POST', '/members', invite('owner'), NOT_HIS],
  ['an admin makes himself an owner', as('admin'), 'PATCH', of('admin'), { role: 'owner' }, NOT_HIS],
  [
    'an admin makes another admin an owner',
    as('admin'),
    'PATCH',
    `/members/${secondAdmin.id}`,
    { role: 'owner' },
    NOT_HIS,
  ],
  ['an admin demotes an owner', as('admin'), 'PATCH', of('owner'), { role: 'viewer' }, NOT_HIS],
  ['an admin renames an owner', as('admin'), 'PATCH', of('owner'), { name: 'Nobody' }, NOT_HIS],
  ['an admin removes an owner', as('admin'), 'DELETE', of('owner'), undefined, NOT_HIS],
  ['an admin resets an owner', as('admin'), 'POST', `${of('owner')}/reset`, undefined, NOT_HIS],
  ['an admin resets himself', as('admin'), 'POST', `${of('admin')}/reset`, undefined, NOT_HIS],
  ['an admin demotes himself', as('admin'), 'PATCH', of('admin'), { role: 'viewer' }, NOT_HIS],
  ['a viewer makes himself an admin', as('viewer'), 'PATCH', of('viewer'), { role: 'admin' }, NO_SCOPE],
  ['an operator removes a viewer', as('operator'), 'DELETE', of('viewer'), undefined, NO_SCOPE],
  ['a developer resets an admin', as('developer'), 'POST', `${of('admin')}/reset`, undefined, NO_SCOPE],
  ['the last owner demotes himself', as('owner'), 'PATCH', of('owner'), { role: 'admin' }, NOT_HIS],
  ['the last owner leaves', as('owner'), 'DELETE', of('owner'), undefined, [409, 'last_owner']],
  ['a key that may invite viewers makes an operator', inviting, 'POST', '/members', invite('operator'), NOT_HIS],
  ['a key that may invite viewers makes an admin', inviting, 'POST', '/members', invite('admin'), NOT_HIS],
  ['a key that may invite viewers raises a viewer', inviting, 'PATCH', of('viewer'), { role: 'developer' }, NOT_HIS],
  ['a key that may invite viewers removes an operator', inviting, 'DELETE', of('operator'), undefined, NOT_HIS],
  ['a key that may invite viewers resets an admin', inviting, 'POST', `${of('admin')}/reset`, undefined, NOT_HIS],
  ['a key with every scope makes an owner', all, 'POST', '/members', invite('owner'), NOT_HIS],
  ['a key with every scope removes an owner', all, 'DELETE', of('owner'), undefined, NOT_HIS],
  ['a key with every scope resets an owner', all, 'POST', `${of('owner')}/reset`, undefined, NOT_HIS],
  ['a key with a cap invites an admin, who has none', capped, 'POST', '/members', invite('admin'), NOT_HIS],
  ['a key with a cap raises a viewer', capped, 'PATCH', of('viewer'), { role: 'operator' }, NOT_HIS],
  ['a key with a cap resets an admin', capped, 'POST', `${of('admin')}/reset`, undefined, NOT_HIS],
  ['a key for some addresses invites a viewer for all', placed, 'POST', '/members', invite('viewer'), NOT_HIS],
  ['a key that ends invites a viewer who does not', ending, 'POST', '/members', invite('viewer'), NOT_HIS],
  ['an owner of another account removes a viewer', foreign, 'DELETE', of('viewer'), undefined, ABSENT],
  ['an owner of another account raises a viewer', foreign, 'PATCH', of('viewer'), { role: 'owner' }, ABSENT],
  ['an owner of another account resets an owner', foreign, 'POST', `${of('owner')}/reset`, undefined, ABSENT],
  [
    'somebody re-invites an owner to have his link',
    as('admin'),
    'POST',
    '/members',
    { email: as('owner').email, role: 'viewer' },
    NOT_HIS,
  ],
  [
    'an admin re-invites an admin to have his link',
    as('admin'),
    'POST',
    '/members',
    { email: secondAdmin.email, role: 'viewer' },
    [409, 'member_exists'],
  ],
]

const state = () => world.sql('select * from members order by id')

test.each(TRIES)('%s: refused', async (_, who, method, path, body, answer) => {
  const before = await state()
  const reply: Reply = await who.ask(method, path, body === undefined ? {} : { body })
  expect(coded(reply)).toEqual(answer)
  expect(await state()).toEqual(before)
})

test('a member with a session cannot use it as a key, nor a key as a session', async () => {
  const secret = as('owner').cookie.split('=')[1] ?? ''
  expect(coded(await world.ask('GET', '/members', { headers: { 'x-api-key': secret } }))).toEqual([
    401,
    'invalid_api_key',
  ])
  const forged = { cookie: `gateway_session=${secret.replace(/^gcs_/, 'gck_test_')}` }
  expect(coded(await world.ask('GET', '/members', { headers: forged }))).toEqual([401, 'invalid_session'])
  const key = { cookie: `gateway_session=${caller.apiKey}` }
  expect(coded(await world.ask('GET', '/members', { headers: key }))).toEqual([401, 'invalid_session'])
})

test('with a second owner the first may go, and two who remove each other leave one', async () => {
  const [first, second] = [await joined(world, world.other, 'owner'), await joined(world, world.other, 'owner')]
  await foreign.ask('DELETE', `/members/${foreign.id}`)
  const gone = await Promise.all([
    first.ask('DELETE', `/members/${second.id}`),
    second.ask('DELETE', `/members/${first.id}`),
  ])
  expect(gone.filter(({ status }) => status === 200)).toHaveLength(1)
  const owners = await world.sql(
    `select 1 from members where account_id = $1 and role = 'owner' and status = 'active'`,
    [world.other.account.accountId],
  )
  expect(owners).toHaveLength(1)
})

test('no role may do what an owner may not, and each names only scopes that there are', () => {
  for (const role of ROLES)
    for (const scope of scopesOf(role)) expect(scopesOf('owner').has(scope), `${role} ${scope}`).toBe(true)
  expect(scopesOf('viewer').has('members:write')).toBe(false)
})
