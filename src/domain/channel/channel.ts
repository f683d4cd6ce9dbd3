// What a channel is, as data: the facts that price a draft and say what it still lacks. Connectors live elsewhere.
import type { PaymentKind } from '../payment/kinds.ts'
import type { FeeSchedule } from '../money/fees.ts'
import type { QuoteConfig } from '../money/quotes.ts'
import { nextCutOff, type Windows } from './windows.ts'

export type RecipientField = 'name' | 'email' | 'mobile' | 'wallet' | 'tag' | 'address' | 'country'

/** The fault of a value, in a sentence for the caller that says how to fix it; null when there is none. */
export type RecipientCheck = (value: string) => string | null

/**
 * One thing a channel requires of the recipient: something of its kind (texts.SOMETHING), and what `pattern` says,
 * which is an ECMA-262 pattern for the whole value, or null for no more than that.
 */
export type RecipientRule = {
  readonly field: RecipientField
  readonly pattern: string | null
  /** What no pattern can say, such as a checksum: the fault of a value and how to fix it, or null. */
  readonly check: RecipientCheck | null
  /** What JSON Schema calls that check; null without one. */
  readonly format: 'evm_address' | null
  /** How to fix it, in a sentence for the caller. */
  readonly mend: string
}

/** Price and bounds of a channel in one currency; minor units, null for no bound. */
export type ChannelTerms = {
  readonly minMinor: bigint | null
  readonly maxMinor: bigint | null
  readonly fees: FeeSchedule
}

/** How a channel brings money in: its own price and bounds, apart from those of payouts. */
export type CollectFacts = {
  readonly kind: PaymentKind
  /** True: the payer pays the fee on top. False: it is taken out of what arrives. */
  readonly covered: boolean
  readonly terms: ReadonlyMap<string, ChannelTerms>
  /** From paid to available, in seconds; 0 for at once. */
  readonly settleAfterSeconds: number
  /** Whether payments that are each too small count together. */
  readonly accumulates: boolean
  /** Whether the rail itself refunds what was paid on it; else money goes back by a payout to the payer. */
  readonly refunds: boolean
  /** Whether payers can give their card on a page of the rail's own, so that no token is needed. */
  readonly hosted: boolean
}

/**
 * Whose contracts a channel takes: those of test accounts, or of live ones. `both` is the gateway's own wallet channel
 * alone, which moves money between wallets of one mode.
 */
export type ChannelMode = 'test' | 'live' | 'both'

/** One version of a channel. A contract names the version that priced it, so a later change cannot touch it (docs/design/domain.md). */
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
  /** When the rail takes what is sent; null for a rail that is always open. */
  readonly windows: Windows | null
  /** How long the money takes from there to the recipient at most, in seconds; null where it is not known. */
  readonly arrivalSeconds: number | null
  /** Whether an accepted transfer can be recalled, and whether a delivered one may bounce. */
  readonly canRecall: boolean
  readonly canBounce: boolean
  /** Which contracts it takes. */
  readonly mode: ChannelMode
  /** What leaves is this crypto asset, at these rates; null where the money itself leaves. */
  readonly asset: QuoteConfig | null
  readonly terms: ReadonlyMap<string, ChannelTerms>
  readonly recipient: readonly RecipientRule[]
  /** Null where the channel only pays out. */
  readonly collect: CollectFacts | null
}

// One view of each version, so that whatever is cached for a version holds for its view as well.
const inboundViews = new WeakMap<ChannelFacts, ChannelFacts>()

/** The channel as it prices money that comes in; null where it brings none. */
export function inbound(channel: ChannelFacts): ChannelFacts | null {
  const { collect } = channel
  if (!collect) return null
  const known = inboundViews.get(channel)
  if (known) return known
  const view = { ...channel, covered: collect.covered, terms: collect.terms, recipient: [] }
  inboundViews.set(channel, view)
  return view
}

/** When a transfer that is paid at a moment leaves, in milliseconds since the epoch: after the undo window, at a cut-off. */
export function dispatchAt(channel: ChannelFacts, paidAtMs: number): number {
  const readyAt = paidAtMs + channel.undoSeconds * 1000
  // Where no window opens in sight the job runs when it is ready, and the rail reports why not.
  return channel.windows === null ? readyAt : (nextCutOff(channel.windows, readyAt) ?? readyAt)
}

/** By when a transfer that is paid at a moment has arrived, as far as it is known. */
export function arrivalAt(channel: ChannelFacts, paidAtMs: number): number | null {
  return channel.arrivalSeconds === null ? null : dispatchAt(channel, paidAtMs) + channel.arrivalSeconds * 1000
}

/** All channels the gateway knows, in all the versions that contracts may name. */
export type ChannelBook = {
  readonly current: (id: string) => ChannelFacts | undefined
  /** Undefined where no process had written this version when the book was read. What decides asks {@link versionIn}. */
  readonly at: (id: string, version: number) => ChannelFacts | undefined
  readonly all: () => readonly ChannelFacts[]
  /** Whether the channel starts nothing new, because its statement showed payments that are not ours. */
  readonly isFrozen?: (id: string) => boolean
  /** Whether payouts of the channel are paused; what comes in by it goes on. */
  readonly paysNothing?: (id: string) => boolean
  /** Reads the versions that other processes have added since. */
  readonly readAgain?: () => Promise<void>
}

/**
 * A contract names a version that the book lacks. Versions are only ever added, so another process wrote it after the book was read:
 * whoever meets this reads the book again and decides anew. It is our own fault where the version is not there then either.
 */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion'
}

/** The channel in the version that a contract names: what that version says is never guessed. Throws {@link UnknownVersion}. */
export function versionIn({ at }: Pick<ChannelBook, 'at'>, id: string, version: number): ChannelFacts {
  const facts = at(id, version)
  if (!facts) throw new UnknownVersion(`the book has no version ${version} of channel ${id}`)
  return facts
}

/** One version of a channel and since when it was offered, in milliseconds since the epoch. */
export type ChannelVersion = { readonly version: number; readonly sinceMs: number }

/** The channels that pay out, and those that bring money in, whatever their mode. */
export const payingOut = ({ all }: Pick<ChannelBook, 'all'>) => all().filter(({ terms }) => terms.size > 0)
export const bringingIn = ({ all }: ChannelBook) => all().filter(({ collect }) => collect !== null)

export type ChannelArchive = ChannelBook & {
  /** The past of each channel, the oldest version first; nothing for an unknown channel. */
  readonly versions: (id: string) => readonly ChannelVersion[]
  readonly readAgain: () => Promise<void>
  /** Reads again where versions were added: what only shows contracts finds them there. */
  readonly look: () => Promise<void>
}
