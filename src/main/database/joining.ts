// A server that is met for the first time becomes one of the installation, with the lanes that it is to begin with; and any server is given
// what home has and each needs. Once a server is one of the installation, no other database is taken for it.
import type pg from 'pg'
import { breakWith } from '../../platform/migrate.ts'
import { MigrationRefused } from '../../platform/migration-files.ts'
import {
  copyChannelModes,
  copyListsInForce,
  laneServerFrom,
  laneServers,
  lanesOfServer,
  noteJoined,
  placeLanes,
  readChannelModes,
  readListsInForce,
} from '../../store/operator/lane-servers.ts'
import { LIVES } from '../../store/operator/processes.ts'
import { type LaneServer, lanesText } from '../config/lane-servers.ts'
import { onLogin } from './logins.ts'
import type { Database } from './opened.ts'
import { asked, refuseOther, type Who, whoIs } from './servers.ts'

/** A release that does not know this migration does not know either that lanes may be on other servers. */
const KNOWS_OTHERS = '0045_lane_servers.sql'

/**
 * Makes a server that is met for the first time one of the installation, with the lanes that it is to begin with; gives any server what
 * home has and each needs. Both are migrated. Throws MigrationRefused.
 */
export async function joinServer(home: Database, wanted: LaneServer, server: Database): Promise<void> {
  const [own, there] = [await onLogin(home.login, whoIs), await onLogin(server.login, whoIs)]
  if (there.id !== own.id) await join(home, own, wanted, server)
  else refuseOther(wanted.name, own, there)
  await noteAsJoined(home, wanted.name, server)
  const modes = await onLogin(home.login, (client) => asked(client, readChannelModes()))
  await onLogin(server.login, (client) => asked(client, copyChannelModes(modes)))
}

/** What is interrupted is done again by the next call: home notes the lanes first, then the server who it is, and then home that it is one. */
async function join(home: Database, own: Who, { name, lanes }: LaneServer, { owner, login }: Database): Promise<void> {
  await refuseStranger(home, name)
  if (owner === null || home.owner === null) throw ownersWanted(name)
  if (await onLogin(login, isUsed))
    throw refused(name, 'but its database has accounts, which are of another installation. Nothing was written.')
  const listed = await onLogin(home.owner, async (client) => {
    await client.query('begin')
    await refuseBusy(client, name)
    await placeAt(client, name, lanes)
    // From here on a release that knows of home alone would make accounts there whose lanes are elsewhere.
    await asked(client, breakWith(KNOWS_OTHERS))
    const lists = await asked(client, readListsInForce())
    await client.query('commit')
    return lists
  })
  await onLogin(owner, async (client) => {
    await client.query('begin')
    await client.query('update installation set id = $1, server = $2', [own.id, name])
    await asked(client, copyListsInForce(listed))
    await client.query('commit')
  })
}

const refused = (name: string, why: string) =>
  new MigrationRefused('server_not_joined', `The server ${name} is new: ${why}`)

const ownersWanted = (name: string) =>
  refused(
    name,
    'it is made part of the installation with the owners of both databases. Run gateway migrate with GATEWAY_OWNER_DATABASE_URL, and owner_database_url in GATEWAY_LANES_FILE.',
  )

/** An empty database, or any other one, in the place of a server that has lanes: their accounts would be gone without a word. */
async function refuseStranger(home: Database, name: string): Promise<void> {
  const has = (await onLogin(home.login, (client) => asked(client, lanesOfServer(name)))).filter(
    ({ is_joined: isJoined }) => isJoined,
  )
  if (has.length === 0) return
  const lanes = lanesText(has.map(({ lane }) => lane as number))
  throw new MigrationRefused(
    'other_server',
    `GATEWAY_LANES_FILE: the database of ${name} is not the one that has become ${name} and has lanes ${lanes} of this installation: it is empty, or another installation's. Mend its database_url; or bring the database back from its backup, and start again. It was not made part of the installation.`,
  )
}

const isUsed = async (client: pg.ClientBase) => (await client.query('select 1 from accounts limit 1')).rows.length > 0

async function refuseBusy(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query(`select 1 from processes p where ${LIVES} limit 1`)
  if (rows.length > 0)
    throw refused(
      name,
      'no gateway may be at work meanwhile, for each has to know where the lanes are. Stop them, and start again.',
    )
}

/** Lanes that home has go to the server: those without an account, which no other server has. */
async function placeAt(client: pg.ClientBase, name: string, lanes: readonly number[]): Promise<void> {
  const placed = (await asked(client, placeLanes(name, lanes))).map(({ lane }) => lane as number)
  const elsewhere = (await asked(client, laneServers()))
    .map(laneServerFrom)
    .filter(({ lane }) => lanes.includes(lane) && !placed.includes(lane))
  if (elsewhere.length > 0) {
    const servers = [...new Set(elsewhere.map(({ server }) => server))].map((server) => {
      const there = elsewhere.filter((each) => each.server === server).map(({ lane }) => lane)
      return `lanes ${lanesText(there)} on the server ${server}`
    })
    throw refused(
      name,
      `but GATEWAY_LANES_FILE gives it what another server has: ${servers.join(', ')}. Leave them out of its lanes: they can be moved later (gateway lanes move). Nothing was written.`,
    )
  }
  const used = await client.query<{ lane: number }>(
    'select a.lane from accounts a where a.lane = any($1::int[]) limit 1',
    [lanes],
  )
  const lane = used.rows[0]?.lane
  if (lane !== undefined)
    throw refused(
      name,
      `but lane ${lane} has accounts already. Leave it out of lanes: it can be moved later (gateway lanes move).`,
    )
}

/** Home knows from now on that the server is one of the installation. What has joined under an earlier release is brought to the same. */
async function noteAsJoined(home: Database, name: string, { owner }: Database): Promise<void> {
  if (home.owner === null) {
    const lanes = await onLogin(home.login, (client) => asked(client, lanesOfServer(name)))
    // Interrupted before home knew: accounts that were made there now could be lost without a word later.
    if (lanes.some(({ is_joined: isJoined }) => !isJoined)) throw ownersWanted(name)
  } else
    await onLogin(home.owner, async (client) => {
      await asked(client, noteJoined(name))
      await asked(client, breakWith(KNOWS_OTHERS))
    })
  if (owner !== null) await onLogin(owner, (client) => asked(client, breakWith(KNOWS_OTHERS)))
}
