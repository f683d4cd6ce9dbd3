// A gateway that is killed while it removes words: the page that it was at is undone by the database, and the next process goes on
// from the last one that was noted. Nothing else of the contracts is touched.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type GatewayProcess,
  lastLines,
  openGatewayProcess,
  ownerConnection,
  rowsFrom,
} from '../rig/gateway-process.ts'
import { READY } from '../world.ts'

const CONTRACTS = 180
const AT_ONCE = 20

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await openGatewayProcess({}, { GATEWAY_SEARCH_DAYS: '31' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(() => gateway.remove())

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { 'x-api-key': gateway.dev().api_key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { data } = (await reply.json()) as { data: Record<string, unknown> }
  expect(reply.status, JSON.stringify(data)).toBe(200)
  return data
}

async function cancelled(): Promise<string> {
  const { contract } = await ask('POST', '/contracts/transfer', {
    ...READY,
    recipient: { name: 'Long Ago', wallet: '000123456789', country: 'PH' },
  })
  const { id } = contract as { id: string }
  await ask('DELETE', `/contracts/transfer/${id}`, { reason: 'no longer wanted' })
  return id
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const beganMs = Date.now()
  while (!(await holds())) {
    if (Date.now() - beganMs > 60_000) throw new Error(`${what}: not within a minute\n${lastLines(gateway.logPath)}`)
    await sleep(20)
  }
}

test('killed at a page, it goes on from the page before', { timeout: 300_000 }, async () => {
  const ids: string[] = []
  while (ids.length < CONTRACTS) ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, cancelled))))
  await until('everything is in the index', async () => (await ask('GET', '/search?q=ago'))['indexed_until'] === null)
  const owner = ownerConnection(gateway.dataDir)
  const one = async <T extends object>(text: string) => (await rowsFrom<T>(owner, text))[0] as T
  const progress = () =>
    one<{ removed: number; all: number }>(
      `select max(removed_to)::int as removed, max(position)::int as all from search_progress p
        where exists (select from contracts c where c.account_id = p.account_id and c.id = '${ids[0]}')`,
    )
  const words = async () =>
    (await rowsFrom<{ id: string }>(owner, `select distinct object_id as id from search_terms where kind = 'c'`)).map(
      ({ id }) => id,
    )
  for (const table of ['contract_versions', 'account_events'])
    await rowsFrom(owner, `update ${table} set at = at - interval '40 days'`)
  const ended = await rowsFrom<{ id: string; position: number }>(
    owner,
    `select id, position::int from contracts where id = any('{${ids.join()}}') order by position`,
  )
  const before = await rowsFrom(
    owner,
    'select lane, account_id, position, document::text from contract_versions order by 1, 2, 3',
  )

  // Each page takes long enough to be killed at.
  await rowsFrom(
    owner,
    `create function rest() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`,
  )
  await rowsFrom(owner, 'create trigger rest before delete on search_terms for each statement execute function rest()')
  await gateway.stop()
  gateway.launch()
  await gateway.ready()
  await until('it is at a page after the first', async () => {
    const { count } = await one<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where state = 'active' and query like 'delete from search_terms%'`,
    )
    return count > 0 && (await progress()).removed > 0
  })
  expect(await gateway.kill('gateway')).toBe(true)
  gateway.launch()
  await gateway.ready()
  const { removed, all } = await progress()
  expect(removed).toBeGreaterThan(0)
  const there = await words()
  const lost = ended.filter(({ id, position }) => position > removed && !there.includes(id))
  // The page that is under way again may be done between the two looks.
  expect(lost.length).toBeLessThanOrEqual(100)
  await rowsFrom(owner, 'drop trigger rest on search_terms')
  // Its lanes are those of the dead one until that one's time is over, and it looks now and then: a new start looks at once.
  await until('the dead one is gone', async () => {
    const { count } = await one<{ count: number }>(
      'select count(*)::int as count from processes where alive_until > now()',
    )
    return count === 1
  })
  await gateway.stop()
  gateway.launch()
  await gateway.ready()
  await until('all has left', async () => (await progress()).removed === all)
  expect(await words()).toEqual([])
  const { results, removed_until: removedUntil } = await ask('GET', `/search?q=${ids[0]}`)
  expect(results).toMatchObject([{ id: ids[0] }])
  expect(typeof removedUntil).toBe('string')
  expect((await ask('GET', '/search?q=ago'))['results']).toEqual([])
  const after = await rowsFrom(
    owner,
    'select lane, account_id, position, document::text from contract_versions order by 1, 2, 3',
  )
  expect(after).toEqual(before)
})
