// A Citus cluster of a coordinator and two workers for a run of the tests, by the kit whose folder CITUS_KIT names, and
// databases in it that are clones of one that was distributed once.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { ownedDatabase } from '../../../src/main/database/database.ts'
import { distributeDatabase } from '../../../src/main/database/prepare.ts'
import { ensureLogin } from '../../../src/main/database/logins.ts'
import { killAll, type Replication } from '../standby/pair.ts'
import { addStandby, type Standby } from './standby.ts'

const run = promisify(execFile)

/** Where nodes were of the clusters that this process has ended. */
export const endedPorts = new Set<number>()
const SHARDS = 4
const TEMPLATE = 'world_template'
// The kit's: the coordinator's port, and a worker on each of the next two.
const NAMES = ['coord', 'w1', 'w2'] as const

/** A server of the cluster. */
export type ClusterNode = {
  /** As the kit called it first. */
  readonly name: (typeof NAMES)[number]
  /** As the cluster called it first: where it was. */
  readonly place: string
  /** Wherever it has been: a gateway goes on calling it as it found it at its own start. */
  readonly addresses: () => readonly string[]
  /** Its superuser, in a database, where it is now. */
  readonly superuser: (database: string) => pg.ClientConfig
  /** Kills it with all of its processes, as the death of its machine does. */
  readonly kill: () => void
  /** Starts it again; resolves when it answers. */
  readonly start: () => Promise<void>
  /** Makes a standby of it, which can take its place in a database; resolves when it follows. */
  readonly addStandby: (database: string, replication: Replication) => Promise<Standby>
}

export type Cluster = {
  readonly coordinator: ClusterNode
  readonly workers: readonly ClusterNode[]
  /** A new database that is distributed, for its owner. */
  readonly clone: (database: string) => Promise<pg.ClientConfig>
  /** A new one of the cluster in which nothing is. */
  readonly empty: (database: string) => Promise<pg.ClientConfig>
  readonly stop: () => Promise<void>
}

