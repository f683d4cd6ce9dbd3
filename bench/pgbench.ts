// The database's own limits on this machine, by PostgreSQL's own tool where it is installed.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { EmbeddedPostgres } from '../src/platform/postgres/postgres.ts'
import type { Stage } from './stage/stage.ts'

export type Limit = {
  readonly scenario: string
  readonly clients: number
  readonly per_second: number
  readonly mean_ms: number
}

/** Runs one of the scripts for so many seconds. */
export type Pgbench = (script: 'tpcb' | 'insert', clients: number, seconds: number) => Promise<Limit>

const execute = promisify(execFile)
const DATABASE = 'bench_limits'
// Ten branches: enough that one client meets no lock; 64 meet those that TPC-B is made of.
const SCALE = '10'

/** Prepares the tool's tables; null where the tool is not installed. */
export async function openPgbench(stage: Stage, postgres: EmbeddedPostgres): Promise<Pgbench | null> {
  const { host, port, user, password } = postgres.connection
  const env = { PATH: process.env.PATH, PGPASSWORD: password, PGHOST: host, PGPORT: String(port), PGUSER: user }
  const pgbench = async (args: readonly string[]): Promise<string> =>
    (await execute('pgbench', [...args, DATABASE], { env })).stdout
  try {
    await execute('pgbench', ['--version'], { env })
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fault
  }
  await query(postgres, postgres.connection.database, `create database ${DATABASE}`)
  await query(postgres, DATABASE, 'create table bench_rows (id bigint generated always as identity primary key, v int)')
  await pgbench(['--initialize', '--quiet', '--scale', SCALE])
  const insert = join(stage.directory, 'insert.sql')
  writeFileSync(insert, '\\set v random(1, 1000000)\ninsert into bench_rows (v) values (:v);\n')
  return async (script, clients, seconds) => {
    const what = script === 'tpcb' ? ['--builtin', 'tpcb-like'] : ['--file', insert]
    const how = ['--no-vacuum', '--protocol', 'prepared', '--client', String(clients)]
    for (let window = Math.ceil(seconds); ; window *= 2) {
      const text = await pgbench([...what, ...how, '--time', String(window)])
      // On a slow machine a short window is over before so many clients are connected.
      if (NOTHING_DONE.test(text) && window < SECONDS_MAX) continue
      return {
        scenario: `pgbench-${script}-${clients}`,
        clients,
        per_second: numberIn(text, /tps = ([\d.]+)/),
        mean_ms: numberIn(text, /latency average = ([\d.]+) ms/),
      }
    }
  }
}

const NOTHING_DONE = /transactions actually processed: 0\b/
const SECONDS_MAX = 60

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`pgbench did not say ${String(pattern)}: ${text}`)
  return Number(found)
}

async function query(postgres: EmbeddedPostgres, database: string, text: string): Promise<void> {
  const client = new pg.Client({ ...postgres.connection, database })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
