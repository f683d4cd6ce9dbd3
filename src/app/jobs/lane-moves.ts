// What a process does while a lane goes to another server: it sends nothing to the lane, says so, and asks again where the lanes are
// when that is over. Whoever moves the lane waits for that word (main/operator/server-moves.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { HeldLanes } from '../../platform/servers/held-lanes.ts'
import { laneMoveFrom, noteHolding, openMove } from '../../store/operator/lane-moves.ts'
import { placementDigest } from '../../store/operator/lane-servers.ts'

export type MoveFollowing = {
  /** To the server that knows of moves. */
  readonly session: Session
  readonly processId: string
  readonly held: HeldLanes
  /** Asks where the lanes are, and goes by that from now on. */
  readonly see: () => Promise<void>
  readonly log: Log
}

/** How often a process that holds a lane looks whether it may go on. */
const HELD_LOOK_MS = 100

/** One look; it is taken again at once while a lane is held. */
export function openMoveFollower({ session, processId, held, see, log }: MoveFollowing): () => Promise<number> {
  let holding: string | null = null
  let seen: string | null = null
  return async () => {
    const [open, placement] = await session.send([openMove(), placementDigest()])
    const move = open?.rows[0] && laneMoveFrom(open.rows[0])
    if (move?.isHeld) {
      if (holding !== move.id) {
        const { lane, from, to } = move
        log.info({ lane, from, to }, 'a lane goes to another server: what is asked of it waits')
        await held.hold(lane)
        const [noted] = await session.send([noteHolding(processId, move.id)])
        // A process that has only begun says first that it is there.
        if (noted?.rowCount === 1) holding = move.id
      }
      await sleep(HELD_LOOK_MS)
      return 1
    }
    const digest = placement?.rows[0]?.['digest'] as string
    // A process that began while a lane was switched has not held it, and goes by what it was told before.
    if (held.isAny() || digest !== seen) {
      await see()
      if (seen !== null) log.info({ hasMoved: digest !== seen }, 'lanes are worked on where they are now')
    }
    seen = digest
    holding = null
    held.release()
    return 0
  }
}
