// One pipelined PostgreSQL connection that heals itself, and the text forms of arrays. Knows no table.
import pg from 'pg'
import { type Engine, SET_WHERE_DISTRIBUTED } from './citus/distribution.ts'
import type { Merge } from './servers/merge-rule.ts'
import { connectWritable, type Servers, standbyFound } from './postgres/hosts.ts'
import { replanning } from './replanning.ts'
import { type Seat, type ServerPlace, SYSTEM_ID, TIMELINE } from './postgres/standing.ts'

/** A named, prepared statement with its values. Arrays are handed over as PostgreSQL array literals (see below). */
export type Statement = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  /** Prepared though it has no values: it is asked so often that planning it costs more than asking it. */
  readonly isPrepared?: true
  /** The same asked of the tables of a shard that has these lanes: nothing in it names lanes (citus/shard-tables.ts). */
  readonly ofShard?: Pick<Statement, 'name' | 'text' | 'values'> & { readonly lanes: readonly number[] }
  /** How the answers of several servers become one, where the lanes are spread over them (servers/spread-session.ts). */
  readonly merge?: Merge
  /** Where what is not found is taken to be nowhere: whether a row is of something that is there (servers/absence.ts). */
  readonly finds?: (row: Row) => boolean
}

export type Row = Record<string, unknown>
export type Result = { readonly rows: Row[]; readonly rowCount: number; readonly command: string }

/**
 * The connection is gone or cannot be made. `inDoubt`: a COMMIT had been sent and its fate is not known. `isHung`: nothing
 * came back in time, so the next caller would wait as long.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly inDoubt: boolean
  readonly isHung: boolean
  constructor(message: string, inDoubt: 'in doubt' | 'nothing done', cause?: unknown) {
    super(message, { cause })
    this.inDoubt = inDoubt === 'in doubt'
    this.isHung = cause instanceof NoAnswer
  }

  /** The same for callers that had not sent anything yet. */
  nothingDone(): DatabaseUnavailable {
    return new DatabaseUnavailable(this.message, 'nothing done', this.cause)
  }
}

