// Restores a backup into a directory of its own: checks every file against the manifest, lets PostgreSQL replay the log, and hands
// the database over before anything else can find it. The backup itself is only read.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMigrations } from '../../platform/migration-files.ts'
import { archiveOf, isBefore, isLogFile, restoreCommand } from '../../platform/postgres/archive.ts'
import { copyHashed, syncDirectory } from '../../platform/postgres/base-copy.ts'
import { locateBinaries } from '../../platform/postgres/binaries.ts'
import { codeOf, PostgresUnavailable } from '../../platform/postgres/errors.ts'
import { type Home, openHome, recordPlace } from '../../platform/postgres/home.ts'
import { type EmbeddedPostgres, startPostgres } from '../../platform/postgres/postgres.ts'
import { findPostmaster } from '../../platform/postgres/process.ts'
import { ownedDatabase } from '../database/database.ts'
import type { OwnedDatabase } from '../database/opened.ts'
import { migrateSchema } from '../database/prepare.ts'
import { onLogin } from '../database/logins.ts'
import { packageFile } from '../package-file.ts'
import { type Backup, BackupRefused } from './manifest.ts'
import { refuseFullDisk } from './take.ts'

export type Restoring = {
  readonly backup: Backup
  /** Directories of backups, whose archives have the log since; none to go no further than the backup itself. */
  readonly archives: readonly string[]
  /** The moment up to which the log is replayed, in ms; null for as far as it goes. */
  readonly toTimeMs: number | null
  /** A directory that is empty or not there yet. */
  readonly dataDir: string
  readonly say: (line: string) => void
  readonly onBytes: (done: number, total: number) => void
}

/** Replaying a day of a busy gateway's log takes a while; whoever waits may end it. */
const REPLAY_MS = 24 * 3_600_000

/**
 * Restores it, does `work` on the database, and puts it in its place when that is done; where anything fails, nothing is left.
 * Throws {@link BackupRefused}.
 */
export async function restoreBackup<T>(
  restoring: Restoring,
  work: (database: OwnedDatabase, restoredToMs: number | null) => Promise<T>,
): Promise<T> {
  const { backup, dataDir, toTimeMs } = restoring
  await refuseOther(backup, toTimeMs)
  refuseUsed(dataDir)
  mkdirSync(dirname(dataDir), { recursive: true })
  const needed = backup.bytes + 2 * LOG_FILE_BYTES
  await refuseFullDisk(dirname(dataDir), needed)
  const aside = `${dataDir}.restoring-${process.pid}`
  mkdirSync(aside, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  let home: Home | null = null
  try {
    home = openHome(aside)
    await unpack(restoring, home)
    const done = await atWork(restoring, home, work)
    await settle(home)
    if (existsSync(dataDir)) rmdirSync(dataDir)
    renameSync(aside, dataDir)
    await syncDirectory(dirname(dataDir))
    return done
  } catch (fault) {
    if (home && home.place !== home.dataDir) rmSync(home.place, { recursive: true, force: true })
    rmSync(aside, { recursive: true, force: true })
    throw fault
  }
}

const LOG_FILE_BYTES = 16 << 20

async function refuseOther({ manifest }: Backup, toTimeMs: number | null): Promise<void> {
  const { major } = locateBinaries(process.platform, process.arch)
  if (manifest.postgres_version.split('.')[0] !== major)
    throw new BackupRefused(
      `The backup was made by PostgreSQL ${manifest.postgres_version}, and this gateway brings ${major}. Restore it with gateway ${manifest.gateway_version}, which made it.`,
    )
  const known = (await readMigrations(packageFile('db/migrations'))).length
  if (manifest.schema_version > known)
    throw new BackupRefused(
      `The backup has schema version ${manifest.schema_version}, and this release knows ${known}. Restore it with gateway ${manifest.gateway_version}, or a later one.`,
    )
  if (toTimeMs !== null && toTimeMs < Date.parse(manifest.finished_at))
    throw new BackupRefused(
      `Backup ${manifest.id} was finished at ${manifest.finished_at}, after the moment that is wanted. Take an earlier one: gateway backup list`,
    )
}

function refuseUsed(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return
  throw new BackupRefused(`${dataDir} is not empty, and nothing is written over. Name another directory.`)
}

const LOG = 'postgres.replay'
const LETTING_IN = 'postgres.replay-hba'

/** Copies the files back, each checked against the manifest, and says to PostgreSQL that it is to replay the log. */
async function unpack({ backup, archives, onBytes }: Restoring, home: Home): Promise<void> {
  const { place, manifest, bytes: total } = backup
  const log = join(home.place, LOG)
  for (const each of [home.data, log, ...manifest.directories.map((path) => join(home.data, path))])
    mkdirSync(each, { recursive: true, mode: 0o700 })
  let done = 0
  for (const file of manifest.files) {
    const path = join(place, file.path)
    const to = file.path.startsWith('wal/')
      ? join(log, basename(path))
      : join(home.data, file.path.slice('data/'.length))
    const copied = await copyHashed(path, to).catch((fault: unknown) => {
      throw codeOf(fault) === 'ENOENT' ? new BackupRefused(`${path} is missing. Take another backup.`) : fault
    })
    if (copied.sha256 !== file.sha256)
      throw new BackupRefused(`${path} was changed after the backup was made. Take another backup.`)
    onBytes((done += copied.bytes), total)
  }
  for (const each of archives) await addLog(archiveOf(each, manifest.system_id), manifest.start.file, log)
  writeFileSync(join(home.data, 'recovery.signal'), '', { mode: 0o600 })
  writeFileSync(home.password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true })
  // The password of the database is not in the backup: it gets a new one, and until then its socket alone keeps others out.
  writeFileSync(join(home.place, LETTING_IN), 'local all all trust\n', { mode: 0o600 })
  const { user } = home
  if (user)
    for (const each of [log, join(home.place, LETTING_IN), ...readdirSync(log).map((name) => join(log, name))])
      chownSync(each, user.uid, user.gid)
  recordPlace(home)
}

