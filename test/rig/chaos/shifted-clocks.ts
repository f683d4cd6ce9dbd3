// Clocks that somebody sets: the gateways', and the database's. Nothing on the machine is touched. The gateways' processes load a
// line of code before their own that shifts Date; the gateways' login finds a now() of ours before PostgreSQL's. What counts
// passing time (performance.now, timeouts) goes on as on any machine whose clock is set.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { rowsFrom } from '../gateway-process.ts'

export type ShiftedClocks = {
  /** What gateways have to be started with. */
  readonly settings: Readonly<Record<string, string>>
  /** Hours that the gateways' clock is ahead; they see it within a tenth of a second. */
  readonly setGateways: (hours: number) => void
}

const HOUR_MS = 3_600_000

const PRELOAD = `import { readFileSync } from 'node:fs'
const { now } = Date
const place = process.env.TEST_CLOCK
let shift = 0
const look = () => { try { shift = Number(readFileSync(place, 'utf8')) || 0 } catch {} }
look()
setInterval(look, 50).unref()
Date.now = () => now() + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now() + shift] : given, as),
})
`

/** Runs with clocks that can be set, where they are wanted; null else. */
export async function withShiftedClocks<T>(
  areWanted: boolean,
  run: (clocks: ShiftedClocks | null) => Promise<T>,
): Promise<T> {
  if (!areWanted) return run(null)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-clock-'))
  const [preload, place] = [join(folder, 'clock.mjs'), join(folder, 'clock')]
  writeFileSync(preload, PRELOAD)
  writeFileSync(place, '0')
  try {
    return await run({
      settings: { NODE_OPTIONS: `--import=file://${preload}`, TEST_CLOCK: place },
      setGateways: (hours) => writeFileSync(place, String(hours * HOUR_MS)),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const LOGIN = 'gateway_app'

/** Puts a clock that can be set into a database: for sessions of the gateways' login that begin from now on. */
export async function addDatabaseClock(owner: pg.ClientConfig): Promise<void> {
  await rowsFrom(
    owner,
    `create schema if not exists test_clock;
     create table if not exists test_clock.shift (hours float8 not null);
     insert into test_clock.shift select 0 where not exists (select from test_clock.shift);
     create or replace function test_clock.now() returns timestamptz stable language plpgsql as
       'begin return pg_catalog.now() + make_interval(secs => 3600 * (select hours from test_clock.shift)); end';
     create or replace function test_clock.clock_timestamp() returns timestamptz volatile language plpgsql as
       'begin return pg_catalog.clock_timestamp() + make_interval(secs => 3600 * (select hours from test_clock.shift)); end';
     grant usage on schema test_clock to ${LOGIN};
     grant select on test_clock.shift to ${LOGIN};
     alter role ${LOGIN} set search_path = test_clock, pg_catalog, public;
     select pg_terminate_backend(pid) from pg_stat_activity where usename = '${LOGIN}'`,
  )
}

/** Hours that the database's clock is ahead. */
export async function setDatabaseClock(owner: pg.ClientConfig, hours: number): Promise<void> {
  await rowsFrom(owner, `update test_clock.shift set hours = ${hours}`)
}
