// The copy of a lane from one PostgreSQL to another while the lane is worked on, by the servers' own logical replication: its
// beginning, how far it is, and its end. Decides nothing about where a lane is. Knows no table but the one that lists the lanes.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from './errors.ts'
import { resolved } from './hosts.ts'
import { firstWithRows, type LaneCopies } from './lane-rows.ts'
import {
  copyName,
  inTransaction,
  LaneCopyRefused,
  refuseCopied,
  refuseWithoutLogical,
  refuseWithoutRights,
  tablesToCopy,
} from './lane-tables.ts'
import { SYSTEM_ID } from './standing.ts'

/** A copy that is under way. */
export type LaneCopy = Omit<LaneCopies, 'anchor'>

/** A copy that has stopped, or came too late; the message says what is known of the cause. The lane is where it was. */
export class LaneCopyFailed extends Error {
  override readonly name = 'LaneCopyFailed'
}

/** `sourceConnInfo` is how the target's server reaches the source. */
type CopyBeginning = LaneCopies & { readonly sourceConnInfo: string }

/**
 * Begins to copy a lane, and to follow what changes of it meanwhile; returns at once. `sourceConnInfo` is how the target's server
 * reaches the source ({@link connInfoOf}). All of it or nothing: what cannot be begun is undone. Throws {@link LaneCopyRefused}
 * where the servers or the logins cannot, their tables differ, an earlier copy of the lane was not ended, the target has rows of
 * the lane, or the target does not reach the source; the server's fault for anything else. Migrations must not run until the end.
 * From now on the target has no row of the lane in the anchor: what comes there is a copy, which may be removed.
 * The target keeps the password until {@link endCopy}, and for good in its own log of changes (archive, backups): a login that is made
 * for one move is the safe one. A target's login that is no superuser cannot keep it out of a log of statements.
 */
export async function beginCopy(copy: CopyBeginning): Promise<void> {
  const { source, target, lane } = copy
  // First, for what an earlier copy has left may also be what is scarce.
  await refuseCopied(source, lane, 'the source')
  await refuseCopied(target, lane, 'the target')
  await refuseWithoutLogical(copy)
  await refuseWithoutRights(copy)
  const tables = await tablesToCopy(copy)
  const taken = await firstWithRows(target, tables, lane)
  if (taken !== null)
    throw new LaneCopyRefused(
      `The target has rows of lane ${lane} already, in ${taken}. Where an interrupted move has left them, remove the lane there first.`,
    )
  const name = copyName(lane)
  // No truncation: it knows no lane, and would empty the table for all lanes of the target.
  await source.query(
    `create publication ${name} for table ${tables.map((table) => `${table.name} where (lane = ${lane})`).join(', ')}
       with (publish = 'insert, update, delete')`,
  )
  try {
    await makeSlot(source, name)
    await subscribe(copy, name, tables.length)
  } catch (fault) {
    // Why it could not be begun says more than why it could not be undone; what is left is found by the next copy.
    await endCopy(copy).catch(() => undefined)
    throw fault
  }
}

const SLOT_WITHIN_MS = 60_000
const CANCELLED = '57014'

/** Not by the subscription: that would wait for open transactions without an end, and for its own where both are one server. */
async function makeSlot(source: pg.ClientBase, name: string): Promise<void> {
  const settings = { statement_timeout: String(SLOT_WITHIN_MS) }
  try {
    await inTransaction(source, { settings }, () =>
      source.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name]),
    )
  } catch (cause) {
    if (codeOf(cause) !== CANCELLED) throw cause
    throw new LaneCopyRefused(
      `A transaction on the source has been open for more than ${SLOT_WITHIN_MS / 1000} seconds, and a copy begins after all that are open. End it (pg_stat_activity, xact_start), and begin again.`,
      { cause },
    )
  }
}

// The statement holds a password, in clear: no log and no statistics are to keep it. Where the login may not say so, it is for the
// server's own settings.
const UNHEARD = `
  select set_config(s.name, s.value, true)
    from (values ('log_statement', 'none'), ('log_min_duration_statement', '-1'), ('log_min_duration_sample', '-1'),
                 ('log_min_error_statement', 'panic'), ('pg_stat_statements.track_utility', 'off'), ('pgaudit.log', 'none'))
         s (name, value)
   where has_parameter_privilege(s.name, 'set')`

