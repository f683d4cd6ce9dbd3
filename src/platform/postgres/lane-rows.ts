// The rows of one lane: whether two servers have the same, whether a server has what they name in tables without a lane, and their
// removal from one server. Knows no table but the one that lists the lanes.
import type pg from 'pg'
import { inTransaction, LaneCopyRefused, laneTables, type LaneTable, refuseCopied } from './lane-tables.ts'

/**
 * A lane on one server. `anchor` is the table whose row of the lane says that the server has it: it is deleted where a copy begins and
 * where the lane is taken, and written where the lane has come to. So what is there without it is a copy, or what one has left.
 */
export type LaneOn = { readonly on: pg.ClientBase; readonly lane: number; readonly anchor: string }

/** The lane's two copies. */
export type LaneCopies = Omit<LaneOn, 'on'> & { readonly source: pg.ClientBase; readonly target: pg.ClientBase }

// The text of a row is the same on both servers, whatever their sessions begin with.
const TEXT = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
  xmloption: 'content',
  search_path: 'pg_catalog',
}
const READING = { begin: 'begin isolation level repeatable read read only', settings: TEXT }

/**
 * The tables whose rows of the lane are not the same on both servers, or whose columns are not, by name; empty where all is
 * alike. Each server is read as of one moment: what is written between the two moments is a difference.
 */
export async function differences({ source, target, lane, anchor }: LaneCopies): Promise<string[]> {
  // Both are waited for, so that neither connection is left in a transaction of which nobody knows.
  const read = await Promise.allSettled([source, target].map((on) => sumsOf({ on, lane, anchor })))
  const sums = read.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  const [one = new Map<string, string>(), other = new Map<string, string>()] = sums
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => one.get(name) !== other.get(name)).toSorted()
}

/** By table, what its columns are and how many rows it has, and two sums over 64-bit hashes of whole rows, which no order changes. */
async function sumsOf({ on, lane, anchor }: LaneOn): Promise<Map<string, string>> {
  return inTransaction(on, READING, async () => {
    const sums = new Map<string, string>()
    for (const { name, columns, types } of await laneTables(on, anchor)) {
      // The text of each row is made once: what has an offset is not planned into what is around it.
      const { rows } = await on.query<{ sums: string }>(
        `select concat_ws(' ', count(*), sum(hashtextextended(x.line, 0)), sum(hashtextextended(x.line, 1))) as sums
           from (select row(${columns.join(', ')})::text collate "C" as line from ${name} where lane = $1 offset 0) x`,
        [lane],
      )
      sums.set(name, [...columns, ...types, rows[0]?.sums].join(' '))
    }
    return sums
  })
}

// Foreign keys to tables that have no lane: these are not copied with it, and a copy is written without looking at foreign keys.
const OUTWARD = `
  select k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
         string_agg(format('c.%I is not null', a.attname), ' and ') as named,
         string_agg(format('p.%I = c.%I', b.attname, a.attname), ' and ') as same
    from pg_constraint k
    join pg_attribute l on l.attrelid = k.conrelid and l.attnum = 1 and l.attname = 'lane'
    join pg_attribute r on r.attrelid = k.confrelid and r.attnum = 1 and r.attname <> 'lane'
   cross join lateral unnest(k.conkey, k.confkey) u (child, parent)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.child
    join pg_attribute b on b.attrelid = k.confrelid and b.attnum = u.parent
   where k.contype = 'f' and k.connamespace = 'public'::regnamespace
   group by k.oid, k.conrelid, k.confrelid
   order by 2, 1`

/**
 * The tables without a lane that lack rows on the server which the lane's rows there name in their foreign keys. The copy of a
 * lane does not see to it: whoever moves lanes brings those rows there, and asks here before the lane is worked on.
 */
export async function missingParents({ on, lane }: Omit<LaneOn, 'anchor'>): Promise<string[]> {
  return inTransaction(on, READING, async () => {
    const missing = new Set<string>()
    for (const { child, parent, named, same } of (await on.query(OUTWARD)).rows) {
      const { rows } = await on.query(
        `select 1 from ${child} c where c.lane = $1 and ${named} and not exists (select from ${parent} p where ${same}) limit 1`,
        [lane],
      )
      if (rows.length > 0) missing.add(parent as string)
    }
    return [...missing]
  })
}

