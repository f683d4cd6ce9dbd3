// What is known of a cluster's nodes beside the coordinator: where each is, which server the coordinator reaches there, whether it lets this
// gateway in, and whether its lanes may be worked on.
import { CLUSTER_NODES } from '../../platform/citus/distribution.ts'
import { DatabaseUnavailable, openSession, type Session, sqlStateOf, type Way } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { atAddress } from '../../platform/postgres/hosts.ts'
import {
  isSamePlace,
  openStanding,
  OtherServer,
  type Seat,
  type ServerPlace,
  type Standing,
} from '../../platform/postgres/standing.ts'
import type { Database } from './opened.ts'

/** A node that lets the gateway in. */
export type OpenNode = {
  /** The cluster's number of it, which it keeps when it moves to another address. */
  readonly id: number
  /** Where it is. */
  readonly node: string
  /** Which server is worked with there; none before it was compared with what was noted of the node. */
  readonly standing: Standing
  readonly connection: () => Way['connection']
  /** Whether the server that is worked with has answered there. */
  readonly answered: (isThere: boolean) => void
}

export type KnownNodes = {
  /** The node at this address, while the cluster has one there. */
  readonly at: (node: string) => Known | undefined
  /** Asks the coordinator who its nodes are, and each of them whether it lets this gateway in. Throws nothing. */
  readonly look: () => Promise<void>
  /** Whether the lanes of all nodes may be worked on, and all nodes that let the gateway in do so still. */
  readonly isWhole: () => boolean
  /** Those that let the gateway in, and that the cluster still has. */
  readonly open: () => readonly OpenNode[]
}

/** A node as the coordinator knows it; `place`: the server that the coordinator reaches, null while it reaches none. */
type Seen = {
  readonly id: number
  readonly node: string
  readonly host: string
  readonly port: number
  readonly place: ServerPlace | null
  readonly knows: boolean
}

/**
 * What was last seen of a node. `isIn`: it has let the gateway in; `isThere`: the server that is worked with answered there when it was
 * asked last; `reason`: why statements do not go straight to it.
 */
export type Known = Omit<Seen, 'host' | 'port'> & {
  readonly connection: Way['connection']
  readonly standing: Standing
  readonly isIn: boolean
  readonly isThere: boolean
  readonly reason: string | null
}

export function openKnownNodes(
  session: Pick<Session, 'send'>,
  { login, standing: home }: Pick<Database, 'login'> & { readonly standing: Standing },
  log: Log,
): KnownNodes {
  const nodes = openNodes(openTold(log))
  const said = openSaid(log)
  let isSeen = false

  const see = async ({ host, port, ...seen }: Seen): Promise<void> => {
    const before = nodes.of(seen.id)
    const standing = before?.standing ?? openStanding(home.name)
    const connection = atAddress(login, host, port)
    const place = seen.place ?? before?.place ?? null
    const known: Known = { ...UNKNOWN, ...before, ...seen, place, standing, connection }
    nodes.put(known)
    // One that the coordinator does not reach is asked for where it was.
    if (seen.place === null) return
    const reason = await tried(known, seen.place)
    const found = said(nodes.of(seen.id) ?? known, reason)
    nodes.put({ ...found, isThere: agrees(found) })
  }

  const answered = (id: number, isThere: boolean) => {
    const known = nodes.of(id)
    // One that is reached through the coordinator alone is there by the coordinator's word.
    if (known && (isThere || known.reason === null)) nodes.put({ ...known, isThere })
  }

  return {
    at: nodes.at,
    look: async () => {
      try {
        const seen = await nodesSeen(session)
        nodes.keep(seen.map(({ id }) => id))
        await Promise.all(seen.map(see))
        isSeen = true
      } catch (fault) {
        isSeen = false
        log.warn({ err: fault }, 'the coordinator does not say who its nodes are: the ways to them stay as they are')
      }
    },
    isWhole: () => isSeen && nodes.all().every((known) => isSettledNode(known) && !isLost(known)),
    open: () =>
      nodes
        .all()
        .filter(({ isIn }) => isIn)
        .map((last) => ({
          id: last.id,
          node: last.node,
          standing: last.standing,
          // One that the cluster has no more is where it was, and never what is somewhere else.
          connection: () => (nodes.of(last.id) ?? last).connection,
          answered: (isThere) => answered(last.id, isThere),
        })),
  }
}

const UNKNOWN = { isIn: false, isThere: false, reason: null }

/**
 * The nodes by their numbers, and by where they are: each statement asks. `onChange`: called with a node as it was and as it is.
 */
