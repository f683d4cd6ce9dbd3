// The queue of approvals as a member sees it, several approved at once, and two needs that are met by different roles.
import { afterAll, expect, test } from 'vitest'
import { openWorld, type Reply } from '../../world.ts'
import { coded, joined, type Person } from '../members/people.ts'
import { asks } from './policies.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const RICH = { funds: { PHP: 1_000_000_00n } }
const account = await world.newCaller(RICH)
const admin = await joined(world, account, 'admin')
const approver = await joined(world, account, 'approver')
const viewer = await joined(world, account, 'viewer')
await asks(world, account, [
  { count: 1, role: 'approver' },
  { count: 1, role: 'admin' },
])

type Queued = { contract: { id: string }; status: string; may_approve: boolean }
type Approval = { status: string; terms_hash: string; required: { count: number; given: number; role: string }[] }
const approvalOf = async (id: string) =>
  (await account.ask('GET', `/contracts/transfer/${id}`)).data['contract'] as { approval: Approval }
const waiting = async () => {
  const { id } = await account.issued({ amount: 5000 })
  return { id, terms_hash: (await approvalOf(id)).approval.terms_hash }
}
const approve = (by: Person, { id, terms_hash }: { id: string; terms_hash: string }) =>
  by.ask('PUT', `/contracts/transfer/${id}/approve`, { body: { terms_hash } })
const pay = (id: string) => account.ask('PUT', `/contracts/transfer/${id}/pay`)
const queuedIn = ({ data }: Reply) => (data['approvals'] as Queued[]).map(({ contract }) => contract.id)
const mineOf = async (person: Person) => queuedIn(await person.ask('GET', '/approvals?mine=true'))

test('two needs with different roles are each met by a member of its role, and neither by the other’s', async () => {
  const asked = await waiting()
  expect((await approve(approver, asked)).status).toBe(200)
  const half = (await approvalOf(asked.id)).approval
  expect([half.status, half.required.map(({ role, given }) => [role, given])]).toEqual([
    'waiting',
    [
      ['approver', 1],
      ['admin', 0],
    ],
  ])
  expect(coded(await pay(asked.id))).toEqual([409, 'approval_required'])
  expect((await approve(admin, asked)).status).toBe(200)
  expect((await approvalOf(asked.id)).approval.status).toBe('approved')
  expect((await pay(asked.id)).status).toBe(200)
})

test('mine is what a member may approve still: not what they approved, nor what another role is asked for', async () => {
  const asked = await waiting()
  expect(await mineOf(approver)).toContain(asked.id)
  expect(await mineOf(admin)).toContain(asked.id)
  expect(await mineOf(viewer)).toEqual([])
  expect((await approve(approver, asked)).status).toBe(200)
  expect(await mineOf(approver)).not.toContain(asked.id)
  expect(await mineOf(admin)).toContain(asked.id)
  const byKey = await account.ask('GET', '/approvals?mine=true')
  expect([byKey.error.code, byKey.error.param]).toEqual(['session_required', 'mine'])
  expect(queuedIn(await world.other.ask('GET', '/approvals'))).toEqual([])
})

test('several are approved at once, each by itself: one that is refused holds no other back', async () => {
  const asked = await Promise.all([waiting(), waiting(), waiting()])
  const [first, second, third] = asked
  const items = [first, { ...second, terms_hash: 'a'.repeat(64) }, third]
  const reply = await approver.ask('POST', '/approvals/approve', { body: { items } })
  expect(reply.status, reply.text).toBe(200)
  const { approved, results } = reply.data as { approved: number; results: { outcome: string; error: unknown }[] }
  expect([approved, results.map(({ outcome }) => outcome)]).toEqual([2, ['approved', 'refused', 'approved']])
  const again = await admin.ask('POST', '/approvals/approve', { body: { items: asked } })
  expect((again.data as { approved: number }).approved).toBe(3)
  const paid = await Promise.all(asked.map(({ id }) => pay(id)))
  expect(paid.map(({ status }) => status)).toEqual([200, 409, 200])
})
