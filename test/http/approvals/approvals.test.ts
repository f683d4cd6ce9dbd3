// Approvals by people who are signed in: who may give one, for what, and what it lets happen; and everybody who may not.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { coded, joined, type Person, signedInAgain } from '../members/people.ts'
import { asks } from './policies.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const RICH = { funds: { PHP: 1_000_000_00n } }
const account = await world.newCaller(RICH)
const owner = await joined(world, account, 'owner')
const admin = await joined(world, account, 'admin')
const approver = await joined(world, account, 'approver')
const second = await joined(world, account, 'approver')
const stranger = await joined(world, world.other, 'owner')
const [policyId] = await asks(world, account, [{ count: 1, role: null }])

type Shown = {
  status: string
  version: number
  approval: { status: string; terms_hash: string; who: string; given: { member: { id: string } }[] } | null
  activities: { type: string; proxy: string | null }[]
}
const shown = ({ data }: Reply) => data['contract'] as Shown
const look = async (caller: Caller, id: string) => shown(await caller.ask('GET', `/contracts/transfer/${id}`))
const hashOf = async (caller: Caller, id: string) => (await look(caller, id)).approval?.terms_hash ?? ''
const url = (id: string, verb: string) => `/contracts/transfer/${id}/${verb}`
const approve = (by: Person, id: string, terms_hash: string) =>
  by.ask('PUT', url(id, 'approve'), { body: { terms_hash } })
const reject = (by: Person, id: string, terms_hash: string) =>
  by.ask('PUT', url(id, 'reject'), { body: { terms_hash, reason: 'not ours' } })
const pay = (caller: Caller, id: string) => caller.ask('PUT', url(id, 'pay'))
const LARGE = { amount: 5000 }
const waiting = async (caller = account, fields = {}) => {
  const { id } = await caller.issued({ ...LARGE, ...fields })
  return { id, hash: await hashOf(caller, id) }
}
const eventsOf = async (caller: Caller, id: string) => {
  const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
  return events.filter(({ data }) => data.object.id === id).map(({ type }) => type.replace('contract.', ''))
}

test('a small transfer asks nobody; a large one waits, is approved by another person, and then paid', async () => {
  const small = await account.paid({ amount: 10 })
  expect(small.approval).toBeNull()
  expect(coded(await approve(approver, small.id, 'a'.repeat(64)))).toEqual([409, 'contract_already_paid'])
  const { id, hash } = await waiting()
  expect(coded(await pay(account, id))).toEqual([409, 'approval_required'])
  const before = await look(account, id)
  expect(before.approval).toMatchObject({
    status: 'waiting',
    required: [{ policy: { id: policyId }, count: 1, given: 0 }],
  })
  const approved = shown(await approve(approver, id, hash))
  expect(approved.approval).toMatchObject({
    status: 'approved',
    given: [{ member: { id: approver.id }, role: 'approver' }],
  })
  expect(approved.activities.at(-1)).toMatchObject({ type: 'approved', proxy: approver.id })
  expect(shown(await pay(account, id)).status).toBe('paid')
  expect(await eventsOf(account, id)).toEqual(['created', 'issued', 'approval_requested', 'approved', 'paid'])
})

test('twice by one person changes nothing', async () => {
  const { id, hash } = await waiting()
  const first = shown(await approve(approver, id, hash))
  const again = shown(await approve(await signedInAgain(world, approver), id, hash))
  expect(again.version).toBe(first.version)
  expect(again.approval?.given).toHaveLength(1)
})