function openNodes(onChange: (before: Known | undefined, after: Known) => void) {
  const byId = new Map<number, Known>()
  const byNode = new Map<string, Known>()
  const drop = (id: number) => {
    const known = byId.get(id)
    byId.delete(id)
    if (known && byNode.get(known.node)?.id === id) byNode.delete(known.node)
  }
  return {
    of: (id: number) => byId.get(id),
    at: (node: string) => byNode.get(node),
    all: () => [...byId.values()],
    put: (known: Known) => {
      onChange(byId.get(known.id), known)
      drop(known.id)
      byId.set(known.id, known)
      byNode.set(known.node, known)
    },
    /** Only these are left. */
    keep: (ids: readonly number[]) => {
      for (const id of byId.keys()) if (!ids.includes(id)) drop(id)
    },
  }
}

/**
 * Whether the lanes of a node may be worked on. One that never let the gateway in is worked on through the coordinator, where that
 * reaches it.
 */
export function isSettledNode(known: Known | undefined): boolean {
  if (known === undefined) return true
  return known.isIn ? known.isThere && agrees(known) : known.place !== null && known.reason !== null
}

/** The server that is worked with at a node is the one that the coordinator reaches, and no other was met in its place. */
export function agrees({ standing, place }: Known): boolean {
  const worked = standing.worked()
  return worked !== null && place !== null && isSamePlace(worked, place) && standing.met() === null
}

const isLost = ({ isIn, reason }: Known) => isIn && reason !== null
export const isDirect = ({ isIn, knows, reason }: Known) => isIn && knows && reason === null

/** Why statements do not go straight to a node at which the coordinator reaches this server; null where they do. */
async function tried({ standing, connection, isIn, reason }: Known, place: ServerPlace): Promise<string | null> {
  if (isIn) {
    try {
      // Another one in the place of that which is worked with, by the coordinator's word: it is looked at.
      standing.seat().admit(place)
    } catch {
      return reason
    }
  }
  try {
    await knock(connection, place, standing.seat())
  } catch (fault) {
    return standing.met() === null ? reasonOf(fault) : reason
  }
  const worked = standing.worked()
  // Met before, and gone again.
  if (worked !== null && standing.met() !== null && isSamePlace(worked, place)) standing.workWith(worked)
  return null
}

/** By the word of the coordinator, or met. */
function isAnother({ standing, place }: Known): boolean {
  const worked = standing.worked()
  return standing.met() !== null || (worked !== null && place !== null && !isSamePlace(worked, place))
}

/** Says when the lanes of a node are not worked on, and when they are again. */
function openTold(log: Log) {
  const unsettled = new Set<number>()
  return (before: Known | undefined, after: Known): void => {
    const { id, node } = after
    if (isSettledNode(after)) {
      if (unsettled.delete(id)) log.info({ node }, 'the lanes of this node are worked on again')
      return
    }
    // One that lets the gateway in for the first time is compared with what was noted of it within a moment.
    const wasWorkedOn = before ? isSettledNode(before) : after.place === null
    if (!wasWorkedOn || unsettled.has(id)) return
    unsettled.add(id)
    const reason = isAnother(after) ? 'another server is in its place' : 'it does not answer'
    log.warn({ node, reason }, 'the lanes of this node are not worked on until it is known what is there')
  }
}

/** What is said of the nodes: each thing once. */
function openSaid(log: Log) {
  return (before: Known, reason: string | null): Known => {
    const { node, place } = before
    const last = before.reason
    if (reason === null) {
      if (last !== null) log.info({ node }, 'this node lets the gateway in again')
      return { ...before, isIn: true, reason }
    }
    if (last !== reason) {
      const what = 'this node does not let the gateway in: what is asked of its lanes goes through the coordinator'
      log.warn({ node, reason, place }, what)
    }
    return { ...before, reason }
  }
}

async function nodesSeen(session: Pick<Session, 'send'>): Promise<Seen[]> {
  const [found] = await session.send([{ name: 'cluster_nodes', text: CLUSTER_NODES, values: [true] }])
  return (found?.rows ?? []).map((row) => ({
    id: row['id'] as number,
    node: row['node'] as string,
    host: row['host'] as string,
    port: row['port'] as number,
    place: placeFrom(row['place'] as string | null),
    knows: row['knows'] as boolean,
  }))
}

function placeFrom(text: string | null): ServerPlace | null {
  if (text === null) return null
  const [systemId = '', timeline] = text.split(' ')
  return { systemId, timeline: Number(timeline) }
}

const KNOCK_WITHIN_MS = 2000

/** Throws where the address does not let the gateway in, or leads to another server than the coordinator's node. */
async function knock(connection: Way['connection'], place: ServerPlace, own: Seat): Promise<void> {
  const admit = (found: ServerPlace) => {
    own.admit(found)
    if (!isSamePlace(found, place)) throw new OtherServer(found, place)
  }
  const seat = { admit, holds: () => true }
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
