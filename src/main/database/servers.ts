// Several PostgreSQLs side by side: which of them has which lanes, and one session over all of them. Home, the server of DATABASE_URL, has
// what is no tenant's, and says where each lane is.
import type pg from 'pg'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { type Lanes, ON_ONE_SERVER } from '../../engine/batch.ts'
import { DatabaseUnavailable, type Row, type Session, sqlStateOf, type Statement } from '../../platform/db.ts'
import { MigrationRefused } from '../../platform/migration-files.ts'
import { StandbyFound } from '../../platform/postgres/hosts.ts'
import { type HeldLanes, openHeldLanes } from '../../platform/servers/held-lanes.ts'
import { openPlaces, type Owners, type Place } from '../../platform/servers/places.ts'
import { openSpreadSession } from '../../platform/servers/spread-session.ts'
import {
  HOME,
  laneServerFrom,
  laneServers,
  anyLaneElsewhere,
  lanesOfServer,
  type PlacedLane,
} from '../../store/operator/lane-servers.ts'
import { type LaneServer, lanesText } from '../config/lane-servers.ts'
import type { Database, OtherServers, Placement } from './opened.ts'
import { LoginRefused, onLogin } from './logins.ts'
import { faultItself, ServerFault, withServer } from './server-fault.ts'

/** Servers beside home of which nothing was seen yet. */
export const otherServers = (servers: ReadonlyMap<string, Database>): OtherServers => ({
  servers,
  placement: openPlacement(),
  absent: new Set(),
})

/** Knows nothing until it was seen: nobody may guess where a lane is. */
function openPlacement(): Placement {
  let byLane: ReadonlyMap<number, PlacedLane> | null = null
  let placeOf: ((statement: Statement) => Place) | null = null
  const unseen = () => new Error('it was not read yet which server has which lanes')
  return {
    serverOf: (lane) => {
      if (byLane === null) throw unseen()
      return byLane.get(lane)?.server ?? HOME
    },
    cameAt: (lane) => {
      if (byLane === null) throw unseen()
      return byLane.get(lane)?.cameAt ?? null
    },
    placeOf: (statement) => {
      if (placeOf === null) throw unseen()
      return placeOf(statement)
    },
    held: openHeldLanes(),
    isSeen: () => placeOf !== null,
    see: (seen, owners) => {
      byLane = new Map(seen.map((each) => [each.lane, each]))
      if (owners !== null) placeOf = openPlaces(owners)
    },
  }
}

/**
 * A session over all servers of the database; on one server, that server's. `use`: what only reads may be under way for long, and a lane
 * that moves does not wait for it.
 */
export function overServers(
  database: Database,
  openOn: (server: Database) => Session,
  use: 'writing' | 'only reading' = 'writing',
): Session {
  const { others, ...home } = database
  if (!others) return openOn(home)
  const { serverOf, cameAt, placeOf } = others.placement
  const openAt = (name: string, server: Database) => (others.absent.has(name) ? closedSession(name) : openOn(server))
  const held = use === 'writing' ? others.placement.held : untracked(others.placement.held)
  const sessions = new Map([
    [HOME, openOn(home)],
    ...Array.from(others.servers, ([name, each]) => [name, openAt(name, each)] as const),
  ])
  return openSpreadSession({ sessions, home: HOME, serverOf, cameAt, placeOf, held })
}

function closedSession(name: string): Session {
  const refuse = async () => {
    throw new DatabaseUnavailable(`the server ${name} did not answer when the gateway was started`, 'nothing done')
  }
  return { send: refuse, transaction: refuse, close: async () => undefined }
}

const untracked = (held: HeldLanes): HeldLanes => ({ ...held, track: (sent) => sent })

/** All servers that are worked with, home first. */
export const presentServers = (database: Database): (readonly [string, Database])[] =>
  serversOfDatabase(database).filter(([name]) => !database.others?.absent.has(name))

/** Where the lanes of the database are. */
export function lanesOf({ others }: Pick<Database, 'others'>): Lanes {
  if (!others) return ON_ONE_SERVER
  const { serverOf, held } = others.placement
  return { serverOf, untilFree: (lane) => held.untilFree([lane]), isMoving: held.has, groupOf: null }
}

