// Changes of tables that others use: one session at a time changes the schema of a database, and what a change needs and others hold is
// asked for in short tries. Knows no table.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isLockTimeout } from '../db.ts'
import { MigrationRefused } from '../migration-files.ts'
import type { Servers } from './hosts.ts'
import { type Watched, watchLocks } from './table-locks.ts'

/** A session that changes a schema. */
export type Changing = {
  /** A direct connection: a transaction pooler between would lose the lock. */
  readonly client: pg.Client
  /** Where it goes: who stands in its way is looked at from beside. */
  readonly connection: Servers | string
  readonly log: (line: string) => void
}

const LOCK_KEY = '7310868735421803619'
const LOCK_WAIT_MS = 120_000
// A change that waits for a table makes every later query wait behind it, so it gives up soon and tries again.
// Shorter than what any session of the gateway waits for a lock: beside it a request is late, and not refused.
const TABLE_LOCK_WAIT_MS = 400
// Autovacuum makes way for a wait of deadlock_timeout, which is a second: now and then one is that long, and shorter than the gateway's still.
const LONG_WAIT_MS = 1200
const LONG_WAIT_EACH = 3
// Beside a gateway at work a table is free for a moment at a time. Waits grow from half a second to eight: about a minute in all.
const TRIES = 12
const TRY_AGAIN_MS = 500
const TRY_AGAIN_MAX_MS = 8_000
// Two that wait for each other: the server ends one of them, whose change is undone and may be tried again.
const DEADLOCK = '40P01'

/** Waits for others that change the schema of this database; the lock goes with the connection. Throws MigrationRefused (`locked`). */
export async function takeTurn(client: pg.Client): Promise<void> {
  try {
    await client.query(`set statement_timeout = 0`)
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`)
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause
    const message = `Another migration has held its lock for ${LOCK_WAIT_MS / 1000} seconds. Wait for it or end it, then start again.`
    throw new MigrationRefused('locked', message, { cause })
  }
}

/**
 * One transaction, in short tries with growing waits, for as long as tables that it needs are held by others, or it and others wait for
 * each other. Throws MigrationRefused (`locked`) when they are still, and any other fault as it is.
 */
export async function inShortTries(
  { client, connection, log }: Changing,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // From the second try on: most changes wait for nobody.
  let watched: Watched | null = null
  try {
    for (let tried = 1; ; tried += 1) {
      try {
        return await once(client, tried % LONG_WAIT_EACH === 0 ? LONG_WAIT_MS : TABLE_LOCK_WAIT_MS, work)
      } catch (cause) {
        const isDeadlock = isSqlState(cause, DEADLOCK)
        if (!isDeadlock && !isLockTimeout(cause)) throw cause
        const why = isDeadlock ? 'it and another session waited for each other' : 'a table is locked'
        const who = watched?.holders() ?? null
        const said = who === null ? why : `${why} (${who})`
        if (tried === TRIES) throw stillLocked(name, said, cause)
        log(`${name}: ${said}, trying again (${tried} of ${TRIES})`)
      }
      watched ??= await watchLocks(connection, rows[0]?.pid ?? 0)
      await sleep(Math.min(TRY_AGAIN_MAX_MS, TRY_AGAIN_MS * 2 ** (tried - 1)))
    }
  } finally {
    await watched?.stop()
  }
}

async function once(client: pg.Client, lockWaitMs: number, work: () => Promise<unknown>): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`)
    await work()
    await client.query('commit')
  } catch (fault) {
    // When the connection broke, the server rolls back by itself, and the first fault is the one worth reporting.
    await client.query('rollback').catch(() => undefined)
    throw fault
  }
}

function stillLocked(name: string, said: string, cause: unknown): MigrationRefused {
  const message = `${name}: after ${TRIES} tries still: ${said}. Nothing of it was kept. End what holds it, then start again.`
  return new MigrationRefused('locked', message, { cause })
}

function isSqlState(fault: unknown, code: string): boolean {
  return fault instanceof pg.DatabaseError && fault.code === code
}
