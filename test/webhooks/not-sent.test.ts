// What is not sent: what whoever asks may not read, what arrived long ago, and what happens after an endpoint was deleted or paused.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyServiceSignature } from '../../sdk/src/signature.ts'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { openPruneSession } from '../../src/main/database/database.ts'
import { pruneRound } from '../../src/workers/sweeps/prune.ts'
import { NEAR, newEndpoint, replay, succeed, until, untilServed, turn } from '../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let receiver: Receiver
beforeAll(async () => {
  world = await openWorld({ config: { ...NEAR, webhookTimeoutMs: 8000, webhookLeaseMs: 30_000 } })
  receiver = await startReceiver()
  await receiver.keepEverything()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

test('a key that reads nothing cannot move an endpoint to itself, nor have an event sent again', async () => {
  const caller = await world.newCaller()
  const { id } = await newEndpoint(caller, `${receiver.url}/owner`, { events: ['*'] })
  const manager = await world.withKey(caller, { scopes: ['webhooks:manage'] })
  const elsewhere = `${receiver.url.replace('127.0.0.1', 'localhost')}/stolen`
  const moved = await manager.ask('PATCH', `/webhook-endpoints/${id}`, { body: { url: elsewhere } })
  expect([moved.status, moved.error?.code]).toEqual([403, 'scope_missing'])
  const renamed = await manager.ask('PATCH', `/webhook-endpoints/${id}`, { body: { description: 'Of the shop' } })
  expect(renamed.status).toBe(200)
  await caller.issued()
  const [event] = await caller.all<{ id: string }>('/events', 'events')
  const asked = { body: { events: [event!.id] } }
  const again = await manager.ask('POST', `/webhook-endpoints/${id}/replay`, asked)
  expect([again.status, again.error?.code]).toEqual([404, 'event_not_found'])
  expect((await caller.ask('POST', `/webhook-endpoints/${id}/replay`, asked)).status).toBe(200)
  expect(await receiver.count('/stolen')).toBe(0)
})

test('what waits for an endpoint does not go along when a key moves it that may not read it', async () => {
  const caller = await world.newCaller()
  await receiver.behave('/full', { kind: 'status', status: 500 })
  const { id } = await newEndpoint(caller, `${receiver.url}/full`, { events: ['*'] })
  await caller.issued()
  await until('the first has failed', 10_000, async () => (await receiver.count('/full')) > 0)
  const path = `/webhook-endpoints/${id}`
  const clerk = await world.withKey(caller, { scopes: ['webhooks:manage', 'commands:read'] })
  const patch = (who: typeof caller, body: object) => who.ask('PATCH', path, { body })
  const narrow = { events: ['command.completed'] }
  const stolen = { url: `${receiver.url}/stolen-too` }
  const refused = (reply: Awaited<ReturnType<typeof patch>>) => [reply.status, reply.error?.code, reply.error?.param]
  expect(refused(await patch(clerk, { ...stolen, ...narrow }))).toEqual([403, 'scope_missing', 'url'])
  expect((await patch(clerk, narrow)).status).toBe(200)
  expect(refused(await patch(clerk, stolen))).toEqual([403, 'scope_missing', 'url'])
  expect((await patch(clerk, { status: 'disabled' })).status).toBe(200)
  expect((await patch(clerk, stolen)).status).toBe(200)
  expect((await patch(clerk, { status: 'enabled' })).status).toBe(200)
  expect((await replay(clerk, id, { from: '2020-01-01T00:00:00Z' })).events).toBe(0)
  expect((await replay(clerk, id, { missed: true })).events).toBe(0)
  // It hears what comes, and what waited is there for whoever may read it.
  expect((await patch(caller, { ...stolen, events: ['*'] })).status).toBe(200)
  expect(await receiver.count('/stolen-too')).toBe(0)
  expect((await replay(caller, id, { missed: true })).events).toBeGreaterThan(0)
  await until('what was missed has come', 10_000, async () => (await receiver.count('/stolen-too')) > 0)
  await receiver.behave('/stolen-too', { kind: 'status', status: 500 })
  await caller.issued()
  // Whoever reads all moves it with what waits.
  expect((await patch(caller, { url: `${receiver.url}/after-all` })).status).toBe(200)
})

test('what arrived long ago is not missed', async () => {
  const caller = await world.newCaller()
  const { id } = await newEndpoint(caller, `${receiver.url}/old`)
  for (let i = 0; i < 5; i++) await caller.issued()
  await untilServed(caller, [id], 10_000)
  const { accountId } = caller.account
  await world.sql(`update contract_versions set at = now() - interval '40 days' where account_id = $1`, [accountId])
  await world.sql(
    `update deliveries set created_at = now() - interval '40 days', updated_at = now() - interval '40 days' where account_id = $1`,
    [accountId],
  )
  expect((await replay(caller, id, { missed: true })).events).toBe(0)
  const session = openPruneSession(world.database)
  await pruneRound(session, ALL_LANES)
  await session.close()
  const again = await replay(caller, id, { missed: true })
  expect(again.events).toBe(0)
})

for (const how of ['deleted', 'paused'] as const)
  test(`what happens after an endpoint was ${how} is not sent to it`, async () => {
    const caller = await world.newCaller()
    const path = `/${how}`
    await receiver.behave(path, { kind: 'hang' })
    const { id } = await newEndpoint(caller, receiver.url + path)
    await caller.issued()
    await until('the first has come', 10_000, async () => (await receiver.count(path)) === 1)
    if (how === 'deleted') await succeed(caller, 'DELETE', `/webhook-endpoints/${id}`, 'webhook_endpoint')
    else await turn(caller, id, 'pause')
    await sleep(1000)
    await caller.issued()
    await sleep(3000)
    expect(await receiver.count(path)).toBe(1)
  })

/** An endpoint whose first call is under way, and more waits for it in memory; changed by another process meanwhile. */
async function changedBeside(name: string, method: 'PATCH' | 'POST', path: string, body: object) {
  const neighbour = await world.beside()
  const caller = await world.newCaller()
  await receiver.behave(name, { kind: 'slow', ms: 1500 })
  const { id } = await newEndpoint(caller, receiver.url + name, { events: ['*'], in_flight_max: 1 })
  for (let i = 0; i < 4; i++) await caller.issued()
  await until('the first is under way', 10_000, async () => (await receiver.count(name)) === 1)
  const headers = { 'x-api-key': caller.apiKey }
  const { text, status, data } = await neighbour.ask(method, `/webhook-endpoints/${id}${path}`, { headers, body })
  expect(status, text).toBe(200)
  // Another process takes it, and keeps it for a moment: the one that has it in memory does not learn of the change by taking it again.
  await world.sql(
    `update webhook_progress set fence = fence + 1, leased_until = now() + interval '4 seconds', leased_by = null where endpoint_id = $1`,
    [id],
  )
  const before = await receiver.count(name)
  await receiver.behave(name, { kind: 'ok' })
  await neighbour.stop()
  await untilServed(caller, [id], 20_000)
  return { later: (await receiver.arrivals(name)).slice(before), endpoint: data['webhook_endpoint'] }
}

test('nothing goes to where an endpoint was before another process moved it', async () => {
  const { later } = await changedBeside('/before', 'PATCH', '', { url: `${receiver.url}/after` })
  expect(later).toEqual([])
  expect(await receiver.count('/after')).toBeGreaterThanOrEqual(8)
})

test('nothing is signed by a secret that another process had rolled before', async () => {
  const { later, endpoint } = await changedBeside('/rolled', 'POST', '/roll-secret', { overlap_seconds: 0 })
  const { secret } = endpoint as { secret: string }
  expect(later.length).toBeGreaterThanOrEqual(7)
  const nowSeconds = Date.now() / 1000
  const verdicts = later.map(({ headers, body }) =>
    verifyServiceSignature(Buffer.from(body ?? ''), headers?.['service-signature'], [secret], { nowSeconds }),
  )
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([])
})

test('nothing of a deleted endpoint waits for ever', async () => {
  const caller = await world.newCaller()
  await receiver.behave('/gone', { kind: 'status', status: 500 })
  const { id } = await newEndpoint(caller, `${receiver.url}/gone`)
  await caller.issued()
  await until(
    'it waits',
    10_000,
    async () => (await world.sql('select 1 from deliveries where endpoint_id = $1', [id])).length === 1,
  )
  await succeed(caller, 'DELETE', `/webhook-endpoints/${id}`, 'webhook_endpoint')
  await world.sql(
    `update deliveries set created_at = now() - interval '400 days', updated_at = now() - interval '400 days' where endpoint_id = $1`,
    [id],
  )
  const session = openPruneSession(world.database)
  await pruneRound(session, ALL_LANES)
  await session.close()
  const left = await world.sql('select status, octet_length(body) as bytes from deliveries where endpoint_id = $1', [
    id,
  ])
  expect(left).toEqual([])
})
