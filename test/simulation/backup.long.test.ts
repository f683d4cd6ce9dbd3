// A backup that is made while money moves, and what becomes of it: restored elsewhere after the disk is gone, to a moment between
// two payments, with a byte changed, broken off in its midst, and without the sealing key.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../rig/gateway-process.ts'

let gateway: GatewayProcess
let folder: string
let backups: string
/** Of an account that comes back with the books. */
let apiKey: string
beforeAll(async () => {
  backups = `/tmp/gateway-backups-${process.pid}`
  gateway = await openGatewayProcess({}, { GATEWAY_BACKUP_DIR: backups })
  folder = dirname(gateway.dataDir)
})
afterAll(async () => {
  await gateway.remove()
  rmSync(backups, { recursive: true, force: true })
})

type Contract = { readonly id: string; readonly status: string }
const DRAFT = { amount: 10, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana Cruz', wallet: '0012345678' } }

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; contract: Contract | null }> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const reply = await fetch(gateway.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const { data } = (await reply.json()) as { readonly data?: { readonly contract?: Contract } }
  return { status: reply.status, contract: data?.contract ?? null }
}

/** A transfer that was acknowledged as paid. */
async function paid(): Promise<string> {
  const { contract } = await ask('POST', '/contracts/transfer', DRAFT)
  const id = contract?.id ?? ''
  await ask('PUT', `/contracts/transfer/${id}/issue`)
  expect((await ask('PUT', `/contracts/transfer/${id}/pay`)).status).toBe(200)
  return id
}
const statusOf = async (id: string) => (await ask('GET', `/contracts/transfer/${id}`)).contract?.status ?? null

async function start(): Promise<void> {
  gateway.launch()
  await gateway.ready()
}
const run = (...words: string[]) => {
  const { status, stdout, stderr } = gateway.command(...words)
  return { status, stdout, stderr }
}
const at = (name: string) => join(folder, name)

/** What was acknowledged while the backup was made, and when. */
const acknowledged: { readonly id: string; readonly atMs: number }[] = []
let before: string
let after: string

/** A moment of the database, with nothing committed close to it. */
async function databaseMoment(): Promise<string> {
  await sleep(300)
  const moment = new Date().toISOString()
  await sleep(300)
  return moment
}

/** What was written so far is in the archive. */
async function archived(): Promise<void> {
  const [system = ''] = readdirSync(join(backups, 'wal'))
  const client = new pg.Client(ownerConnection(gateway.dataDir))
  await client.connect()
  const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name')
  await client.end()
  const name = `${rows[0].name}.gz`
  await expect.poll(() => existsSync(join(backups, 'wal', system, name)), { timeout: 60_000 }).toBe(true)
}

/** Done as the owner of a database that no gateway is at. */
async function inDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = await startPostgres({ dataDir, log: () => undefined })
  const client = new pg.Client(server.connection)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
    await server.stop()
  }
}

const contractsIn = (dataDir: string) =>
  inDatabase(dataDir, async (client) => {
    const { rows } = await client.query('select id from contracts where id = any($1)', [[before, after]])
    const ids = rows.map((row) => row['id'] as string)
    return { before: ids.includes(before), after: ids.includes(after) }
  })

/** The backup that was made while money moved. */
let id: string
const allBackups = () => readdirSync(backups).filter((name) => /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(name))

