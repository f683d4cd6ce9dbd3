// Proves that a backup can be restored: restores it aside, and proves the books in it. Whether they fit what the rails did since
// is another question (docs/recovery.md).
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Verdict, verifyBooks } from '../../app/operator/verify.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import type { Session } from '../../platform/db.ts'
import { isAlive } from '../../platform/postgres/process.ts'
import { sealKeyIds } from '../../store/seals/seals.ts'
import { operatorLoginOf, openAuditSession } from '../database/database.ts'
import { proveHeads, readHeads } from './heads.ts'
import type { Backup } from './manifest.ts'
import { restoreBackup, type Restoring } from './restore.ts'

/** `heads`: how many heads of seals that were kept beside it the books in it were compared with. */
export type BackupVerdict = Verdict & { readonly heads: number }

const ASIDE = 'verifying-'

/**
 * What the proofs say of the books as they were when the backup was made; the copy is gone afterwards. `beside`: where there is
 * room for it. `sealKeys`: the keys whose seals are believed; where one that signed is not among them, no seal is proved, and of the
 * heads only that the books go on from them. Throws BackupRefused where it cannot be restored.
 */
export async function verifyBackup(
  backup: Backup,
  beside: string,
  sealKeys: SealKeys,
  watch: Pick<Restoring, 'say' | 'onBytes'> & { readonly onLane: (done: number, total: number) => void },
): Promise<BackupVerdict> {
  removeAbandoned(beside)
  const heads = readHeads(backup)
  const dataDir = join(beside, `${ASIDE}${process.pid}-${randomBytes(3).toString('hex')}`)
  try {
    return await restoreBackup({ backup, archives: [], toTimeMs: null, dataDir, ...watch }, async (database) => {
      const session = openAuditSession(await operatorLoginOf(database))
      try {
        const believed = await vouchesForAll(session, sealKeys)
        const keys = believed ? sealKeys : null
        const verdict = await verifyBooks(session, watch.onLane, keys)
        const cut = await proveHeads(session, heads, keys)
        return { ...verdict, findings: [...verdict.findings, ...cut], heads: heads.length }
      } finally {
        await session.close()
      }
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Whether every key that signed seals is here: a backup may be proved on a machine without them. */
async function vouchesForAll(session: Session, { known }: SealKeys): Promise<boolean> {
  const [signed] = await session.send([sealKeyIds()])
  return (signed?.rows ?? []).every((row) => known(row['id'] as string) !== null)
}

/** What a killed process left. */
function removeAbandoned(beside: string): void {
  for (const name of readdirSync(beside)) {
    if (!name.startsWith(ASIDE)) continue
    if (!isAlive(Number.parseInt(name.slice(ASIDE.length), 10))) rmSync(join(beside, name), { recursive: true })
  }
}
