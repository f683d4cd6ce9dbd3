// Which backups are kept. What goes first loses the name of a backup, so that none that is half gone looks whole.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf, isBefore, isLogFile } from '../../platform/postgres/archive.ts'
import { type Backup, listBackups, UNFINISHED } from './manifest.ts'

/** The backups of these books, newest first. Others may be in the same directory. */
export const backupsOf = (directory: string, installationId: string): Backup[] =>
  listBackups(directory).filter(({ manifest }) => manifest.installation_id === installationId)

/** Removes all but the newest, and the log in the archive that none of those needs. The ids that went. */
export function keepNewest(directory: string, installationId: string, keep: number): string[] {
  const all = backupsOf(directory, installationId)
  const gone = all.slice(keep)
  for (const { place } of gone) {
    renameSync(place, place + UNFINISHED)
    rmSync(place + UNFINISHED, { recursive: true, force: true })
  }
  const kept = all.slice(0, keep)
  for (const systemId of new Set(kept.map(({ manifest }) => manifest.system_id)))
    removeLog(archiveOf(directory, systemId), oldestStart(kept, systemId))
  return gone.map(({ manifest }) => manifest.id)
}

/** Where the log begins that the kept backups of a cluster need. */
function oldestStart(kept: readonly Backup[], systemId: string): string {
  const starts = kept
    .filter(({ manifest }) => manifest.system_id === systemId)
    .map(({ manifest }) => manifest.start.file)
  return starts.reduce((oldest, start) => (isBefore(start, oldest) ? start : oldest))
}

// The histories of timelines stay: they are small, and lead from one to the next.
function removeLog(archive: string, oldest: string): void {
  if (!existsSync(archive)) return
  for (const name of readdirSync(archive)) {
    const file = name.split('.')[0] ?? ''
    if (isLogFile(file) && isBefore(file, oldest)) rmSync(join(archive, name), { force: true })
  }
}