const CONNECTION_FAILURE = '08'

async function subscribe(
  { target, lane, anchor, sourceConnInfo: connInfo }: CopyBeginning,
  name: string,
  tables: number,
): Promise<void> {
  try {
    await inTransaction(target, {}, async () => {
      await target.query(`delete from ${anchor} where lane = $1`, [lane])
      await target.query(UNHEARD)
      // The first error ends it: it would be tried again for ever, while the source keeps its log for it.
      await target.query(
        `create subscription ${name} connection ${pg.escapeLiteral(connInfo)} publication ${name}
           with (create_slot = false, slot_name = ${name}, disable_on_error = true, streaming = off)`,
      )
      const { rows } = await target.query<{ copied: number }>(
        `select count(*)::int as copied from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid
          where s.subname = $1 and ${OF_THIS_DATABASE}`,
        [name],
      )
      if (rows[0]?.copied !== tables)
        throw new LaneCopyRefused('The address that the target was given for the source leads to another database.')
    })
  } catch (cause) {
    if (!codeOf(cause)?.startsWith(CONNECTION_FAILURE)) throw cause
    throw new LaneCopyRefused(
      `The target does not reach the source (${(cause as Error).message}). Let it in from there: address, firewall, pg_hba.conf.`,
      { cause },
    )
  }
}

const OF_THIS_DATABASE = 's.subdbid = (select oid from pg_database where datname = current_database())'

/** How far a copy is: `ready` of `tables` are copied, and so much of the source's log is not yet confirmed by the target. */
export type CopyProgress = { readonly tables: number; readonly ready: number; readonly behindBytes: number }

/** How far the copy is. Throws {@link LaneCopyFailed} where there is none, or it has stopped. */
export async function copyProgress(copy: LaneCopy): Promise<CopyProgress> {
  const { tables, unready, behindBytes } = await lookAt(copy, '0/0')
  return { tables, ready: tables - unready.length, behindBytes }
}

type Look = {
  readonly tables: number
  /** Those that are not copied yet. */
  readonly unready: readonly string[]
  readonly isConnected: boolean
  /** Whether the target has everything up to the asked position on its disk. */
  readonly isThere: boolean
  readonly behindBytes: number
}

const ON_TARGET = `
  select s.subenabled as is_enabled, r.tables, r.unready, r.copying, to_jsonb(e) as counts
    from pg_subscription s
    left join pg_stat_subscription_stats e on e.subid = s.oid
   cross join lateral (
         select count(*)::int as tables,
                coalesce(array_agg(t.srrelid::regclass::text order by 1) filter (where t.srsubstate <> 'r'), '{}') as unready,
                coalesce(array_agg(t.srrelid::regclass::text order by 1) filter (where t.srsubstate in ('d', 'f')), '{}') as copying
           from pg_subscription_rel t where t.srsubid = s.oid) r
   where s.subname = $1 and ${OF_THIS_DATABASE}`

// Confirmed is what the target has applied and flushed; an idle source's empty stretches are confirmed as well.
const ON_SOURCE = `
  select active as is_connected, coalesce(wal_status = 'lost', false) as is_lost, confirmed_flush_lsn >= $2::pg_lsn as is_there,
         greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn))::float8 as behind_bytes
    from pg_replication_slots where slot_name = $1 and database = current_database()`

/** Throws {@link LaneCopyFailed} where the copy does not go on by itself. */
async function lookAt({ source, target, lane }: LaneCopy, position: string): Promise<Look> {
  const name = copyName(lane)
  const to = (await target.query(ON_TARGET, [name])).rows[0]
  if (!to) throw new LaneCopyFailed(`The target has no subscription ${name}: no copy of lane ${lane} is under way.`)
  if (!to.is_enabled) throw new LaneCopyFailed(await whyStopped(target, lane))
  const from = (await source.query(ON_SOURCE, [name, position])).rows[0]
  if (!from) throw new LaneCopyFailed(`The source has no replication slot ${name} (any more): ${AGAIN}`)
  if (from.is_lost)
    throw new LaneCopyFailed(
      `The source has given up its log before the target had it (max_slot_wal_keep_size): raise that, and then: ${AGAIN}`,
    )
  return {
    tables: to.tables as number,
    unready: to.unready as string[],
    isConnected: from.is_connected as boolean,
    isThere: from.is_there as boolean,
    behindBytes: from.behind_bytes as number,
  }
}

