// Whose the rows of a command are: they act for who made it, so nobody else adds any; one whose contract was made never forgets it; and
// one that waits when its command is cancelled pays nothing more.
import { afterAll, describe, expect, test } from 'vitest'
import type { KeyScope } from '../../../src/domain/account/scopes.ts'
import { openExpiry } from '../../../src/workers/sweeps/expire.ts'
import { type Caller, openWorld, READY } from '../../world.ts'
import { holderIn, make, PAYING } from '../accounts/key-stage.ts'
import { asks } from '../approvals/policies.ts'
import { coded, joined } from '../members/people.ts'
import { profilesOf } from '../profiles/profile-stage.ts'
import { paidContracts, workOnCommands } from '../schedules/schedule-stage.ts'
import { type CommandBody, give, move, rowsOf } from './command-stage.ts'
import { again, approve, BIG, filled, office } from './office-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const { deps } = world.gateway
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const SCOPES = [...PAYING, 'commands:read', 'commands:write']
const rowOf = async (id: string) => (await rowsOf(caller, id))[0]

/** As a kill leaves it between what a row does and what is written of it. */
async function forget(id: string): Promise<void> {
  await world.sql(`update command_rows set status = 'queued', contract_id = null, step = null where command_id = $1`, [
    id,
  ])
  await world.sql(
    `update commands set status = 'running', ended_at = null, done = 0, due_at = now(), leased_until = null where id = $1`,
    [id],
  )
}

test('rows and their sums are shown to who may read contracts, and to no key with commands:read alone', async () => {
  const { id } = await give(caller, { type: 'transfers.create', rows: [READY] })
  await workOnCommands(world)
  const { wallet } = READY.recipient as { wallet: string }
  const shownTo = async (...scopes: KeyScope[]) => {
    const key = await world.withKey(caller, { scopes: ['commands:read', ...scopes] })
    const rows = await key.ask('GET', `/commands/${id}/rows`)
    const headers = { 'x-api-key': key.apiKey }
    const csv = await world.gateway.app.inject({ url: `/commands/${id}/rows?format=csv`, headers })
    const one = await key.ask('GET', `/commands/${id}`)
    const sums = one.data['sums'] as unknown[]
    const isTold = [rows.text, csv.body, one.text].some((text) => text.includes(wallet))
    return [rows.status, csv.statusCode, one.status, sums.length, isTold]
  }
  expect(await shownTo()).toEqual([403, 403, 200, 0, false])
  expect(await shownTo('commands:write', 'contracts:write')).toEqual([403, 403, 200, 0, false])
  for (const scope of ['contracts:read', 'events:read'] as const)
    expect(await shownTo(scope)).toEqual([200, 200, 200, 1, true])
})

test('a key with a cap adds no rows to the open command of a key without one', async () => {
  const before = await paidContracts(world, caller)
  const { id } = await give(caller, { type: 'transfers.payout' })
  const caps = [{ currency: 'PHP', amount: 50 }]
  const capped = holderIn(world)(await make(caller, { scopes: SCOPES, transfer_max: caps }))
  const { status, error } = await capped.ask('POST', `/commands/${id}/rows`, { body: { rows: [BIG] } })
  expect([status, error.code]).toEqual([403, 'exceeds_own_access'])
  await workOnCommands(world)
  expect(await rowsOf(caller, id)).toEqual([])
  expect(await paidContracts(world, caller)).toBe(before)
})

test.each([
  ['caps', { transfer_max: [{ currency: 'PHP', amount: 50 }] }],
  ['a mandate', { mandate: { limits: [{ currency: 'PHP', total: 50, approval_above: null }] } }],
])('a key with %s sets no payments of a key without going', async (_what, bounds) => {
  const before = await paidContracts(world, caller)
  const bounded = holderIn(world)(await make(caller, { scopes: SCOPES, ...bounds }))
  const open = await give(caller, { type: 'transfers.payout' })
  expect((await caller.ask('POST', `/commands/${open.id}/rows`, { body: { rows: [BIG] } })).status).toBe(200)
  const rests = await give(caller, { type: 'transfers.payout', rows: [BIG] })
  await move(caller, rests.id, 'pause')
  for (const path of [`/commands/${open.id}/start`, `/commands/${rests.id}/resume`]) {
    const { status, error } = await bounded.ask('PUT', path)
    expect([status, error.code, error.param]).toEqual([403, 'exceeds_own_access', 'id'])
  }
  await workOnCommands(world)
  expect(await paidContracts(world, caller)).toBe(before)
  // What moves no money it may, and its own command it may start: that is held to its bounds.
  const drafts = await give(caller, { type: 'transfers.create' })
  expect((await caller.ask('POST', `/commands/${drafts.id}/rows`, { body: { rows: [READY] } })).status).toBe(200)
  expect((await bounded.ask('PUT', `/commands/${drafts.id}/start`)).status).toBe(200)
  const own = await give(bounded, { type: 'transfers.payout' })
  expect((await bounded.ask('POST', `/commands/${own.id}/rows`, { body: { rows: [BIG] } })).status).toBe(200)
  expect((await bounded.ask('PUT', `/commands/${own.id}/start`)).status).toBe(200)
  for (const { id } of [open, rests]) await move(caller, id, 'cancel')
  await workOnCommands(world)
  expect((await rowOf(own.id))?.status).toBe('failed')
  expect(await paidContracts(world, caller)).toBe(before)
})

