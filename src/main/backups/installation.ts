// A backup becomes an installation again: the database in a directory of its own, in an epoch of its own, in recovery.
import { randomBytes } from 'node:crypto'
import type { Deed } from '../../app/operator/operator-actions.ts'
import { declareRecovery } from '../../app/operator/resume.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { openSealing } from '../../platform/sealing.ts'
import type { Config } from '../config/config.ts'
import { operatorLoginOf, openPlannedSession } from '../database/database.ts'
import type { OwnedDatabase } from '../database/opened.ts'
import { markDirectories, openMarkFiles } from '../database/mark.ts'
import { readSealingKeys } from '../database/sealing-keys.ts'
import { findBackup } from './manifest.ts'
import { directoryOf } from './open.ts'
import { restoreBackup } from './restore.ts'

export type Wanted = {
  readonly id: string
  /** Where the backups are, when that is not what the configuration says. */
  readonly from: string | undefined
  readonly dataDir: string
  readonly toTimeMs: number | null
  readonly operator: string
}

export type Restored = {
  readonly id: string
  readonly dataDir: string
  /** When the last transaction was that came from the log; null where none did. */
  readonly restoredToMs: number | null
  readonly epoch: number
  /** The sealing keys that the stored secrets need, and those that are not here. */
  readonly sealingKeys: readonly string[]
  readonly lackingKeys: readonly string[]
}

/** Throws BackupRefused. */
export async function restoreInstallation(
  config: Config,
  { id, from, dataDir, toTimeMs, operator }: Wanted,
  onBytes: (done: number, total: number) => void,
): Promise<Restored> {
  const directory = directoryOf(config, from)
  const backup = findBackup(directory, id)
  const archives = [...new Set([directory, config.backups.directory ?? directory])]
  const restoring = { backup, archives, toTimeMs, dataDir, say: () => undefined, onBytes }
  const noted = newestNoted(config, backup.manifest.installation_id)
  const sealingKeys = backup.manifest.sealing_keys
  return restoreBackup(restoring, async (database, restoredToMs) => ({
    id,
    dataDir,
    restoredToMs,
    epoch: await beginInRecovery(database, noted, { operator, evidence: `restored from the backup ${id}` }),
    sealingKeys,
    lackingKeys: sealingKeys.filter((key) => !knows(config, key)),
  }))
}

/** The next start finds an epoch that nobody has resumed, whatever marks are left. Its number. */
async function beginInRecovery(database: OwnedDatabase, noted: number, deed: Deed): Promise<number> {
  const reader = openPlannedSession(await operatorLoginOf(database))
  const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
  try {
    const begun = await declareRecovery({ reader, ids }, deed, noted)
    if (isRefusal(begun)) throw new Error(`the recovery does not begin: ${begun.code}`)
    return begun.number
  } finally {
    await reader.close()
  }
}

/** Whether a gateway that starts there has the key: from its settings, for the new directory has none yet. */
const knows = ({ sealingKeys, dataDir }: Config, key: string): boolean =>
  sealingKeys !== null && openSealing(readSealingKeys(sealingKeys, dataDir)).knows(key)

/** The newest epoch that the marks know of these books: the backup may be from before it, and no number is used twice. */
function newestNoted(config: Config, installationId: string): number {
  const noted = openMarkFiles(markDirectories(config)).read(installationId)
  return Math.max(0, ...noted.map(({ epoch }) => epoch))
}
