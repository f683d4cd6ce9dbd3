// What of the queue of approvals is told to whom: the count in the overview, the policies' sentences, and what several at once would
// come to before they are approved.
import { afterAll, expect, test } from 'vitest'
import { openWorld, type Reply } from '../../world.ts'
import { coded, joined, type Person } from '../members/people.ts'
import { asks } from './policies.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const account = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
const owner = await joined(world, account, 'owner')
const approver = await joined(world, account, 'approver')
const viewer = await joined(world, account, 'viewer')
const stranger = await joined(world, world.other, 'owner')
await asks(world, account, [{ count: 1, role: null }])

type Attention = { kind: string; count: number; objects: { type: string; id: string }[] }
const RECIPIENT = { name: 'Juan dela Cruz', wallet: '000123456780' }
const DRAFT = { amount: 5000, currency: 'PHP', channel: 'sandbox', recipient: RECIPIENT }

async function waits(who: Pick<Person, 'ask'>): Promise<Attention[]> {
  const { data } = await who.ask('GET', '/overview')
  return (data['overview'] as { attention: Attention[] }).attention.filter(({ kind }) =>
    /^(approvals|reviews)_/.test(kind),
  )
}

/** A transfer that the owner made, and that waits. */
async function byOwner(): Promise<{ id: string; terms_hash: string }> {
  const { id } = (await owner.ask('POST', '/contracts/transfer', { body: DRAFT })).data['contract'] as { id: string }
  const { approval } = (await owner.ask('PUT', `/contracts/transfer/${id}/issue`)).data['contract'] as {
    approval: { terms_hash: string }
  }
  return { id, terms_hash: approval.terms_hash }
}

const many = (who: Pick<Person, 'ask'>, items: object[], dry = false): Promise<Reply> =>
  who.ask('POST', '/approvals/approve', { body: { items, ...(dry ? { dry_run: true } : {}) } })

test('what waits is counted for who may approve it: not for its maker, a viewer, a key or another account', async () => {
  const { id } = await byOwner()
  expect(await waits(approver)).toEqual([
    expect.objectContaining({ kind: 'approvals_waiting', count: 1, objects: [{ type: 'transfer', id }] }),
  ])
  for (const who of [owner, viewer, account, stranger]) expect(await waits(who)).toEqual([])
  const queue = (await approver.ask('GET', '/approvals?mine=true')).data['approvals'] as object[]
  expect(queue).toEqual([
    expect.objectContaining({
      can_approve: true,
      policies: [expect.objectContaining({ sentence: expect.stringContaining('at least PHP 1,000.00') })],
    }),
  ])
})

test('what several would come to is told before, writes nothing, and is what they come to', async () => {
  const [one, two] = [await byOwner(), await byOwner()]
  const wrong = { ...two, terms_hash: 'a'.repeat(64) }
  const nobodys = { id: world.gateway.deps.newId(account.account.lane), terms_hash: one.terms_hash }
  const tried = await many(approver, [one, one, two, wrong, nobodys], true)
  expect(tried.data).toMatchObject({
    dry_run: true,
    approved: 3,
    totals: [{ currency: 'PHP', count: 2, amount: 10_070, fees: 70 }],
    results: [
      { outcome: 'approved', complete: true },
      { outcome: 'approved' },
      { outcome: 'approved' },
      { error: { code: 'terms_changed' } },
      { error: { code: 'contract_not_found' } },
    ],
  })
  const own = await many(owner, [one], true)
  expect(own.data).toMatchObject({ approved: 0, totals: [], results: [{ error: { code: 'approver_is_maker' } }] })
  expect((await many(stranger, [one], true)).data).toMatchObject({
    results: [{ error: { code: 'contract_not_found' } }],
  })
  expect(coded(await many(viewer, [one], true))).toEqual([403, 'scope_missing'])
  expect(coded(await many(account, [one], true))).toEqual([401, 'session_required'])
  expect((await approver.ask('GET', `/approvals/${one.id}`)).data['approval']).toMatchObject({ status: 'waiting' })
  const ended = await many(approver, [one, two])
  expect(ended.data).toMatchObject({ dry_run: false, approved: 2, totals: [{ count: 2, amount: 10_070 }] })
  expect((await many(approver, [one], true)).data).toMatchObject({ approved: 1 })
})

test('a review counts for who may decide it, and not for who asked', async () => {
  const house = await world.newCaller()
  const [admin, other] = [await joined(world, house, 'admin'), await joined(world, house, 'approver')]
  const made = await admin.ask('POST', '/verifications', {
    body: { kind: 'name', channel: 'sandbox', recipient: RECIPIENT },
  })
  const { id } = made.data['verification'] as { id: string }
  await world.sql(`update verifications set status = 'review', due_at = null, ended_at = now() where id = $1`, [id])
  expect(await waits(other)).toEqual([
    expect.objectContaining({ kind: 'reviews_waiting', count: 1, objects: [{ type: 'verification', id }] }),
  ])
  for (const who of [admin, house, stranger]) expect(await waits(who)).toEqual([])
  // What a key of theirs asks is theirs, too.
  const key = await admin.ask('POST', '/keys', {
    body: { name: 'of the admin', scopes: ['verifiers:read', 'contracts:read'] },
  })
  const { id: keyId } = key.data['key'] as { id: string }
  await world.sql(
    `update verifications set document = jsonb_set(document::jsonb, '{requestedBy}', to_jsonb($2::text)) where id = $1`,
    [id, keyId],
  )
  expect(await waits(admin)).toEqual([])
  expect(await waits(other)).toHaveLength(1)
})
