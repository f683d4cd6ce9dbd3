// A pooler before the database: one that keeps a connection for a session works; one that gives each transaction another is refused
// at the start, with the setting to change.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownedDatabase } from '../../src/main/database/database.ts'
import { ensureLogin, openLogin } from '../../src/main/database/logins.ts'
import { prepareServer } from '../../src/main/database/prepare.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { PooledByTransaction, refuseTransactionPool } from '../../src/platform/postgres/hosts.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/platform/postgres/postgres.ts'
import { openCaller } from '../rig/caller.ts'
import { freePort } from '../rig/gateway-child.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
const WITHIN_MS = 30_000
if (PROGRAM === undefined) console.warn('SKIPPED: no PgBouncer is installed (apt-get install pgbouncer)')

const POOLERS = {
  session: ['pool_mode = session'],
  transaction: ['pool_mode = transaction'],
  // It lends the connection that was given back first, and not the last one.
  inTurns: ['pool_mode = transaction', 'server_round_robin = 1'],
}

describe.skipIf(PROGRAM === undefined)('behind PgBouncer', () => {
  let folder: string
  let server: EmbeddedPostgres
  let gateway: GatewayProcess
  const poolers: ChildProcess[] = []
  let ports: Readonly<Record<keyof typeof POOLERS, number>>

  beforeAll(async () => {
    folder = mkdtempSync('/tmp/gateway-pooled-')
    chmodSync(folder, 0o755)
    const port = await freePort()
    const settings = { listen_addresses: '127.0.0.1', port: String(port) }
    server = await startPostgres({ dataDir: join(folder, 'data'), log: () => undefined, settings })
    // As before any pooler: migrated and let in by PostgreSQL itself.
    const { owner, login, operator } = ownedDatabase(server.connection)
    await migrate({ connection: owner, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
    for (const each of [login, operator]) await ensureLogin(owner, each)
    ports = { session: await freePort(), transaction: await freePort(), inTurns: await freePort() }
    for (const [name, settings] of Object.entries(POOLERS))
      poolers.push(await pooler(settings, port, ports[name as keyof typeof POOLERS]))
  }, 60_000)
  afterAll(async () => {
    await gateway?.remove()
    for (const each of poolers) each.kill('SIGKILL')
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  async function pooler(own: readonly string[], to: number, port: number): Promise<ChildProcess> {
    const owned = ownedDatabase(server.connection)
    const users = [server.connection, owned.login, owned.operator].map(
      ({ user, password }) => `"${String(user)}" "${String(password)}"`,
    )
    const place = mkdtempSync(join(folder, 'pooler-'))
    writeFileSync(join(place, 'users'), `${users.join('\n')}\n`)
    const settings = [
      '[databases]',
      `gateway = host=127.0.0.1 port=${to}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(place, 'users')}`,
      ...own,
      'default_pool_size = 50',
    ]
    writeFileSync(join(place, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
    const isRoot = process.getuid?.() === 0
    // It does not run as root, and must read what is its own.
    if (isRoot) spawnSync('chown', ['-R', 'nobody', place])
    const words = [...(isRoot ? ['-u', 'nobody'] : []), join(place, 'pgbouncer.ini')]
    const child = spawn(PROGRAM ?? '', words, { stdio: 'ignore' })
    process.once('exit', () => child.kill('SIGKILL'))
    for (const end = performance.now() + WITHIN_MS; !(await listens(port)); await sleep(50))
      if (performance.now() > end) throw new Error('PgBouncer does not listen')
    return child
  }

  const urlAt = (port: number) => `postgres://postgres:${server.connection.password}@127.0.0.1:${port}/gateway`

  /** Has the pooler open so many connections for each login, which are free afterwards. */
  async function withOpen(url: string, count: number): Promise<void> {
    const { owner, login, operator } = ownedDatabase({ connectionString: url })
    for (const each of [owner, login, operator]) {
      const clients = Array.from({ length: count }, () => new pg.Client(each))
      for (const client of clients) {
        await client.connect()
        await client.query('begin')
      }
      for (const client of clients) {
        await client.query('rollback')
        await client.end()
      }
    }
  }

  test.each(['transaction', 'inTurns'] as const)(
    'pool_mode = transaction is refused with what to set: %s',
    { timeout: 120_000 },
    async (name) => {
      const url = urlAt(ports[name])
      await withOpen(url, 2)
      const refused = await openGatewayProcess({}, { DATABASE_URL: url })
      try {
        const { status, stderr } = refused.command('start')
        expect([status, stderr]).toEqual([1, expect.stringContaining('Set pool_mode = session')])
        expect(stderr).not.toContain(server.connection.password)
      } finally {
        await refused.remove()
      }
    },
  )

  test('it is noticed however many connections are open, whichever is lent next', async () => {
    for (const name of ['transaction', 'inTurns'] as const)
      for (let open = 0; open < 6; open++) {
        await withOpen(urlAt(ports[name]), open)
        const looking = refuseTransactionPool(() => openLogin({ connectionString: urlAt(ports[name]) }))
        await expect(looking, `${name}, ${open} open`).rejects.toBeInstanceOf(PooledByTransaction)
      }
    const { session } = ports
    await expect(refuseTransactionPool(() => openLogin({ connectionString: urlAt(session) }))).resolves.toBeUndefined()
  })

  test('so it is before a server beside home, which is named', { timeout: 120_000 }, async () => {
    const url = urlAt(ports.inTurns)
    await withOpen(url, 2)
    const pooled = { name: 'east', lanes: [], databaseUrl: url, ownerDatabaseUrl: url, operatorDatabaseUrl: null }
    const [home, east] = [server.connection, { connectionString: url }].map(ownedDatabase)
    if (!home || !east) throw new Error('there are two')
    const preparing = prepareServer(home, east, pooled, { durability: 'allow' }, () => undefined)
    await expect(preparing).rejects.toThrow(
      /^The server east of GATEWAY_LANES_FILE: database_url leads to a pooler that gives each transaction another/,
    )
  })

  test('pool_mode = session works', { timeout: 120_000 }, async () => {
    gateway = await openGatewayProcess({}, { DATABASE_URL: urlAt(ports.session) })
    gateway.launch()
    await gateway.ready()
    const { ask, close } = openCaller(gateway.url, gateway.dev().api_key, 1)
    const recipient = { name: 'Reyes', wallet: '001234567890' }
    const made = await ask('POST', '/contracts/transfer', { amount: 1, currency: 'PHP', channel: 'sandbox', recipient })
    expect(made.status).toBe(200)
    for (const verb of ['issue', 'pay'])
      expect((await ask('PUT', `/contracts/transfer/${made.contract?.id}/${verb}`)).status).toBe(200)
    await close()
    expect(gateway.command('verify').status).toBe(0)
  })
})

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
