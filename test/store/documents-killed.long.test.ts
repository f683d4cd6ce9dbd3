// A gateway that is killed while it empties documents: the page that it was at is undone by the database, and the next process goes on
// from the last one that was noted. Nothing but what may leave is touched.
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
  gateway = await openGatewayProcess({}, { GATEWAY_EVENT_DAYS: '31' })
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

test('killed at a page, it goes on from the page before', { timeout: 400_000 }, async () => {
  const ids: string[] = []
  while (ids.length < CONTRACTS) ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, cancelled))))
  const owner = ownerConnection(gateway.dataDir)
  const one = async <T extends object>(text: string) => (await rowsFrom<T>(owner, text))[0] as T
  const count = async (text: string) => (await one<{ count: number }>(`select count(*)::int as count ${text}`)).count
  // It happened long ago, and is sealed as such.
  await rowsFrom(
    owner,
    `do $$ begin
       update contract_versions set at = at - interval '40 days';
       update account_events set at = at - interval '40 days';
       delete from seals;
       delete from seal_progress;
     end $$`,
  )
  await until('everything is sealed', async () => {
    const sealed = `from accounts a where a.position > 0 and not exists (select from seals s where s.account_id = a.account_id and s.to_position = a.position)`
    return (await count(sealed)) === 0
  })
  const progress = () =>
    one<{ removed: number; all: number }>(
      `select coalesce(max(r.removed_to), 0)::int as removed, max(a.position)::int as all
         from accounts a left join document_removals r on r.account_id = a.account_id
        where exists (select from contracts c where c.account_id = a.account_id and c.id = '${ids[0]}')`,
    )
  const newest = () =>
    rowsFrom(
      owner,
      `select v.position, v.document::text from contracts c join contract_versions v on v.account_id = c.account_id and v.position = c.position order by 1`,
    )
  const LEFT = `from contract_versions v where v.document::text like '{"removed":%'`
  const before = await newest()
  expect(await count(LEFT)).toBe(0)

  // Each page takes long enough to be killed at.
  await rowsFrom(
    owner,
    `create function rest() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`,
  )
  await rowsFrom(
    owner,
    'create trigger rest before update on contract_versions for each statement execute function rest()',
  )
  await rowsFrom(
    owner,
    `insert into archive_notes (lane, account_id, number, head, kept, noted_by)
     select distinct on (s.account_id) s.lane, s.account_id, s.number, encode(sha256(convert_to(s.text, 'UTF8')), 'hex'), 'in the safe', 'somebody'
       from seals s order by s.account_id, s.number desc`,
  )
  await gateway.stop()
  gateway.launch()
  await gateway.ready()
  await until('it is at a page after the first', async () => {
    const active = await count(`from pg_stat_activity where state = 'active' and query like 'select empty_documents%'`)
    return active > 0 && (await progress()).removed > 0
  })
  expect(await gateway.kill('gateway')).toBe(true)
  gateway.launch()
  await gateway.ready()
  const { removed, all } = await progress()
  expect(removed).toBeGreaterThan(0)
  expect(removed).toBeLessThan(all)
  // Every contract that ended up to there is emptied, and at most the page that is under way again behind it.
  const ended = `from contracts c join contract_versions v on v.account_id = c.account_id and v.contract_id = c.id and v.position < c.position`
  expect(await count(`${ended} where c.position <= ${removed} and v.document::text not like '{"removed":%'`)).toBe(0)
  expect(
    await count(`${ended} where c.position > ${removed} and v.document::text like '{"removed":%'`),
  ).toBeLessThanOrEqual(100)
  await rowsFrom(owner, 'drop trigger rest on contract_versions')
  // Its lanes are those of the dead one until that one's time is over, and it looks now and then: a new start looks at once.
  await until('the dead one is gone', async () => (await count('from processes where alive_until > now()')) === 1)
  await gateway.stop()
  gateway.launch()
  await gateway.ready()
  await until('all has left', async () => (await progress()).removed === all)
  expect(await count(LEFT)).toBe(CONTRACTS)
  expect(await newest()).toEqual(before)
  const { contract } = await ask('GET', `/contracts/transfer/${ids[0]}`)
  expect(contract).toMatchObject({ id: ids[0], status: 'cancelled' })
})