/** Starts the cluster in `folder`; nothing of it is forced to the disk. */
export async function startCluster(kit: string, folder: string, shards = SHARDS): Promise<Cluster> {
  const base = await freePorts()
  const data = join(folder, 'citus')
  const env = { ...process.env, BASE: String(base), DATA: data, FSYNC: 'off' }
  const script = join(kit, 'cluster.sh')
  const kitDoes = (...words: string[]) => run('bash', [script, ...words], { env })
  const wiped = wipedAfterwards(script, env)
  await kitDoes('up')
  await withWorkers(kitDoes, data)
  await kitDoes('fresh', TEMPLATE)
  const at = (port: number, database: string, user: string) => ({ host: '127.0.0.1', port, database, user })
  const database = ownedDatabase(at(base, TEMPLATE, 'gateway'))
  const quietly = () => undefined
  await distributeDatabase(database, { durability: 'allow', laneServers: [] }, shards, quietly)
  await ensureLogin(database.owner, database.operator)
  const nodes = await Promise.all(
    NAMES.map(async (_, nth) => {
      const node = new pg.Client(at(base + nth, 'postgres', 'postgres'))
      node.on('error', () => undefined)
      await node.connect()
      // As a superuser may on one server: tests bring tables back row by row.
      await node.query('grant set on parameter session_replication_role to gateway')
      // Citus's own worker for the template would be another user of what is being read.
      await node.query(`alter database ${TEMPLATE} allow_connections false`)
      await node.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [TEMPLATE])
      return node
    }),
  )
  const nodeOf = (name: ClusterNode['name'], nth: number): ClusterNode => {
    let now = { folder: name as string, port: base + nth }
    const place = `127.0.0.1:${now.port}`
    const addresses = [place]
    const superuser = (ofDatabase: string) => at(now.port, ofDatabase, 'postgres')
    return {
      name,
      place,
      addresses: () => addresses.slice(),
      superuser,
      kill: () => {
        const pidFile = join(data, now.folder, 'postmaster.pid')
        killAll(Number(readFileSync(pidFile, 'utf8').split('\n')[0]))
        // Another process may have its number by then, and the kit would take the server for one that runs.
        rmSync(pidFile)
      },
      start: async () => void (await kitDoes('start', now.folder)),
      addStandby: async (ofDatabase, replication) => {
        // Of the server that was replaced before nothing is wanted any more.
        const folder = now.folder === name ? standbyOf(name) : name
        rmSync(join(data, folder), { recursive: true, force: true })
        return addStandby({
          of: join(data, now.folder),
          own: join(data, folder),
          admin: superuser('postgres'),
          coordinator: at(base, ofDatabase, 'postgres'),
          replication,
          start: () => kitDoes('start', folder),
          onTaken: (port) => {
            now = { folder, port }
            addresses.push(`127.0.0.1:${port}`)
          },
        })
      },
    }
  }
  const cloned: string[] = []
  return {
    coordinator: nodeOf('coord', 0),
    workers: [nodeOf('w1', 1), nodeOf('w2', 2)],
    clone: async (name) => {
      cloned.push(name)
      const old = cloned.length > DATABASES_KEPT ? cloned.shift() : undefined
      // One that somebody still uses stays.
      if (old) await Promise.allSettled(nodes.map((node) => node.query(`drop database ${old}`)))
      await Promise.all(nodes.map((node) => node.query(`create database ${name} template ${TEMPLATE} owner gateway`)))
      // What a node is told by another is told to the gateway as well: so a commit in two phases is seen (recorder.ts).
      await Promise.all(nodes.map((node) => node.query(`alter database ${name} set citus.log_remote_commands = on`)))
      // What a migration sets for a database is not a part of its clones (withoutJit).
      await Promise.all(nodes.map((node) => node.query(`alter database ${name} set jit = off`)))
      return at(base, name, 'gateway')
    },
    empty: async (name) => {
      await kitDoes('fresh', name)
      return at(base, name, 'gateway')
    },
    stop: async () => {
      // Those of a node that was killed have ended.
      await Promise.allSettled(nodes.map((node) => node.end()))
      for (const nth of NAMES.keys()) endedPorts.add(base + nth)
      await wiped()
    },
  }
}

/** Of those that were cloned, for files of tests that are not over. */
const DATABASES_KEPT = 40

/**
 * Citus has a process of its own for each database on each node, and takes it from those that a lane that moves needs: the eight of
 * PostgreSQL are soon gone. Each of these keeps a connection to each node, so that the kit's 200 go to those that are kept alone.
 */
async function withWorkers(kitDoes: (...words: string[]) => Promise<unknown>, data: string): Promise<void> {
  const settings = `max_worker_processes = ${DATABASES_KEPT + 20}\nmax_connections = ${DATABASES_KEPT * 10}\n`
  for (const name of NAMES) {
    await kitDoes('stop', name)
    appendFileSync(join(data, name, 'postgresql.auto.conf'), settings)
    await kitDoes('start', name)
  }
}

/** What the folder of a node's standby is called: the kit stops and starts it by this. */
const standbyOf = (name: string) => `${name}-standby`

/** Ends the servers and removes what they wrote when it is called, and when this process ends in any other way. */
function wipedAfterwards(script: string, env: NodeJS.ProcessEnv): () => Promise<void> {
  const standbys = NAMES.map(standbyOf).join(' ')
  // It reads until there is nobody who could write. Of standbys the kit knows nothing.
  const ending = `read -r _; for each in ${standbys}; do bash "$0" stop "$each"; done; exec bash "$0" wipe`
  const waiting = spawn('bash', ['-c', ending, script], {
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(waiting, 'exit')
  return async () => {
    waiting.stdin.end()
    await ended
  }
}

/** The first of as many ports beside each other that nobody has. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all(NAMES.map((_, nth) => isFree(first + nth)))
    if (free.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
