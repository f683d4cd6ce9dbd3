// Two PostgreSQL servers on the loopback, one written and one that follows it by streaming; the first is killed, and the other one
// promoted, as a failover does. Afterwards a new standby takes the place of the dead one, at its port.
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { copyListing, listForCopy } from '../../../src/platform/postgres/base-copy.ts'
import { locateBinaries, prepareBinaries } from '../../../src/platform/postgres/binaries.ts'
import { openHome } from '../../../src/platform/postgres/home.ts'
import { type EmbeddedPostgres, startPostgres } from '../../../src/platform/postgres/postgres.ts'
import { launch } from '../../../src/platform/postgres/process.ts'
import { giveTo } from '../../../src/platform/postgres/user.ts'
import { freePort } from '../gateway-child.ts'

/** `synchronous`: a COMMIT is answered when the standby has it on its disk. */
export type Replication = 'synchronous' | 'asynchronous'

export type Pair = {
  /** The owner's URL with both servers, as a gateway is given it. */
  readonly url: string
  /** The server that is written now. */
  readonly owner: () => pg.ClientConfig
  /** From now on the standby gets nothing any more. */
  readonly partStandby: () => Promise<void>
  /** Kills the server that is written with all of its processes. */
  readonly killPrimary: () => void
  /** Ends the standby's following: from now on it is written. The other one may be alive. */
  readonly promote: () => Promise<void>
  /** Kills the server that was written before the last promotion. */
  readonly killReplaced: () => void
  /** A new standby where the dead server was, following the one that is written. */
  readonly addStandby: () => Promise<void>
  readonly remove: () => Promise<void>
}

type Server = {
  readonly directory: string
  readonly port: number
  readonly postgres: Pick<EmbeddedPostgres, 'connection' | 'directory' | 'pid' | 'stop'>
}

const WITHIN_MS = 60_000
const silent = (): void => undefined

export async function openPair(folder: string, replication: Replication): Promise<Pair> {
  const ports = [await freePort(), await freePort()] as const
  let made = 0
  const newDirectory = () => join(folder, `server-${++made}`)
  const first = newDirectory()
  mkdirSync(first, { recursive: true })
  // Whoever the server runs as must be able to come through.
  chmodSync(first, 0o755)
  const all: Server[] = []
  let primary = await started(first, ports[0])
  let standby: Server | null = null
  let replaced = primary
  all.push(primary)
  const { password } = primary.postgres.connection

  const pair: Pair = {
    url: `postgres://postgres:${password}@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/gateway`,
    owner: () => primary.postgres.connection,
    partStandby: async () => {
      await part((standby as Server).postgres.connection, primary.postgres.connection)
    },
    killPrimary: () => killAll(primary.postgres.pid),
    killReplaced: () => killAll(replaced.postgres.pid),
    promote: async () => {
      const next = standby as Server
      await sql(next.postgres.connection, 'select pg_promote(true, 60)')
      replaced = primary
      primary = next
      standby = null
    },
    addStandby: async () => {
      const port = primary.port === ports[0] ? ports[1] : ports[0]
      standby = await following(primary, newDirectory(), port)
      all.push(standby)
      await caughtUp(primary.postgres.connection, replication)
    },
    remove: async () => {
      for (const { postgres } of all) {
        killAll(postgres.pid)
        await postgres.stop()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await pair.addStandby()
  return pair
}

/** From now on the standby gets nothing any more; resolves when the primary streams to nobody. */
export async function part(standby: pg.ClientConfig, primary: pg.ClientConfig): Promise<void> {
  await sql(standby, `alter system set primary_conninfo = 'host=127.0.0.1 port=1'`)
  await sql(standby, 'select pg_reload_conf()')
  await until(async () => (await sql(primary, 'select 1 from pg_stat_replication')).length === 0)
}

/** Waits until the standby is streamed to, and from then on for it at each COMMIT where it is to be synchronous. */
export async function caughtUp(primary: pg.ClientConfig, replication: Replication): Promise<void> {
  const isSaid = (what: string) => async () =>
    (await sql(primary, `select 1 from pg_stat_replication where ${what}`)).length > 0
  await until(isSaid(`state = 'streaming'`))
  if (replication !== 'synchronous') return
  await sql(primary, `alter system set synchronous_standby_names = '*'`)
  await sql(primary, 'select pg_reload_conf()')
  await until(isSaid(`sync_state = 'sync'`))
}

const settingsOf = (port: number) => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  max_connections: '100',
  wal_keep_size: '1GB',
  // A server is asked as soon as it is there.
  wal_retrieve_retry_interval: '200ms',
})

async function started(directory: string, port: number): Promise<Server> {
  const settings = settingsOf(port)
  const postgres = await startPostgres({ dataDir: directory, log: silent, settings })
  return { directory, port, postgres }
}

/** A copy of a server at work that follows it from then on. */
async function following(
  { postgres, directory: from, port: of }: Server,
  directory: string,
  port: number,
): Promise<Server> {
  const to = join(directory, 'postgres')
  mkdirSync(to, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o755)
  const client = new pg.Client(postgres.connection)
  client.on('error', silent)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await copyListing(postgres.directory, await listForCopy(postgres.directory), to, silent)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
  } finally {
    await client.end()
  }
  const { user, password } = postgres.connection
  const conninfo = `host=127.0.0.1 port=${of} user=${user} password=${password}`
  writeFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`, { mode: 0o600 })
  writeFileSync(join(to, 'standby.signal'), '', { mode: 0o600 })
  copyFileSync(join(from, 'postgres.password'), join(directory, 'postgres.password'))
  const { uid, gid } = statSync(postgres.directory)
  if (process.getuid?.() === 0) giveTo({ uid, gid }, to)
  return { directory, port, postgres: await launched(directory, port, password) }
}

/** Starts a standby, which a gateway's own start would wait for: it never becomes ready to be written. */
async function launched(directory: string, port: number, password: string): Promise<Server['postgres']> {
  const home = openHome(directory)
  const binaries = prepareBinaries(locateBinaries(process.platform, process.arch), home.place, home.user)
  const settings = { ...settingsOf(port), unix_socket_directories: home.sockets }
  const server = await launch(home, binaries, settings, silent)
  process.once('exit', () => killAll(server.pid))
  const connection = { host: home.sockets, port, user: 'postgres', password, database: 'gateway' }
  await until(async () => {
    if (server.hasEnded()) throw new Error(`the standby ended at its start:\n${server.lastWords()}`)
    return sql(connection, 'select 1').then(
      () => true,
      () => false,
    )
  })
  return { connection, directory: home.data, pid: server.pid, stop: async () => undefined }
}

/** A server that is gone as with its machine: none of its processes answers anybody any more. */
export function killAll(postmaster: number): void {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' }).stdout
  const children = listed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]))
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

export async function sql<T extends object>(connection: pg.ClientConfig, text: string): Promise<T[]> {
  const client = new pg.Client(connection)
  client.on('error', silent)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

async function until(is: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !(await is()); await sleep(50))
    if (performance.now() > end) throw new Error('the servers do not come to what is waited for')
}
