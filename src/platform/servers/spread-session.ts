// One session over several servers: each statement goes to the server of its lane, a transaction to the one server that all of it is on.
import { type Decide, isAway, type LoadMore, type Result, type Session, type Statement, type Stored } from '../db.ts'
import { type CameAt, lanesHere, refuseElsewhere, unfound } from './absence.ts'
import { numbersOf, partOf } from './arrays.ts'
import type { HeldLanes } from './held-lanes.ts'
import { merged } from './merge.ts'
import { type Place, Unplaced } from './places.ts'

/** Which server has a lane, asked at each statement: lanes move. */
export type ServerOf = (lane: number) => string

export type SpreadOptions = {
  /** A session to each server, by its name. */
  readonly sessions: ReadonlyMap<string, Session>
  /** The server that has what is no tenant's. */
  readonly home: string
  readonly serverOf: ServerOf
  /** By which a server that came back from before a lane came to it is known. */
  readonly cameAt: CameAt
  readonly placeOf: (statement: Statement) => Place
  readonly held: HeldLanes
}

/** A transaction would write on two servers, and could be committed on one of them alone: an error of the programmer. Nothing is written. */
export class OnTwoServers extends Error {
  override readonly name = 'OnTwoServers'
}

export function openSpreadSession(options: SpreadOptions): Session {
  const { sessions, home } = options
  const sessionOf = (server: string): Session => {
    const session = sessions.get(server)
    if (!session) throw new Error(`no server is called ${server}`)
    return session
  }
  /** What has to be waited for while a lane is held that one of them is about; null where nothing has. */
  const held = (statements: readonly Statement[]) => options.held.untilFree(lanesOf(statements, options))
  const send = (statements: readonly Statement[]) => {
    const parts = statements.map((each) => partsOf(each, options))
    const [only, ...others] = new Set(parts.flatMap((each) => each.map(({ server }) => server)))
    if (others.length === 0 && parts.every((each) => each.length === 1))
      return sentTo(
        sessionOf(only ?? home),
        parts.map(([part], index) => part?.statement ?? (statements[index] as Statement)),
        options,
      )
    // While a lane moves, the server that it comes to has rows of it already.
    const ownRows = (result: Result, server: string): Result => {
      const rows = result.rows.filter(({ lane }) => typeof lane !== 'number' || options.serverOf(lane) === server)
      return rows.length === result.rows.length ? result : { ...result, rows }
    }
    return sentApart(statements, parts, (server, line) => sentTo(sessionOf(server), line, options), ownRows)
  }
  const transaction = <T>(load: readonly Statement[], decide: Decide<T>, on: string) =>
    sessionOf(on).transaction<T>(
      load,
      confirmed(load, (loaded) => checked(decide(loaded), on, options), options),
    )
  const { track } = options.held
  return {
    send: async (statements) => {
      // Nothing may come between the last look and what is sent, not even a promise that is resolved.
      for (let wait = held(statements); wait !== null; wait = held(statements)) await wait
      return track(send(statements))
    },
    transaction: async <T>(load: readonly Statement[], decide: Decide<T>) => {
      // What nothing is loaded for is decided at once, and that says where it is written.
      const first = load.length === 0 ? decide([]) : null
      const begun = first === null ? load : 'load' in first ? first.load : first.statements
      for (let wait = held(begun); wait !== null; wait = held(begun)) await wait
      const on = serverOfAll(begun, options) ?? home
      return track(transaction(load, first === null ? decide : () => first, on))
    },
    close: async () => void (await Promise.all(Array.from(sessions.values(), (each) => each.close()))),
  }
}

/**
 * The lanes that statements wait for while they are held, of those that name some. What is about whichever lanes there are waits for none,
 * but where it decides by what it does not find.
 */
function lanesOf(statements: readonly Statement[], options: SpreadOptions): number[] {
  if (!options.held.isAny()) return []
  return statements.flatMap((statement) =>
    options.placeOf(statement).kind === 'lanes' && !statement.finds ? [] : lanesIn(statement, options),
  )
}

/** The lanes that a statement names. */
function lanesIn(statement: Statement, { placeOf }: SpreadOptions): number[] {
  const place = placeOf(statement)
  if (place.kind === 'lane') return [laneAt(statement, place.value)]
  if (place.kind === 'lanes') return numbersOf(statement.values[place.value])
  return place.kind === 'rows' ? numbersOf(statement.values[place.values[0] ?? 0]) : []
}

/** What one server answers. Throws DatabaseUnavailable where it found nothing of a lane that it does not have. */
async function sentTo(server: Session, statements: readonly Statement[], options: SpreadOptions): Promise<Result[]> {
  const results = await server.send(statements)
  const lanes = unfoundIn(statements, results, options)
  if (lanes.length > 0) refuseElsewhere(lanes, (await server.send([lanesHere(lanes, options.cameAt)]))[0])
  return results
}

/** Decides by what was loaded, once the server is known to have the lanes of which it found nothing. */
function confirmed<T>(load: readonly Statement[], decide: Decide<T>, options: SpreadOptions): Decide<T> {
  return (loaded) => {
    const lanes = unfoundIn(load, loaded, options)
    if (lanes.length === 0) return decide(loaded)
    const decideByThose: Decide<T> = ([here]) => {
      refuseElsewhere(lanes, here)
      return decide(loaded)
    }
    return { load: [lanesHere(lanes, options.cameAt)], decide: decideByThose }
  }
}

const unfoundIn = (statements: readonly Statement[], results: readonly Result[], options: SpreadOptions) =>
  statements.flatMap((statement, index) =>
    statement.finds ? unfound(statement, results[index] as Result, lanesIn(statement, options)) : [],
  )

