// A world on two PostgreSQL servers that reach each other over the loopback, as servers of a network do, and moves of lanes between them.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import {
  asOperatorOf,
  openAuditSession,
  openPlannedSession,
  ownedDatabase,
} from '../../../src/main/database/database.ts'
import type { Database } from '../../../src/main/database/opened.ts'
import { ensureLogin } from '../../../src/main/database/logins.ts'
import { sealKeysHere } from '../../../src/main/database/sealing-keys.ts'
import { otherServers } from '../../../src/main/database/servers.ts'
import { type MovedLanes, openOperatorLanes } from '../../../src/main/operator/operator-lanes.ts'
import type { Session } from '../../../src/platform/db.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { startPostgres } from '../../../src/platform/postgres/postgres.ts'
import { openWorld, type World } from '../../world.ts'
import { EAST } from './other-server.ts'
import { freePort } from '../gateway-child.ts'

const DEED = { operator: 'ana', evidence: 'the test says so' }

export type TwoServers = {
  readonly world: World
  /** As an operator's command does it. `through` may stand between it and home. */
  readonly moveLane: (lane: number, to: string, through?: (session: Session) => Session) => Promise<MovedLanes>
  /** What an operator's command works with: a process of its own sees for itself where the lanes are. */
  readonly asOperator: <T>(work: (database: Database, reader: Session) => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

export async function openTwoServers(): Promise<TwoServers> {
  const folder = mkdtempSync('/tmp/gateway-moves-')
  chmodSync(folder, 0o755)
  const made = async (name: string) => migrated(await startServer(folder, name, await freePort()))
  const [home, other] = [await made('home'), await made('east')]
  const world = await openWorld({ servers: { home: home.owner, other: other.owner }, lanesElsewhere: EAST })
  const asOperator: TwoServers['asOperator'] = async (work) => {
    const { others, ...own } = world.database
    if (!others) throw new Error('the world has no second server')
    const database = await asOperatorOf({ ...own, others: otherServers(others.servers) })
    const reader = openPlannedSession(database)
    try {
      return await work(database, reader)
    } finally {
      await reader.close()
    }
  }
  return {
    world,
    asOperator,
    moveLane: (lane, to, through = (session) => session) =>
      asOperator(async (database, reader) => {
        const auditor = openAuditSession(database)
        const ids = { nowMs: Date.now, randomHex: () => 'ab'.repeat(10) }
        const sealKeys = () => sealKeysHere(null, world.config.dataDir)
        const lanes = openOperatorLanes({ database, reader: through(reader), auditor, sealKeys, ids })
        try {
          return await lanes.moveLane({ lane, to }, DEED, () => undefined)
        } finally {
          await auditor.close()
        }
      }),
    stop: async () => {
      await world.stop()
      for (const { stop } of [home, other]) await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Server = { readonly owner: pg.ClientConfig; readonly stop: () => Promise<void> }

/** A server on the loopback; the same one, if it was there before. */
export async function startServer(folder: string, name: string, port: number): Promise<Server> {
  const network = { listen_addresses: '127.0.0.1', port: String(port), wal_level: 'logical' }
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' }
  const settings = { ...fast, ...network }
  const server = await startPostgres({ dataDir: join(folder, name), log: () => undefined, settings })
  return { owner: { ...server.connection, host: '127.0.0.1', port }, stop: server.stop }
}

async function migrated(server: Server): Promise<Server> {
  await migrate({ connection: server.owner, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
  const { login, operator } = ownedDatabase(server.owner)
  for (const each of [login, operator]) await ensureLogin(server.owner, each)
  return server
}
