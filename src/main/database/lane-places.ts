// Keeps an eye on where the lanes lie on a cluster: shards are moved, and what works on a lane goes by that.
import { type LanePlaces, openLanePlaces } from '../../app/jobs/lane-places.ts'
import { openMoveFollower } from '../../app/jobs/lane-moves.ts'
import type { OwnProcess } from '../../app/jobs/own-process.ts'
import type { Session } from '../../platform/db.ts'
import type { Engine } from '../../platform/distribution.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import type { Database } from './opened.ts'
import { lanePlacesAt } from './engine.ts'
import { lanesByServer, seePlacement } from './servers.ts'

const LOOK_MS = 60_000
const MOVES_LOOK_MS = 2000

export type FollowedPlaces = { readonly places: LanePlaces; readonly placing: Loop }

/**
 * Where the lanes of this process lie: seen before anything is begun, then once a minute, and when `placing` is woken. On one
 * PostgreSQL there is nothing to see.
 */
export async function followLanePlaces(
  session: Session,
  { ownLanes, id }: Pick<OwnProcess, 'ownLanes' | 'id'>,
  { engine, database }: { readonly engine: Engine; readonly database: Database },
  log: Log,
): Promise<FollowedPlaces> {
  const places = openLanePlaces(ownLanes)
  const { others } = database
  if (others) {
    const see = async () => {
      await seePlacement(database)
      places.see(lanesByServer(database))
    }
    places.see(lanesByServer(database))
    const follow = openMoveFollower({ session, processId: id, held: others.placement.held, see, log })
    // Before anything is sent to a lane: it may be on its way at this moment.
    await follow()
    return { places, placing: startLoop({ name: 'lane moves', round: follow, idleMs: MOVES_LOOK_MS, log }) }
  }
  if (engine === 'postgresql') return { places, placing: { wake: () => undefined, stop: async () => undefined } }
  const look = async () => {
    places.see(await lanePlacesAt(session))
    return 0
  }
  await look()
  return { places, placing: startLoop({ name: 'lane places', round: look, idleMs: LOOK_MS, log }) }
}
