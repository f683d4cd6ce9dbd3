// The histories of a cluster's workers: each that lets the gateway in is followed like the database itself. It is noted where its log
// stands, a standby in its place is looked at before anything is written there, and what it lacks begins a recovery.
import { openPromotions } from '../../app/recoveries/promotion.ts'
import { MustStartAgain, openRecovery, type Recovery, type RecoveryDeps } from '../../app/recoveries/recovery.ts'
import { isAway, type Session } from '../../platform/db.ts'
import { nodePlace } from '../../store/operator/epochs.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import { openPlaceSession } from './database.ts'
import type { OpenNode } from './known-nodes.ts'
import { MARK_MS, openMarkFiles } from './mark.ts'
import type { SeenWays } from './node-ways.ts'
import type { Database } from './opened.ts'

export type NodeRecoveryParts = Pick<RecoveryDeps, 'epochs' | 'monotonicMs' | 'onEnded' | 'log'> & {
  readonly ways: Pick<SeenWays, 'open' | 'isWhole' | 'lookSoon'>
  readonly database: Database
  /** At the coordinator. */
  readonly home: Session
  readonly installationId: string
  /** Where marks are kept. */
  readonly directories: readonly string[]
}

export type NodeRecoveries = {
  /** Compares the nodes that are known with what was noted of them; begins a recovery where they are older. */
  readonly open: () => Promise<void>
  /** Follows them, and others once they are known. `onAnew`: a recovery was begun, or has to be. */
  readonly start: (onAnew: (why: MustStartAgain) => void) => void
  /** Those that are followed, each with a session that asks it for a moment. */
  readonly sessions: () => readonly (readonly [node: string, session: Session])[]
  readonly stop: () => Promise<void>
}

type Followed = {
  readonly node: string
  readonly session: Session
  readonly look: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function followNodes(parts: NodeRecoveryParts): NodeRecoveries {
  const { ways, log } = parts
  const followed = new Map<number, Followed & { loop: Loop | null }>()
  const known = (node: OpenNode) => {
    const before = followed.get(node.id)
    if (before) return before
    const made = { ...followOne(parts, node), loop: null }
    followed.set(node.id, made)
    return made
  }
  const drop = async (id: number) => {
    const gone = followed.get(id)
    followed.delete(id)
    await gone?.loop?.stop()
    await gone?.stop()
  }
  let loop: Loop | null = null
  return {
    open: async () => {
      const opened = await Promise.allSettled(ways.open().map((node) => known(node).look()))
      for (const each of opened) if (each.status === 'rejected' && !isTriedAgain(each.reason)) throw each.reason
    },
    start: (onAnew) => {
      const follow = (node: OpenNode) => {
        const one = known(node)
        const round = () => one.look().then(nothing, (fault: unknown) => judge(fault, onAnew))
        // Each by itself: one that is away keeps no other waiting.
        one.loop ??= startLoop({ name: 'node histories', round, idleMs: MARK_MS, log })
      }
      const round = async () => {
        const nodes = ways.open()
        for (const node of nodes) follow(node)
        const left = new Set(nodes.map(({ id }) => id))
        for (const id of followed.keys()) if (!left.has(id)) await drop(id)
        if (!ways.isWhole()) ways.lookSoon()
        return 0
      }
      loop = startLoop({ name: 'nodes', round, idleMs: MARK_MS, log })
    },
    sessions: () => Array.from(followed.values(), ({ node, session }) => [node, session] as const),
    stop: async () => {
      await loop?.stop()
      await Promise.all([...followed.keys()].map(drop))
    },
  }
}

const nothing = () => 0

/** One that is away is compared when it is back; that a recovery was begun for another one, the next look says as well. */
const isTriedAgain = (fault: unknown) => isAway(fault) || fault instanceof MustStartAgain

/** What is away is said by whoever needed it. Its standby may be at another address. */
function judge(fault: unknown, onAnew: (why: MustStartAgain) => void): number {
  if (fault instanceof MustStartAgain) onAnew(fault)
  if (!isAway(fault)) throw fault
  return 0
}

function followOne(parts: NodeRecoveryParts, { id, node, standing, connection, answered }: OpenNode): Followed {
  const { database, home, epochs, monotonicMs, onEnded, installationId, directories } = parts
  const log = parts.log.child({ node })
  const session = openPlaceSession(database, () => ({ connection: connection(), seat: standing.seat() }))
  const look = openPlaceSession(database, () => ({ connection: connection(), seat: standing.looking() }))
  const place = { read: () => nodePlace(installationId), count: null }
  const promotions = openPromotions({ look, words: home, place, epochs, standing, monotonicMs, log })
  const marks = openMarkFiles(directories, `node-${id}`)
  const deps = {
    session,
    books: home,
    words: home,
    place,
    epochs,
    marks,
    standing,
    promotions,
    monotonicMs,
    onEnded,
    log,
  }
  let recovery: Recovery | null = null
  return {
    node,
    session,
    look: async () => {
      try {
        recovery ??= await openRecovery(deps)
        await recovery.look()
      } catch (fault) {
        answered(false)
        throw fault
      }
      answered(standing.met() === null)
    },
    stop: async () => {
      await recovery
        ?.stop()
        .catch((fault: unknown) => log.debug({ err: fault }, 'the note does not say that it stopped'))
      await Promise.all([session.close(), look.close()])
    },
  }
}