/** All servers of the database, home first. */
export function serversOfDatabase({ others, ...home }: Database): (readonly [string, Database])[] {
  return [[HOME, home], ...(others?.servers ?? [])]
}

/** The same database with each of its servers changed alike. */
export async function eachServer<T extends Database>(
  { others, ...home }: Database,
  change: (server: Database) => T | Promise<T>,
): Promise<T> {
  const own = await change(home)
  if (!others) return own
  const servers = new Map<string, Database>()
  for (const [name, each] of others.servers) servers.set(name, await withServer(name, () => change(each)))
  return { ...own, others: { ...others, servers } }
}

// What each server has of its own beside the rows of its lanes: written in the transactions of lanes, or copied from home.
const EACH_HAS = ['operator_actions', 'seal_keys', 'epochs', 'installation', 'channel_modes', 'screening_lists']

const OWNERS = `
  select c.relname::text as name, a.attname = 'lane' as by_lane
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')`
const LANE_FUNCTIONS = `
  select distinct f.proname::text as name from pg_proc f
   where f.pronamespace = 'public'::regnamespace and f.proargnames[1] = 'lane'`

async function ownersAt(client: pg.ClientBase): Promise<Owners> {
  const tables = (await client.query<{ name: string; by_lane: boolean }>(OWNERS)).rows
  const functions = (await client.query<{ name: string }>(LANE_FUNCTIONS)).rows
  const named = (isByLane: boolean) => tables.filter((each) => each.by_lane === isByLane).map(({ name }) => name)
  return {
    byLane: new Set(named(true)),
    laneFunctions: new Set(functions.map(({ name }) => name)),
    atHome: new Set(named(false).filter((name) => !EACH_HAS.includes(name))),
  }
}

/**
 * Asks home where each lane is. Throws MigrationRefused where home is no home (`not_home`), and where lanes are on a server that nobody
 * named (`server_not_named`).
 */
export async function seePlacement(database: Database): Promise<void> {
  await placementSeen(database)
}

/** The same; and who home is. */
async function placementSeen({ login, others }: Database): Promise<Who> {
  return onLogin(login, async (client) => {
    const home = await whoIs(client)
    if (home.server !== null)
      throw new MigrationRefused(
        'not_home',
        `The database of DATABASE_URL is the server ${home.server} of an installation that is spread over several. Name its home there, and ${home.server} in GATEWAY_LANES_FILE.`,
      )
    const rows = (await asked(client, laneServers())).map(laneServerFrom)
    const unnamed = rows.find(({ server }) => server !== HOME && !others?.servers.has(server))
    if (unnamed)
      throw new MigrationRefused(
        'server_not_named',
        `Lanes of this installation are on the server ${unnamed.server}, and GATEWAY_LANES_FILE does not name it: their accounts could not be found. Name it there, with its database_url.`,
      )
    // Whose a table is does not change while this release is at work.
    if (others) others.placement.see(rows, others.placement.isSeen() ? null : await ownersAt(client))
    return home
  })
}

/**
 * The same, and sees to it that each server is the one that its name says. Throws MigrationRefused (`other_server`). `away`: whether one
 * that does not answer may be left out, for a command that may be about others.
 */
export async function checkServers(database: Database, away: Away): Promise<void> {
  const home = await placementSeen(database)
  for (const [name, { login }] of presentServers(database).slice(1)) {
    const who = await withServer(name, () => unlessAway(onLogin(login, whoIs), away))
    if (who) refuseOther(name, home, who)
  }
}

/** What is done with a server that does not answer. */
export type Away = 'is a fault' | 'is left out'

/**
 * Makes a server ready, and counts it among the absent where it does not answer; null then. Only of one that has lanes is it known that
 * none of them is anywhere else: any other one has to be there. Throws MigrationRefused (`server_away`), and what making it ready throws.
 */
export async function unlessAbsent<T>(
  database: Database,
  name: string,
  away: Away,
  making: Promise<T>,
): Promise<T | null> {
  try {
    return await making
  } catch (fault) {
    const server = database.others?.servers.get(name)
    if (!server || (await answers(server))) throw fault
    if (away === 'is a fault' || !(await hasLanes(database, name))) throw silent(name, fault)
    database.others?.absent.add(name)
    return null
  }
}

