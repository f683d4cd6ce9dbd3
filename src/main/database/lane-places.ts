// Keeps an eye on where the lanes lie on a cluster: shards are moved, and what works on a lane goes by that.
import type { LanePlaces } from '../../app/jobs/lane-places.ts'
import type { Session } from '../../platform/db.ts'
import type { Engine } from '../../platform/distribution.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import { lanePlacesAt } from './engine.ts'

const LOOK_MS = 60_000

/** Sees it before anything is begun, then once a minute, and when it is woken. On one PostgreSQL there is nothing to see. */
export async function followLanePlaces(session: Session, places: LanePlaces, engine: Engine, log: Log): Promise<Loop> {
  if (engine === 'postgresql') return { wake: () => undefined, stop: async () => undefined }
  const look = async () => {
    places.see(await lanePlacesAt(session))
    return 0
  }
  await look()
  return startLoop({ name: 'lane places', round: look, idleMs: LOOK_MS, log })
}
