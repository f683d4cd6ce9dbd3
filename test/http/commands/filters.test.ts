// Commands that take their rows from a filter or a dry run: the set is frozen before anything is done. Replays, payments, and what
// becomes of a command whose maker may not act any more.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../world.ts'
import { drafts, ended, give, move, paused, rowsOf, run, told } from './command-stage.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

test('a dry run looks at what fits a filter, and its very rows are done, whatever came in between', async () => {
  const [caller, other] = [await world.newCaller(), await world.newCaller()]
  await run(caller, { type: 'transfers.create', rows: drafts(620, { metadata: { of: 'friday' } }) })
  await other.draft()
  const filter = { currency: 'PHP', amount_to: 699 }
  const dry = await run(caller, { type: 'transfers.issue', filter, dry_run: true })
  expect(dry).toMatchObject({
    status: 'completed',
    gathering: false,
    filter: { amount_to: '699' },
    progress: { total: 600, done: 600 },
  })
  const later = await caller.draft({ amount: 5 })
  const real = await run(caller, { type: 'transfers.issue', dry_run_id: dry.id })
  expect(real).toMatchObject({ dry_run_id: dry.id, dry_run: false, progress: { total: 600, done: 600, failed: 0 } })
  const [looked, done] = [await rowsOf(caller, dry.id), await rowsOf(caller, real.id)]
  expect(done.map(({ sent }) => sent)).toEqual(looked.map(({ sent }) => sent))
  expect((await caller.get(later.id)).status).toBe('draft')
  const paidOnes = await run(caller, { type: 'transfers.pay', filter: { currency: 'PHP', amount_to: 104 } })
  expect(paidOnes.progress).toMatchObject({ total: 5, done: 5 })
  const rest = await run(caller, { type: 'transfers.cancel', filter: {} })
  expect(rest.progress).toMatchObject({ total: 616, done: 616 })
  await world.ledgerHolds()
})

test('what changes after the command was made, and before it is looked at, is none of it', async () => {
  const caller = await world.newCaller()
  const [a, b] = [await caller.draft(), await caller.draft()]
  const { id } = await give(caller, { type: 'transfers.cancel' })
  await move(caller, id, 'cancel')
  // As it stood when the first page was not looked at yet.
  const [{ position } = { position: '0' }] = await world.sql<{ position: string }>(
    'select position from accounts where account_id = $1',
    [caller.account.accountId],
  )
  await caller.ask('PATCH', `/contracts/transfer/${b.id}`, { body: { amount: 7 } })
  await world.sql(
    `update commands set status = 'queued', ended_at = null, started_at = now(), due_at = now(), gathering = true, up_to = $2,
            wanted = '{"what":null,"format":null,"endpointId":null,"dryRunId":null,"filter":{}}' where id = $1`,
    [id, position],
  )
  expect((await ended(caller, id)).progress).toMatchObject({ total: 1, done: 1 })
  expect([(await caller.get(a.id)).status, (await caller.get(b.id)).status]).toEqual(['cancelled', 'draft'])
})

test('what is wrong with a filter, an endpoint or a dry run is told at once, and those of others are not there', async () => {
  const { caller, other } = world
  const ask = async (body: object) => {
    const { error } = await caller.ask('POST', '/commands', { body })
    return [error.code, error.param]
  }
  expect(await ask({ type: 'transfers.issue', filter: {}, csv: 'id\nx\n' })).toEqual(['invalid_filter', 'filter'])
  expect(await ask({ type: 'transfers.create', filter: {} })).toEqual(['invalid_filter', 'filter'])
  expect(await ask({ type: 'transfers.pay', filter: { status: 'payd' } })).toEqual([
    'invalid_status',
    'filter.status.0',
  ])
  expect(await ask({ type: 'events.replay', filter: {} })).toEqual(['missing_webhook_endpoint', 'webhook_endpoint'])
  expect(await ask({ type: 'transfers.pay', what: 'events' })).toEqual(['invalid_what', 'what'])
  const theirs = await run(other, { type: 'transfers.cancel', filter: {}, dry_run: true })
  expect(await ask({ type: 'transfers.cancel', dry_run_id: theirs.id })).toEqual(['command_not_found', 'dry_run_id'])
  const mine = await run(caller, { type: 'transfers.cancel', filter: {} })
  expect(await ask({ type: 'transfers.cancel', dry_run_id: mine.id })).toEqual(['invalid_dry_run_id', 'dry_run_id'])
  const endpoint = await other.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/' } })
  const { id } = endpoint.data['webhook_endpoint'] as { id: string }
  const foreign = { type: 'events.replay', webhook_endpoint: id, filter: {} }
  expect(await ask(foreign)).toEqual(['webhook_endpoint_not_found', 'webhook_endpoint'])
})

