// What is to be done about one order that a provider lists, in a recovery, from where the books stand: exactly one answer for each
// state and line, and none by which money leaves. Pure.
import { type Stand, standOf } from '../channel/reconcile.ts'
import type { Contract } from '../contract/contract.ts'
import { channelOfAttempt } from '../transfer/attempt.ts'
import { isForgotten, isInReview } from './adoption.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** An order as a provider's lists have it: what it did under one of our references. */
export type ListedOrder = {
  readonly reference: string
  readonly contractId: string
  readonly number: number
  readonly channelId: string
  /** `accepted`: the provider has it, and it has not gone yet. `returned`: it went, and came back. */
  readonly ended: 'accepted' | 'sent' | 'returned'
  /** Null where the line has no exact amount of its currency. */
  readonly amountMinor: bigint | null
  readonly currency: string
}

export type ReportedEnd = 'accepted' | 'delivered' | 'returned'

export type Answer =
  | { readonly kind: 'matched' }
  /** It is in the books again, on terms that only the line knows, and waits for an operator. */
  | { readonly kind: 'in_review' }
  /** The books do not know yet how it ended: to be reported to the engine, in this order. */
  | { readonly kind: 'report'; readonly outcomes: readonly ReportedEnd[] }
  /** `isKnown`: the books have its terms as they were frozen. */
  | { readonly kind: 'adopt'; readonly isKnown: boolean }
  /** Nothing that may be done by itself: for an operator. */
  | { readonly kind: 'differs'; readonly words: string }

/**
 * Which of the channels that share one list an order is compared with, as those between wallets do: the one that it went through, where the
 * books know, else the first of them.
 */
export function sharerOf(
  sharing: readonly string[],
  contract: Contract | null,
  { number }: ListedOrder,
): string | null {
  const known = contract?.kind === 'transfer' ? (channelOfAttempt(contract, number) ?? contract.terms.channelId) : null
  return sharing.find((each) => each === known) ?? sharing[0] ?? null
}

const differs = (words: string): Answer => ({ kind: 'differs', words })
const MATCHED: Answer = { kind: 'matched' }

/** The answer to an order, where the contract that it names stands like this; null for one that the books do not know. */
export function answerTo(contract: Transfer | null, order: ListedOrder): Answer {
  if (order.amountMinor === null) return differs('the line has no exact amount of its currency')
  if (contract === null) return { kind: 'adopt', isKnown: false }
  if (order.number === contract.execution.number && isInReview(contract)) return { kind: 'in_review' }
  if (isForgotten(contract, order.number)) return answerToForgotten(contract, order)
  const stand = standOf(contract, order.number)
  if (stand === null) return differs(NEVER_MADE)
  return mismatchOf(stand, order) ?? answerToStand(contract, stand, order)
}

const NEVER_MADE = 'by our books there was no such attempt, and another one of the contract has its money'

function answerToForgotten(contract: Transfer, order: ListedOrder): Answer {
  // The money is where the books have it: it came back from the rail, too.
  const isBack = contract.status === 'cancelled' && contract.paidAt !== null
  if (isBack && order.ended === 'returned') return MATCHED
  if (contract.status === 'draft') return { kind: 'adopt', isKnown: false }
  const { terms, debitMinor, feeMinor } = contract
  const ours = { channelId: order.number > 1 ? order.channelId : (terms.channelId ?? ''), currency: terms.currency }
  return mismatchOf({ ...ours, amountMinor: debitMinor - feeMinor }, order) ?? { kind: 'adopt', isKnown: true }
}

type Ordered = Pick<Stand, 'channelId' | 'currency' | 'amountMinor'>

function mismatchOf({ channelId, currency, amountMinor }: Ordered, order: ListedOrder): Answer | null {
  if (channelId !== order.channelId) return differs(`our attempt went through the channel ${channelId}`)
  if (currency === order.currency && amountMinor === order.amountMinor) return null
  return differs(`our attempt is over ${amountMinor} minor units of ${currency}`)
}

const ENDS = { accepted: ['accepted'], sent: ['delivered'], returned: ['delivered', 'returned'] } as const

function answerToStand({ status, execution }: Transfer, stand: Stand, { ended }: ListedOrder): Answer {
  switch (stand.outcome) {
    case 'open':
      return ended === 'accepted' && execution.status === 'accepted'
        ? MATCHED
        : { kind: 'report', outcomes: ENDS[ended] }
    case 'delivered':
      return ended === 'returned' ? { kind: 'report', outcomes: ['returned'] } : MATCHED
    case 'returned':
      return MATCHED
    case 'failed':
      // No money left by our books, and none by the provider's.
      if (ended === 'returned') return MATCHED
      return status === 'paid' && ended === 'sent'
        ? { kind: 'report', outcomes: ['delivered'] }
        : differs(`by our books no money left by this attempt: ${stand.words}`)
  }
}

/** A line of the report. */
export const LINE_KINDS = ['settled', 'adopted', 'in_review', 'lacking', 'differs', 'extra', 'open'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** What an operator has to end before the books fit; the others are done, or go on by themselves. */
export const OPEN_KINDS: readonly LineKind[] = ['lacking', 'differs', 'extra', 'open']

export type RecoveryLine = {
  readonly channelId: string
  readonly reference: string
  /** Null where the books know of no contract by it. */
  readonly contractId: string | null
  readonly kind: LineKind
  /** Null where the line has none that is exact. */
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly words: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What was read of a channel: all that its provider lists, nothing because it has no list, or nothing this time. */
export const CHANNEL_STATES = ['complete', 'unlisted', 'failed'] as const

export type ComparedChannel = {
  readonly channelId: string
  readonly state: (typeof CHANNEL_STATES)[number]
  readonly readFrom: number
  readonly readUntil: number
  readonly matched: number
  readonly words: string
}

export type ChannelLacking = { readonly channelId: string; readonly why: string }

/** The channels that keep a recovery from its end, but those that the operator leaves out by name; with why. */
export function channelsLacking(
  sending: readonly string[],
  compared: readonly ComparedChannel[],
  lines: readonly RecoveryLine[],
  without: readonly string[],
): ChannelLacking[] {
  return sending.flatMap((channelId): ChannelLacking[] => {
    if (without.includes(channelId)) return []
    const channel = compared.find((each) => each.channelId === channelId)
    if (!channel) return [{ channelId, why: 'was not compared' }]
    if (channel.state === 'failed') return [{ channelId, why: 'could not be read' }]
    const lacking = lines.filter((line) => line.channelId === channelId && line.kind === 'lacking').length
    return lacking > 0 ? [{ channelId, why: `has ${lacking} orders whose money no wallet has` }] : []
  })
}