test('no Idempotency-Key of a caller uses up a key of a row', async () => {
  const { id } = await give(caller, { type: 'transfers.payout' })
  for (const step of ['create', 'issue', 'pay'])
    for (const between of [' ', '\n', '\\n'])
      await caller.ask('POST', '/contracts/transfer', {
        body: { currency: 'PHP' },
        headers: { 'idempotency-key': `command ${id}${between}0 ${step}` },
      })
  expect((await caller.ask('POST', `/commands/${id}/rows`, { body: { rows: [READY] } })).status).toBe(200)
  await move(caller, id, 'start')
  await workOnCommands(world)
  expect(await rowOf(id)).toMatchObject({ status: 'done', error: null })
})

test('nor does a member to the command of a key, whose rows that member could then approve', async () => {
  const admin = await joined(world, caller, 'admin')
  const { id } = await give(caller, { type: 'transfers.payout' })
  const { status, error } = await admin.ask('POST', `/commands/${id}/rows`, { body: { rows: [BIG] } })
  expect([status, error.code]).toEqual([403, 'exceeds_own_access'])
})

test.each(['transfers.payout', 'payments.create'])(
  'a row of %s that was done is told as done, though its profile was archived before it was written',
  async (type) => {
    const mine = profilesOf(caller)
    const { id: profile } = await mine.make()
    const isPayout = type === 'transfers.payout'
    if (isPayout) await mine.pay(profile)
    const who = isPayout ? { recipient: { profile } } : { issued_to: profile }
    const { id } = await give(caller, { type, rows: [{ amount: 100, currency: 'PHP', ...who }] })
    await workOnCommands(world)
    const before = await rowOf(id)
    expect(before).toMatchObject({ status: 'done', contract_id: expect.any(String) })
    const paid = await paidContracts(world, caller)
    await forget(id)
    await mine.archive(profile)
    await workOnCommands(world)
    expect(await rowOf(id)).toMatchObject({ status: 'done', contract_id: before?.contract_id, error: null })
    expect(await paidContracts(world, caller)).toBe(paid)
  },
)

test('what rests while the clock is days ahead goes on once it is set right', async () => {
  const { lane } = caller.account
  const round = openExpiry({ execute: deps.execute, reader: deps.reader, onClockBack: () => undefined })
  const { id } = await give(caller, { type: 'transfers.payout', rows: [READY] })
  await round([lane])
  const ahead = `now() + interval '3 days'`
  await world.sql(`update commands set due_at = ${ahead}, leased_until = ${ahead} where id = $1`, [id])
  await world.sql(`update command_rows set due_at = ${ahead} where command_id = $1`, [id])
  await world.sql(`update lanes set swept_until = ${ahead} where lane = $1`, [lane])
  await round([lane])
  await world.sql('update commands set leased_until = null where id = $1', [id])
  await workOnCommands(world)
  expect((await rowOf(id))?.status).toBe('done')
})

test('a row that waits for an approval keeps its contract, though its profile was archived', async () => {
  const mine = profilesOf(caller)
  const { id: profile } = await mine.make({ name: 'Bo Cruz' })
  await mine.pay(profile)
  await asks(world, caller, [{ count: 1, role: null }])
  const rows = [{ amount: 5000, currency: 'PHP', recipient: { profile } }]
  const { id } = await give(caller, { type: 'transfers.payout', rows })
  await workOnCommands(world, {}, 'once')
  const waiting = await rowOf(id)
  expect(waiting).toMatchObject({ status: 'waiting', contract_id: expect.any(String) })
  await mine.archive(profile)
  await again(world, id)
  await workOnCommands(world, {}, 'once')
  expect(await rowOf(id)).toMatchObject({ status: 'waiting', contract_id: waiting?.contract_id })
})

