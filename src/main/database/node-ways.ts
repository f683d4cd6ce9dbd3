// Which way statements about lanes go on a Citus cluster: straight to the node that has them, which knows the whole cluster as the
// coordinator does, or through the coordinator where that node does not let the gateway in. A hop less, and one plan less. A node in
// whose place another server is gets nothing either way until it was looked at what that server has (node-recoveries.ts).
import type { Session, Way } from '../../platform/db.ts'
import type { Shard, ShardWay } from '../../platform/citus/shard-tables.ts'
import type { Log } from '../../platform/log.ts'
import type { Seat, ServerPlace, Standing } from '../../platform/postgres/standing.ts'
import { agrees, isDirect, isSettledNode, type Known, type KnownNodes, openKnownNodes } from './known-nodes.ts'
import type { ShardPlace } from './engine.ts'
import type { Database } from './opened.ts'

/** How the next connection for the lanes of a node goes. */
export type NodeWay = ShardWay & {
  /** Straight to the node, or through the coordinator where that does not go. */
  readonly now: () => Way
  /** Through the coordinator, for what only that has tables for. */
  readonly throughCoordinator: () => Way
}

export type NodeWays = {
  /** Undefined where all goes to the server of the database. */
  readonly wayTo: (node: string) => NodeWay | undefined
  /** Whether the lanes of this node may be worked on: not while it is unknown what the server has that took its place. */
  readonly isSettled: (node: string) => boolean
}

/** Of one PostgreSQL, or several: each has an address of its own. */
export const NO_NODES: NodeWays = { wayTo: () => undefined, isSettled: () => true }

export type SeenWays = NodeWays &
  Omit<KnownNodes, 'at'> & {
    /** Has the coordinator asked again: a node is another server than the one that was seen, or does not answer. */
    readonly lookSoon: () => void
    /** Where lanes lie, as it was last seen. */
    readonly seeShards: (places: readonly ShardPlace[]) => void
    /** What asks it again. */
    readonly onLookSoon: (look: () => void) => void
  }

/** Knows no way but through the coordinator until it has looked. */
export function openNodeWays(
  session: Pick<Session, 'send'>,
  database: Pick<Database, 'login'> & { readonly standing: Standing },
  log: Log,
): SeenWays {
  const { login, standing: home } = database
  const { at, ...nodes } = openKnownNodes(session, database, log)
  let lookSoon: () => void = () => undefined
  const shards = openShards(log)
  const isSettled = (node: string) => isSettledNode(at(node))
  const through = (node: string, isUsed: () => boolean): (() => Way) => {
    const seat = home.seat()
    const holds = (place: ServerPlace) => isUsed() && isSettled(node) && seat.holds(place)
    return () => ({ connection: login, seat: { ...seat, holds } })
  }
  return {
    ...nodes,
    wayTo: (node) => {
      const direct = () => {
        const known = at(node)
        return known && isDirect(known) ? known : null
      }
      const seatOf = seatsAt(home, direct, () => lookSoon())
      const otherwise = through(node, () => direct() === null)
      return {
        now: () => {
          const known = direct()
          return known ? { connection: known.connection, seat: seatOf(known) } : otherwise()
        },
        throughCoordinator: through(node, () => true),
        // Of a node that sessions go straight to.
        shardOf: (lanes) => (direct() === null ? undefined : shards.of(node, lanes)),
        onElsewhere: () => lookSoon(),
      }
    },
    isSettled,
    lookSoon: () => lookSoon(),
    seeShards: shards.see,
    onLookSoon: (look) => {
      lookSoon = look
    },
  }
}

/** The shard of each lane and its node, as they were last seen. */
function openShards(log: Log) {
  let byLane: ReadonlyMap<number, { readonly node: string; readonly shard: Shard }> = new Map()
  let isSaid = false
  return {
    /** The one shard of the node that has all of these lanes. */
    of: (node: string, lanes: readonly number[]): Shard | undefined => {
      const [found, ...others] = lanes.map((lane) => byLane.get(lane))
      return found?.node === node && others.every((other) => other?.shard === found.shard) ? found.shard : undefined
    },
    see: (places: readonly ShardPlace[]) => {
      byLane = new Map(
        places.flatMap(({ node, lanes, shard }) =>
          shard ? lanes.map((lane) => [lane, { node, shard }] as const) : [],
        ),
      )
      const isLacking = places.some(({ shard }) => shard === null)
      if (isLacking && !isSaid)
        log.warn(
          'the cluster lacks functions of the gateway, so that all goes through the coordinator: run gateway migrate',
        )
      isSaid = isLacking
    },
  }
}

/**
 * The seat of one session, which notes at the node's standing what was acknowledged. While it is looked at who took the place of the node,
 * or of the coordinator, nothing is written there.
 */
function seatsAt(home: Pick<Standing, 'met'>, direct: () => Known | null, onOther: () => void): (known: Known) => Seat {
  let given: { readonly standing: Standing; readonly seat: Seat } | null = null
  return ({ standing }) => {
    if (given?.standing === standing) return given.seat
    const own = standing.seat()
    const holds = (place: ServerPlace) => {
      const known = direct()
      return home.met() === null && known?.standing === standing && agrees(known) && own.holds(place)
    }
    const seat: Seat = { ...own, admit: telling(own.admit, onOther), holds }
    given = { standing, seat }
    return seat
  }
}

/** The same, and has the coordinator asked whether it reaches that server as well. */
function telling(admit: Seat['admit'], onOther: () => void): Seat['admit'] {
  return (found) => {
    try {
      admit(found)
    } catch (fault) {
      onOther()
      throw fault
    }
  }
}