test('events are told again to an endpoint, each once, and what is no event fails', async () => {
  const caller = await world.newCaller()
  const made = await caller.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/' } })
  const { id: endpoint } = made.data['webhook_endpoint'] as { id: string }
  const draft = await caller.draft()
  const events = await caller.all<{ id: string; type: string }>('/events', 'events')
  const [created] = events.filter(({ type }) => type === 'contract.created')
  const rows = [{ id: created?.id }, { id: created?.id }, { id: 'evt_x' }, { idd: 'x' }]
  const named = await run(caller, { type: 'events.replay', webhook_endpoint: endpoint, rows })
  expect((await rowsOf(caller, named.id)).map(({ status, error }) => error?.code ?? status)).toEqual([
    'done',
    'done',
    'event_not_found',
    'unknown_parameter',
  ])
  const replayed = () =>
    world.sql<{ n: string; replays: string }>(
      'select count(*) n, count(distinct replay) replays from deliveries where endpoint_id = $1 and replay > 0',
      [endpoint],
    )
  expect(await replayed()).toEqual([{ n: '1', replays: '1' }])
  const before = { type: 'events.replay', webhook_endpoint: endpoint, filter: { to: '2020-01-01' } }
  expect((await run(caller, before)).progress.total).toBe(0)
  expect((await run(caller, { ...before, filter: {}, dry_run: true })).progress.failed).toBe(0)
  expect(await replayed()).toEqual([{ n: '1', replays: '1' }])
  expect((await caller.get(draft.id)).status).toBe('draft')
})

test('a key has no event sent again that it may not read, by name or by a dry run, also where its scopes shrank meanwhile', async () => {
  const owner = await world.newCaller()
  const body = { url: 'http://127.0.0.1:9/', events: ['contract.issued'] }
  const made = await owner.ask('POST', '/webhook-endpoints', { body })
  const { id: endpoint } = made.data['webhook_endpoint'] as { id: string }
  await owner.issued()
  const events = await owner.all<{ id: string; type: string }>('/events', 'events')
  const rows = ['contract.created', 'contract.issued'].map((type) => ({ id: events.find((e) => e.type === type)?.id }))
  const replay = { type: 'events.replay', webhook_endpoint: endpoint }
  const outcomes = async (id: string) => (await rowsOf(owner, id)).map(({ status, error }) => error?.code ?? status)
  const queued = () => world.sql('select position from deliveries where endpoint_id = $1 and replay > 0', [endpoint])
  const weak = await world.withKey(owner, { scopes: ['webhooks:manage', 'commands:read', 'commands:write'] })
  for (const dry_run of [true, false]) {
    const { id } = await run(weak, { ...replay, rows, dry_run })
    expect(await outcomes(id)).toEqual(['event_not_found', 'event_not_found'])
  }
  const looked = await run(owner, { ...replay, rows, dry_run: true })
  expect(await outcomes(looked.id)).toEqual(['done', 'done'])
  // What the endpoint gets anyway is sent again by time, and of a dry run's rows no more than that.
  const { id: copied } = await run(weak, { ...replay, dry_run_id: looked.id })
  expect(await outcomes(copied)).toEqual(['event_not_found', 'done'])
  expect(await queued()).toHaveLength(1)
  const { id: open } = await give(weak, replay)
  await weak.ask('POST', `/commands/${open}/rows`, { body: { rows } })
  const reader = await world.withKey(owner, { scopes: ['webhooks:manage', 'commands:write', 'contracts:read'] })
  const { id: later } = await give(reader, replay)
  await reader.ask('POST', `/commands/${later}/rows`, { body: { rows } })
  await world.sql(`update api_keys set scopes = array_remove(scopes, 'contracts:read') where key_id = $1`, [
    reader.keyId,
  ])
  for (const id of [open, later]) {
    await move(owner, id, 'start')
    await ended(owner, id)
    expect(await outcomes(id)).toEqual(['event_not_found', 'event_not_found'])
  }
  expect(await queued()).toHaveLength(1)
})

