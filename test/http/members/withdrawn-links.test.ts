// Links that a member made for others do not outlive what the member may: whoever is removed, or gets another role, comes back by none.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { coded, joined, newEmail, PASSWORD, type Person } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const owner = await joined(world, caller, 'owner')
afterAll(() => world.stop())

type Link = { readonly id: string; readonly token: string }

async function linkOf(who: Person, path: string, body?: unknown): Promise<Link> {
  const { data } = await who.ask('POST', path, { body })
  const { id } = data['member'] as { id: string }
  const { token } = data['invitation'] as { token: string }
  return { id, token }
}

const invites = (who: Person) => linkOf(who, '/members', { email: newEmail(), role: 'admin' })
const accept = ({ token }: Link) =>
  world.ask('POST', `/invitations/${token}/accept`, { body: { name: 'Ben', password: PASSWORD } })
const GONE = [404, 'invitation_not_found']

test('who is removed leaves no open link, and others’ links stay', async () => {
  const admin = await joined(world, caller, 'admin')
  const colleague = await joined(world, caller, 'viewer')
  const [own, ofReset, others] = [
    await invites(admin),
    await linkOf(admin, `/members/${colleague.id}/reset`),
    await invites(owner),
  ]
  expect((await owner.ask('DELETE', `/members/${admin.id}`)).status).toBe(200)
  expect(coded(await accept(own))).toEqual(GONE)
  expect(coded(await accept(ofReset))).toEqual(GONE)
  expect((await accept(others)).status).toBe(200)
  const { member } = (await owner.ask('GET', `/members/${own.id}`)).data as {
    member: { status: string; invitation_expires_at: string }
  }
  expect(member.status).toBe('invited')
  expect(Date.parse(member.invitation_expires_at)).toBeLessThanOrEqual(Date.now())
})

test('an enrolment that began with such a link ends, too', async () => {
  const admin = await joined(world, caller, 'admin')
  const { data } = await accept(await invites(admin))
  const { token } = data['enrolment'] as { token: string }
  await owner.ask('DELETE', `/members/${admin.id}`)
  expect(coded(await world.ask('POST', `/invitations/${token}/confirm`, { body: { code: '123456' } }))).toEqual(GONE)
})

test('a new role withdraws them, a new name does not', async () => {
  const admin = await joined(world, caller, 'admin')
  const [first, second] = [await invites(admin), await invites(admin)]
  await owner.ask('PATCH', `/members/${admin.id}`, { body: { name: 'Carla' } })
  expect((await accept(first)).status).toBe(200)
  await owner.ask('PATCH', `/members/${admin.id}`, { body: { role: 'viewer' } })
  expect(coded(await accept(second))).toEqual(GONE)
})
