// The book of what comes in, as the connector and its watcher need it: they know no database.
import type {
  AddressToCount,
  BlockName,
  ChainAddress,
  ChainAsset,
  ChainStandingOfAddress,
  ReadChainPayment,
} from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'

/** Every answer is of what is committed, and every writing is committed before it resolves. */
export type ReceivingBook = {
  /** The address of an attempt and what came to it; null where it has none. */
  readonly find: (reference: string) => Promise<ChainStandingOfAddress | null>
  /** An index of the key that was never taken before. */
  readonly takeIndex: (fingerprint: string) => Promise<number>
  /** Assigns the address to its attempt, unless that has one, or the asset is not followed. */
  readonly give: (address: ChainAddress) => Promise<void>
  /** References by address, of those that are ours. */
  readonly owners: (asset: ChainAsset, addresses: readonly Hex[]) => Promise<ReadonlyMap<Hex, string>>
  /** The last block that is final here; null where the asset is not followed yet. */
  readonly cursor: (asset: ChainAsset) => Promise<BlockName | null>
  readonly begin: (asset: ChainAsset, block: BlockName) => Promise<void>
  /** See store/chain-payments.ts; null where another process has moved the cursor. Else whose payments are gone. */
  readonly record: (view: {
    readonly network: string
    readonly asset: ChainAsset['asset']
    readonly from: BlockName
    readonly to: BlockName
    readonly top: bigint
    readonly payments: readonly ReadChainPayment[]
  }) => Promise<{ readonly dropped: readonly string[] } | null>
  /** Addresses whose coins are to be counted at the cursor's block, some at a time. */
  readonly toCount: (network: string, block: bigint) => Promise<readonly AddressToCount[]>
  /** Makes a payment of what was counted beyond the known ones, seen at `seenAt`; `units` null ends the counting. */
  readonly counted: (count: {
    readonly network: string
    readonly reference: string
    readonly id: string
    readonly cursor: BlockName
    readonly block: BlockName
    readonly units: bigint | null
    readonly seenAt: number | null
  }) => Promise<void>
}