test('payment contracts are opened from rows, once however often they are done', async () => {
  const caller = await world.newCaller()
  const csv = 'amount,currency,deliverable.reference_id,metadata.of\n75.50,PHP,INV-1,x\n80,PHP,INV-2,\n'
  const dry = await run(caller, { type: 'payments.create', csv, dry_run: true })
  expect(dry.progress).toMatchObject({ done: 2, failed: 0 })
  const rows = [
    { amount: 75.5, currency: 'PHP' },
    { amount: 5, currency: 'XXX' },
    { amount: 9, currency: 'PHP', return_url: 'https://a.example' },
  ]
  const command = await run(caller, { type: 'payments.create', rows })
  const results = await rowsOf(caller, command.id)
  expect(results.map(({ error }) => error?.code ?? null)).toEqual([null, 'invalid_currency', 'unknown_parameter'])
  const { data } = await caller.ask('GET', `/contracts/payment/${results[0]?.contract_id}`)
  expect(data['contract']).toMatchObject({ amount: 75.5, status: 'issued' })
  await world.sql(`update command_rows set status = 'queued', contract_id = null where command_id = $1 and index = 0`, [
    command.id,
  ])
  await world.sql('delete from idempotency_keys where account_id = $1', [caller.account.accountId])
  await world.sql(
    `update commands set status = 'running', done = 0, ended_at = null, due_at = now(), begun = 2 where id = $1`,
    [command.id],
  )
  expect((await ended(caller, command.id)).progress).toMatchObject({ done: 1, failed: 2 })
  expect((await rowsOf(caller, command.id))[0]?.contract_id).toBe(results[0]?.contract_id)
  expect(await caller.all('/contracts/payment', 'contracts')).toHaveLength(1)
})

test('a command whose key is revoked tells what was done, rests with the rest, and goes on for whoever resumes it', async () => {
  const owner = await world.newCaller()
  const maker = await world.withKey(owner, {})
  const { id } = await give(maker, { type: 'transfers.payout', rows: drafts(40) })
  await ended(owner, id)
  await world.sql('update api_keys set revoked_at = now() where key_id = $1', [maker.keyId])
  await world.sql(`update command_rows set status = 'queued', contract_id = null where command_id = $1`, [id])
  await world.sql(
    `update commands set status = 'running', done = 0, ended_at = null, due_at = now(), begun = 39 where id = $1`,
    [id],
  )
  expect(await ended(owner, id)).toMatchObject({ progress: { done: 40, failed: 0 } })
  const later = await world.withKey(owner, {})
  const open = await give(later, { type: 'transfers.payout' })
  await later.ask('POST', `/commands/${open.id}/rows`, { body: { rows: drafts(5) } })
  await world.sql('update api_keys set revoked_at = now() where key_id = $1', [later.keyId])
  await move(owner, open.id, 'start')
  const rests = await paused(owner, open.id)
  expect(rests).toMatchObject({ progress: { total: 5, done: 0, failed: 0, left: 5 } })
  expect(rests.stopped?.code).toBe('invalid_api_key')
  const weak = await world.withKey(owner, { scopes: ['commands:write', 'commands:read'] })
  expect((await weak.ask('PUT', `/commands/${open.id}/resume`)).error.code).toBe('scope_missing')
  expect(await move(owner, open.id, 'resume')).toMatchObject({ stopped: null, created_by: { key: owner.keyId } })
  expect((await ended(owner, open.id)).progress).toMatchObject({ done: 5, failed: 0 })
  expect(await told(owner, open.id)).toEqual(['command.paused', 'command.completed'])
})

test('a command whose key loses a scope rests, and says which', async () => {
  const owner = await world.newCaller()
  const maker = await world.withKey(owner, {})
  const { id } = await give(maker, { type: 'transfers.payout' })
  await maker.ask('POST', `/commands/${id}/rows`, { body: { rows: drafts(3) } })
  await world.sql('update api_keys set scopes = array_remove(scopes, $2) where key_id = $1', [
    maker.keyId,
    'transfers:pay',
  ])
  await move(owner, id, 'start')
  const { stopped, progress } = await paused(owner, id)
  expect([stopped?.code, progress.left]).toEqual(['scope_missing', 3])
  expect(stopped?.message).toContain('transfers:pay')
  await move(owner, id, 'cancel')
  expect((await ended(owner, id)).progress.skipped).toBe(3)
})