const silent = (name: string, cause: unknown) =>
  new MigrationRefused(
    'server_away',
    `The server ${name} of GATEWAY_LANES_FILE does not answer (${(faultItself(cause) as Error).message}). Start it, or mend its database_url. A gateway starts without it only where it has lanes already.`,
    { cause },
  )

/** Whether a server answers, if only with a refusal. */
export async function answers({ login }: Database): Promise<boolean> {
  try {
    await onLogin(login, async () => undefined)
    return true
  } catch (fault) {
    return fault instanceof StandbyFound || !isUnreachable(fault)
  }
}

/** Where a session over all servers has failed: the fault of the first one that does not answer. */
export async function faultOfOne(database: Database, fault: unknown): Promise<unknown> {
  if (!database.others || !(fault instanceof DatabaseUnavailable)) return fault
  for (const [name, server] of serversOfDatabase(database))
    if (!(await answers(server))) return name === HOME ? fault : new ServerFault(name, fault.cause ?? fault)
  return fault
}

async function hasLanes({ login }: Database, name: string): Promise<boolean> {
  const rows = await onLogin(login, (client) => asked(client, lanesOfServer(name)))
  return rows.some(({ is_joined: isJoined }) => isJoined)
}

/** Whether home says that lanes are on other servers; without a schema it says nothing. */
export async function hasLanesElsewhere(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select 1 where to_regclass('lane_servers') is not null`)
  return rows.length > 0 && (await asked(client, anyLaneElsewhere())).length > 0
}

/** Null where a server does not answer and may be left out. */
export async function unlessAway<T>(asked: Promise<T>, away: Away): Promise<T | null> {
  try {
    return await asked
  } catch (fault) {
    if (away === 'is a fault' || !isUnreachable(fault)) throw fault
    return null
  }
}

/** The network, a server that starts or stops, a database that takes no connections; and not what was refused here, by a server that answers. */
function isUnreachable(fault: unknown): boolean {
  if (fault instanceof LoginRefused || fault instanceof MigrationRefused) return false
  return /^(08|57P|55000)/.test(sqlStateOf(fault) ?? '08')
}

/** Which books a database has, and which of their servers it is: home where nothing is said. */
export type Who = { readonly id: string; readonly server: string | null }

export async function whoIs(client: pg.ClientBase): Promise<Who> {
  const { rows } = await client.query<Who>('select i.id, i.server from installation i')
  return rows[0] as Who
}

/** Throws MigrationRefused (`other_server`) where it is not the server of this name. */
export function refuseOther(name: string, home: Who, { id, server }: Who): void {
  if (id === home.id && server === name) return
  const is =
    id === home.id ? `the server ${server ?? HOME} of this installation` : 'the database of another installation'
  throw new MigrationRefused(
    'other_server',
    `GATEWAY_LANES_FILE: the database of ${name} is ${is}. Nothing was written there.`,
  )
}

/** The rows of a statement, on a client of our own. */
export const asked = async (client: pg.ClientBase, { text, values }: Statement) =>
  (await client.query<Row>(text, [...values])).rows

/** Where the lanes are, by server. */
export function lanesByServer(database: Database): { readonly node: string; readonly lanes: number[] }[] {
  const serverOf = database.others?.placement.serverOf ?? (() => HOME)
  return serversOfDatabase(database).map(([node]) => ({
    node,
    lanes: ALL_LANES.filter((lane) => serverOf(lane) === node),
  }))
}

/** What the configuration says of a server's lanes, and which it has. */
export type OtherLanes = { readonly server: string; readonly said: string; readonly has: string }

/** Where the configuration says other lanes of a server than it has: what is changed there later moves none. */
export function lanesSaidOtherwise(database: Database, wanted: readonly LaneServer[]): OtherLanes[] {
  const has = new Map(lanesByServer(database).map(({ node, lanes }) => [node, lanesText(lanes)]))
  return wanted
    .filter(({ lanes }) => lanes.length > 0)
    .map(({ name, lanes }) => ({
      server: name,
      said: lanesText(lanes.toSorted((a, b) => a - b)),
      has: has.get(name) ?? '',
    }))
    .filter(({ said, has: there }) => said !== there)
}
