// What a channel is, as data: the facts that price a draft and say what it still lacks. Connectors live elsewhere.
import type { FeeSchedule } from './fees.ts'

export type RecipientField = 'name' | 'email' | 'mobile' | 'wallet' | 'tag' | 'address' | 'country'

/** One thing a channel asks of the recipient. `pattern` is an ECMA-262 pattern for the whole value, or null for any text. */
export type RecipientRule = {
  readonly field: RecipientField
  readonly pattern: string | null
  /** How to mend it, in a sentence for the caller. */
  readonly mend: string
}

/** Price and bounds of a channel in one currency; minor units, null for no bound. */
export type ChannelTerms = {
  readonly minMinor: bigint | null
  readonly maxMinor: bigint | null
  readonly fees: FeeSchedule
}

/** One version of a channel. A contract names the version that priced it, so a later change cannot touch it (design 4). */
export type ChannelFacts = {
  readonly id: string
  readonly version: number
  readonly service: string
  readonly name: string
  readonly description: string
  /** True: the payer pays the fee on top. False: the fee is taken out of the amount. */
  readonly covered: boolean
  /** How long after pay a cancel surely refunds, in seconds. */
  readonly undoSeconds: number
  readonly terms: ReadonlyMap<string, ChannelTerms>
  readonly recipient: readonly RecipientRule[]
}

/** All channels the gateway knows, in all the versions that contracts may name. */
export type ChannelBook = {
  readonly current: (id: string) => ChannelFacts | undefined
  readonly at: (id: string, version: number) => ChannelFacts | undefined
  readonly all: () => readonly ChannelFacts[]
}
