// What the database runs on: one PostgreSQL, or a Citus cluster whose nodes share the lanes among them (docs/citus.md).
import type pg from 'pg'
import { findLanePlaces, type LanePlace } from '../../app/jobs/lane-places.ts'
import type { Row, Session } from '../../platform/db.ts'
import { ANCHOR, type Engine, engineOf, isSpread, misplaced, withoutJit } from '../../platform/citus/distribution.ts'
import { distribute } from '../../platform/citus/placing.ts'
import { SHARD_FUNCTIONS, withShardFunctions } from '../../platform/citus/shard-functions.ts'
import { openShard, type Shard } from '../../platform/citus/shard-tables.ts'
import type { Log } from '../../platform/log.ts'
import { MigrationRefused } from '../../platform/migration-files.ts'
import type { Servers } from '../../platform/postgres/hosts.ts'
import { takeTurn } from '../../platform/postgres/short-tries.ts'
import { APP_ROLE, onLogin } from './logins.ts'

/**
 * Small tables that a tenant's rows point to: every node has them whole. The other tables without a lane stay where the
 * migrations made them; where a statement reads one beside a tenant's rows, the coordinator looks first.
 */
const SHARED_TABLES = ['channel_modes', 'operator_actions']

const PLACES = { anchor: ANCHOR, shared: SHARED_TABLES }

/**
 * Puts the tables on the nodes of the cluster that are not there yet: all of them where `shards` asks for it, and what
 * migrations have added where the lanes are spread already; and sessions there begin as the gateway needs them. Throws MigrationRefused on a server that cannot.
 */
export function spread(owner: Servers, shards: number | null, say: (line: string) => void): Promise<string[]> {
  return onLogin(owner, async (client) => {
    if (shards === null && !(await isSpread(client, ANCHOR))) return []
    // Whoever else makes the database ready would place the same tables.
    await takeTurn(client)
    const moved = await distribute({ client, connection: owner, log: say }, { ...PLACES, shards: shards ?? 1 })
    await withoutJit(client, say)
    await withShardFunctions(client, APP_ROLE, say)
    return moved
  })
}

/** Refuses a cluster on which a tenant's rows would all lie on one node. Throws MigrationRefused (`not_distributed`). */
export async function refuseUndistributed(client: pg.ClientBase): Promise<void> {
  if ((await engineOf(client)) === 'postgresql') return
  const left = await misplaced(client, PLACES)
  if (left.length === 0) return
  const names = left.slice(0, 3).map(({ name }) => name)
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : ''
  throw new MigrationRefused(
    'not_distributed',
    `This database is on a Citus cluster, but ${names.join(', ')}${more} are not distributed. Run: gateway migrate --distribute`,
  )
}

/** Which engine a gateway works on. On a cluster a batch holds one lane, whatever is configured. */
export const engineAt = (login: pg.ClientConfig): Promise<Engine> => onLogin(login, engineOf)

/** Where the rows of each lane lie, on a cluster. */
export async function lanePlacesAt(session: Pick<Session, 'send'>): Promise<ShardPlace[]> {
  const [found] = await session.send([findLanePlaces(FUNCTIONS)])
  return (found?.rows ?? []).map((row) => ({
    node: row['node'] as string,
    lanes: row['lanes'] as number[],
    shard: shardFrom(row),
  }))
}

/** `shard`: null where the cluster lacks what keeps a shard in its place. */
export type ShardPlace = LanePlace & { readonly shard: Shard | null }

const FUNCTIONS = Object.keys(SHARD_FUNCTIONS)

function shardFrom(row: Row): Shard | null {
  const numbers = row['tables'] as Record<string, string> | null
  const names = Object.entries(numbers ?? {}).map(([table, number]) => [table, `${table}_${number}`] as const)
  return numbers && openShard(row['shard'] as string, new Map(names))
}

/** The engine of this database; warns of one that not everything works on yet. */
export async function recognisedEngine({ login }: { readonly login: pg.ClientConfig }, log: Log): Promise<Engine> {
  const engine = await engineAt(login)
  if (engine === 'citus')
    log.warn('the database is a Citus cluster, on which not everything works yet: see docs/citus.md')
  return engine
}
