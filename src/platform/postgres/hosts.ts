// The servers that a connection may name: one, or several of which one can be written. They are tried in their order, and a
// standby, which can only be read, is passed over. Knows no table.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Where to connect; `others` are the further servers of the same database. */
export type Servers = pg.ClientConfig & { readonly others?: readonly pg.ClientConfig[] }

/** A server that answers and can only be read: a standby. The message says what to do. */
export class StandbyFound extends Error {
  override readonly name = 'StandbyFound'
}

// As libpq writes it: postgres://user:password@one:5432,two:5432/database?parameters
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(.*)$/

/** Each server by itself, in the order in which they are named. */
export function serversOf({ others, ...connection }: Servers): readonly pg.ClientConfig[] {
  const [, head = '', hosts = '', tail = ''] = URL_PARTS.exec(connection.connectionString ?? '') ?? []
  if (!hosts.includes(',')) return [connection, ...(others ?? [])]
  return hosts.split(',').map((host) => ({ ...connection, connectionString: `${head}${host}${tail}` }))
}

/** What a connection would be made with: URL, environment and defaults read as the client reads them. Parameters of the URL are left out. */
export function resolved(config: pg.ClientConfig) {
  const { host, port, database, user, password, ssl } = new pg.Client(config) as pg.Client & {
    readonly ssl: NonNullable<pg.ClientConfig['ssl']>
  }
  const place = { host, port, ssl, ...(database === undefined ? {} : { database }) }
  return { ...place, user, ...(password ? { password } : {}) }
}

/** The same login at another address. */
export const atAddress = (login: Servers, host: string, port: number): pg.ClientConfig => ({
  ...resolved(serversOf(login)[0] as pg.ClientConfig),
  host,
  port,
})

/**
 * Connects to the first server that can be written. `open` connects to one and rejects where that fails. Throws
 * {@link StandbyFound} where all that answer are standbys, else the first server's fault.
 */
export async function connectWritable(
  connection: Servers,
  open: (server: pg.ClientConfig) => Promise<pg.Client>,
): Promise<pg.Client> {
  const faults: unknown[] = []
  for (const server of serversOf(connection)) {
    try {
      return await open(server)
    } catch (fault) {
      faults.push(fault)
    }
  }
  // What answers and may not be written says more than what does not answer.
  throw faults.find((each) => each instanceof StandbyFound) ?? faults[0]
}

/** For a connection that is open: ends it and throws {@link StandbyFound} where the server can only be read. */
export async function refuseStandby(client: pg.Client): Promise<pg.Client> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby !== true) return client
  const { host, port } = client
  await client.end().catch(() => undefined)
  throw standbyFound(host, port)
}

export const standbyFound = (host: string, port: number): StandbyFound =>
  new StandbyFound(
    `The database at ${host}:${port} is a standby, which can only be read. Name the server that is written, or all of them: postgres://gateway_app@one:5432,two:5432/gateway (docs/availability.md).`,
  )

/** A pooler stands before the database that gives each transaction another connection of its own. The message says what to do. */
export class PooledByTransaction extends Error {
  override readonly name = 'PooledByTransaction'
}

const MARKED = `select pg_backend_pid() as pid, set_config('gateway.probe', $1, false) as mark`
const MARK = `select pg_backend_pid() as pid, current_setting('gateway.probe', true) as mark`
/** Others may use the pool meanwhile, and what it lends then may by chance be the same connection once. */
const ROUNDS = 2

/**
 * Throws {@link PooledByTransaction} where what was set on a connection would be gone with the next transaction, and prepared
 * statements with it. `open` connects once.
 */
export async function refuseTransactionPool(open: () => Promise<pg.Client>): Promise<void> {
  const opened: pg.Client[] = []
  const another = async () => {
    const client = await open()
    opened.push(client)
    return client
  }
  try {
    const one = await another()
    const before = await askedState(one, MARKED, [randomUUID()])
    const isAsBefore = async () => {
      const { pid, mark } = await askedState(one, MARK)
      return pid === before.pid && mark === before.mark
    }
    for (let round = 0; round < ROUNDS; round++) {
      // A pool that lends its connections in turns lends the next one now.
      if (!(await isAsBefore())) throw pooledByTransaction()
      // One that lends the last one first has it back, and lends it to whoever holds it from now on.
      const holder = await another()
      await holder.query('begin')
      if ((await askedState(holder, MARK)).pid === before.pid || !(await isAsBefore())) throw pooledByTransaction()
    }
  } finally {
    for (const client of opened) await client.end()
  }
}

type SessionState = { readonly pid: number; readonly mark: string | null }

async function askedState(client: pg.Client, text: string, values: readonly string[] = []): Promise<SessionState> {
  const { rows } = await client.query<SessionState>(text, [...values])
  return rows[0] as SessionState
}

const pooledByTransaction = () =>
  new PooledByTransaction(
    'DATABASE_URL leads to a pooler that gives each transaction another connection (pool_mode = transaction or statement): the settings and prepared statements of the gateway would be lost, and a failover not be noticed. Set pool_mode = session for this database, or name PostgreSQL itself: the gateway keeps a few connections open by itself.',
  )
