// How members come in and go: invited, accepted, enrolled, changed, reset, removed; with their events and what is audited.
import { afterAll, expect, test } from 'vitest'
import { totpAt } from '../../../src/platform/totp.ts'
import { openWorld } from '../../world.ts'
import { coded, comeIn, invitation, joined, newEmail, PASSWORD, signedInAgain } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type Shown = { readonly id: string; readonly status: string; readonly role: string; readonly factors: unknown }

const owner = await joined(world, caller, 'owner')

const audited = (action: string, objectId: string) =>
  world.sql<{ actor_kind: string; actor_id: string }>(
    'select actor_kind, actor_id from audit_entries where action = $1 and object_id = $2 order by id',
    [action, objectId],
  )

test('an invited person reads who invites, accepts, enrols, and is signed in with what the role may', async () => {
  const email = newEmail()
  const { status, data } = await owner.ask('POST', '/members', {
    body: { email: ` ${email.toUpperCase()} `, role: 'operator' },
  })
  const { member, invitation: link } = data as { member: Shown; invitation: { token: string; url: string } }
  expect([status, member.status, link.url]).toEqual([
    200,
    'invited',
    `http://gateway.test/console/invitations/${link.token}`,
  ])
  const read = await world.ask('GET', `/invitations/${link.token}`)
  expect(read.data['invitation']).toMatchObject({
    account_name: 'Test',
    email,
    role: 'operator',
    invited_by: 'Ana Reyes',
  })
  const person = await comeIn(world, link.token, email)
  const current = await person.ask('GET', '/sessions/current')
  expect(current.data['member']).toMatchObject({ id: member.id, status: 'active', role: 'operator', email })
  expect(current.data['scopes']).toContain('transfers:pay')
  expect(person.recoveryCodes).toHaveLength(10)
  const feed = await caller.all<{ type: string; data: { object: Shown } }>('/events', 'events')
  const told = feed.filter(({ data: { object } }) => object.id === member.id)
  expect(told.map(({ type, data: { object } }) => [type, object.status])).toEqual([
    ['member.invited', 'invited'],
    ['member.joined', 'active'],
  ])
  expect(await audited('member.invited', member.id)).toEqual([{ actor_kind: 'member', actor_id: owner.id }])
  expect(await audited('member.joined', member.id)).toEqual([{ actor_kind: 'member', actor_id: member.id }])
})

test('what a member does with a contract names the member', async () => {
  const person = await joined(world, caller, 'operator')
  const made = await person.ask('POST', '/contracts/transfer', {
    body: { amount: 10, currency: 'PHP', channel: 'sandbox' },
  })
  const { id, activities } = made.data['contract'] as { id: string; activities: { proxy: string }[] }
  expect(activities.map(({ proxy }) => proxy)).toEqual([person.id])
  const list = await caller.ask('GET', `/contracts/transfer/${id}/activities`)
  expect((list.data['activities'] as { proxy: string }[]).map(({ proxy }) => proxy)).toEqual([person.id])
})

test('an invitation brings one person in, each step by its own link, until it is replaced or three days are over', async () => {
  const email = newEmail()
  const first = await invitation(world, caller, 'viewer', email)
  const token = await invitation(world, caller, 'viewer', email)
  const body = { name: 'Ben', password: PASSWORD }
  const accept = (link: string) => world.ask('POST', `/invitations/${link}/accept`, { body })
  const gone = [404, 'invitation_not_found']
  expect(coded(await accept(first))).toEqual(gone)
  expect(coded(await world.ask('GET', `/invitations/${first}`))).toEqual(gone)
  // An invitation is no enrolment, and the other way round.
  expect(coded(await world.ask('POST', `/invitations/${token}/confirm`, { body: { code: '123456' } }))).toEqual(gone)
  const accepted = await accept(token)
  const { token: enrolment, authenticator } = accepted.data['enrolment'] as {
    token: string
    authenticator: { secret: string }
  }
  expect(coded(await accept(enrolment))).toEqual(gone)
  const wrong = await world.ask('POST', `/invitations/${enrolment}/confirm`, { body: { code: '000000' } })
  expect(coded(wrong)).toEqual([400, 'invalid_code'])
  const code = totpAt(authenticator.secret, Date.now())
  const confirm = () => world.ask('POST', `/invitations/${enrolment}/confirm`, { body: { code } })
  expect((await Promise.all([confirm(), confirm()])).map(({ status }) => status).sort()).toEqual([200, 404])
  expect(coded(await accept(token))).toEqual(gone)
  const late = await invitation(world, caller, 'viewer')
  await world.sql(`update members set link_expires_at = now() - interval '1 second' where status = 'invited'`)
  expect(coded(await accept(late))).toEqual(gone)
  const [hours] = await world.sql<{ hours: number }>(
    `select round(extract(epoch from link_expires_at - created_at) / 3600)::int as hours from members where id = $1`,
    [
      ((await owner.ask('POST', '/members', { body: { email: newEmail(), role: 'viewer' } })).data['member'] as Shown)
        .id,
    ],
  )
  expect(hours?.hours).toBe(72)
})

