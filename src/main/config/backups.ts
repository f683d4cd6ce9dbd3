// Backups of the embedded database: where they go, how often, and how many are kept.
import { resolve, sep } from 'node:path'
import { dataDirOf, type Env, type Reader } from './environment.ts'

export type BackupsConfig = {
  /** Where backups and the archive of the log go; null where nothing is backed up. */
  readonly directory: string | null
  readonly everyMs: number
  readonly keep: number
}

const HOUR_MS = 3_600_000

export function backupsOf(env: Env, { whole }: Reader, faults: string[]): BackupsConfig {
  const directory = env['GATEWAY_BACKUP_DIR'] ? resolve(env['GATEWAY_BACKUP_DIR']) : null
  if (directory !== null && env['DATABASE_URL'])
    faults.push(
      'GATEWAY_BACKUP_DIR is for the embedded database, and DATABASE_URL names one of your own: back that up by its own means (docs/backups.md), and leave GATEWAY_BACKUP_DIR out',
    )
  if (directory !== null && `${directory}${sep}`.startsWith(`${dataDirOf(env)}${sep}`))
    faults.push(
      'GATEWAY_BACKUP_DIR must not be in GATEWAY_DATA_DIR: whatever takes the data would take the backups with it',
    )
  return {
    directory,
    everyMs: whole('GATEWAY_BACKUP_EVERY', 24, 1, 168) * HOUR_MS,
    keep: whole('GATEWAY_BACKUP_KEEP', 7, 1, 365),
  }
}
