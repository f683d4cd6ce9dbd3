// The second server of a world whose lanes are on two: another database, joined as a server of its own would be.
import pg from 'pg'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import type { LaneServer } from '../../../src/main/config/lane-servers.ts'
import { ownedDatabase } from '../../../src/main/database/database.ts'
import type { OwnedDatabase } from '../../../src/main/database/opened.ts'
import { joinServer } from '../../../src/main/database/joining.ts'
import { onLogin } from '../../../src/main/database/logins.ts'
import { otherServers, seePlacement } from '../../../src/main/database/servers.ts'

export const OTHER_SERVER = 'east'

/** The lanes that it has where some are at home. */
export const EAST = Array.from({ length: 128 }, (_, half) => half + 128)

/** All of them (npm run test:servers), so that whatever a test asks of a tenant's rows is there. */
export const lanesElsewhere = (): readonly number[] => (process.env['TEST_ON_SERVERS'] === 'yes' ? ALL_LANES : [])

export type OtherServer = {
  /** Home, with the server beside it. */
  readonly database: OwnedDatabase
  readonly configured: readonly LaneServer[]
  readonly owner: pg.ClientConfig
}

/** The server as the configuration names it. */
export function namedAs(owner: pg.ClientConfig, lanes: readonly number[], name = OTHER_SERVER): LaneServer {
  const url = urlOf(owner)
  return { name, lanes, databaseUrl: url, ownerDatabaseUrl: url, operatorDatabaseUrl: null }
}

export function urlOf({ user = '', password, host = '', port, database }: pg.ClientConfig): string {
  const login = `${user}:${encodeURIComponent(String(password))}`
  return `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Joins a fresh database to home, as the server that has these lanes. */
export async function joinOther(
  home: OwnedDatabase,
  owner: pg.ClientConfig,
  lanes: readonly number[],
): Promise<OtherServer> {
  const other = ownedDatabase(owner)
  await asAnother(owner)
  await joinServer(home, namedAs(owner, lanes), other)
  const database = { ...home, others: otherServers(new Map([[OTHER_SERVER, other]])) }
  await seePlacement(database)
  return { database, configured: [namedAs(owner, lanes)], owner }
}

/** A copy of the template says that it is the template's installation. */
export const asAnother = (owner: pg.ClientConfig) =>
  onLogin(owner, (client) => client.query('update installation set id = gen_random_uuid()'))

/** Where a statement of a test goes: what is at home alone is asked there, all else where the lanes are; operators act in both. */
export function sqlOf(home: pg.Client, other: pg.Client | null, text: string): readonly pg.Client[] {
  if (other === null || AT_HOME.test(text)) return [home]
  return /\bfrom operator_actions\b/.test(text) ? [home, other] : [other]
}

const AT_HOME =
  /\b(chain_\w+|channel_freezes|channel_versions|payout_pauses|processes|promotions|proofs|rail_event_positions|reconciliations|recovery_\w+|screening_\w+|lane_servers|lane_moves|epochs|channel_modes)\b/

/** A connection of the owner. */
export async function connectedTo(owner: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(owner)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Asks one server as its owner does. */
type Sql = <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<T[]>

const databaseOf = async (sql: Sql) => (await sql<{ name: string }>('select current_database() as name'))[0]?.name ?? ''

/** Does this while gateways cannot reach the server, whose neighbour keeps them away. */
export async function whileAway(server: Sql, neighbour: Sql, work: () => Promise<void>): Promise<void> {
  const database = await databaseOf(server)
  await neighbour(`alter database ${database} with allow_connections false`)
  await neighbour(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'gateway%'`,
    [database],
  )
  try {
    await work()
  } finally {
    await neighbour(`alter database ${database} with allow_connections true`)
  }
}