test('whoever made it does not approve it: with the session, nor by a key of their own, nor by a key of that key', async () => {
  const draft = await owner.ask('POST', '/contracts/transfer', {
    body: { amount: 5000, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana', wallet: '000123456789' } },
  })
  const { id } = draft.data['contract'] as { id: string }
  await account.issue(id)
  expect(coded(await approve(owner, id, await hashOf(account, id)))).toEqual([403, 'approver_is_maker'])
  const scopes = ['contracts:read', 'contracts:write', 'transfers:issue', 'keys:write', 'accounts:read']
  const made = await owner.ask('POST', '/keys', { body: { name: 'mine', scopes } })
  const byKey =
    (key: string): Caller['ask'] =>
    (method, path, sent = {}) =>
      world.ask(method, path, { ...sent, headers: { 'x-api-key': key } })
  const next = await byKey(String(made.data['api_key']))('POST', '/keys', {
    body: { name: 'child', scopes: scopes.slice(0, 3) },
  })
  for (const key of [made, next].map(({ data }) => String(data['api_key']))) {
    const body = {
      amount: 5000,
      currency: 'PHP',
      channel: 'sandbox',
      recipient: { name: 'Ana', wallet: '000123456789' },
    }
    const own = (await byKey(key)('POST', '/contracts/transfer', { body })).data['contract'] as { id: string }
    await byKey(key)('PUT', url(own.id, 'issue'))
    const hash = await hashOf(account, own.id)
    expect(coded(await approve(owner, own.id, hash))).toEqual([403, 'approver_is_maker'])
    expect((await approve(admin, own.id, hash)).status).toBe(200)
  }
})

test('whoever changed a draft long ago does not approve it, though the change is folded away', async () => {
  const { id } = await account.draft(LARGE)
  await admin.ask('PATCH', `/contracts/transfer/${id}`, { body: { description: 'by the admin' } })
  for (let round = 0; round < 60; round += 1) await account.update(id, { description: `round ${round}` })
  await account.issue(id)
  const hash = await hashOf(account, id)
  expect(coded(await approve(admin, id, hash))).toEqual([403, 'approver_is_maker'])
  expect((await approve(approver, id, hash)).status).toBe(200)
})

test('other terms, a key, another account, and nobody: all refused, and nothing is written', async () => {
  const { id, hash } = await waiting()
  const other = await waiting()
  expect(coded(await approve(approver, id, other.hash))).toEqual([409, 'terms_changed'])
  expect(coded(await reject(approver, id, other.hash))).toEqual([409, 'terms_changed'])
  expect(coded(await approve(approver, id, 'nonsense'))).toEqual([400, 'invalid_terms_hash'])
  expect(coded(await approve(stranger, id, hash))).toEqual([404, 'contract_not_found'])
  const body = { terms_hash: hash }
  for (const verb of ['approve', 'reject'])
    expect(coded(await account.ask('PUT', url(id, verb), { body }))).toEqual([401, 'session_required'])
  expect(coded(await account.ask('POST', '/approvals/approve', { body: { items: [{ id, ...body }] } }))).toEqual([
    401,
    'session_required',
  ])
  const viewer = await joined(world, account, 'viewer')
  expect(coded(await approve(viewer, id, hash))).toEqual([403, 'scope_missing'])
  expect((await look(account, id)).approval).toMatchObject({ status: 'waiting', given: [] })
})

test('a draft, an expired contract and one of which nothing is asked are not approved', async () => {
  const { id: draft } = await account.draft(LARGE)
  expect(coded(await approve(approver, draft, 'a'.repeat(64)))).toEqual([409, 'contract_not_issued'])
  const small = await account.issued({ amount: 10 })
  expect(coded(await approve(approver, small.id, 'a'.repeat(64)))).toEqual([409, 'approval_not_required'])
  const { id, hash } = await waiting(account, { expires_in: 1 })
  for (const until = Date.now() + 30_000; Date.now() < until && (await look(account, id)).status !== 'expired'; )
    await sleep(50)
  expect(coded(await approve(approver, id, hash))).toEqual([409, 'contract_expired'])
})

test('an approval of a destination that was changed since is refused', async () => {
  const profile = (await account.ask('POST', '/profiles', { body: { type: 'person', name: 'Ana Reyes' } })).data[
    'profile'
  ] as { id: string }
  const place = `/profiles/${profile.id}/destinations`
  const saved = await account.ask('POST', place, {
    body: { channel: 'sandbox', recipient: { wallet: '000123456789' } },
  })
  const { id: destination } = saved.data['destination'] as { id: string }
  const recipient = { profile: profile.id, destination }
  const { id, hash } = await waiting(account, { recipient })
  const moved = await account.ask('PATCH', `${place}/${destination}`, {
    body: { recipient: { wallet: '000999999999' } },
  })
  expect(moved.status).toBe(200)
  expect(coded(await approve(approver, id, hash))).toEqual([409, 'destination_changed'])
  const fresh = await waiting(account, { recipient })
  await account.ask('DELETE', `${place}/${destination}`)
  expect(coded(await approve(approver, fresh.id, fresh.hash))).toEqual([409, 'destination_changed'])
})

test('a rejection is told of and cancels, in one', async () => {
  const { id, hash } = await waiting()
  const rejected = shown(await reject(approver, id, hash))
  expect(rejected).toMatchObject({ status: 'cancelled', approval: { status: 'rejected' } })
  expect(await eventsOf(account, id)).toEqual(['created', 'issued', 'approval_requested', 'rejected', 'cancelled'])
  const explained = (await account.ask('GET', url(id, 'explain'))).data['explanation'] as { readonly summary: string }
  expect(explained.summary).toBe('Rejected by a member before it was paid: “not ours”. No money moved.')
  expect(coded(await pay(account, id))).toEqual([409, 'contract_cancelled'])
  expect(coded(await approve(second, id, hash))).toEqual([409, 'contract_cancelled'])
})

test('two approve at once: one event says that it is approved', async () => {
  const { id, hash } = await waiting()
  const replies = await Promise.all([approve(approver, id, hash), approve(second, id, hash), approve(admin, id, hash)])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await eventsOf(account, id)).filter((type) => type === 'approved')).toHaveLength(1)
  expect((await look(account, id)).approval?.given).toHaveLength(3)
})

test('an approval and a cancel at once: whichever comes second is refused or finds it approved', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, hash } = await waiting()
    const [approved] = await Promise.all([approve(approver, id, hash), account.cancel(id)])
    expect([200, 409]).toContain(approved.status)
    expect((await look(account, id)).status).toBe('cancelled')
    expect(coded(await pay(account, id))).toEqual([409, 'contract_cancelled'])
  }
})

test('what a member approved who was removed since does not count when it is paid', async () => {
  const leaving = await joined(world, account, 'approver')
  const { id, hash } = await waiting()
  expect((await approve(leaving, id, hash)).status).toBe(200)
  expect((await owner.ask('DELETE', `/members/${leaving.id}`)).status).toBe(200)
  expect(coded(await pay(account, id))).toEqual([409, 'approval_required'])
  const queue = await account.ask('GET', '/approvals?status=waiting&limit=100')
  const mine = (queue.data['approvals'] as { contract: { id: string } }[]).map(({ contract }) => contract.id)
  expect(mine).toContain(id)
  expect((await approve(leaving, id, hash)).status).toBe(401)
  expect((await approve(approver, id, hash)).status).toBe(200)
  expect(shown(await pay(account, id)).status).toBe('paid')
})
