// What use cases of providers' callbacks may touch beside the books.
import type { Channel } from '../channels/channel.ts'
import type { Passing } from './crash-points.ts'

/** What hearing providers takes beside the books. */
export type CallbackDeps = {
  readonly connectors: ReadonlyMap<string, Channel>
  /** The live secrets of each channel that takes callbacks, never an empty list. */
  readonly secrets: ReadonlyMap<string, readonly string[]>
  /** Whether a signature proves the bytes, by one of the secrets, now. */
  readonly isGenuine: (body: Uint8Array, header: SignatureHeader, secrets: readonly string[]) => boolean
  /** A word that was signed and is not acted on, for somebody to look at. */
  readonly warn: (facts: Readonly<Record<string, string>>) => void
  readonly passing: Passing
}

type SignatureHeader = string | readonly string[] | undefined
