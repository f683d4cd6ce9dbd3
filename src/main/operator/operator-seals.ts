// Seals as an operator sees them: the key that signs, the heads to be kept elsewhere, whether the books go on from them, archives
// of what is sealed, and notes of those that were proved.
import { checkHeads, type HeadFault, listHeads } from '../../app/seals/heads.ts'
import type { Session } from '../../platform/db.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import { ArchiveRefused } from '../archives/manifest.ts'
import { type NotedArchive, noteArchives, type Noting } from '../archives/note.ts'
import { type Archiving, writeArchives, type Written } from '../archives/write.ts'
import type { Config } from '../config/config.ts'
import { sealKeysHere, sealKeyHere } from '../database/sealing-keys.ts'

export type OperatorSeals = {
  /** The key that signs; null where the sealing key is not here. */
  readonly sealKey: () => { readonly keyId: string; readonly publicKey: Buffer } | null
  readonly sealHeads: () => Promise<SealHead[]>
  readonly checkSealHeads: (heads: readonly SealHead[]) => Promise<HeadFault[]>
  /** Writes what is sealed into files. Throws ArchiveRefused. */
  readonly archive: (wanted: Omit<Archiving, 'keys' | 'seePlaces'>) => Promise<Written>
  /** Proves archives, and notes what holds: what is in it may leave the database after its time. Throws ArchiveRefused. */
  readonly noteArchives: (noting: Noting) => Promise<NotedArchive[]>
}

/** `seePlaces`: asks home where the lanes are, and goes by that from now on. */
export function openOperatorSeals(
  { sealingKeys, dataDir }: Config,
  reader: Session,
  writer: Session,
  seePlaces: () => Promise<void>,
): OperatorSeals {
  return {
    noteArchives: (noting) => noteArchives(writer, noting),
    archive: async (wanted) => {
      const keys = sealKeyHere(sealingKeys, dataDir)
      if (keys !== null) return writeArchives(reader, { ...wanted, keys, seePlaces })
      throw new ArchiveRefused(
        'The sealing key is not here: GATEWAY_SEALING_KEYS, or sealing.key of the data directory. Nothing is archived that is not proved.',
      )
    },
    sealKey: () => sealKeyHere(sealingKeys, dataDir),
    sealHeads: () => listHeads(reader),
    checkSealHeads: (heads) => checkHeads(reader, heads, sealKeysHere(sealingKeys, dataDir)),
  }
}