/** The database did not answer within the limit. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** A pipelined connection: statements sent together cost one round trip. It reconnects at the next use. */
export type Session = {
  /** Sends all at once; resolves with all results, or rejects with the first failure after all have settled. */
  readonly send: (statements: readonly Statement[]) => Promise<Result[]>
  /**
   * One transaction in two round trips: `load` is sent with BEGIN; `decide` sees its results and returns what to store,
   * which is sent with COMMIT. Nothing to store rolls back. Where what was loaded says what else is needed, `decide`
   * returns another load instead, which costs a round trip more.
   */
  readonly transaction: <T>(load: readonly Statement[], decide: Decide<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** What a decided batch writes, and what it comes to once that is committed. */
export type Stored<T> = { readonly statements: readonly Statement[]; readonly value: T }

/** What has to be loaded before anything can be decided. */
export type LoadMore<T> = { readonly load: readonly Statement[]; readonly decide: Decide<T> }
export type Decide<T> = (loaded: Result[]) => Stored<T> | LoadMore<T>

/** Where a connection goes. */
export type Way = {
  readonly connection: Servers
  /** Which server may be used; without it, whichever answers. */
  readonly seat?: Seat
}

/** One way for good, or asked for each connection that is made. */
export type ConnectionSettings = (Way | { readonly wayNow: () => Way }) & {
  /** Run-time parameters of the session, set at connect. */
  readonly parameters: Readonly<Record<string, string>>
  /** Those that are otherwise where tables are distributed over nodes. */
  readonly whereDistributed?: Readonly<Record<string, string>>
  /** How long one round trip may take before the connection is given up; without it, as long as it takes. */
  readonly answerWithinMs?: number
}

const CONNECT_WITHIN_MS = 5000
const CLOSE_WITHIN_MS = 1000

const ignored = () => undefined

/** The transaction that is open on a connection; null while there is none. */
type Turn = { taken: Promise<unknown> | null }

/**
 * A connection that many share may have a transaction of one of them open. What the others send waits until it is over: it would be
 * a part of that, and undone with it. Nothing may come between the look and the turn, not even a promise that is resolved.
 */
async function inTurn<T>(turn: Turn, run: () => Promise<T>): Promise<T> {
  while (turn.taken) await turn.taken
  const own = run()
  turn.taken = own.then(ignored, ignored)
  return own.finally(() => {
    turn.taken = null
  })
}

// int8 arrives as text and is turned into bigint or number where its meaning is known; times are selected as numbers.
export function openSession(settings: ConnectionSettings): Session {
  const { answerWithinMs } = settings
  let current: Promise<Connected> | null = null

  const connected = (): Promise<Connected> => {
    if (current) return current
    // A lost connection reports that more than once, and by then the next one may be in its place.
    const forget = () => {
      if (current === own) current = null
    }
    const own = connect(settings, forget).catch((cause: unknown) => {
      forget()
      throw new DatabaseUnavailable('the database does not answer', 'nothing done', timedOut(cause))
    })
    current = own
    return own
  }

  const isToReplan = replanning()
  const ready = async (): Promise<Connected> => {
    const awaited = connected()
    let found = await awaited
    if (!isHeld(found)) {
      // Another server took over, and all that is left here is to lose what is written. Of many that find it so, the first makes the next one.
      if (current === awaited) current = null
      found.client.end().catch(() => undefined)
      found = await connected()
      if (!isHeld(found)) throw new DatabaseUnavailable('another server took over and is looked at', 'nothing done')
    }
    if (isToReplan()) {
      // Goes ahead of what follows on the same connection; if it fails, so does that.
      found.client.query('discard plans').catch(() => undefined)
    }
    return found
  }

  const turn: Turn = { taken: null }
  return {
    send: async (statements) => {
      while (turn.taken) await turn.taken
      const { client, engine } = await ready()
      return settle(await sendAll(client, statements, answerWithinMs), 'nothing done', engine)
    },
    transaction: (load, decide) => inTurn(turn, async () => runTransaction(await ready(), load, decide, settings)),
    close: async () => {
      const client = (await current?.catch(() => null))?.client
      current = null
      if (!client) return
      const late = setTimeout(() => client.connection.stream.destroy(), CLOSE_WITHIN_MS)
      await client.end().finally(() => clearTimeout(late))
    },
  }
}

/** `begin` opens a transaction on it. */
type Connected = {
  readonly client: pg.Client
  readonly seat: Seat | undefined
  readonly place: ServerPlace | null
  readonly engine: Engine
  readonly begin: readonly Statement[]
}

/** Whether the connection may be used now. */
const isHeld = ({ seat, place }: Connected) => place === null || (seat?.holds(place) ?? false)

async function connect(settings: ConnectionSettings, onGone: () => void): Promise<Connected> {
  const { connection, seat } = 'wayNow' in settings ? settings.wayNow() : settings
  let ready: Omit<Connected, 'client' | 'seat'> = { place: null, engine: 'postgresql', begin: [BEGIN] }
  const client = await connectWritable(connection, async (server) => {
    const one = new pg.Client({
      ...server,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    })
    // Until it is taken, what happens to it is told by what is asked of it.
    one.on('error', () => undefined)
    await one.connect()
    ready = await madeReady(one, settings, seat)
    one.on('error', onGone)
    one.on('end', onGone)
    return one
  })
  return { client, seat, ...ready }
}

// A standby is in no history of its own, and is not asked for one.
const PLACE = `select pg_is_in_recovery() as standby, ${SYSTEM_ID} as system_id,
  case when pg_is_in_recovery() then 0
       else ${TIMELINE} end as timeline`

/** Gives the session its parameters, and refuses a server that must not be written. Ends the connection where it throws. */
async function madeReady(
  client: pg.Client,
  { parameters, whereDistributed = {} }: Pick<ConnectionSettings, 'parameters' | 'whereDistributed'>,
  seat: Seat | undefined,
): Promise<Omit<Connected, 'client' | 'seat'>> {
  const late = setTimeout(() => giveUp(client), CONNECT_WITHIN_MS)
  try {
    const asked = seat ? client.query(PLACE) : null
    const set = Object.entries(parameters).map((each) => client.query('select set_config($1, $2, false)', each))
    const there = Object.entries(whereDistributed).map((each) => client.query(SET_WHERE_DISTRIBUTED, each))
    const [answer] = await Promise.all([asked, ...set, ...there])
    const isDistributed = (await Promise.all(there)).some(({ rows }) => rows.length > 0)
    const engine = isDistributed ? ('citus' as const) : ('postgresql' as const)
    const begin = isDistributed ? [BEGIN, ...reaching(parameters)] : [BEGIN]
    const found = answer?.rows[0]
    if (!seat || !found) return { place: null, engine, begin }
    if (found.standby) throw standbyFound(client.host, client.port)
    const place = { systemId: found.system_id as string, timeline: found.timeline as number }
    seat.admit(place)
    return { place, engine, begin }
  } catch (fault) {
    client.end().catch(() => undefined)
    throw fault
  } finally {
    clearTimeout(late)
  }
}

/** Drops a connection that does not answer: all that waits for it fails now, and the next use makes a new one. */
function giveUp(client: pg.Client): void {
  client.connection.stream.destroy(new NoAnswer('the database said nothing in time'))
}

/** A connection that could not be made in time has the same meaning. */
function timedOut(cause: unknown): unknown {
  const isLate = cause instanceof Error && /timeout expired|connection timeout/i.test(cause.message)
  return isLate ? new NoAnswer(cause.message, { cause }) : cause
}

const BEGIN: Statement = { name: 'begin', text: 'begin', values: [] }
// What a session waits for a lock holds for the server that it talks to. Said in a transaction, it reaches the nodes that do its work.
function reaching({ lock_timeout: wait }: ConnectionSettings['parameters']): Statement[] {
  return wait === undefined ? [] : [{ name: 'wait_for_locks', text: `set local lock_timeout = '${wait}'`, values: [] }]
}
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] }
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] }
// Which transaction it is, and a place in the log after its first write and before its commit. Nothing where it wrote nothing.
const WHERE: Statement = {
  name: 'where_it_stands',
  text: `select pg_current_xact_id_if_assigned()::text as transaction_id,
                (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position where $1`,
  values: [true],
}

