// Whether this gateway is ready for work: its database can be written, and the clocks of both agree. Of several servers one is enough: its
// lanes are worked on whatever the others do. Checked on connections of its own, at most once a second, and every half minute without a
// request.
import type { Stopping } from '../http/connections/drain.ts'
import { databaseWords } from '../http/errors.ts'
import { isAway, type Session, type Statement } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { HOME } from '../store/operator/lane-servers.ts'
import { ALIVE_MS } from '../store/operator/processes.ts'
import { clockOffsetMs, clockProbe, writeProbe } from '../store/probes.ts'
import { openProbeSession } from './database/database.ts'
import type { NodeRecoveries } from './database/node-recoveries.ts'
import type { Database } from './database/opened.ts'
import { presentServers } from './database/servers.ts'

export type ReadinessParts = {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  readonly log: Log
  /** Whether the gateway is stopping: then it is not ready, whatever else. Where others go on at its port, it is they who are asked. */
  readonly state: Pick<Stopping, 'stopping' | 'manner'>
  /** In recovery it is ready to be read, and says so; not one that is about to begin anew. */
  readonly recovery: {
    readonly isOn: () => boolean
    readonly hasEnded: () => boolean
    /** The nodes of a cluster that requests go straight to: what is due there is due by their clocks. */
    readonly nodes: Pick<NodeRecoveries, 'sessions'> | null
  }
}

export type Readiness = {
  readonly ask: () => Promise<{ readonly ready: boolean; readonly status: string }>
  /** The servers beside home that could not be worked with for a while, and not since. They are looked at by this, which waits for none. */
  readonly unreached: () => readonly string[]
  readonly close: () => Promise<void>
}

const ANSWER_WITHIN_MS = 500
const REMEMBERED_MS = 1000
const LOOK_EVERY_MS = 30_000
/** Between two clocks: what is worth a line in the log, and what is no longer safe to go on with. */
export const OFFSET_WARNED_MS = 1000
export const OFFSET_FAILED_MS = 30_000

export function openReadiness(database: Database, parts: ReadinessParts): Readiness {
  const { monotonicMs, log, state, recovery } = parts
  const sessions = new Map(presentServers(database).map(([name, server]) => [name, openProbeSession(server)]))
  const reach = openReach(monotonicMs)
  const probe = openProbes(async (name, session) => {
    const seen = await lookAt(name, session, parts)
    reach.note(name, seen.is)
    return seen
  })
  const probeNode = openProbes((name, session) => lookAtNode(name, session, parts))
  let looking: { readonly atMs: number; readonly status: Promise<string> } | null = null

  const look = (): Promise<string> => {
    if (looking && monotonicMs() - looking.atMs < REMEMBERED_MS) return looking.status
    const nodes = recovery.nodes?.sessions() ?? []
    looking = { atMs: monotonicMs(), status: statusOf(Array.from(sessions, probe), nodes.map(probeNode)) }
    return looking.status
  }
  const regularly = setInterval(() => void look(), LOOK_EVERY_MS)
  regularly.unref()

  return {
    ask: async () => {
      if (state.stopping && state.manner === 'for good') return { ready: false, status: 'stopping' }
      if (recovery.hasEnded()) return { ready: false, status: BEGINS_ANEW }
      const status = await look()
      if (status !== 'ok') log.warn({ lasting: `not ready: ${status}` }, 'the gateway is not ready')
      return { ready: status === 'ok', status: status === 'ok' && recovery.isOn() ? IN_RECOVERY : status }
    },
    unreached: () => {
      if (sessions.size > 1) void look()
      return reach.unreached().filter((server) => server !== HOME)
    },
    close: async () => {
      clearInterval(regularly)
      await Promise.all(Array.from(sessions.values(), (each) => each.close()))
    },
  }
}

const IN_RECOVERY = 'In recovery: drafts and reads alone, until two operators resume (GET /operations/recovery).'
const BEGINS_ANEW = 'The database is another one than before, or a recovery was begun: the gateway begins anew.'
const SLOW = 'The database did not answer within half a second.'

/** `away`: it cannot be worked with at this moment; `unsafe`: nothing should be. */
type Looked = { readonly is: 'ok' | 'away' | 'unsafe'; readonly words: string }

/** Called with what was seen of a server. */
type Note = (server: string, seen: Looked['is']) => void

