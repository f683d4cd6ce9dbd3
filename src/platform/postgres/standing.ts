// Which server of a database a process works with, by PostgreSQL's own count of histories (timelines), and what that server
// has acknowledged last. Sessions ask here before they use a connection: nothing is written on a server that took over before
// it is known whether it has all of it. Knows no table.
import { randomBytes } from 'node:crypto'

/** In SQL: the number that PostgreSQL gave a server when it was made, which its standbys share. */
export const SYSTEM_ID = `(select system_identifier::text from pg_control_system())`
/** In SQL, on a server that can be written: its history as a number. Of what is on its disk, for the rest was never there. */
export const TIMELINE = `('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int`

/** A server as it names itself: its cluster's number, and in which of its histories it is. */
export type ServerPlace = { readonly systemId: string; readonly timeline: number }

/** A transaction whose COMMIT was answered, and a place in the server's log before which it had written something. */
export type Acknowledged = { readonly transactionId: string; readonly position: bigint }

/** A connection leads to another server than the one that is worked with. Nothing was sent there. */
export class OtherServer extends Error {
  override readonly name = 'OtherServer'
  readonly found: ServerPlace
  constructor(found: ServerPlace, worked: ServerPlace) {
    const isBefore = found.systemId === worked.systemId && found.timeline < worked.timeline
    const what = isBefore
      ? 'it was replaced, and whatever is written there is lost'
      : 'it took over, and is looked at before anything is written there'
    super(`The database is in its history ${found.timeline}, and this gateway works in ${worked.timeline}: ${what}.`)
    this.found = found
  }
}

/** One session's word. */
export type Seat = {
  /** Throws {@link OtherServer} where a connection to this server must not be used. */
  readonly admit: (found: ServerPlace) => void
  /** Whether a connection that was admitted as this place may be used now. */
  readonly holds: (place: ServerPlace) => boolean
  /** Is told of each commit, where the session is to ask for its place in the log. */
  readonly acknowledged?: (commit: Acknowledged) => void
}

export type Standing = {
  /** The process, as the server is told it: others see who is connected. */
  readonly name: string
  readonly seat: () => Seat
  /** For whoever looks at the server that took over: admits every server but the one that is worked with. */
  readonly looking: () => Seat
  /** The server that took over and was met, while nobody knows what it has; nothing is written meanwhile. */
  readonly met: () => ServerPlace | null
  /** The server that is worked with; null before the first. */
  readonly worked: () => ServerPlace | null
  /** From now on this server is worked with. */
  readonly workWith: (place: ServerPlace) => void
  /** The newest acknowledged transaction of each session, but for those that were forgotten. */
  readonly acknowledged: () => readonly Acknowledged[]
  /** How many have been acknowledged so far, in all sessions. */
  readonly acknowledgements: () => number
  /** Forgets the first so many of them: whether the server that takes over has them is known without asking about each. */
  readonly forget: (first: number) => void
}

/** `name`: of the process, where it has one by another server of the same database. */
export function openStanding(name = `gateway ${randomBytes(4).toString('hex')}`): Standing {
  let worked: ServerPlace | null = null
  let met: ServerPlace | null = null
  const seats = new Map<symbol, { readonly commit: Acknowledged; readonly number: number }>()
  let acknowledgements = 0
  return {
    name,
    seat: () => {
      const own = Symbol('session')
      return {
        admit: (found) => {
          if (worked === null || isSamePlace(worked, found)) return
          // One that was replaced has nothing to say.
          if (found.systemId !== worked.systemId || found.timeline > worked.timeline) met = found
          throw new OtherServer(found, worked)
        },
        holds: (place) => met === null && (worked === null || isSamePlace(worked, place)),
        acknowledged: (commit) => {
          acknowledgements += 1
          seats.set(own, { commit, number: acknowledgements })
        },
      }
    },
    looking: () => ({
      admit: (found) => {
        if (worked === null || !isSamePlace(worked, found)) return
        // The address leads to the first one again.
        met = null
        throw new OtherServer(found, worked)
      },
      holds: () => true,
    }),
    met: () => met,
    worked: () => worked,
    workWith: ({ systemId, timeline }) => {
      worked = { systemId, timeline }
      met = null
    },
    acknowledged: () => Array.from(seats.values(), ({ commit }) => commit),
    acknowledgements: () => acknowledgements,
    forget: (first) => {
      for (const [own, { number }] of seats) if (number <= first) seats.delete(own)
    },
  }
}

export const isSamePlace = (one: ServerPlace, other: ServerPlace) =>
  one.systemId === other.systemId && one.timeline === other.timeline
