// Makes a backup of the embedded database while it works: PostgreSQL's base backup by its low-level functions, and the part of
// the log that was written meanwhile, so that each backup is whole by itself. One at a time, whoever makes it.
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { codeOf } from '../../platform/postgres/errors.ts'
import { archiveOf, logFilesBetween, systemIdOf } from '../../platform/postgres/archive.ts'
import {
  type CopiedFile,
  copyHashed,
  copyListing,
  type Listing,
  listForCopy,
  syncDirectory,
  TablespaceFound,
} from '../../platform/postgres/base-copy.ts'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { sealingKeysInUse } from '../../store/webhooks/endpoints.ts'
import type { OwnedDatabase } from '../database/opened.ts'
import { backupLoginOf, onLogin } from '../database/logins.ts'
import { packageFile } from '../package-file.ts'
import { writeHeads } from './heads.ts'
import { type Backup, BackupRefused, backupId, type Manifest, UNFINISHED, writeManifest } from './manifest.ts'

export type Taking = {
  readonly database: OwnedDatabase
  /** The data directory of its server. */
  readonly data: string
  /** Where the backup goes. */
  readonly to: string
  /** The directory of backups with the archive of the log; null where there is none. */
  readonly archive: string | null
  readonly onBytes: (done: number, total: number) => void
}

export type Taken = Backup & { readonly tookMs: number }

const LOCK_KEY = '7310868735421803620'
/** What a disk keeps free beside the backup: the log goes to the same one. */
const SPARE_BYTES = 128 << 20

