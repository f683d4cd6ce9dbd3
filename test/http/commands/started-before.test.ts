// The rows of a dry run are started once: whoever starts them again says so, and two at once are one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openWorld, READY, type World } from '../../world.ts'
import { ended, give, move, rowsOf, run } from './command-stage.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const PAYOUT = { type: 'transfers.payout' }
const checked = (caller: Caller) =>
  run(caller, { ...PAYOUT, rows: [101, 102].map((amount) => ({ ...READY, amount })), dry_run: true })
const ask = (caller: Caller, body: object, headers: Readonly<Record<string, string>> = {}) =>
  caller.ask('POST', '/commands', { body, headers })
const contractsOf = async (caller: Caller) => (await caller.all('/contracts/transfer', 'contracts')).length

test('a dry run that was started is refused with the name of who did it, and done once more only where that is said', async () => {
  const caller = await world.newCaller()
  const dry = await checked(caller)
  const start = { ...PAYOUT, dry_run_id: dry.id }
  const first = await run(caller, start)
  expect(first.progress).toMatchObject({ total: 2, done: 2 })
  const second = await ask(caller, { ...start, again: false })
  expect([second.status, second.error.code, second.error.param]).toEqual([409, 'command_started_before', 'dry_run_id'])
  expect(second.error.message).toContain(first.id)
  expect(await contractsOf(caller)).toBe(2)
  const again = await run(caller, { ...start, again: true })
  expect(again.progress).toMatchObject({ total: 2, done: 2 })
  expect(await contractsOf(caller)).toBe(4)
  const listed = await caller.all<{ id: string }>(`/commands?dry_run_id=${dry.id.toUpperCase()}`, 'commands')
  expect(listed.map(({ id }) => id)).toEqual([again.id, first.id])
  await world.ledgerHolds()
})

test('of five who start it at once one does, and the same idempotency key is answered as it was', async () => {
  const caller = await world.newCaller()
  const start = { ...PAYOUT, dry_run_id: (await checked(caller)).id }
  const replies = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map(async (key) => [key, await ask(caller, start, { 'idempotency-key': key })] as const),
  )
  const [made, ...others] = replies.filter(([, { status }]) => status === 200)
  expect([others.length, replies.filter(([, { status }]) => status === 409).length]).toEqual([0, 4])
  const [key, first] = made as (typeof replies)[number]
  const repeated = await ask(caller, start, { 'idempotency-key': key })
  const { id } = first.data['command'] as { id: string }
  expect([repeated.status, repeated.data['command']]).toMatchObject([200, { id }])
  await ended(caller, id)
  expect(await contractsOf(caller)).toBe(2)
})

test('one that was cancelled before it did anything stands in nobody’s way; one that made a contract does', async () => {
  const caller = await world.newCaller()
  const start = { ...PAYOUT, dry_run_id: (await checked(caller)).id }
  const { id } = await give(caller, PAYOUT)
  await move(caller, id, 'cancel')
  // As a command of the dry run that was cancelled before its first row.
  await world.sql(
    `update commands set wanted = json_build_object('what', null, 'format', null, 'endpointId', null, 'dryRunId', $2::text, 'filter', null)
      where id = $1`,
    [id, start.dry_run_id],
  )
  const first = await run(caller, start)
  expect(first.progress.done).toBe(2)
  // It was cancelled while its rows waited for somebody: no row is done, and their contracts can still be paid.
  await world.sql("update command_rows set status = 'skipped' where command_id = $1", [first.id])
  await world.sql("update commands set status = 'cancelled', done = 0, skipped = 2 where id = $1", [first.id])
  expect((await rowsOf(caller, first.id)).map(({ contract_id: of }) => of === null)).toEqual([false, false])
  expect((await ask(caller, start)).error.message).toContain(first.id)
})

test('again is refused where there is no dry run that it could be about', async () => {
  const { error } = await ask(world.caller, { ...PAYOUT, rows: [READY], again: true })
  expect([error.code, error.param]).toEqual(['invalid_again', 'again'])
})