/** A statement for one server: all of it, or the rows that are there. */
type Part = { readonly server: string; readonly statement: Statement }

function partsOf(statement: Statement, { sessions, home, serverOf, placeOf, held }: SpreadOptions): Part[] {
  const place = placeOf(statement)
  const whole = (server: string) => [{ server, statement }]
  if (place.kind === 'home' || place.kind === 'anywhere')
    return statement.merge ? everywhere(statement, sessions) : whole(home)
  if (place.kind === 'every lane') return everywhere(statement, sessions)
  if (place.kind === 'lane') return whole(serverOf(laneAt(statement, place.value)))
  const values = place.kind === 'lanes' ? [place.value] : place.values
  // Looks and claims are about whichever lanes there are: without one that is held, and nobody waits.
  const isLeftOut = (lane: number) => place.kind === 'lanes' && held.has(lane)
  const servers = numbersOf(statement.values[values[0] ?? 0]).map((lane) => (isLeftOut(lane) ? null : serverOf(lane)))
  const names = [...new Set(servers)].filter((server) => server !== null)
  if (names.length <= 1 && !servers.includes(null)) return whole(names[0] ?? home)
  if (names.length === 0) names.push(home)
  return names.map((server) => ({
    server,
    statement: partFor(
      statement,
      values,
      servers.map((each) => each === server),
    ),
  }))
}

function everywhere(statement: Statement, sessions: SpreadOptions['sessions']): Part[] {
  if (!statement.merge)
    throw new Unplaced(`The statement ${statement.name} is for every server, and does not say how answers become one.`)
  return Array.from(sessions.keys(), (server) => ({ server, statement }))
}

function partFor(statement: Statement, places: readonly number[], wanted: readonly boolean[]): Statement {
  const values = statement.values.map((value, place) => {
    if (!places.includes(place)) return value
    if (typeof value === 'string' && value.startsWith('{')) return partOf(value, wanted)
    const elements = Array.isArray(value) ? value : (JSON.parse(String(value)) as unknown[])
    const kept = elements.filter((_, index) => wanted[index])
    return Array.isArray(value) ? kept : JSON.stringify(kept)
  })
  return { ...statement, values }
}

async function sentApart(
  statements: readonly Statement[],
  parts: readonly Part[][],
  sendTo: (server: string, statements: readonly Statement[]) => Promise<Result[]>,
  ownRows: (result: Result, server: string) => Result,
): Promise<Result[]> {
  const byServer = new Map<string, { readonly index: number; readonly statement: Statement }[]>()
  for (const [index, each] of parts.entries())
    for (const { server, statement } of each) {
      const line = byServer.get(server) ?? []
      byServer.set(server, line)
      line.push({ index, statement })
    }
  const answers: Result[][] = statements.map(() => [])
  const settled = await Promise.allSettled(
    Array.from(byServer, async ([server, line]) => {
      const isPartial = line.every(({ statement }) => statement.merge?.isPartial === true)
      const sent = sendTo(
        server,
        line.map(({ statement }) => statement),
      )
      const results = await sent.catch((fault: unknown) => {
        if (isPartial && isAway(fault)) return line.map(() => NOTHING)
        throw fault
      })
      for (const [at, { index }] of line.entries()) answers[index]?.push(ownRows(results[at] as Result, server))
    }),
  )
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  return statements.map(({ merge = {}, values }, index) => {
    const own = answers[index] ?? []
    return own.length === 1 ? (own[0] as Result) : merged(own, merge, values)
  })
}

const NOTHING: Result = { rows: [], rowCount: 0, command: 'SELECT' }

/** The one server that the statements are on; null where none of them says one. Throws {@link OnTwoServers}. */
function serverOfAll(statements: readonly Statement[], options: SpreadOptions): string | null {
  let found: string | null = null
  for (const statement of statements) {
    const server = serverOfOne(statement, options)
    if (server === null) continue
    if (found !== null && found !== server)
      throw new OnTwoServers(`A transaction with ${statement.name} would be on ${found} and on ${server}.`)
    found = server
  }
  return found
}

function serverOfOne(statement: Statement, { home, serverOf, placeOf }: SpreadOptions): string | null {
  const place = placeOf(statement)
  if (place.kind === 'anywhere') return null
  if (place.kind === 'home') return home
  if (place.kind === 'every lane')
    throw new OnTwoServers(`${statement.name} is about every lane, and no part of a transaction.`)
  if (place.kind === 'lane') return serverOf(laneAt(statement, place.value))
  const lanes = numbersOf(statement.values[(place.kind === 'lanes' ? place.value : place.values[0]) ?? 0])
  const [server, ...others] = new Set(lanes.map(serverOf))
  if (others.length > 0) throw new OnTwoServers(`${statement.name} has rows on ${server} and on ${others.join(', ')}.`)
  return server ?? null
}

function laneAt({ name, values }: Statement, place: number): number {
  const lane = Number(values[place])
  if (!Number.isInteger(lane)) throw new Unplaced(`The statement ${name} is given no lane.`)
  return lane
}

/** What was decided, once all of it is known to be on this server. */
function checked<T>(decided: Stored<T> | LoadMore<T>, on: string, options: SpreadOptions): Stored<T> | LoadMore<T> {
  const statements = 'load' in decided ? decided.load : decided.statements
  const server = serverOfAll(statements, options)
  if (server !== null && server !== on)
    throw new OnTwoServers(
      `A transaction on ${on} would write on ${server}: ${statements.map(({ name }) => name).join(', ')}.`,
    )
  if (!('load' in decided)) return decided
  const decide: Decide<T> = (loaded) => checked(decided.decide(loaded), on, options)
  return { load: decided.load, decide: confirmed(decided.load, decide, options) }
}