test('a row that waits pays nothing once its command is cancelled, though it was approved before', async () => {
  const approver = await joined(world, caller, 'approver')
  await asks(world, caller, [{ count: 1, role: null }])
  const { id } = await give(caller, { type: 'transfers.payout', rows: [BIG] })
  await workOnCommands(world, {}, 'once')
  const contractId = (await rowOf(id))?.contract_id ?? ''
  const paid = await paidContracts(world, caller)
  await move(caller, id, 'pause')
  const { data } = await caller.ask('GET', `/contracts/transfer/${contractId}`)
  const { approval } = data['contract'] as { approval: { terms_hash: string } }
  const body = { terms_hash: approval.terms_hash }
  expect((await approver.ask('PUT', `/contracts/transfer/${contractId}/approve`, { body })).status).toBe(200)
  await again(world, id)
  await move(caller, id, 'cancel')
  for (let round = 0; round < 4; round++) await workOnCommands(world, {}, 'once')
  expect(await rowOf(id)).toMatchObject({ status: 'skipped', contract_id: contractId })
  expect(await paidContracts(world, caller)).toBe(paid)
})

/** What its writer and somebody without a part in it are told who approve the one row of a command, which waits. */
async function approvals({ account, writer, third }: Awaited<ReturnType<typeof office>>, id: string) {
  await workOnCommands(world, {}, 'once')
  const [row] = await rowsOf(account, id)
  expect(row).toMatchObject({ status: 'waiting', error: { code: 'approval_required' } })
  const refused = await approve(account, writer, row?.contract_id)
  return [...coded(refused), (await approve(account, third, row?.contract_id)).status]
}
const NOT_BY_ITS_WRITER = [403, 'approver_is_maker', 200]

describe('nobody approves what they wrote, though it acts for somebody else by now', () => {
  const commandOf = async (account: Caller, id: string) =>
    (await account.ask('GET', `/commands/${id}`)).data['command'] as CommandBody

  test('who resumed it, after its writer might not pay any more', async () => {
    const all = await office(world, caller.account.lane)
    const { account, writer, other } = all
    const id = await filled(writer, [BIG])
    await world.sql(`update members set role = 'approver' where id = $1`, [writer.id])
    expect((await other.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
    await workOnCommands(world)
    expect((await commandOf(account, id)).stopped?.code).toBe('scope_missing')
    expect((await other.ask('PUT', `/commands/${id}/resume`)).status).toBe(200)
    expect((await commandOf(account, id)).created_by).toEqual({ key: other.id, member: other.id })
    expect(await approvals(all, id)).toEqual(NOT_BY_ITS_WRITER)
  })

  test('nor by a key that its writer made, and that is revoked', async () => {
    const all = await office(world, caller.account.lane)
    const { account, writer, other } = all
    const key = holderIn(world)(await make(writer, { scopes: SCOPES }))
    const id = await filled(key, [BIG])
    await world.sql('update api_keys set revoked_at = now() where made_by_member = $1', [writer.id])
    expect((await other.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
    await workOnCommands(world)
    expect((await commandOf(account, id)).stopped?.code).toBe('invalid_api_key')
    expect((await other.ask('PUT', `/commands/${id}/resume`)).status).toBe(200)
    expect(await approvals(all, id)).toEqual(NOT_BY_ITS_WRITER)
  })

  test('who does the rows of their dry run', async () => {
    const all = await office(world, caller.account.lane)
    const { writer, other } = all
    const dry = await give(writer, { type: 'transfers.payout', rows: [BIG], dry_run: true })
    await workOnCommands(world)
    const { id } = await give(other, { type: 'transfers.payout', dry_run_id: dry.id })
    await workOnCommands(world, {}, 'once')
    expect(await approvals(all, id)).toEqual(NOT_BY_ITS_WRITER)
  })

  test('who issues a draft of theirs that they named', async () => {
    const all = await office(world, caller.account.lane)
    const { account, writer, other } = all
    const draft = await account.draft(BIG)
    const id = await filled(writer, [{ id: draft.id }], 'transfers.issue')
    await world.sql(`update members set role = 'approver' where id = $1`, [writer.id])
    await other.ask('PUT', `/commands/${id}/start`)
    await workOnCommands(world)
    expect((await other.ask('PUT', `/commands/${id}/resume`)).status).toBe(200)
    await workOnCommands(world)
    expect(coded(await approve(account, writer, draft.id))).toEqual([403, 'approver_is_maker'])
    expect((await approve(account, all.third, draft.id)).status).toBe(200)
  })
})
