// Makes the database cluster of a home, whole or not at all, and keeps its password.
// Knows nothing about running servers.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
} from 'node:fs'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries, ServerUser } from './binaries.ts'
import { codeOf, deathOf, PostgresUnavailable } from './errors.ts'
import { type Home, recordPlace } from './home.ts'
import { isAlive } from './process.ts'
import { giveTo, makerFor } from './user.ts'

const run = promisify(execFile)
const UNFINISHED = 'postgres.init-'
const UNFINISHED_MAX_MS = 10 * 60_000

/** Returns the owner's password; makes the cluster first when there is none. Throws PostgresUnavailable. */
export async function ensureCluster(home: Home, binaries: Binaries, log: (line: string) => void): Promise<string> {
  if (isCluster(home, binaries)) return keptPassword(home)
  const password = chosenPassword(home)
  const began = performance.now()
  await initialise(home, binaries, password)
  recordPlace(home)
  log(`made a PostgreSQL ${binaries.major} database in ${home.data} (${Math.round(performance.now() - began)} ms)`)
  return password
}

function isCluster(home: Home, binaries: Binaries): boolean {
  if (!existsSync(home.data)) return false
  const version = join(home.data, 'PG_VERSION')
  if (!existsSync(version)) {
    if (readdirSync(home.data).length === 0) return false
    const message = `${home.data} holds files, but no PostgreSQL database. Move it out of the way, or set GATEWAY_DATA_DIR to another directory.`
    throw new PostgresUnavailable('not_a_database', message)
  }
  const major = readFileSync(version, 'utf8').trim()
  if (major === binaries.major) return true
  const message = `The database in ${home.data} was made by PostgreSQL ${major}; this gateway brings ${binaries.major}. Dump it with a PostgreSQL ${major} and load it into a new data directory, or run your own server and set DATABASE_URL.`
  throw new PostgresUnavailable('other_version', message)
}

function keptPassword(home: Home): string {
  if (existsSync(home.password)) return readFileSync(home.password, 'utf8').trim()
  const message = `${home.password} is missing, and without it the database in ${home.data} cannot be opened. Put the file back from a backup.`
  throw new PostgresUnavailable('password_lost', message)
}

/** Two gateways that start at once must agree on one password: the first link made decides. */
function chosenPassword(home: Home): string {
  const fresh = `${home.password}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(fresh, home.password)
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault
  } finally {
    rmSync(fresh)
  }
  return readFileSync(home.password, 'utf8').trim()
}

// Made under another name and renamed when it is on disk. A crash leaves rubbish that the next start removes; of two
// racers, one rename wins and the other finds a directory that is not empty.
async function initialise(home: Home, binaries: Binaries, password: string): Promise<void> {
  await removeUnfinished(home.place)
  const workshop = mkdtempSync(join(home.place, `${UNFINISHED}${process.pid}-`))
  try {
    const secret = join(workshop, 'password')
    const data = join(workshop, 'data')
    writeFileSync(secret, `${password}\n`, { mode: 0o600 })
    mkdirSync(data, { mode: 0o700 })
    const maker = home.user && makerFor(home.user)
    if (maker) {
      for (const each of [secret, data]) chownSync(each, maker.uid, maker.gid)
      // Only the group may pass: no other program that runs as the maker sees what it makes.
      chownSync(workshop, process.getuid?.() ?? 0, maker.gid)
      chmodSync(workshop, 0o710)
    }
    await initdb(home, binaries, data, secret, maker)
    if (home.user) giveTo(home.user, data)
    renameSync(data, home.data)
    syncDirectory(home.place)
  } catch (fault) {
    const code = codeOf(fault)
    if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || !isCluster(home, binaries)) throw fault
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

async function initdb(
  home: Home,
  binaries: Binaries,
  data: string,
  secret: string,
  maker: ServerUser | undefined,
): Promise<void> {
  // The builtin locale sorts by code point on every system and for ever; a system's own changes with its libc.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = [`--pgdata=${data}`, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${secret}`]
  try {
    await run(binaries.initdb, [...options, '--data-checksums', ...locale], {
      ...maker,
      env: binaries.env,
      cwd: home.place,
    })
  } catch (fault) {
    if (!(fault instanceof Error) || !('stderr' in fault)) throw fault
    throw deathOf('initdb', String(fault.stderr), home.dataDir)
  }
}

async function removeUnfinished(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(UNFINISHED)) continue
    const maker = Number(name.slice(UNFINISHED.length).split('-')[0])
    // In a container every life of the gateway may have the same process id, so age counts as well.
    const isOld = Date.now() - statSync(join(place, name)).mtimeMs > UNFINISHED_MAX_MS
    if (!isOld && isAlive(maker)) continue
    // The initdb of a killed gateway writes on for a second, into what we remove: hence the retries.
    await rm(join(place, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