/** Of the tables, the first that has a row of the lane; null where none has. */
export async function firstWithRows(
  client: pg.ClientBase,
  tables: readonly LaneTable[],
  lane: number,
): Promise<string | null> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${name} where lane = $1 limit 1`, [lane])
    if (rows.length > 0) return name
  }
  return null
}

/** Whether a server has the lane, once a transaction that takes it has ended. */
export async function hasLane({ on, lane, anchor }: LaneOn): Promise<boolean> {
  const { rows } = await on.query(`select 1 from ${anchor} where lane = $1 for share`, [lane])
  return rows.length > 0
}

/** Whether a server has rows of the lane, be they its own or a copy's. */
export async function hasRows({ on, lane, anchor }: LaneOn): Promise<boolean> {
  return (await firstWithRows(on, await laneTables(on, anchor), lane)) !== null
}

/**
 * Takes a lane from a server in the transaction that is open on the connection: all of its rows and the anchor's, so that whoever still
 * works with the lane there waits, and finds nothing once this is committed. Until then all of it is where it was. Throws
 * {@link LaneCopyRefused} for an owner who may not set session_replication_role, and the server's fault where a row is held for longer
 * than `lockMs`.
 */
export async function takeLane({ on, lane, anchor }: LaneOn, lockMs: number): Promise<void> {
  await refuseWithoutReplica(on)
  for (const [name, value] of Object.entries({ ...REPLICA, lock_timeout: String(lockMs), statement_timeout: '0' }))
    await on.query('select set_config($1, $2, true)', [name, value])
  for (const { name } of await laneTables(on, anchor)) await on.query(`delete from ${name} where lane = $1`, [lane])
  await on.query(`delete from ${anchor} where lane = $1`, [lane])
}

const BATCH_ROWS = 20_000

// Foreign keys, triggers and rules that keep rows from being deleted are those of the gateway's own writing: a replica's session has
// none of them, as the copy itself had none. The owner of the tables needs one right for it, and no other of a superuser.
const REPLICA = { session_replication_role: 'replica' }
const MAY_BE_REPLICA = `select current_user as role, has_parameter_privilege(current_user, 'session_replication_role', 'set') as may`

/**
 * Removes all rows of a lane from a server, but the anchor's; returns how many. For a server that the lane is not on (any
 * more), or not yet: nobody else may write the lane there. May be called again where it was interrupted. Throws
 * {@link LaneCopyRefused} while a copy from there or to there is not ended: its target would lose the rows as well, or get
 * them again; and for an owner who may not set session_replication_role.
 *
 * In batches, each a transaction of its own, and not in one: one would hold back the vacuum of the lanes that are at work there for
 * as long as it takes, and an interrupted one would begin from the start. That the lane is there in part meanwhile is seen by
 * nobody, for nobody looks for it there.
 */
export async function removeLane({ on, lane, anchor }: LaneOn): Promise<number> {
  await refuseCopied(on, lane, 'the server')
  await refuseWithoutReplica(on)
  const tables = await laneTables(on, anchor)
  let removed = 0
  for (const { name } of tables) removed += await removeFrom(on, name, lane)
  const left = await firstWithRows(on, tables, lane)
  if (left !== null)
    throw new LaneCopyRefused(
      `${left} has rows of lane ${lane} again, or keeps them: somebody else writes the lane there.`,
    )
  return removed
}

async function refuseWithoutReplica(on: pg.ClientBase): Promise<void> {
  const { rows } = await on.query(MAY_BE_REPLICA)
  if (rows[0]?.may === true) return
  throw new LaneCopyRefused(
    `Foreign keys may keep ${rows[0]?.role} from removing a lane. As a superuser, on that server: grant set on parameter session_replication_role to ${rows[0]?.role}`,
  )
}

async function removeFrom(client: pg.ClientBase, table: string, lane: number): Promise<number> {
  const text = `delete from ${table} where lane = $1 and ctid = any (array(select ctid from ${table} where lane = $1 limit ${BATCH_ROWS}))`
  for (let removed = 0; ; ) {
    const { rowCount } = await inTransaction(client, { settings: REPLICA }, () => client.query(text, [lane]))
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH_ROWS) return removed
  }
}