test('an invitation that is sent again under one idempotency key is one', async () => {
  const body = { email: newEmail(), role: 'viewer' }
  const ask = () => owner.ask('POST', '/members', { body, headers: { 'idempotency-key': `invite ${body.email}` } })
  const [first, again] = [await ask(), await ask()]
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
})

test('a link of one account opens nothing in another, and a letter changed opens nothing at all', async () => {
  const token = await invitation(world, other, 'owner')
  const read = await world.ask('GET', `/invitations/${token}`)
  expect(read.data['invitation']).toMatchObject({ account_id: other.account.accountId })
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  expect(coded(await world.ask('GET', `/invitations/${forged}`))).toEqual([404, 'invitation_not_found'])
})

test('a new role ends the sessions, and the next one has the new rights', async () => {
  const person = await joined(world, caller, 'viewer')
  expect(coded(await person.ask('POST', '/contracts/transfer', { body: {} }))).toEqual([403, 'scope_missing'])
  const changed = await owner.ask('PATCH', `/members/${person.id}`, { body: { role: 'operator' } })
  expect(changed.data['member']).toMatchObject({ role: 'operator' })
  const again = await signedInAgain(world, person)
  expect((await again.ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PHP' } })).status).toBe(200)
  expect(
    await world.sql('select 1 from api_keys where member_id = $1 and revoked_at is null', [person.id]),
  ).toHaveLength(1)
})

test('a reset takes password and factors, and gives a new link', async () => {
  const person = await joined(world, caller, 'viewer')
  const reset = await owner.ask('POST', `/members/${person.id}/reset`)
  expect(reset.data['member']).toMatchObject({
    status: 'invited',
    factors: { authenticator: false, recovery_codes: 0 },
  })
  const tried = { email: person.email, password: person.password, code: person.recoveryCodes[0] }
  expect(coded(await world.ask('POST', '/sessions', { body: tried }))).toEqual([401, 'sign_in_failed'])
  const { token } = reset.data['invitation'] as { token: string }
  expect((await comeIn(world, token, person.email)).id).toBe(person.id)
})

test('a removed member is out at once, and the address can be invited anew', async () => {
  const person = await joined(world, caller, 'developer')
  await person.ask('GET', '/sessions/current')
  const gone = await owner.ask('DELETE', `/members/${person.id}`)
  expect(gone.data['member']).toMatchObject({ status: 'removed' })
  // A write looks at the session in its transaction, whatever is remembered of it.
  const write = await person.ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PHP' } })
  expect(coded(write)).toEqual([401, expect.stringMatching(/^invalid_(api_key|session)$/)])
  const list = async (query: string) =>
    ((await caller.ask('GET', `/members${query}`)).data['members'] as Shown[]).map(({ id }) => id)
  expect(await list('')).not.toContain(person.id)
  expect(await list('?removed=true')).toContain(person.id)
  const anew = await joined(world, caller, 'viewer', person.email)
  expect(anew.id).not.toBe(person.id)
})

test('a session of an account that is signed out is worth nothing', async () => {
  const person = await signedInAgain(world, owner)
  const out = await person.ask('DELETE', '/sessions/current')
  expect([out.status, out.headers['set-cookie']]).toEqual([200, expect.stringContaining('gateway_session=; ')])
  const write = await person.ask('POST', '/members', { body: { email: newEmail(), role: 'viewer' } })
  expect(coded(write)).toEqual([401, expect.stringMatching(/^invalid_(api_key|session)$/)])
})
