// What each reader of old documents answers once they have left: the same as before, or that they have, and where to go on.
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeDocuments } from '../../src/app/resources/removing-documents.ts'
import { openPlannedSession, openPruneSession } from '../../src/main/database/database.ts'
import { verifyArchives } from '../../src/main/archives/verify.ts'
import { aged, archived, archivedInto, notedIn, signerOf } from './aged.ts'
import { run } from '../http/commands/command-stage.ts'
import { makeEndpoint } from '../http/webhooks/webhook-world.ts'
import { type Caller, openWorld, READY } from '../world.ts'

/** Shorter than a rehearsal looks back. */
const DAYS = 40
const world = await openWorld()
const url = await world.listen()
const session = openPruneSession(world.database)
const operators = openPlannedSession(world.operators)
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  response.end('{}')
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  receiver.close()
  await world.ledgerHolds()
  await Promise.all([session.close(), operators.close()])
  await world.stop()
})

let who: Caller
const ids: string[] = []
let original: { position: string; document: string }[] = []
const before = new Map<string, unknown>()
const KEY = { 'Idempotency-Key': 'an-old-key' }
const make = () => who.ask('POST', '/contracts/transfer', { body: { ...READY, amount: 12 }, headers: KEY })

const isoIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const [FROM, TO] = [isoIn(-200), isoIn(0)]

/** What is read of the past that no event is named by. */
const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  statement: async () => {
    const { id } = await who.wallet('PHP')
    const { status, data } = await who.ask('GET', `/wallets/${id}/statement?from=${FROM}&to=${TO}&limit=100`)
    expect(status).toBe(200)
    return (data['statement'] as { readonly lines: unknown }).lines ?? data
  },
  figures: async () => {
    // Counted behind the history: all of it, in the account's time zone.
    const counted = async () => {
      await who.ask('GET', '/overview')
      return world.sql(
        `select from accounts a join figures_progress p on p.lane = a.lane and p.account_id = a.account_id
          where a.account_id = $1 and p.position = a.position and p.time_zone = a.time_zone`,
        [who.account.accountId],
      )
    }
    await vi.waitUntil(async () => (await counted()).length === 1, { timeout: 30_000 })
    return world.sql(
      `select kind, currency, channel_id, sum(created)::int as created, sum(paid)::int as paid, sum(completed)::int as completed,
              sum(cancelled)::int as cancelled, sum(moved_minor)::int as moved, sum(took_seconds)::int as took
         from figures where account_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
      [who.account.accountId],
    )
  },
  rehearsal: async () => {
    const when = [{ field: 'amount', op: 'above', value: 1, currency: 'PHP' }]
    const policy = { name: 'Large', when, then: { kind: 'deny', words: 'No.' } }
    const { status, data, text } = await who.ask('POST', '/policies/rehearse', { body: { policy, days: 90 } })
    expect(status, text).toBe(200)
    const { currencies, contracts } = data['rehearsal'] as Readonly<Record<string, readonly unknown[]>>
    expect([currencies?.length, contracts?.length]).toEqual([1, expect.any(Number)])
    return { currencies, contracts }
  },
  search: async () => {
    await world.sql('delete from search_terms where account_id = $1', [who.account.accountId])
    await world.sql('update search_progress set position = 0 where account_id = $1', [who.account.accountId])
    const { data } = await who.ask('GET', '/search?q=ana&limit=100')
    return (data['results'] as { readonly id: string }[]).map(({ id }) => id).toSorted()
  },
}

/** Figures of another time zone are counted from the beginning. */
const countAnew = () =>
  world.sql('update figures_progress set time_zone = $2 where account_id = $1', [who.account.accountId, 'Europe/Rome'])

beforeAll(async () => {
  who = await world.newCaller()
  for (let i = 0; i < 3; i++) {
    const { id } = await who.paid({ amount: 10 + i, description: `Invoice ${i}` })
    await world.settle(id)
    ids.push(id)
  }
  const { contract } = (await make()).data as { readonly contract: { readonly id: string } }
  await who.cancel(contract.id)
  ids.push(contract.id)
  await who.draft({ amount: 20 })
  // As long ago as the step that paid it: a rehearsal leaves out what was paid after its step.
  const paid = await world.sql<{ position: string; document: { paid_at: number } }>(
    `select position, document from contract_versions where account_id = $1 and document ->> 'paid_at' is not null`,
    [who.account.accountId],
  )
  for (const { position, document } of paid)
    await world.sql('update contract_versions set document = $3 where account_id = $1 and position = $2', [
      who.account.accountId,
      position,
      JSON.stringify({ ...document, paid_at: document.paid_at - (DAYS + 1) * 86_400_000 }),
    ])
  await aged(world, who, DAYS + 1)
  await countAnew()
  await archived(world, operators, who)
  for (const [name, read] of Object.entries(READS)) before.set(name, await read())
  original = await world.sql(`select position, document::text from contract_versions where account_id = $1`, [
    who.account.accountId,
  ])
  if ((await removeDocuments(session, who.account, DAYS)) === 0) throw new Error('no document has left')
}, 120_000)

const leftOf = () =>
  world.sql<{ id: string; event: string }>(
    `select 'evt_' || replace(contract_id::text, '-', '') || lpad(sequence::text, 4, '0') as id, event from contract_versions
      where account_id = $1 and event is not null and document::text like '{"removed":%' order by position`,
    [who.account.accountId],
  )

test.each(Object.keys(READS))('%s: as before, counted and made anew', async (name) => {
  if (name === 'figures') await countAnew()
  expect(await READS[name]?.()).toEqual(before.get(name))
})

test('an event, the feed and the stream say that it has left, and where to go on', async () => {
  const [first] = await leftOf()
  const one = await who.ask('GET', `/events/${first?.id}`)
  expect([one.status, one.error.code, one.error.param]).toEqual([410, 'events_removed', 'id'])
  const feed = await who.ask('GET', '/events')
  expect(feed.status).toBe(410)
  expect(feed.error).toMatchObject({ code: 'events_removed', param: 'after', removed_until: expect.any(String) })
  const { resume_after: resume } = feed.error as unknown as { readonly resume_after: string }
  expect((await who.ask('GET', `/events?after=${resume}`)).status).toBe(200)
  // What was never superseded is told for ever.
  const completed = await who.ask('GET', '/events?types=contract.completed')
  expect(completed.data['events']).toHaveLength(3)
  const newest = await who.ask('GET', '/events?order=newest&limit=100')
  expect(newest.status).toBe(200)
  const { next } = newest.data as { readonly next: string }
  const beyond = await who.ask('GET', `/events?order=newest&after=${next}`)
  expect([beyond.status, beyond.error.code]).toEqual([410, 'events_removed'])
  const stream = await fetch(`${url}/events/stream?after=${first?.id}`, { headers: { 'x-api-key': who.apiKey } })
  expect(stream.status).toBe(410)
  expect(await stream.json()).toMatchObject({ error: { code: 'events_removed', resume_after: resume } })
  const named = await who.ask('GET', `/resources/${first?.id}`)
  expect(named.data['resource']).toMatchObject({ type: 'event', summary: expect.stringContaining('has left') })
  const searched = await who.ask('GET', `/search?type=event&q=${first?.id}`)
  expect(searched.data['results']).toMatchObject([{ id: first?.id }])
})

test('an endpoint is sent what is there; what has left is given up, and a replay of it is refused', {
  timeout: 60_000,
}, async () => {
  const left = await leftOf()
  const { id } = await makeEndpoint(who, { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` })
  const refused = await who.ask('POST', `/webhook-endpoints/${id}/replay`, { body: { events: [left[0]?.id] } })
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([410, 'events_removed', 'events'])
  // As if it had been paused for all that time.
  await world.sql('update webhook_progress set position = 0, next_due_at = now() where endpoint_id = $1', [id])
  type Listed = { readonly id: string; readonly status: string; readonly event_id: string; readonly tries: number }
  const listed = () => who.all<Listed>(`/webhook-endpoints/${id}/deliveries`, 'deliveries')
  for (let i = 0; i < 200 && (await listed()).filter(({ status }) => status === 'dead').length < left.length; i++)
    await sleep(100)
  const dead = (await listed()).filter(({ status }) => status === 'dead')
  expect(dead.map(({ event_id: event }) => event).toSorted()).toEqual(left.map((each) => each.id).toSorted())
  expect(dead.every(({ tries }) => tries === 1)).toBe(true)
  const attempts = await who.ask('GET', `/webhook-endpoints/${id}/deliveries/${dead[0]?.id}/attempts`)
  expect(JSON.stringify(attempts.data)).toContain('has left the gateway')
  for (let i = 0; i < 100 && received.length < 5; i++) await sleep(100)
  expect(received.filter((event) => left.some((each) => each.id === event))).toEqual([])
  const endpoint = await who.ask('GET', `/webhook-endpoints/${id}`)
  expect(JSON.stringify(endpoint.data)).toContain('"enabled"')
  const stretch = await who.ask('POST', `/webhook-endpoints/${id}/replay`, { body: { from: '2020-01-01T00:00:00Z' } })
  expect(stretch.status).toBe(200)
})