const AGAIN = 'end the copy, remove the lane from the target, and begin again.'
const COUNTED_WITHIN_MS = 3000
const POLL_MS = 20

/** What the target counted. The words of an error are in its log alone; the process that failed counts it as it ends. */
async function whyStopped(target: pg.ClientBase, lane: number): Promise<string> {
  const until = performance.now() + COUNTED_WITHIN_MS
  for (;;) {
    const found = (await target.query(ON_TARGET, [copyName(lane)])).rows[0]
    const counts = Object.entries((found?.counts ?? {}) as Record<string, unknown>)
      .filter(([key, count]) => key !== 'subid' && typeof count === 'number' && count > 0)
      .map(([key, count]) => `${key} ${String(count)}`)
    if (counts.length === 0 && performance.now() < until) {
      await sleep(POLL_MS)
      continue
    }
    const copying = (found?.copying ?? []) as string[]
    const tables = copying.length === 0 ? '' : `, while it copied ${copying.join(' and ')}`
    const what = counts.length === 0 ? 'it was switched off' : `an error on the target${tables} (${counts.join(', ')})`
    return `The copy of lane ${lane} has stopped: ${what}. The target's log has the words. Mend what they name, and then: ${AGAIN}`
  }
}

/** `timeoutMs` bounds the wait; `signal` breaks it off. */
export type Patience = { readonly timeoutMs: number; readonly signal?: AbortSignal }

// Longer than it takes a target to come back by itself after a broken connection (wal_retrieve_retry_interval).
const DISCONNECTED_MAX_MS = 30_000

/**
 * Resolves once the target has all that was committed on the source before the call, applied and on its disk. Whoever needs the
 * lane whole stops its writers first. Throws {@link LaneCopyFailed} where the copy has stopped, the target has not been connected
 * for half a minute, or it takes longer than `timeoutMs`; the signal's reason when it is aborted.
 */
