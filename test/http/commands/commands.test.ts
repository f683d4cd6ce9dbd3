// Commands: a file of rows is checked, started, paused, resumed and cancelled, and every row is done exactly once.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Static } from 'typebox'
import type { Command, CommandRowShape } from '../../../src/wire/commands/commands.ts'
import { type Caller, openWorld, READY, type Reply, type World } from '../../world.ts'

type CommandBody = Static<typeof Command>
type RowBody = Static<typeof CommandRowShape>

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const commandIn = (reply: Reply): CommandBody => {
  expect(reply.status, reply.text).toBe(200)
  return reply.data['command'] as CommandBody
}
const give = async (caller: Caller, body: object) => commandIn(await caller.ask('POST', '/commands', { body }))
const look = async (caller: Caller, id: string) => commandIn(await caller.ask('GET', `/commands/${id}`))
const rowsOf = (caller: Caller, id: string) => caller.all<RowBody>(`/commands/${id}/rows`, 'rows')

async function when(caller: Caller, id: string, isSo: (command: CommandBody) => boolean): Promise<CommandBody> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(20)) {
    const command = await look(caller, id)
    if (isSo(command)) return command
  }
  throw new Error(`the command did not come so far: ${JSON.stringify(await look(caller, id))}`)
}
const ended = (caller: Caller, id: string) => when(caller, id, ({ ended_at: at }) => at !== null)
const drafts = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ ...READY, amount: 100 + i, ...fields }))
const contractsOf = async ({ account }: Caller) =>
  Number(
    (await world.sql<{ n: string }>('select count(*) n from contracts where account_id = $1', [account.accountId]))[0]
      ?.n,
  )

