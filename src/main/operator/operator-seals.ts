// Seals as an operator sees them: the key that signs, the heads to be kept elsewhere, and whether the books go on from them.
import { checkHeads, type HeadFault, listHeads } from '../../app/seals/heads.ts'
import type { Session } from '../../platform/db.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import type { Config } from '../config/config.ts'
import { sealKeysHere, sealKeyHere } from '../database/sealing-keys.ts'

export type OperatorSeals = {
  /** The key that signs; null where the sealing key is not here. */
  readonly sealKey: () => { readonly keyId: string; readonly publicKey: Buffer } | null
  readonly sealHeads: () => Promise<SealHead[]>
  readonly checkSealHeads: (heads: readonly SealHead[]) => Promise<HeadFault[]>
}

export function openOperatorSeals({ sealingKeys, dataDir }: Config, reader: Session): OperatorSeals {
  return {
    sealKey: () => sealKeyHere(sealingKeys, dataDir),
    sealHeads: () => listHeads(reader),
    checkSealHeads: (heads) => checkHeads(reader, heads, sealKeysHere(sealingKeys, dataDir)),
  }
}
