// The heads of all accounts' seals, beside a backup: what the books in it must have, or go on from. A database alone cannot show that
// its end was cut off, and these are kept outside of it.
import { join } from 'node:path'
import { checkHeads, listHeads, type SealKeys } from '../../app/seals/heads.ts'
import { headsFromText, headsText } from '../../app/seals/kept-heads.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import type { Finding } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import { textIfThere, writePrivateFile } from '../../platform/private-files.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import { openAuditSession } from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { BackupRefused, type Manifest } from './manifest.ts'

const FILE = 'heads.json'

/** Writes the heads as they are now to the place; what the manifest says of them. */
export async function writeHeads(database: Database, place: string): Promise<NonNullable<Manifest['heads']>> {
  const session = openAuditSession(database)
  try {
    const heads = await listHeads(session)
    const text = headsText(heads)
    writePrivateFile(join(place, FILE), text)
    return { accounts: heads.length, sha256: sha256Hex(text) }
  } finally {
    await session.close()
  }
}

type WithHeads = { readonly place: string; readonly manifest: Pick<Manifest, 'heads'> }

/** The heads that were written; none of a backup that an earlier release made. Throws {@link BackupRefused}. */
export function readHeads({ place, manifest }: WithHeads): SealHead[] {
  if (!manifest.heads) return []
  const path = join(place, FILE)
  const text = textIfThere(path)
  if (text === null) throw new BackupRefused(`${path} is missing. Take another backup.`)
  if (sha256Hex(text) !== manifest.heads.sha256)
    throw new BackupRefused(`${path} was changed after the backup was made. Take another backup.`)
  return headsFromText(text)
}

/** From which of them the books do not go on. `keys`: those whose seals are believed; null where they are not here. */
export async function proveHeads(
  session: Session,
  heads: readonly SealHead[],
  keys: SealKeys | null,
): Promise<Finding[]> {
  const faults = await checkHeads(session, heads, keys)
  return faults.map(({ accountId, number, problem }) => ({
    proof: 'seal = kept head',
    lane: laneOf(accountId),
    accountId,
    row: `seal ${number}`,
    problem,
  }))
}