test('people are paid from a file with a header, and each row tells its contract', async () => {
  const caller = await world.newCaller()
  const csv = `\uFEFFamount;currency;channel;recipient.name;recipient.wallet;metadata.team\r
100;PHP;sandbox;"Reyes; Ana";000123456789;north\r
200.50;PHP;sandbox;Ben;000123456789;\r
300;PHP;sandbox;;;\r
`
  const { id } = await give(caller, { type: 'transfers.payout', csv, reference: 'pay-11' })
  const command = await ended(caller, id)
  expect(command).toMatchObject({
    status: 'completed',
    progress: { total: 3, done: 2, failed: 1, waiting: 0, left: 0 },
  })
  const rows = await rowsOf(caller, id)
  expect(rows.map(({ line, status, step }) => ({ line, status, step }))).toEqual([
    { line: 2, status: 'done', step: 'pay' },
    { line: 3, status: 'done', step: 'pay' },
    { line: 4, status: 'failed', step: 'issue' },
  ])
  expect(rows[2]?.error).toMatchObject({ code: 'requirements_not_met' })
  const contract = await caller.get(rows[0]?.contract_id ?? '')
  expect(contract).toMatchObject({ amount: 100, recipient: { name: 'Reyes; Ana' }, metadata: { team: 'north' } })
  const { data } = await caller.ask('GET', `/commands/${id}`)
  expect(data['sums']).toContainEqual(
    expect.objectContaining({ currency: 'PHP', status: 'done', rows: 2, amount: 300.5 }),
  )
  const url = `/commands/${id}/rows?format=csv`
  const reply = await world.gateway.app.inject({ url, headers: { 'x-api-key': caller.apiKey } })
  expect(reply.headers['content-disposition']).toContain('.csv')
  const file = reply.body.split('\r\n')
  expect(file).toHaveLength(5)
  expect(file[3]).toMatch(/^2,4,failed,.*"line 4, column recipient[^:]*: /)
  const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
  expect(events.filter(({ type }) => type === 'command.completed').map(({ data: { object } }) => object.id)).toEqual([
    id,
  ])
  await world.ledgerHolds()
})

test('all faults of a header, and of cells, are told with their lines and columns, and nothing is written', async () => {
  const send = async (csv: string) =>
    (await world.caller.ask('POST', '/commands', { body: { type: 'transfers.create', csv } })).text
  const header = await send('amuont,currency,recipient.nam,currency\n5,PHP,Ana,PHP\n')
  expect(header).toContain('line 1, column 1: amuont is not known. Did you mean amount?')
  expect(header).toContain('Did you mean recipient.name?')
  expect(header).toContain('line 1, column 4: currency is there twice')
  expect(await send('amount,currency\n5,PHP\n"1,500.00",PHP\n')).toContain('line 3, column amount')
  expect(await send('amount,currency\n')).toContain('no rows')
})

test('a dry run prices and checks every row, and writes no contract', async () => {
  const caller = await world.newCaller({ funds: { PHP: 250_00n } })
  const rows = [...drafts(3), { ...READY, recipient: null }, { amount: 'much', currency: 'PHP' }]
  const { id } = await give(caller, { type: 'transfers.payout', rows, dry_run: true })
  expect(await ended(caller, id)).toMatchObject({ dry_run: true, progress: { done: 2, failed: 3 } })
  const checked = await rowsOf(caller, id)
  expect(checked[0]).toMatchObject({ status: 'done', contract_id: null, preview: { amount: 100, fee: 10.5 } })
  expect(checked.map(({ error }) => error?.code ?? null)).toEqual([
    null,
    null,
    'insufficient_funds',
    'requirements_not_met',
    'invalid_amount',
  ])
  expect(await contractsOf(caller)).toBe(0)
})

test('rows come in parts, the same part again changes nothing, and another content is refused', async () => {
  const caller = await world.newCaller()
  const { id, status } = await give(caller, { type: 'transfers.create' })
  expect(status).toBe('open')
  const add = (first: number, rows: readonly object[]) =>
    caller.ask('POST', `/commands/${id}/rows`, { body: { first, rows } })
  expect((await caller.ask('PUT', `/commands/${id}/start`)).error.code).toBe('command_empty')
  await add(0, drafts(600))
  await add(0, drafts(600))
  expect(commandIn(await add(600, drafts(300))).progress.total).toBe(900)
  expect((await add(10, drafts(1))).error.code).toBe('command_row_differs')
  expect(commandIn(await caller.ask('PUT', `/commands/${id}/start`)).status).toBe('queued')
  await caller.ask('PUT', `/commands/${id}/start`)
  expect(commandIn(await add(0, drafts(600))).progress.total).toBe(900)
  expect((await add(900, drafts(1))).error.code).toBe('command_not_movable')
  expect(await ended(caller, id)).toMatchObject({ status: 'completed', progress: { total: 900, done: 900 } })
  expect(await contractsOf(caller)).toBe(900)
})

test('a part that was lost is asked for at the start, and is never told as added to what has begun', async () => {
  const caller = await world.newCaller()
  const { id } = await give(caller, { type: 'transfers.create' })
  const add = (first: number, rows: readonly object[]) =>
    caller.ask('POST', `/commands/${id}/rows`, { body: { first, rows } })
  await add(10, drafts(10))
  const early = await caller.ask('PUT', `/commands/${id}/start`)
  expect([early.status, early.error.code]).toEqual([409, 'command_not_movable'])
  expect(early.error.message).toContain('Row 0 is not there')
  await add(0, drafts(4))
  expect((await caller.ask('PUT', `/commands/${id}/start`)).error.message).toContain('Row 4 is not there')
  expect((await look(caller, id)).status).toBe('open')
  await add(4, drafts(6))
  expect(commandIn(await caller.ask('PUT', `/commands/${id}/start`)).progress.total).toBe(20)
  expect((await add(10, drafts(10))).status).toBe(200)
  expect((await ended(caller, id)).progress).toMatchObject({ total: 20, done: 20 })
  // One of before, that was started with a gap.
  const gapped = await give(caller, { type: 'transfers.create', rows: drafts(20) })
  await ended(caller, gapped.id)
  await world.sql('delete from command_rows where command_id = $1 and index < 10', [gapped.id])
  await world.sql('update commands set total = 10, done = 10 where id = $1', [gapped.id])
  const late = await caller.ask('POST', `/commands/${gapped.id}/rows`, { body: { first: 0, rows: drafts(10) } })
  expect([late.status, late.error.code]).toEqual([409, 'command_not_movable'])
})

test('rows that are done again, as after a crash at any point, are done once', async () => {
  const caller = await world.newCaller()
  const { id } = await give(caller, { type: 'transfers.payout', rows: drafts(120) })
  await ended(caller, id)
  const [paid, balance] = [await contractsOf(caller), await caller.balance('PHP')]
  // As a process leaves them that died after their effects and before their record; the answers under their keys are forgotten, too.
  await world.sql('delete from idempotency_keys where account_id = $1', [caller.account.accountId])
  await world.sql(
    `update command_rows set status = 'queued', contract_id = null where command_id = $1 and index < 90`,
    [id],
  )
  await world.sql(
    `update commands set status = 'running', done = done - 90, ended_at = null, due_at = now(), begun = 119 where id = $1`,
    [id],
  )
  expect(await ended(caller, id)).toMatchObject({ status: 'completed', progress: { done: 120, failed: 0 } })
  expect([await contractsOf(caller), paid]).toEqual([120, 120])
  expect(await caller.balance('PHP')).toBe(balance)
  expect(new Set((await rowsOf(caller, id)).map(({ contract_id: contract }) => contract)).size).toBe(120)
  await world.ledgerHolds()
})

test('contracts that are there are issued, paid and cancelled by their ids', async () => {
  const { caller, other } = world
  const [a, b, theirs] = [await caller.draft(), await caller.draft(), await other.draft()]
  const rows = [{ id: a.id }, { id: b.id.toUpperCase() }, { id: theirs.id }, { id: 'x' }, { idd: a.id }]
  const run = async (type: string, sent: readonly object[]) => {
    const { id } = await give(caller, { type, rows: sent })
    await ended(caller, id)
    return (await rowsOf(caller, id)).map(({ status, error }) => error?.code ?? status)
  }
  expect(await run('transfers.issue', rows)).toEqual([
    'done',
    'done',
    'contract_not_found',
    'contract_not_found',
    'unknown_parameter',
  ])
  expect(await run('transfers.pay', rows.slice(0, 2))).toEqual(['done', 'done'])
  const last = await caller.draft()
  expect(await run('transfers.cancel', [{ id: last.id, reason: 'twice' }])).toEqual(['done'])
  expect((await caller.get(last.id)).status).toBe('cancelled')
  expect((await other.get(theirs.id)).status).toBe('draft')
})

test('a command is paused and resumed, and one that is cancelled skips what was not begun', async () => {
  const caller = await world.newCaller()
  const { id } = await give(caller, { type: 'transfers.create', rows: drafts(1000) })
  await caller.ask('PUT', `/commands/${id}/pause`)
  await caller.ask('PUT', `/commands/${id}/pause`)
  await caller.ask('PUT', `/commands/${id}/resume`)
  expect((await ended(caller, id)).progress.done).toBe(1000)
  const second = await give(caller, { type: 'transfers.create' })
  await caller.ask('POST', `/commands/${second.id}/rows`, { body: { rows: drafts(50) } })
  const cancelled = await Promise.all([1, 2, 3].map(() => caller.ask('PUT', `/commands/${second.id}/cancel`)))
  expect(cancelled.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await ended(caller, second.id)).toMatchObject({ status: 'cancelled', progress: { skipped: 50, left: 0 } })
  expect((await caller.ask('PUT', `/commands/${second.id}/resume`)).error.code).toBe('command_not_movable')
  const third = await give(caller, { type: 'transfers.create', rows: drafts(1000) })
  await caller.ask('PUT', `/commands/${third.id}/cancel`)
  const { progress } = await ended(caller, third.id)
  expect(progress.done + progress.skipped).toBe(1000)
  expect(await contractsOf(caller)).toBe(1000 + progress.done)
})

test('whoever may not do it to one contract may not do it to many, nor set going what others made', async () => {
  const { caller, other } = world
  const weak = await world.withKey(caller, { scopes: ['commands:read', 'commands:write', 'contracts:write'] })
  const refused = await weak.ask('POST', '/commands', { body: { type: 'transfers.payout', rows: drafts(1) } })
  expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  const { id } = await give(caller, { type: 'transfers.payout' })
  expect((await weak.ask('POST', `/commands/${id}/rows`, { body: { rows: drafts(1) } })).error.code).toBe(
    'scope_missing',
  )
  await caller.ask('POST', `/commands/${id}/rows`, { body: { rows: drafts(1) } })
  expect((await weak.ask('PUT', `/commands/${id}/start`)).error.code).toBe('scope_missing')
  expect((await other.ask('GET', `/commands/${id}`)).error.code).toBe('command_not_found')
  expect((await other.ask('PUT', `/commands/${id}/start`)).error.code).toBe('command_not_found')
  expect((await look(caller, id)).status).toBe('open')
  const capped = await world.withKey(caller, {})
  await world.sql(`update api_keys set transfer_max = '[{"currency":"PHP","max_minor":"5000"}]' where key_id = $1`, [
    capped.keyId,
  ])
  const above = await give(capped, { type: 'transfers.payout', rows: drafts(1), dry_run: true })
  await ended(caller, above.id)
  expect((await rowsOf(caller, above.id))[0]?.error?.code).toBe('transfer_above_cap')
})

test('an account has so many commands at a time that have not ended', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 20; i++) await give(caller, { type: 'transfers.create' })
  const full = await caller.ask('POST', '/commands', { body: { type: 'transfers.create' } })
  expect([full.status, full.error.code]).toEqual([409, 'commands_full'])
})