/** Makes one. Throws {@link BackupRefused}: another is under way, the disk is too full, the log is gone already. */
export async function takeBackup(taking: Taking): Promise<Taken> {
  const began = performance.now()
  const { database, data, to } = taking
  const facts = await factsOf(database)
  const login = await backupLoginOf(database.owner)
  const id = backupId(Date.now(), facts.installation_id)
  return onLogin({ ...login, keepAlive: true }, async (client) => {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK_KEY}) as is_ours`)
    if (rows[0].is_ours !== true) throw new BackupRefused('Another backup is being made. Wait for it to end.')
    openDirectory(to)
    removeUnfinished(to, facts.installation_id)
    const listing = await listed(data)
    await refuseFullDisk(to, listing.bytes)
    const place = join(to, id)
    const part = place + UNFINISHED
    mkdirSync(part, { mode: 0o700 })
    try {
      const manifest = await copied({ ...taking, client, id, part, facts, listing })
      writeManifest(part, manifest)
      await syncDirectory(part)
      renameSync(part, place)
      await syncDirectory(to)
      const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
      return { place, manifest, bytes, tookMs: performance.now() - began }
    } catch (fault) {
      rmSync(part, { recursive: true, force: true })
      throw worded(fault, to)
    }
  })
}

function worded(fault: unknown, to: string): unknown {
  const code = codeOf(fault)
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return fault
  return new BackupRefused(`The disk that holds ${to} became full. Nothing of the backup is left. Make room on it.`)
}

/** For root, the server's user must pass to the archive in it. */
function openDirectory(to: string): void {
  if (!existsSync(to)) mkdirSync(to, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}

/** What a killed process left: the lock says that nobody works on it. */
function removeUnfinished(to: string, installationId: string): void {
  const ending = `-${installationId.slice(0, 8)}${UNFINISHED}`
  for (const name of readdirSync(to))
    if (name.endsWith(ending)) rmSync(join(to, name), { recursive: true, force: true })
}

async function listed(data: string): Promise<Listing> {
  return listForCopy(data).catch((fault: unknown) => {
    throw fault instanceof TablespaceFound ? new BackupRefused(fault.message) : fault
  })
}

/** Throws {@link BackupRefused} where that many bytes and some to spare do not fit. */
export async function refuseFullDisk(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize >= bytes + SPARE_BYTES) return
  const mib = (count: number) => `${Math.ceil(count / (1 << 20))} MiB`
  throw new BackupRefused(
    `The disk that holds ${directory} has ${mib(bavail * bsize)} free, and ${mib(bytes + SPARE_BYTES)} are needed. Make room on it.`,
  )
}

type Facts = Pick<
  Manifest,
  'installation_id' | 'epoch' | 'schema_version' | 'postgres_version' | 'sealing_keys' | 'gateway_version'
>

const FACTS = `
  select i.id::text as installation_id, (select max(e.number) from epochs e) as epoch,
         (select max(m.version) from schema_migrations m) as schema_version, current_setting('server_version') as postgres_version
    from installation i`

async function factsOf({ login }: OwnedDatabase): Promise<Facts> {
  return onLogin(login, async (client) => {
    const { text, values } = sealingKeysInUse(ALL_LANES)
    const [facts, keys] = [await client.query(FACTS), await client.query(text, [...values])]
    const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { readonly version: string }
    return { ...facts.rows[0], sealing_keys: keys.rows.map((row) => row.sealing_key_id), gateway_version: version }
  })
}

type Copying = Taking & {
  readonly client: pg.ClientBase
  readonly id: string
  readonly part: string
  readonly facts: Facts
  readonly listing: Listing
}

async function copied(copying: Copying): Promise<Manifest> {
  const { client, database, data, id, part, facts, listing, archive, onBytes } = copying
  const startedAt = new Date().toISOString()
  const start = await logPlace(client, `select pg_backup_start('${id}', true)::text as position`)
  const base = join(part, 'data')
  mkdirSync(base, { mode: 0o700 })
  let done = 0
  const count = (bytes: number) => onBytes((done += bytes), listing.bytes)
  // Listed again: the first was to know the size, and files have come since.
  const now = await listed(data)
  const files = await copyListing(data, now, base, count)
  // What is committed before the end of the copy is in it.
  const heads = await writeHeads(database, part)
  const stop = await logPlace(client, 'select lsn::text as position, labelfile, spcmapfile from pg_backup_stop(false)')
  const finishedAt = new Date().toISOString()
  const label = await written(join(base, 'backup_label'), stop.row['labelfile'] as string)
  const systemId = systemIdOf(data)
  const log = await copyLog({ data, part, archive: archive && archiveOf(archive, systemId) }, start.file, stop.file)
  return {
    format: 1,
    id,
    ...facts,
    system_id: systemId,
    started_at: startedAt,
    finished_at: finishedAt,
    start: { position: start.position, file: start.file },
    stop: { position: stop.position, file: stop.file },
    heads,
    directories: now.directories,
    files: [...below('data', [...files, { path: 'backup_label', ...label }]), ...below('wal', log)],
  }
}

const below = (directory: string, files: readonly CopiedFile[]): CopiedFile[] =>
  files.map((file) => ({ ...file, path: `${directory}/${file.path}` }))

type Placed = { readonly position: string; readonly file: string; readonly row: Readonly<Record<string, unknown>> }

/** What a function of PostgreSQL says about a place in the log, and the file of the log that it is in. */
async function logPlace(client: pg.ClientBase, text: string): Promise<Placed> {
  const { rows } = await client.query(text)
  const position = rows[0].position as string
  const named = await client.query('select pg_walfile_name($1::pg_lsn) as file', [position])
  return { position, file: named.rows[0].file as string, row: rows[0] }
}

async function written(path: string, text: string): Promise<{ bytes: number; sha256: string }> {
  await writeFile(`${path}.text`, text, { mode: 0o600, flag: 'wx' })
  const copied = await copyHashed(`${path}.text`, path)
  rmSync(`${path}.text`)
  return copied
}

type Logs = { readonly data: string; readonly part: string; readonly archive: string | null }

async function copyLog({ data, part, archive }: Logs, first: string, last: string): Promise<CopiedFile[]> {
  const to = join(part, 'wal')
  mkdirSync(to, { mode: 0o700 })
  const files: CopiedFile[] = []
  for (const name of logFilesBetween(first, last)) {
    const path = `${name}.gz`
    const kept = archive === null ? null : join(archive, path)
    const isKept = kept !== null && existsSync(kept)
    if (!isKept) await compressed(join(data, 'pg_wal', name), join(to, `${path}.fresh`))
    files.push({ path, ...(await copyHashed(isKept ? kept : join(to, `${path}.fresh`), join(to, path))) })
    rmSync(join(to, `${path}.fresh`), { force: true })
  }
  await syncDirectory(to)
  return files
}

/** The server takes a file of the log again under another name when it needs it no more: then it was not ours to read. */
async function compressed(from: string, to: string): Promise<void> {
  const gone = () =>
    new BackupRefused(
      `PostgreSQL has thrown away ${from}, which the backup needs: more was written meanwhile than it keeps. Set GATEWAY_BACKUP_DIR, so that an archive keeps it, and start the gateway again.`,
    )
  const source = await open(from, 'r').catch((fault: unknown) => {
    throw codeOf(fault) === 'ENOENT' ? gone() : fault
  })
  try {
    await pipeline(
      Readable.from(source.createReadStream({ autoClose: false })),
      createGzip({ level: 1 }),
      createWriteStream(to, { mode: 0o600, flags: 'wx' }),
    )
    const [read, there] = await Promise.all([source.stat(), stat(from).catch(() => null)])
    if (read.ino !== there?.ino) throw gone()
  } finally {
    await source.close()
  }
}
