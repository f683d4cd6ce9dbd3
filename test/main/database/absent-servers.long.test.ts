// One of several servers does not answer when a gateway starts: accounts of the others are served, and nothing is sent to that one
// until it is there and was compared with what was noted of it.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { laneOf } from '../../../src/domain/contract/ids.ts'
import type { DevFile } from '../../../src/main/development.ts'
import { freePort } from '../../rig/gateway-child.ts'
import { urlOf } from '../../rig/servers/other-server.ts'
import { startServer } from '../../rig/servers/two-servers.ts'
import { sql } from '../../rig/standby/pair.ts'
import { openWorkshop, type Started, type Workshop } from '../../rig/starts.ts'

const WITHIN = { timeout: 60_000, interval: 100 }
const DRAFT = { amount: 1, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Reyes', wallet: '001234567890' } }

type Server = Awaited<ReturnType<typeof startServer>>

let workshop: Workshop
let folder: string
let home: Server
let east: Server
let eastPort: number
let settings: Record<string, string>
/** Keys of an account of each server. */
let keys: { readonly home: string; readonly east: string }

const startEast = async () => {
  east = await startServer(folder, 'east', eastPort)
}
const lanesFile = (lanes: string) => {
  const path = join(folder, 'lanes.json')
  const servers = [{ name: 'east', lanes, database_url: urlOf(east.owner) }]
  writeFileSync(path, JSON.stringify({ servers }), { mode: 0o600 })
  return path
}

const start = (...flags: string[]): Started =>
  workshop.run({ ...settings, LOG_LEVEL: 'warn' }, ['start', '--json', ...flags])
async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}
async function said<T>(...words: string[]): Promise<T> {
  const { said: answer, ended } = workshop.run(settings, [...words, '--json'])
  if ((await ended) !== 0) throw new Error(`gateway ${words.join(' ')}: ${answer.out}${answer.err}`)
  return JSON.parse(answer.out) as T
}
const accountId = async () =>
  (await said<{ account_id: string }>('accounts', 'create', '--name', 'Reyes', '--currencies', 'PHP')).account_id
const keyOf = async (account: string) =>
  (await said<{ api_key: string }>('keys', 'create', '--account', account, '--name', 'Reyes')).api_key

async function answer(url: string, key: string, action = ''): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body: object) => {
    const reply = await fetch(`${url}/contracts/transfer${path}`, { method, headers, body: JSON.stringify(body) })
    return (await reply.json()) as { data?: { contract: { id: string } }; error?: { code: string } }
  }
  try {
    const { data, error } = await ask('POST', '', DRAFT)
    if (!data || action === '') return error?.code ?? 'ok'
    return (await ask('PUT', `/${data.contract.id}/${action}`, {})).error?.code ?? 'ok'
  } catch (fault) {
    // It begins anew.
    return (fault as Error).name
  }
}