test('a gateway makes the first one by itself, and tells how old it is', async () => {
  await start()
  apiKey = gateway.dev().api_key ?? ''
  await expect.poll(allBackups, { timeout: 60_000 }).toHaveLength(1)
  const figure = async (name: string) => {
    const text = await (await fetch(`${gateway.url}/metrics`, { headers: { 'x-api-key': apiKey } })).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  await expect.poll(() => figure('gateway_backup_age_seconds'), { timeout: 60_000 }).toBeLessThan(600)
  expect(await figure('gateway_backup_due_seconds')).toBe(0)
  expect(await figure('gateway_log_archive_failing')).toBe(0)
}, 180_000)

test('a backup is made while money moves, listed, and proved by restoring it aside', async () => {
  const sealed = () => (JSON.parse(run('seals', 'heads', '--json').stdout) as { readonly heads: unknown[] }).heads
  await expect.poll(sealed, { timeout: 60_000, interval: 1000 }).not.toEqual([])
  let isDone = false
  const making = gateway.commandBeside('backup', '--json').finally(() => {
    isDone = true
  })
  while (!isDone) acknowledged.push({ id: await paid(), atMs: Date.now() })
  const made = await making
  expect([made.stderr, made.status]).toEqual(['', 0])
  const said = JSON.parse(made.stdout) as { readonly id: string; readonly finished_at: string }
  id = said.id
  const finishedMs = Date.parse(said.finished_at)
  expect(acknowledged.filter(({ atMs }) => atMs < finishedMs).length).toBeGreaterThan(0)
  const listed = JSON.parse(run('backup', 'list', '--json').stdout) as { readonly id: string }[]
  expect(listed.map((each) => each.id)).toEqual(allBackups().toSorted().toReversed())
  expect(listed[0]?.id).toBe(id)
  const proved = run('backup', 'verify', id)
  expect([proved.status, proved.stdout]).toEqual([0, expect.stringContaining('the books in it hold')])
  expect(Number(/(\d+) kept heads/.exec(proved.stdout)?.[1])).toBeGreaterThan(0)
  expect(readdirSync(backups).toSorted()).toEqual([...allBackups().toSorted(), 'wal'])
}, 180_000)

test('nobody else can read it, and the sealing key is not in it', () => {
  const place = join(backups, id)
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
  const open = files.filter((each) => (statSync(join(each.parentPath, each.name)).mode & 0o077) !== 0)
  expect([statSync(place).mode & 0o777, open.map(({ name }) => name)]).toEqual([0o700, []])
  const key = readFileSync(join(gateway.dataDir, 'sealing.key'), 'utf8').trim()
  const holding = files.filter((each) => each.isFile() && readFileSync(join(each.parentPath, each.name)).includes(key))
  expect(holding.map(({ name }) => name)).toEqual([])
  expect(files.filter(({ name }) => name === 'postgres.password')).toEqual([])
})

test('one that is broken off leaves nothing that looks whole, and the next one takes it away', async () => {
  const part = () => readdirSync(backups).find((name) => name.endsWith('.part'))
  const making = gateway.spawnCommand('backup')
  await expect.poll(part, { timeout: 30_000, interval: 5 }).toBeDefined()
  making.kill('SIGKILL')
  await new Promise((resolve) => making.once('exit', resolve))
  expect(part()).toBeDefined()
  expect(JSON.parse(run('backup', 'list', '--json').stdout)).toHaveLength(2)
  const elsewhere = join(folder, 'elsewhere')
  expect(run('backup', '--to', elsewhere).status).toBe(0)
  expect(run('backup').status).toBe(0)
  expect(part()).toBeUndefined()
}, 120_000)

test('to a moment between two payments: the one is there, and the other is not', async () => {
  before = await paid()
  const moment = await databaseMoment()
  after = await paid()
  await archived()
  const early = run('restore', id, '--data-dir', at('early'), '--to-time', '2026-01-01T00:00:00Z')
  expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('Take an earlier one')])
  const restored = run('restore', id, '--data-dir', at('moment'), '--to-time', moment)
  expect([restored.stderr, restored.status]).toEqual(['', 0])
  expect(await contractsIn(at('moment'))).toEqual({ before: true, after: false })
  const again = run('restore', id, '--data-dir', at('moment'))
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
}, 120_000)

test('after the disk is gone: in recovery, with every payment, and only with its sealing key', async () => {
  await gateway.kill('gateway')
  await gateway.kill('postgres')
  const key = readFileSync(join(gateway.dataDir, 'sealing.key'))
  await expect.poll(() => readdirSync(join(gateway.dataDir, 'postgres.users')), { timeout: 30_000 }).toEqual([])
  rmSync(gateway.dataDir, { recursive: true })
  const restored = run('restore', id, '--data-dir', gateway.dataDir)
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining('is not in the backup')])
  const refused = run('start')
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('sealed by a key that is not here')])
  writeFileSync(join(gateway.dataDir, 'sealing.key'), key)
  await start()
  const ready = await fetch(`${gateway.url}/readyz`)
  expect([ready.status, ready.headers.get('gateway-state')]).toEqual([200, 'recovery'])
  const there = [...acknowledged.map(({ id }) => id), before, after]
  expect(await Promise.all(there.map(statusOf))).toEqual(there.map(() => expect.stringMatching(/paid|completed/)))
  expect(run('recovery', 'status').stdout).toContain('In recovery')
  expect(run('verify').stdout).toContain('The books hold.')
}, 180_000)

test('the heads beside the backup find that the end of the books was cut off since', async () => {
  const heads = join(backups, id, 'heads.json')
  const whole = run('seals', 'check', heads)
  expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining('The books go on')])
  await gateway.stop()
  await inDatabase(gateway.dataDir, (client) => client.query('delete from seals; delete from seal_progress'))
  const cut = run('seals', 'check', heads)
  expect([cut.status, cut.stdout]).toEqual([1, expect.stringContaining('the books end before it')])
}, 120_000)

test('with a byte changed it is neither proved nor restored, and the file is named', () => {
  const path = join(backups, id, 'data', 'global', 'pg_control')
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
  writeFileSync(path, bytes)
  const named = [1, expect.stringContaining('data/global/pg_control was changed')]
  const proved = run('backup', 'verify', id)
  expect([proved.status, proved.stderr]).toEqual(named)
  const restored = run('restore', id, '--data-dir', at('changed'))
  expect([restored.status, restored.stderr]).toEqual(named)
  expect(readdirSync(folder).filter((name) => name.startsWith('changed'))).toEqual([])
  const heads = join(backups, id, 'heads.json')
  writeFileSync(heads, readFileSync(heads, 'utf8').replace('"number":', '"number":1'))
  expect(run('backup', 'verify', id).stderr).toContain('heads.json was changed')
  const manifest = join(backups, id, 'manifest.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"epoch":1', '"epoch":7'))
  expect(run('backup', 'list').stdout).not.toContain(id)
  expect(run('restore', id, '--data-dir', at('changed')).stderr).toContain('manifest.json was changed')
}, 120_000)