async function runTransaction<T>(
  { client, seat, begin, engine }: Connected,
  load: readonly Statement[],
  decide: Decide<T>,
  { answerWithinMs }: Pick<ConnectionSettings, 'answerWithinMs'>,
): Promise<T> {
  let stored: Stored<T>
  try {
    const begun = settle(await sendAll(client, [...begin, ...load], answerWithinMs), 'nothing done', engine)
    const loaded = begun.slice(begin.length)
    let decided = decide(loaded)
    while ('load' in decided)
      decided = decided.decide(settle(await sendAll(client, decided.load, answerWithinMs), 'nothing done', engine))
    stored = decided
  } catch (fault) {
    await sendAll(client, [ROLLBACK], answerWithinMs)
    throw fault
  }
  if (stored.statements.length === 0) {
    await sendAll(client, [ROLLBACK], answerWithinMs)
    return stored.value
  }
  const last = seat?.acknowledged ? [WHERE, COMMIT] : [COMMIT]
  const settled = await sendAll(client, [...stored.statements, ...last], answerWithinMs)
  const results = settle(settled, 'in doubt', engine)
  // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK instead of an error.
  if (results.pop()?.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
  if (!seat?.acknowledged) return stored.value
  const where = results.pop()?.rows[0]
  if (where?.['transaction_id'])
    seat.acknowledged({
      transactionId: where['transaction_id'] as string,
      position: BigInt(where['position'] as string),
    })
  return stored.value
}

type Settled = PromiseSettledResult<Result>[]

async function sendAll(
  client: pg.Client,
  statements: readonly Statement[],
  answerWithinMs: number | undefined,
): Promise<Settled> {
  // Held back until all are written, so that they leave in one packet and the server wakes once.
  const { stream } = client.connection
  stream.cork()
  const sent = statements.map(({ name, text, values, isPrepared }) =>
    values.length === 0 && !isPrepared ? client.query(text) : client.query({ name, text, values: values as unknown[] }),
  )
  stream.uncork()
  const late = answerWithinMs === undefined ? undefined : setTimeout(() => giveUp(client), answerWithinMs)
  const settled = (await Promise.allSettled(sent)) as Settled
  clearTimeout(late)
  return settled
}

function settle(settled: Settled, inDoubt: 'in doubt' | 'nothing done', engine: Engine): Result[] {
  const results: Result[] = []
  for (const each of settled) {
    if (each.status === 'fulfilled') results.push(each.value)
    else throw faultOf(each.reason, inDoubt, engine)
  }
  return results
}

/**
 * Classes 08, 57P and plain socket errors mean that the connection is gone, not that the statement was wrong. So does XX000 on a cluster:
 * what it says where a node dies under a statement or a COMMIT has no class of its own.
 */
function faultOf(reason: unknown, inDoubt: 'in doubt' | 'nothing done', engine: Engine): unknown {
  const code = sqlStateOf(reason)
  const isNodeLost = engine === 'citus' && code === 'XX000'
  const lost = code === undefined || code.startsWith('08') || code.startsWith('57P') || isNodeLost
  return lost ? new DatabaseUnavailable('the connection to the database was lost', inDoubt, reason) : reason
}

// Insufficient resources, lock not available, query cancelled by a timeout, input and output, a server that only reads.
const EVERYBODYS = /^(53|58)|^(55P03|57014|25006)$/

/** Whether a fault is the server's state and not a statement's: the next caller meets the same. */
export function isEverybodys(fault: unknown): boolean {
  return EVERYBODYS.test(sqlStateOf(fault) ?? '')
}

/** Whether the database, and not the statement, is the reason. */
export const isAway = (fault: unknown): boolean => fault instanceof DatabaseUnavailable || isEverybodys(fault)

/** The SQLSTATE of a fault, the only part of a database error that is ever read (docs/design/write-path.md). */
export function sqlStateOf(fault: unknown): string | undefined {
  const code = (fault as { code?: unknown } | null)?.code
  // EPIPE and its kind have the form of one, but no class of SQLSTATE begins with an E.
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined
}

/** Whether a lock was not had in time: nothing of the statement was done, and it may be tried again. */
export const isLockTimeout = (fault: unknown): boolean => sqlStateOf(fault) === '55P03'

/** A value whose text needs no quotes in an array literal: a number, a uuid, a name of ours. */
export type Plain = string | number | bigint | boolean | null

/** An array literal of values that need no quotes. */
export function plainArray(values: readonly Plain[]): string {
  return plainArrayOf(values, itself)
}

/** An array literal of text. */
export function textArray(values: readonly (string | null)[]): string {
  return textArrayOf(values, itself)
}

const itself = <T>(value: T): T => value

/** The same of what is taken from each row, without an array between. */
export function plainArrayOf<T>(rows: readonly T[], take: (row: T) => Plain): string {
  let text = '{'
  let isFirst = true
  for (const row of rows) {
    if (!isFirst) text += ','
    isFirst = false
    const value = take(row)
    text += value === null ? 'NULL' : value
  }
  return `${text}}`
}

export function textArrayOf<T>(rows: readonly T[], take: (row: T) => string | null): string {
  let text = '{'
  let isFirst = true
  for (const row of rows) {
    if (!isFirst) text += ','
    isFirst = false
    const value = take(row)
    text += value === null ? 'NULL' : `"${escaped(value)}"`
  }
  return `${text}}`
}

// Twice as fast as one pattern for both; backslashes first, for quotes bring new ones.
function escaped(value: string): string {
  const plain = value.includes('\\') ? value.replaceAll('\\', '\\\\') : value
  return plain.includes('"') ? plain.replaceAll('"', '\\"') : plain
}
