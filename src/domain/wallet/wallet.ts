// A wallet of an account: its money in one currency, as far as it has a floor, and what its owner says of it. Pure.
import type { Metadata } from '../text/metadata.ts'

export const WALLET_STATUSES = ['open', 'closed'] as const
export type WalletStatus = (typeof WALLET_STATUSES)[number]

/** The five balances, in minor units. */
export type Balances = {
  readonly availableMinor: bigint
  readonly heldMinor: bigint
  readonly inTransitMinor: bigint
  /** Paid by payers and not settled yet. */
  readonly pendingMinor: bigint
  /** Arrived, and fits no contract. */
  readonly suspenseMinor: bigint
}

export const NO_MONEY: Balances = {
  availableMinor: 0n,
  heldMinor: 0n,
  inTransitMinor: 0n,
  pendingMinor: 0n,
  suspenseMinor: 0n,
}

/** What its owner sets. */
export type WalletSettings = {
  readonly label: string | null
  /** Money that names no wallet goes to the default of its currency. */
  readonly isDefault: boolean
  readonly status: WalletStatus
  /** Told when `available` falls below it; null for never. */
  readonly lowMinor: bigint | null
  readonly metadata: Metadata
}

export type Wallet = Balances &
  WalletSettings & {
    readonly lane: number
    readonly accountId: string
    readonly id: string
    readonly currency: string
    /** Told already: the next time after the balance has been at the mark again. */
    readonly isLow: boolean
    /** Ledger rows so far: gapless for each wallet. */
    readonly sequence: number
  }

/** Whether `available` is below the mark. */
export const isBelowMark = ({ availableMinor, lowMinor }: Pick<Wallet, 'availableMinor' | 'lowMinor'>): boolean =>
  lowMinor !== null && availableMinor < lowMinor
