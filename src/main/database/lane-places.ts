// Keeps an eye on where the lanes lie on a cluster: shards are moved, and what works on a lane goes by that.
import { type LanePlaces, openLanePlaces } from '../../app/jobs/lane-places.ts'
import { openMoveFollower } from '../../app/jobs/lane-moves.ts'
import { freeing, type OwnProcess } from '../../app/jobs/own-process.ts'
import type { Lanes } from '../../engine/batch.ts'
import type { Session } from '../../platform/db.ts'
import type { Engine } from '../../platform/citus/distribution.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import type { Config } from '../config/config.ts'
import type { StandingDatabase } from '../recovery.ts'
import { openProbeSession } from './database.ts'
import { lanePlacesAt } from './engine.ts'
import { NO_NODES, type NodeWays, openNodeWays, type SeenWays } from './node-ways.ts'
import { lanesByServer, lanesOf, seePlacement } from './servers.ts'

const LOOK_MS = 60_000
const MOVES_LOOK_MS = 2000

type Ground = {
  readonly engine: Engine
  readonly database: StandingDatabase
  readonly config: Pick<Config, 'laneScope' | 'citusWorkers'>
}
type Followed = {
  readonly places: LanePlaces
  readonly placing: Loop
  readonly ways: NodeWays
  /** The nodes of a cluster that requests go straight to; null where there are none. */
  readonly nodes: SeenWays | null
}
export type FollowedPlaces = Followed & { readonly lanes: Lanes }

/**
 * Where the lanes of this process lie: seen before anything is begun, then once a minute, and when `placing` is woken. On one
 * PostgreSQL there is nothing to see.
 */
export async function followLanePlaces(
  session: Session,
  own: Pick<OwnProcess, 'ownLanes' | 'id' | 'onGone'>,
  ground: Ground,
  log: Log,
): Promise<FollowedPlaces> {
  const followed = await follow(session, own, ground, log)
  own.onGone(freeing(session, followed.places, log))
  return { ...followed, lanes: batchedLanes(ground, followed.places) }
}

/**
 * Which lanes one batch may hold, and what waits for what. On a cluster a batch is of one shard, and each node has batches of its own:
 * one that is away, or hangs, keeps the lanes of no other waiting.
 */
function batchedLanes({ database, engine, config }: Ground, { nodeOf, shardOf }: LanePlaces): Lanes {
  const lanes = lanesOf(database)
  if (engine === 'citus') return { ...lanes, serverOf: nodeOf, groupOf: shardOf }
  return config.laneScope === 'one lane' ? { ...lanes, groupOf: (lane) => lane } : lanes
}

async function follow(
  session: Session,
  { ownLanes, id }: Pick<OwnProcess, 'ownLanes' | 'id'>,
  { engine, database, config }: Ground,
  log: Log,
): Promise<Followed> {
  const nodes = engine === 'citus' && config.citusWorkers === 'direct' ? openNodes(database, log) : null
  const ways = nodes?.seen ?? NO_NODES
  const places = openLanePlaces(ownLanes, ways.isSettled)
  const { others } = database
  if (others) {
    const see = async () => {
      await seePlacement(database)
      places.see(lanesByServer(database))
    }
    places.see(lanesByServer(database))
    const round = openMoveFollower({ session, processId: id, held: others.placement.held, see, log })
    // Before anything is sent to a lane: it may be on its way at this moment.
    await round()
    const placing = startLoop({ name: 'lane moves', round, idleMs: MOVES_LOOK_MS, log })
    return { places, placing, ways, nodes: null }
  }
  if (engine === 'postgresql')
    return { places, placing: { wake: () => undefined, stop: async () => undefined }, ways, nodes: null }
  const look = async () => {
    // A node is known before anything is sent to its lanes.
    await nodes?.seen.look()
    const found = await lanePlacesAt(session)
    nodes?.seen.seeShards(found)
    places.see(found)
    return 0
  }
  await look()
  const placing = startLoop({ name: 'lane places', round: look, idleMs: LOOK_MS, log })
  nodes?.seen.onLookSoon(placing.wake)
  const stop = async () => {
    await placing.stop()
    await nodes?.close()
  }
  return { places, placing: { ...placing, stop }, ways, nodes: nodes?.seen ?? null }
}

function openNodes(database: StandingDatabase, log: Log) {
  const asked = openProbeSession(database)
  return { seen: openNodeWays(asked, database, log), close: asked.close }
}