/** An installation on two servers, with an account on each, that was stopped. */
beforeEach(async () => {
  workshop = openWorkshop()
  folder = mkdtempSync('/tmp/gateway-absent-')
  chmodSync(folder, 0o755)
  home = await startServer(folder, 'home', await freePort())
  eastPort = await freePort()
  await startEast()
  settings = {
    GATEWAY_DATA_DIR: workshop.directory('data'),
    DATABASE_URL: urlOf(home.owner),
    GATEWAY_DURABILITY: 'allow',
  }
  // A trial has accounts of its own, which stay at home: east has all lanes but theirs.
  const alone = start()
  await alone.ready()
  await stop(alone)
  const dev = JSON.parse(readFileSync(join(String(settings['GATEWAY_DATA_DIR']), 'dev.json'), 'utf8')) as DevFile
  const used = await sql(home.owner, 'select lane from accounts')
  const atHome = new Set(used.map((row) => (row as { lane: number }).lane))
  const lanes = Array.from({ length: 256 }, (_, lane) => lane).filter((lane) => !atHome.has(lane))
  settings['GATEWAY_LANES_FILE'] = lanesFile(lanes.join(', '))
  const both = start()
  await both.ready()
  let account = await accountId()
  while (atHome.has(laneOf(account))) account = await accountId()
  keys = { home: dev.api_key ?? '', east: await keyOf(account) }
  await stop(both)
  await east.stop()
}, 120_000)
afterEach(async () => {
  await workshop.close()
  await east.stop()
  await home.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('accounts of the others are served, and those of the one that was away when it is there', async () => {
  const gateway = start()
  const { url } = await gateway.ready()
  expect(gateway.said.err).toContain('"servers":["east"],"msg":"these servers do not answer')
  expect([await answer(url, keys.home), await answer(url, keys.east)]).toEqual(['ok', 'database_unavailable'])
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await startEast()
  await expect.poll(() => answer(url, keys.east, 'issue'), WITHIN).toBe('ok')
  expect(await answer(url, keys.home, 'issue')).toBe('ok')
  expect(gateway.said.err).toContain('the server east, which did not answer at the start, is there')
  expect(await sql(home.owner, 'select number from epochs')).toEqual([{ number: 1 }])
  await stop(gateway)
})

test('what operators let go on since the start goes on when the gateway begins anew', async () => {
  const origin = 'https://shop.example'
  await sql(
    home.owner,
    `insert into account_origins (lane, account_id, origin) select lane, account_id, '${origin}' from accounts`,
  )
  const gateway = start('--without-payouts')
  const { url } = await gateway.ready()
  // Its pages are served, whichever server was never seen.
  const asked = { origin, 'access-control-request-method': 'GET' }
  const preflight = await fetch(`${url}/contracts/transfer`, { method: 'OPTIONS', headers: asked })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  const pauses = () => sql(home.owner, 'select channel_id from payout_pauses')
  expect(await pauses()).toHaveLength(1)
  // What resuming them does to the books: the command counts what waits on all servers first, and one of them is away.
  await sql(home.owner, 'delete from payout_pauses')
  await startEast()
  await expect.poll(() => answer(url, keys.east, 'issue'), WITHIN).toBe('ok')
  expect(gateway.said.err).toContain('everything begins anew')
  expect(await pauses()).toEqual([])
  await stop(gateway)
})

test('one that comes back older than it was begins a recovery of all before anything is written there', async () => {
  await startEast()
  await sql(east.owner, 'update installation set marks = 0')
  const before = await sql(east.owner, 'select position from accounts order by lane')
  await east.stop()
  const gateway = start()
  const { url } = await gateway.ready()
  expect(await answer(url, keys.home, 'issue')).toBe('ok')
  await startEast()
  const recovering = async () => (await fetch(`${url}/readyz`).catch(() => null))?.headers.get('gateway-state')
  await expect.poll(recovering, WITHIN).toBe('recovery')
  const begun = 'select number, reason from epochs where number > 1'
  for (const server of [home, east]) expect(await sql(server.owner, begun)).toEqual([{ number: 2, reason: 'older' }])
  expect(await sql(east.owner, 'select position from accounts order by lane')).toEqual(before)
  for (const key of [keys.home, keys.east]) expect(await answer(url, key, 'issue')).toBe('in_recovery')
  await stop(gateway)
})

test('one that answers and is another installation’s is refused, and the others go on', async () => {
  const gateway = start()
  const { url } = await gateway.ready()
  await startEast()
  await sql(east.owner, 'update installation set id = gen_random_uuid()')
  await expect.poll(() => gateway.said.err, WITHIN).toContain('a server is there again, and is refused')
  expect([await answer(url, keys.home), await answer(url, keys.east)]).toEqual(['ok', 'database_unavailable'])
  await stop(gateway)
})

test('one that has no lanes yet has to be there', async () => {
  await sql(home.owner, 'delete from lane_servers')
  const { ended, said: told } = start()
  expect(await ended).toBe(1)
  expect(told.out).toContain('The server east of GATEWAY_LANES_FILE does not answer')
  expect(told.out).toContain(String(eastPort))
})
