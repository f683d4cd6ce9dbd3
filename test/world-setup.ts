// One PostgreSQL, or one Citus cluster, for the whole run of the tests, started when the first world asks for it, and a fresh database for each
// world, cloned from a template that is migrated once. Runs in vitest's own process; worlds ask over loopback HTTP.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ownedDatabase } from '../src/main/database/database.ts'
import { ensureLogin } from '../src/main/database/logins.ts'
import { migrate } from '../src/platform/migrate.ts'
import { startPostgres } from '../src/platform/postgres/postgres.ts'
import { startCluster } from './rig/citus/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a world asks for its database. */
    readonly databaseDesk: string
  }
}

// Nothing here outlives the run, so nothing is forced to the disk; the durable settings have tests of their own.
const DURABLE_NOT = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
// By the product's own `autovacuum_naptime` the hundreds of databases of a run would be visited ten times a second.
const SETTINGS = { ...DURABLE_NOT, shared_buffers: '64MB', autovacuum_naptime: '10min' }
const TEMPLATE = 'world_template'

type Running = {
  readonly clone: (database: string) => Promise<pg.ClientConfig>
  /** One in which nothing is. */
  readonly empty: (database: string) => Promise<pg.ClientConfig>
  readonly stop: () => Promise<void>
}

/** Opens the desk; what it returns ends everything. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync('/tmp/gateway-world-')
  // The server's unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  // Forks inherit it: where test/rig/built.ts puts the one build of the run.
  process.env['TEST_BUILD'] = join(folder, 'built')
  let running: Promise<Running> | null = null
  let count = 0
  let last: Promise<unknown> = Promise.resolve()

  const [isCluster, kit] = [process.env['TEST_ON_CITUS'] === 'yes', process.env['CITUS_KIT']]
  if (isCluster && kit === undefined)
    throw new Error('CITUS_KIT names the folder of the kit that makes a cluster (docs/citus.md).')
  const newDatabase = async (how: 'clone' | 'empty'): Promise<pg.ClientConfig> => {
    running ??= isCluster && kit !== undefined ? startCluster(kit, folder) : start(folder)
    const made = await running
    return made[how](`world_${++count}`)
  }

  const desk = createServer(({ url }, response) => {
    // One clone at a time: a template that is being read must have no other user.
    const made = last.then(() => newDatabase(url === '/empty' ? 'empty' : 'clone'))
    last = made.catch(() => undefined)
    made.then(
      (connection) => response.end(JSON.stringify(connection)),
      (fault: unknown) => response.writeHead(500).end(String(fault)),
    )
  })
  project.provide('databaseDesk', await opened(desk))
  return async () => {
    desk.closeAllConnections()
    desk.close()
    await last
    const started = await running?.catch(() => null)
    await started?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder: string): Promise<Running> {
  const dataDir = join(folder, 'data')
  const server = await startPostgres({ dataDir, log: () => undefined, settings: SETTINGS, maxConnections: 200 })
  const owner = new pg.Client(server.connection)
  owner.on('error', () => undefined)
  await owner.connect()
  await owner.query(`create database ${TEMPLATE}`)
  const connection = { ...server.connection, database: TEMPLATE }
  await migrate({ connection, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
  const { login, operator } = ownedDatabase(server.connection)
  for (const each of [login, operator]) await ensureLogin(server.connection, each)
  const made = async (database: string, template: string) => {
    await owner.query(`create database ${database} template ${template}`)
    return { ...server.connection, database }
  }
  return {
    clone: (database) => made(database, TEMPLATE),
    empty: (database) => made(database, 'template0'),
    stop: async () => {
      await owner.end()
      await server.stop()
    },
  }
}

function opened(desk: Server): Promise<string> {
  return new Promise((resolve) => {
    desk.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(desk.address() as AddressInfo).port}`))
  })
}
