// What a wallet did in a period: its balances at both ends, and each change of what is available. Pure.
import type { Balances, Wallet } from './wallet.ts'

/** The wallet after its first so many rows. */
export type Standing = Balances & { readonly sequence: number }

/** A period is half open: what was booked from `fromMs` on and before `toMs`, in milliseconds since the epoch. */
export type Statement = {
  readonly wallet: Wallet
  readonly fromMs: number
  readonly toMs: number
  readonly opening: Standing
  readonly closing: Standing
}

/** One change of `available`. */
export type Line = {
  readonly sequence: number
  readonly atMs: number
  /** Below zero for what it takes. */
  readonly changeMinor: bigint
  readonly availableAfterMinor: bigint
  /** The ledger account on the other side. */
  readonly account: string
  readonly contractId: string | null
  readonly position: number | null
  readonly epoch: number
  readonly reference: string | null
  readonly description: string | null
  readonly counterparty: string | null
}
