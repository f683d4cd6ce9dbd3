// Makes a database ready for work: its schema is that of this release, the gateway's login works and is confined to its grants, and what is
// acknowledged is not lost. The same for the servers beside it that have lanes.
import { checkDurability, migrate, type MigrateResult } from '../../platform/migrate.ts'
import { refuseCluster, refusePlain } from '../../platform/citus/distribution.ts'
import { refuseTransactionPool, type Servers } from '../../platform/postgres/hosts.ts'
import type { Config } from '../config/config.ts'
import type { LaneServer } from '../config/lane-servers.ts'
import { HOME } from '../../store/operator/lane-servers.ts'
import { packageFile } from '../package-file.ts'
import { powersRefused } from './database.ts'
import type { Database } from './opened.ts'
import { refuseUndistributed, spread } from './engine.ts'
import { ensureLogin, LoginRefused, narrowDatabase, onLogin, openLogin, powersOf } from './logins.ts'
import { withServer } from './server-fault.ts'
import { joinServer } from './joining.ts'
import { type Away, checkServers, hasLanesElsewhere, serversOfDatabase, unlessAbsent, unlessAway } from './servers.ts'

/**
 * Brings the schema up to date where the owner is known, sees to it that the gateway's login works and is confined to its
 * grants, and refuses a server that could lose acknowledged money. `away`: whether a server beside home that has lanes already may be left
 * out where it does not answer. Throws {@link LoginRefused} and MigrationRefused.
 */
export async function prepareDatabase(
  database: Database,
  config: Pick<Config, 'durability' | 'laneServers'>,
  say: (line: string) => void,
  away: Away = 'is a fault',
): Promise<MigrateResult> {
  await refuseClusterAsHome(database, config)
  const { schema } = await prepareOn(database, config, null, say)
  const others = await prepareOthers(database, config, say, away)
  return { ...schema, applied: [...schema.applied, ...others] }
}

/** The same of the servers beside it, and sees where the lanes are; which migrations were applied there. Throws MigrationRefused also where one is no server of this installation. */
async function prepareOthers(
  database: Database,
  config: Pick<Config, 'durability' | 'laneServers'>,
  say: (line: string) => void,
  away: Away,
): Promise<string[]> {
  const applied: string[] = []
  for (const wanted of config.laneServers) {
    const server = database.others?.servers.get(wanted.name)
    if (!server) continue
    const making = prepareServer(database, server, wanted, config, (line) => say(`${wanted.name}: ${line}`))
    const made = await unlessAbsent(database, wanted.name, away, making)
    if (made === null) say(`${wanted.name} does not answer: accounts of its lanes wait until it does`)
    applied.push(...(made ?? []).map((name) => `${name} (${wanted.name})`))
  }
  await checkServers(database, 'is a fault')
  return applied
}

/** Makes a server beside home ready, and one of the installation; which migrations were applied there. Throws {@link LoginRefused} and MigrationRefused. */
export async function prepareServer(
  home: Database,
  server: Database,
  wanted: LaneServer,
  config: Pick<Config, 'durability'>,
  say: (line: string) => void,
): Promise<string[]> {
  await onLogin(home.login, refuseCluster)
  const { schema } = await withServer(wanted.name, async () => {
    const prepared = await prepareOn(server, config, null, say)
    await onLogin(server.login, refuseCluster)
    return prepared
  })
  await joinServer(home, wanted, server)
  return schema.applied
}

/** What was done to a schema that is also spread over the nodes of a cluster: `distributed` are the tables that were moved. */
export type Distributed = { readonly schema: MigrateResult; readonly distributed: string[] }

/**
 * Refuses a cluster as the home of several servers, before it is spread or anybody is told to spread it: its lanes could not be elsewhere
 * any more. Throws MigrationRefused (`is_distributing`).
 */
async function refuseClusterAsHome(
  { owner, login }: Database,
  { laneServers }: Pick<Config, 'laneServers'>,
): Promise<void> {
  await onLogin(owner ?? login, async (client) => {
    if (laneServers.length > 0 || (await hasLanesElsewhere(client))) await refuseCluster(client)
  })
}

/** The same, on a cluster whose nodes are to share the lanes, into `shards` shards. Throws MigrationRefused on any other server. */
export async function distributeDatabase(
  database: Database,
  config: Pick<Config, 'durability' | 'laneServers'>,
  shards: number,
  say: (line: string) => void,
): Promise<Distributed> {
  if (database.owner === null)
    throw new LoginRefused("Only the database's owner distributes its tables: set GATEWAY_OWNER_DATABASE_URL.")
  await onLogin(database.owner, refusePlain)
  await refuseClusterAsHome(database, config)
  return prepareOn(database, config, shards, say)
}

async function prepareOn(
  database: Database,
  config: Pick<Config, 'durability'>,
  shards: number | null,
  say: (line: string) => void,
): Promise<Distributed> {
  const { owner, login } = database
  const isOwn = database.server === null
  if (isOwn) await refuseTransactionPool(() => openLogin(owner ?? login))
  await onLogin(owner ?? login, async (client) => {
    for (const warning of await checkDurability(client, config.durability)) say(warning)
  })
  const result = await migrateSchema(database, owner === null ? 'dry-run' : 'apply', say)
  if (result.pending.length > 0)
    throw new SchemaBehind(
      `The schema lacks ${result.pending.join(', ')}. Run gateway migrate with GATEWAY_OWNER_DATABASE_URL, the login of the database's owner.`,
    )
  const distributed = owner === null ? [] : await spread(owner, shards, say)
  if (owner !== null) {
    await onLogin(owner, narrowDatabase)
    await ensureLogin(owner, login)
  }
  await refusePowers(login)
  // A pooler may treat each login in its own way.
  if (isOwn && owner !== null) await refuseTransactionPool(() => openLogin(login))
  await onLogin(owner ?? login, refuseUndistributed)
  return { schema: result, distributed }
}

/** The schema is older than this release; the message says what to do. */
export class SchemaBehind extends Error {
  override readonly name = 'SchemaBehind'
}

async function refusePowers(login: Servers): Promise<void> {
  const { role, powers } = await powersOf(login)
  if (powers.length > 0) throw powersRefused(role, powers)
}

/** What each server's schema lacks, by the names of migrations; changes nothing. Of several, one that is away is left out. */
export async function pendingMigrations(
  database: Database,
): Promise<{ readonly pending: string[]; readonly version: number }> {
  let lowest = Number.POSITIVE_INFINITY
  const names: string[] = []
  for (const [name, server] of serversOfDatabase(database)) {
    const away = name === HOME ? 'is a fault' : 'is left out'
    const looked = await withServer(name, () =>
      unlessAway(
        migrateSchema(server, 'dry-run', () => undefined),
        away,
      ),
    )
    if (looked === null) continue
    const { pending, version } = looked
    lowest = Math.min(lowest, version)
    names.push(...pending.map((each) => (name === HOME ? each : `${each} (${name})`)))
  }
  return { pending: names, version: lowest }
}

/** Applies the migrations that are pending to one server, or lists which ones would be. Needs the owner where it applies. */
export async function migrateSchema(
  { owner, login }: Database,
  mode: 'apply' | 'dry-run',
  say: (line: string) => void,
): Promise<MigrateResult> {
  return migrate({ connection: owner ?? login, directory: packageFile('db/migrations'), log: say, mode })
}
