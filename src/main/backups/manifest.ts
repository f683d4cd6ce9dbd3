// What is said of a backup beside its files: of which books it is, which part of the database's log it needs, each file with its
// SHA-256, and the SHA-256 of all that. A directory without a manifest is no backup.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writePrivateFile } from '../../platform/private-files.ts'
import type { CopiedFile } from '../../platform/postgres/base-copy.ts'

/** A backup cannot be made, trusted or restored; the message says why and what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** A place in PostgreSQL's log, as PostgreSQL writes it, and the file of the log that it is in. */
type LogPlace = { readonly position: string; readonly file: string }

export type Manifest = {
  readonly format: 1
  /** When it was begun, and the beginning of the installation's id. */
  readonly id: string
  readonly gateway_version: string
  readonly postgres_version: string
  readonly schema_version: number
  readonly installation_id: string
  /** The epoch of the books (docs/recovery.md). */
  readonly epoch: number
  readonly system_id: string
  /** Times are ISO 8601. Whatever was acknowledged before `finished_at` is in it. */
  readonly started_at: string
  readonly finished_at: string
  readonly start: LogPlace
  readonly stop: LogPlace
  /** The ids of the sealing keys without which stored secrets do not open. The keys themselves are not in a backup. */
  readonly sealing_keys: readonly string[]
  /**
   * The file `heads.json` beside it: the newest seal of how many accounts, none older than when the backup was begun. Backups of
   * earlier releases have none.
   */
  readonly heads?: { readonly accounts: number; readonly sha256: string }
  readonly directories: readonly string[]
  /** Below `data`, and files of the log below `wal`. */
  readonly files: readonly CopiedFile[]
}

/** A backup in its directory. */
export type Backup = { readonly place: string; readonly manifest: Manifest; readonly bytes: number }

const FILE = 'manifest.json'
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/
/** What is not finished has this at its end. */
export const UNFINISHED = '.part'

export const backupId = (atMs: number, installationId: string): string =>
  `${new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${installationId.slice(0, 8)}`

const hashOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

/** Writes it to the disk, with its own hash at its end. */
export function writeManifest(place: string, manifest: Manifest): void {
  writePrivateFile(join(place, FILE), `${JSON.stringify({ ...manifest, sha256: hashOf(manifest) })}\n`)
}

/** The backups in a directory, newest first. What cannot be read is left out, for it is none. */
export function listBackups(directory: string): Backup[] {
  if (!existsSync(directory)) return []
  const ids = readdirSync(directory).filter((name) => ID.test(name))
  return ids
    .toSorted()
    .toReversed()
    .flatMap((id) => {
      const backup = readBackup(directory, id)
      return 'fault' in backup ? [] : [backup]
    })
}

/** The backup with the id, or the newest where none is named. Throws {@link BackupRefused}. */
export function findBackup(directory: string, id: string | undefined): Backup {
  if (id === undefined) {
    const [newest] = listBackups(directory)
    if (newest) return newest
    throw new BackupRefused(`There is no backup in ${directory}. Make one: gateway backup`)
  }
  if (!ID.test(id)) throw new BackupRefused(`${id} is no id of a backup. See: gateway backup list`)
  const backup = readBackup(directory, id)
  if ('fault' in backup) throw new BackupRefused(backup.fault)
  return backup
}

function readBackup(directory: string, id: string): Backup | { readonly fault: string } {
  const place = resolve(directory, id)
  const path = join(place, FILE)
  if (!existsSync(path)) return { fault: `There is no backup ${id} in ${directory}. See: gateway backup list` }
  const changed = { fault: `${path} was changed after the backup was made. Take another backup.` }
  try {
    const { sha256, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest & { readonly sha256: string }
    if (sha256 !== hashOf(manifest)) return changed
    if (manifest.format !== 1 || manifest.id !== id)
      return { fault: `${path} is of another backup, or of a later release of the gateway.` }
    return { place, manifest, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) }
  } catch (fault) {
    if (fault instanceof SyntaxError) return changed
    throw fault
  }
}