/** What the archive has from there on, and the histories of its timelines. */
async function addLog(archive: string, first: string, to: string): Promise<void> {
  if (!existsSync(archive)) return
  for (const name of readdirSync(archive)) {
    const [file = '', end] = name.split('.')
    const isWanted = end === 'history' || (end === 'gz' && isLogFile(file) && !isBefore(file, first))
    if (isWanted && name.endsWith('.gz') && !existsSync(join(to, name)))
      await copyHashed(join(archive, name), join(to, name))
  }
}

async function atWork<T>(
  { archives, toTimeMs, say }: Restoring,
  home: Home,
  work: (database: OwnedDatabase, restoredToMs: number | null) => Promise<T>,
): Promise<T> {
  const until =
    toTimeMs !== null
      ? { recovery_target_time: new Date(toTimeMs).toISOString().replace('Z', '+00') }
      : archives.length === 0
        ? { recovery_target: 'immediate' }
        : {}
  const settings = {
    archive_mode: 'off',
    restore_command: restoreCommand([join(home.place, LOG)]),
    recovery_target_action: 'promote',
    recovery_target_timeline: 'latest',
    // Nobody is let in before all is replayed.
    hot_standby: 'off',
    hba_file: join(home.place, LETTING_IN),
    ...until,
  }
  const given = { dataDir: home.dataDir, log: say, settings, archive: null, startTimeoutMs: REPLAY_MS }
  const server = await startPostgres(given).catch((fault: unknown) => worded(fault))
  try {
    const restoredToMs = await renewed(server)
    const database = { ...ownedDatabase(server.connection), server }
    await migrateSchema(database, 'apply', say)
    return await work(database, restoredToMs)
  } finally {
    await server.stop()
  }
}

function worded(fault: unknown): never {
  if (
    !(fault instanceof PostgresUnavailable) ||
    !/recovery ended before configured recovery target/.test(fault.message)
  )
    throw fault
  throw new BackupRefused(
    'The log that is kept ends before that moment. Leave out --to-time to go as far as it goes, or name an earlier one.',
  )
}

/** Gives the owner the password that was written down; returns when the last transaction was that was replayed. */
async function renewed({ connection }: EmbeddedPostgres): Promise<number | null> {
  return onLogin(connection, async (client) => {
    await client.query(`alter role postgres password '${connection.password}'`)
    const { rows } = await client.query('select extract(epoch from pg_last_xact_replay_timestamp()) * 1000 as last_ms')
    return rows[0].last_ms === null ? null : Number(rows[0].last_ms)
  })
}

const STOP_WITHIN_MS = 130_000
const POLL_MS = 50

/** Waits until the server has ended; what was needed to get here goes. */
async function settle(home: Home): Promise<void> {
  const giveUpMs = performance.now() + STOP_WITHIN_MS
  while (findPostmaster(home.data) !== undefined) {
    if (performance.now() > giveUpMs) throw new BackupRefused('The server that replayed the log does not end.')
    await sleep(POLL_MS)
  }
  for (const name of [LOG, LETTING_IN]) rmSync(join(home.place, name), { recursive: true, force: true })
}
