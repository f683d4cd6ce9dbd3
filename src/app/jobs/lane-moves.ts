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

/** One look; it is taken again at once while a lane is held, and while what was sent to it before is not answered. */
export function openMoveFollower({ session, processId, held, see, log }: MoveFollowing): () => Promise<number> {
  let letting: { readonly moveId: string; readonly go: Promise<true> } | null = null
  let holding: string | null = null
  let seen: string | null = null
  return async () => {
    const [open, placement] = await session.send([openMove(), placementDigest()])
    const move = open?.rows[0] && laneMoveFrom(open.rows[0])
    if (move?.isHeld) {
      if (letting?.moveId !== move.id) {
        const { lane, from, to } = move
        log.info({ lane, from, to }, 'a lane goes to another server: what is asked of it waits')
        letting = { moveId: move.id, go: held.hold(lane).then(() => true) }
      }
      if (holding !== move.id) {
        // What was sent may take long, and whoever moves the lane gives up meanwhile: that has to be seen.
        if (!(await Promise.race([letting.go, sleep(HELD_LOOK_MS, false)]))) return 1
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
    letting = null
    held.release()
    return 0
  }
}
