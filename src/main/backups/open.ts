// Backups of this installation, as commands and the gateway itself make them: of the embedded database alone.
import type { Config } from '../config/config.ts'
import { hasDatabase, openDatabase } from '../database/database.ts'
import type { Database, OwnedDatabase } from '../database/opened.ts'
import { BackupRefused } from './manifest.ts'
import { type Taken, takeBackup, type Taking } from './take.ts'

const OWN_SERVER =
  'The database is one of your own (DATABASE_URL), and the gateway does not back that up. Use pg_basebackup with an archive of its log, pg_dump, or the snapshots of your provider; docs/backups.md says how each is restored.'

/** Where backups are. Throws {@link BackupRefused} where nobody says it. */
export function directoryOf({ backups, databaseUrl }: Config, given: string | undefined): string {
  const directory = given ?? backups.directory
  if (directory !== null) return directory
  throw new BackupRefused(
    databaseUrl === null ? 'Nobody says where backups are. Set GATEWAY_BACKUP_DIR, or name the directory.' : OWN_SERVER,
  )
}

/** Makes a backup beside a gateway at work, or without one. Throws {@link BackupRefused}. */
export async function backUp(config: Config, given: string | undefined, onBytes: Taking['onBytes']): Promise<Taken> {
  if (config.databaseUrl !== null) throw new BackupRefused(OWN_SERVER)
  const to = directoryOf(config, given)
  if (!hasDatabase(config)) throw new BackupRefused(`There is no database in ${config.dataDir} (GATEWAY_DATA_DIR).`)
  const database = await openDatabase(config, () => undefined)
  try {
    return await takeBackup({ ...embedded(database), to, archive: config.backups.directory, onBytes })
  } finally {
    await database.stop()
  }
}

/** What a backup is made of. Throws {@link BackupRefused} for a database of one's own. */
export function embedded(database: Database): Pick<Taking, 'database' | 'data'> {
  const { owner, operator, server } = database
  if (!owner || !operator || !server) throw new BackupRefused(OWN_SERVER)
  return { database: { ...database, owner, operator } satisfies OwnedDatabase, data: server.directory }
}