export async function caughtUp(copy: LaneCopy, { timeoutMs, signal }: Patience): Promise<void> {
  const { source, target } = copy
  const position = await flushedPosition(source)
  const began = performance.now()
  for (let connected = began; ; ) {
    signal?.throwIfAborted()
    const look = await lookAt(copy, position)
    if (look.isThere && look.tables > 0 && look.unready.length === 0) return
    const now = performance.now()
    if (look.isConnected) connected = now
    if (now - began > timeoutMs || now - connected > DISCONNECTED_MAX_MS) throw tooLate(copy.lane, look, now - began)
    // The target confirms what is on its disk, and says so when it hears of the source: by themselves, after a fifth of a second
    // each, in which the lane's writers may be waiting.
    if (look.unready.length === 0) for (const client of [target, source]) await flushedPosition(client)
    // What breaks it off is thrown above.
    await sleep(POLL_MS, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

function tooLate(lane: number, { tables, unready, isConnected, behindBytes }: Look, afterMs: number): LaneCopyFailed {
  const copied = `${tables - unready.length} of ${tables} tables are copied, and ${behindBytes} bytes of the source's log are left`
  const why = isConnected
    ? 'It is under way: wait longer.'
    : 'The target is not connected to the source: its log says why (address, password, max_logical_replication_workers, max_worker_processes).'
  return new LaneCopyFailed(
    `The target has not caught up with lane ${lane} after ${Math.round(afterMs / 1000)} seconds: ${copied}. ${why}`,
  )
}

/**
 * A position behind all that was committed, which the source sends. A commit that did not wait for the disk may not have got
 * there, and then is not sent; one that waits takes everything before it along.
 */
async function flushedPosition(client: pg.ClientBase): Promise<string> {
  await inTransaction(client, { settings: { synchronous_commit: 'local' } }, () =>
    client.query(`select pg_logical_emit_message(true, 'gateway', 'caught up')`),
  )
  const { rows } = await client.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position')
  return String(rows[0]?.position)
}

/** What is left of a copy; null for a server that is away. */
export type EndedCopy = {
  readonly source: pg.ClientBase | null
  readonly target: pg.ClientBase | null
  readonly lane: number
}

/**
 * Ends a copy, finished or not, and removes what it has made on the servers that are given, with the password that the target
 * had; rows stay. May be called again, and where there is nothing. A slot that stays on a source makes it keep its log without
 * an end: for a server that was away it is called again.
 */
export async function endCopy({ source, target, lane }: EndedCopy): Promise<void> {
  const name = copyName(lane)
  if (target) await dropSubscription(target, name)
  if (!source) return
  await dropSlots(source, [name])
  if (target) await dropSlots(source, await slotsOfTables(source, target))
  await source.query(`drop publication if exists ${name}`)
}

/** Without its slot, which would have to be reached from there. */
async function dropSubscription(target: pg.ClientBase, name: string): Promise<void> {
  const found = await target.query(`select 1 from pg_subscription s where s.subname = $1 and ${OF_THIS_DATABASE}`, [
    name,
  ])
  if (found.rowCount === 0) return
  await target.query(`alter subscription ${name} disable`)
  await target.query(`alter subscription ${name} set (slot_name = none)`)
  await target.query(`drop subscription ${name}`)
}

/** Slots by which the target copied single tables and which it could not drop itself. Their names hold its number, and the subscription's. */
async function slotsOfTables(source: pg.ClientBase, target: pg.ClientBase): Promise<string[]> {
  const { rows } = await target.query<{ system_id: string; subscriptions: string[] }>(
    `select ${SYSTEM_ID} as system_id,
            array(select oid::text from pg_subscription) as subscriptions`,
  )
  const slots = await source.query<{ name: string }>(
    `select slot_name as name from pg_replication_slots
      where database = current_database() and slot_name ~ ('^pg_[0-9]+_sync_[0-9]+_' || $1 || '$')
        and split_part(slot_name, '_', 2) <> all ($2::text[])`,
    [rows[0]?.system_id, rows[0]?.subscriptions],
  )
  return slots.rows.map(({ name }) => name)
}

const DROP_WITHIN_MS = 30_000
const IN_USE = '55006'
const IS_GONE = '42704'

/** A slot is in use for as long as its process on the source has not seen that the target left. */
async function dropSlots(source: pg.ClientBase, names: readonly string[]): Promise<void> {
  const until = performance.now() + DROP_WITHIN_MS
  for (;;) {
    try {
      await source.query(
        `select pg_terminate_backend(active_pid) from pg_replication_slots
          where slot_name = any ($1) and database = current_database() and active_pid is not null`,
        [names],
      )
      await source.query(
        `select pg_drop_replication_slot(slot_name) from pg_replication_slots
          where slot_name = any ($1) and database = current_database()`,
        [names],
      )
      return
    } catch (fault) {
      const isPassing = [IN_USE, IS_GONE].includes(codeOf(fault) ?? '')
      if (!isPassing || performance.now() > until) throw fault
    }
    await sleep(POLL_MS)
  }
}

/**
 * How another server's process reaches this one, as libpq takes it. From there, not from here: an address like localhost, or a
 * socket's directory, is that server's own. A password that a file or a function gives is not known here, and left out.
 */
export function connInfoOf(connection: pg.ClientConfig): string {
  const { host, port, user, password, database, ssl } = resolved(connection)
  const parts = {
    host,
    port: String(port),
    user,
    password: typeof password === 'string' ? password : undefined,
    dbname: database,
    // Certificates are files of the server that connects, of which nothing is known here.
    sslmode: ssl ? 'require' : undefined,
    connect_timeout: '10',
  }
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => `${key}='${String(value).replaceAll(/[\\']/g, '\\$&')}'`)
    .join(' ')
}
