// What use cases of providers' callbacks may touch beside the books.
import type { Connector } from '../../connectors/connector.ts'
import type { ForgottenOrder } from '../accounts/contract-owners.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'

/** What callbacks need beside the books. */
export type CallbackDeps = {
  readonly connectors: ReadonlyMap<string, Connector>
  /** The live secrets of each channel that takes callbacks, never an empty list. */
  readonly secrets: ReadonlyMap<string, readonly string[]>
  /** Whether a signature proves the bytes, by one of the secrets, now. */
  readonly isGenuine: (body: Uint8Array, signatures: readonly string[], secrets: readonly string[]) => boolean
  /** A callback that was signed and is not acted on, for an operator to look at. */
  readonly ignored: (facts: IgnoredCallback) => void
  /** A callback about an order that a restore has undone: an operator must look. */
  readonly forgotten: (order: ForgottenOrder) => void
  readonly crashPoint: ReachCrashPoint
}

/** A callback that is recorded and ignored: of which channel, and why. */
export type IgnoredCallback = { readonly channel: string; readonly reason: string; readonly reference?: string }
