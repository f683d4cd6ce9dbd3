// A newer release takes over from an older one while requests go on: two gateways behind a proxy that tries nothing twice, the schema
// is migrated under them, and they are stopped and started one after the other. Then a release comes beside which the old one cannot work.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startSandbox } from '../../sandbox/server.ts'
import type { DevFile } from '../../src/main/development.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { compileGateway } from '../rig/built.ts'
import { type BesideProcess, startBeside } from '../rig/gateway-beside.ts'
import { openRoundRobin, type RoundRobin } from '../rig/round-robin.ts'
import { READY } from '../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-rolling-'))
let program: string
let database: pg.ClientConfig
let owner: pg.Client
let provider: Awaited<ReturnType<typeof startSandbox>>
let proxy: RoundRobin
let dev: DevFile
const settings = () => ({ SANDBOX_URL: provider.url, GATEWAY_DRAIN_SECONDS: '2', GATEWAY_RATE_LIMIT: '0' })

beforeAll(async () => {
  chmodSync(folder, 0o755)
  program = compileGateway(folder)
  database = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  owner = new pg.Client(database)
  await owner.connect()
  provider = await startSandbox({ port: 0, dataDir: join(folder, 'sandbox') })
  proxy = await openRoundRobin()
})
afterAll(async () => {
  await proxy?.close()
  await provider?.close()
  await owner?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** The next release: this one's programs, and one migration more. */
function nextRelease(name: string, sql: string): { readonly program: string; readonly migrations: string } {
  const place = join(folder, name)
  mkdirSync(place)
  const known = join(dirname(realpathSync(join(folder, 'dist'))), 'db')
  cpSync(realpathSync(join(folder, 'dist')), join(place, 'dist'), { recursive: true })
  cpSync(known, join(place, 'db'), { recursive: true, dereference: true })
  for (const each of ['node_modules', 'docs', 'package.json']) symlinkSync(join(process.cwd(), each), join(place, each))
  const migrations = join(place, 'db/migrations')
  const number = String(readdirSync(migrations).length + 1).padStart(4, '0')
  writeFileSync(join(migrations, `${number}_next.sql`), sql)
  return { program: join(place, 'dist/src/cli/index.js'), migrations }
}

type Load = {
  readonly asked: () => number
  readonly paid: () => number
  readonly end: () => Promise<{ readonly ids: string[]; readonly faults: string[] }>
}

/** Callers that pay one transfer after another, with a key for each request, and never ask again. */
function load(callers: number): Load {
  const ids: string[] = []
  const faults: string[] = []
  let asked = 0
  let isOver = false
  const ask = async (method: string, path: string, body?: object): Promise<string | null> => {
    asked += 1
    const headers = {
      'x-api-key': dev.api_key,
      'content-type': 'application/json',
      'idempotency-key': `rolling-${asked}`,
    }
    try {
      const reply = await fetch(proxy.url + path, { method, headers, body: JSON.stringify(body ?? {}) })
      const text = await reply.text()
      if (reply.ok) return (JSON.parse(text) as { data: { contract: { id: string } } }).data.contract.id
      faults.push(`${method} ${path}: ${reply.status} ${text}`)
    } catch (fault) {
      faults.push(`${method} ${path}: ${String((fault as Error).cause ?? fault)}`)
    }
    return null
  }
  const one = async () => {
    while (!isOver) {
      const id = await ask('POST', '/contracts/transfer', READY)
      if (id === null || (await ask('PUT', `/contracts/transfer/${id}/issue`)) === null) continue
      if ((await ask('PUT', `/contracts/transfer/${id}/pay`)) !== null) ids.push(id)
    }
  }
  const running = Promise.all(Array.from({ length: callers }, one))
  const end = async () => {
    isOver = true
    await running
    return { ids, faults }
  }
  return { asked: () => asked, paid: () => ids.length, end }
}

/** Sees who waits for a lock, and for how long at most. */
function watchWaits(): { readonly end: () => Promise<number> } {
  let longest = 0
  let isOver = false
  const look = async () => {
    while (!isOver) {
      const { rows } = await owner.query<{ ms: string | null }>(
        `select extract(epoch from max(clock_timestamp() - waitstart)) * 1000 as ms from pg_locks where not granted and locktype = 'relation'`,
      )
      longest = Math.max(longest, Number(rows[0]?.ms ?? 0))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const running = look()
  return {
    end: async () => {
      isOver = true
      await running
      return longest
    },
  }
}

const SAFE = `-- safe
alter table jobs add column later text;
alter table contracts add column later text;
alter table wallets add column later text;
`

test('under load nothing is reset, next to nothing refused, and all that was paid arrives', {
  timeout: 300_000,
}, async () => {
  const newer = nextRelease('newer', SAFE)
  const first = await startBeside(program, folder, 'first', database, settings())
  dev = JSON.parse(readFileSync(join(folder, 'first', 'dev.json'), 'utf8')) as DevFile
  const second = await startBeside(program, folder, 'second', database, settings())
  proxy.add(first.url)
  proxy.add(second.url)
  const running = load(8)
  const more = async (count: number) => {
    const from = running.paid()
    await expect.poll(() => running.paid() - from, { timeout: 60_000 }).toBeGreaterThan(count)
  }
  await more(100)
  const waits = watchWaits()
  await migrate({ connection: database, directory: newer.migrations, mode: 'apply', log: () => undefined })
  const longest = await waits.end()
  await more(100)
  const replaced: BesideProcess[] = []
  for (const [index, old] of [first, second].entries()) {
    old.signal('SIGTERM')
    await old.ended
    const next = await startBeside(newer.program, folder, `next-${index}`, database, settings())
    proxy.add(next.url)
    replaced.push(next)
    await more(50)
  }
  const { ids, faults } = await running.end()
  console.log(
    `${running.asked()} requests, ${faults.length} faults; the longest wait for a table: ${Math.round(longest)} ms`,
  )
  expect(faults.length / running.asked(), faults.slice(0, 5).join('\n')).toBeLessThan(0.001)
  expect(faults.filter((fault) => !/: \d{3} /.test(fault))).toEqual([])
  expect(longest).toBeLessThan(2000)
  const open = `select count(*)::int as open from contracts where id = any ($1) and status <> 'completed'`
  await expect
    .poll(async () => (await owner.query<{ open: number }>(open, [ids])).rows[0]?.open, { timeout: 120_000 })
    .toBe(0)
  for (const each of replaced) {
    each.signal('SIGTERM')
    await each.ended
  }
})

test('a gateway that cannot work with what a newer release made of the schema ends by itself, and does not start again', {
  timeout: 120_000,
}, async () => {
  const newer = nextRelease('breaking', '-- breaking\nalter table jobs add column later_still text;\n')
  const gateway = await startBeside(program, folder, 'old', database, settings())
  // What is safe is lacking there: the release in between was left out.
  await owner.query('delete from schema_migrations where name like $1', ['%_next.sql'])
  await migrate({ connection: database, directory: newer.migrations, mode: 'apply', log: () => undefined })
  expect(await gateway.ended).toBeNull()
  expect(readFileSync(join(folder, 'old.log'), 'utf8')).toMatch(/_next\.sql, which this release cannot work with/)
  await expect(startBeside(program, folder, 'old-again', database, settings())).rejects.toThrow(/_next\.sql.*breaking/)
})