/**
 * One at a time for each server, for one that is silent would have them queue, and get all of them once it is there. Who asks waits half a
 * second for it: a server that is silent keeps nobody from hearing of the others.
 */
function openProbes(lookAtOne: (name: string, session: Session) => Promise<Looked>) {
  const underWay = new Map<string, Promise<Looked>>()
  const begun = (name: string, session: Session) =>
    lookAtOne(name, session).finally(() => {
      underWay.delete(name)
    })
  return ([name, session]: readonly [string, Session]): Promise<Looked> => {
    const looked = underWay.get(name) ?? begun(name, session)
    underWay.set(name, looked)
    const late = new Promise<Looked>((resolve) =>
      setTimeout(resolve, ANSWER_WITHIN_MS, { is: 'away', words: SLOW }).unref(),
    )
    return Promise.race([looked, late])
  }
}

/** A node that is away is away for its lanes alone; one whose time is wrong makes all unsafe, as a server's does. */
async function statusOf(servers: readonly Promise<Looked>[], nodes: readonly Promise<Looked>[]): Promise<string> {
  const [looked, ofNodes] = await Promise.all([Promise.all(servers), Promise.all(nodes)])
  const worst =
    [...looked, ...ofNodes].find(({ is }) => is === 'unsafe') ?? looked.find(({ is }) => is === 'ok') ?? looked[0]
  return worst?.words ?? 'ok'
}

/** Which servers are away: one is so once it was for as long as after which a process counts as gone, and is back as slowly. */
export function openReach(monotonicMs: () => number) {
  const servers = new Map<string, { isAway: boolean; readonly counts: boolean; readonly sinceMs: number }>()
  const note: Note = (server, seen) => {
    const nowMs = monotonicMs()
    const isAway = seen === 'away'
    const before = servers.get(server)
    const sinceMs = before?.isAway === isAway ? before.sinceMs : nowMs
    const counted = before?.counts ?? false
    servers.set(server, { isAway, sinceMs, counts: nowMs - sinceMs >= ALIVE_MS ? isAway : counted })
  }
  return {
    note,
    unreached: () => Array.from(servers).flatMap(([server, { counts }]) => (counts ? [server] : [])),
  }
}

type Judging = Pick<ReadinessParts, 'nowMs' | 'log'>

async function lookAt(server: string, session: Session, { nowMs, log }: Judging): Promise<Looked> {
  const beganMs = nowMs()
  let offsetMs: number
  try {
    // What is written is not kept: a disk without room shows itself all the same.
    offsetMs = await session.transaction([clockProbe(), writeProbe()] satisfies Statement[], ([clock]) => {
      return { statements: [], value: clockOffsetMs(clock, beganMs, nowMs()) }
    })
  } catch (fault) {
    log.warn({ err: fault, server }, 'the database cannot be worked with')
    return { is: 'away', words: isAway(fault) ? databaseWords(fault) : 'The database refused to be written.' }
  }
  return judged(server, offsetMs, log)
}

/** The clock alone: whether the node can be worked with is seen by whoever follows it (node-recoveries.ts). */
async function lookAtNode(node: string, session: Session, { nowMs, log }: Judging): Promise<Looked> {
  const beganMs = nowMs()
  try {
    const [clock] = await session.send([clockProbe()])
    return judged(node, clockOffsetMs(clock, beganMs, nowMs()), log)
  } catch (fault) {
    log.debug({ err: fault, server: node }, 'the clock of this node was not told')
    return { is: 'away', words: 'A node of the cluster did not tell its time.' }
  }
}

function judged(server: string, offsetMs: number, log: Log): Looked {
  if (Math.abs(offsetMs) >= OFFSET_WARNED_MS)
    log.warn({ lasting: 'clocks differ', offset_ms: offsetMs, server }, clockWords(offsetMs))
  return Math.abs(offsetMs) > OFFSET_FAILED_MS
    ? { is: 'unsafe', words: clockWords(offsetMs) }
    : { is: 'ok', words: 'ok' }
}

function clockWords(offsetMs: number): string {
  const far = (Math.abs(offsetMs) / 1000).toFixed(1)
  const where = offsetMs > 0 ? 'behind' : 'ahead of'
  return `The clocks differ: this machine's clock is ${far} s ${where} the database's. Set both by NTP; beyond ${OFFSET_FAILED_MS / 1000} s the gateway is not ready.`
}