test('an export of events says which have left', async () => {
  const { id } = await run(who, { type: 'export', what: 'events', format: 'ndjson' })
  const file = await world.gateway.app.inject({ url: `/commands/${id}/file`, headers: { 'x-api-key': who.apiKey } })
  const lines = file.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const left = await leftOf()
  expect(lines.filter((line) => line['removed'] === true).map((line) => line['id'])).toEqual(
    left.map((each) => each.id),
  )
})

test('a key of then is not carried out again', async () => {
  const again = await make()
  expect([again.status, again.error.code]).toEqual([409, 'idempotency_reply_lost'])
})

test('an archive of afterwards holds, says what it lacks, and is noted only where the books lack it too', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-after-'))
  try {
    await archivedInto(world, operators, directory, who)
    const [proved] = await verifyArchives(directory, signerOf(world), () => undefined)
    const emptied =
      original.length -
      (
        await world.sql(
          `select 1 from contract_versions where account_id = $1 and document::text not like '{"removed":%'`,
          [who.account.accountId],
        )
      ).length
    expect(proved).toMatchObject({ fault: null, removed: expect.any(Number) })
    expect(proved?.removed).toBeGreaterThan(0)
    expect(proved?.removed).toBeLessThanOrEqual(emptied)
    expect(await notedIn(world, operators, directory)).toMatchObject([{ note: 'noted' }])
    await world.sql('begin')
    for (const { position, document } of original)
      await world.sql('update contract_versions set document = $3::json where account_id = $1 and position = $2', [
        who.account.accountId,
        position,
        document,
      ])
    await world.sql('commit')
    expect(await notedIn(world, operators, directory)).toMatchObject([{ note: 'a document is not in it' }])
    await world.sql('delete from document_removals where account_id = $1', [who.account.accountId])
    while ((await removeDocuments(session, who.account, DAYS)) > 0);
    expect(await leftOf()).not.toEqual([])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
