// Which way statements about lanes go on a Citus cluster: straight to the node that has them, which knows the whole cluster as the
// coordinator does, or through the coordinator where that node does not let the gateway in. A hop less, and one plan less.
import { CLUSTER_NODES } from '../../platform/distribution.ts'
import { DatabaseUnavailable, openSession, type Session, sqlStateOf, type Way } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { atAddress } from '../../platform/postgres/hosts.ts'
import {
  isSamePlace,
  OtherServer,
  type Seat,
  type ServerPlace,
  type Standing,
} from '../../platform/postgres/standing.ts'
import type { Database } from './opened.ts'

export type NodeWays = {
  /** How the next connection for the lanes of this node goes; undefined where all go to the server of the database. */
  readonly wayTo: (node: string) => (() => Way) | undefined
}

/** Of one PostgreSQL, or several: each has an address of its own. */
export const NO_NODES: NodeWays = { wayTo: () => undefined }

export type SeenWays = NodeWays & {
  /** Asks the coordinator who its nodes are, and each of them whether it lets this gateway in. Throws nothing. */
  readonly look: () => Promise<void>
  /** A node turned out to be another server than the one that was seen: look again. */
  readonly onOther: (tell: () => void) => void
}

/** A node as the coordinator knows it. */
type Seen = { readonly node: string; readonly host: string; readonly port: number } & ServerPlace
/** A node that statements go to, and which server it is. */
type Direct = { readonly way: Way['connection']; readonly place: ServerPlace }

/** Knows no way but through the coordinator until it has looked. */
export function openNodeWays(
  session: Pick<Session, 'send'>,
  { login, standing }: Pick<Database, 'login'> & { readonly standing: Standing },
  log: Log,
): SeenWays {
  const { directTo, take, leave } = openKnown(log)
  let tell: () => void = () => undefined
  const tryOne = async ({ node, host, port, systemId, timeline }: Seen): Promise<void> => {
    const [place, way] = [{ systemId, timeline }, atAddress(login, host, port)]
    try {
      await knock(way, place)
      take(node, { way, place })
    } catch (fault) {
      leave(node, reasonOf(fault))
    }
  }
  return {
    wayTo: (node) => {
      const home = standing.seat()
      const holds = (place: ServerPlace) => directTo(node) === null && home.holds(place)
      const through: Way = { connection: login, seat: { ...home, holds } }
      const seenAt = () => directTo(node)?.place ?? null
      const seat = seatAt(standing, seenAt, () => tell())
      return () => {
        const found = directTo(node)
        return found ? { connection: found.way, seat } : through
      }
    },
    look: async () => {
      try {
        await Promise.all((await nodesSeen(session)).map(tryOne))
      } catch (fault) {
        log.warn({ err: fault }, 'the coordinator does not say who its nodes are: the ways to them stay as they are')
      }
    },
    onOther: (callback) => {
      tell = callback
    },
  }
}

const NO_SUCH_TABLE = '42P01'
const AT_HOME_MS = 1000

/**
 * A session at a node, in whose place one at the coordinator is used where a transaction needs a table that the coordinator alone has:
 * nothing was done then. What comes in the next second goes there at once, for it is likely to need it too. `decide` is called anew.
 */
export function atNode(node: Session, home: Session): Session {
  let homeUntilMs = 0
  return {
    send: (statements) => node.send(statements),
    transaction: async (load, decide) => {
      if (performance.now() < homeUntilMs) return home.transaction(load, decide)
      try {
        return await node.transaction(load, decide)
      } catch (fault) {
        if (sqlStateOf(fault) !== NO_SUCH_TABLE) throw fault
        homeUntilMs = performance.now() + AT_HOME_MS
        return home.transaction(load, decide)
      }
    },
    close: async () => void (await Promise.all([node.close(), home.close()])),
  }
}

/** What was last seen of a node: `direct` while statements go to it, else the reason why they do not. */
type Known = { readonly direct: Direct | null; readonly reason: string | null; readonly place: ServerPlace | null }

/** The nodes, and what is said of them: each thing once. */
function openKnown(log: Log) {
  const known = new Map<string, Known>()
  return {
    directTo: (node: string): Direct | null => known.get(node)?.direct ?? null,
    take: (node: string, direct: Direct): void => {
      const before = known.get(node)
      const now = direct.place
      known.set(node, { direct, reason: null, place: now })
      if (before?.place && !isSamePlace(before.place, now))
        log.warn({ node, before: before.place, now }, 'another server took the place of a node: what it lacks is lost')
      if (before?.reason) log.info({ node }, 'this node lets the gateway in again')
    },
    leave: (node: string, reason: string): void => {
      const before = known.get(node)
      known.set(node, { direct: null, reason, place: before?.place ?? null })
      if (before?.reason === reason) return
      const what = 'this node does not let the gateway in: what is asked of its lanes goes through the coordinator'
      log.warn({ node, reason }, what)
    },
  }
}

/**
 * One that is there for the node as it was seen last. While it is looked at who took the coordinator's place nothing is written at the
 * nodes either. What a node acknowledged is in its own history, which says nothing of the coordinator's.
 */
function seatAt(standing: Pick<Standing, 'met'>, seen: () => ServerPlace | null, onOther: () => void): Seat {
  const isSeen = (place: ServerPlace) => {
    const expected = seen()
    return expected !== null && isSamePlace(expected, place)
  }
  return {
    admit: (found) => {
      if (isSeen(found)) return
      onOther()
      throw new OtherServer(found, seen() ?? found)
    },
    holds: (place) => standing.met() === null && isSeen(place),
  }
}

/** Those that the coordinator reaches and that know the cluster as it does. */
async function nodesSeen(session: Pick<Session, 'send'>): Promise<Seen[]> {
  const [found] = await session.send([{ name: 'cluster_nodes', text: CLUSTER_NODES, values: [true] }])
  return (found?.rows ?? []).map((row) => {
    const [systemId = '', timeline] = (row['place'] as string).split(' ')
    return {
      node: row['node'] as string,
      host: row['host'] as string,
      port: row['port'] as number,
      systemId,
      timeline: Number(timeline),
    }
  })
}

const KNOCK_WITHIN_MS = 2000

/** Throws where the address does not let the gateway in, or leads to another server than the coordinator's node. */
async function knock(connection: Way['connection'], place: ServerPlace): Promise<void> {
  const seat = seatAt(
    { met: () => null },
    () => place,
    () => undefined,
  )
  const session = openSession({ connection, seat, parameters: {}, answerWithinMs: KNOCK_WITHIN_MS })
  try {
    await session.send([{ name: 'knock', text: 'select 1 where $1', values: [true] }])
  } finally {
    await session.close()
  }
}

function reasonOf(fault: unknown): string {
  const cause = fault instanceof DatabaseUnavailable ? (fault.cause ?? fault) : fault
  const code = sqlStateOf(cause)
  return `${cause instanceof Error ? cause.message : String(cause)}${code ? ` (${code})` : ''}`
}
