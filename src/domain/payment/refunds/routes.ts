// The route of money back to a payer, or elsewhere where a caller who may pay others names another place. Pure.
import { isForMode, refuseOtherMode } from '../../channel/modes.ts'
import { type ChannelFacts, payingOut } from '../../channel/channel.ts'
import type { PayerPlace } from '../../channel/collection.ts'
import type { RefundPayment, ReturnPayment } from '../commands.ts'
import type { PaymentFacts } from '../decision.ts'
import { type Payment, type PaymentAttempt, placeOf, type Receipt, recipientOf } from '../payment.ts'
import { isSameAsset, type Quote, quoteFrom } from '../../money/quotes.ts'
import { type Elsewhere, isSamePlace, type Price, priceElsewhere, settledAt, whyNotElsewhere } from './recipients.ts'
import { isRefusal, type Refusal, refuse } from '../../contract/refusals.ts'
import type { Recipient } from '../../transfer/transfer.ts'

/** A way back: the rail that brought the money, or an account on a channel that pays out; or elsewhere, at its price. */
export type Route = {
  readonly channel: ChannelFacts
  readonly refundOf: string | null
  readonly recipient: Recipient
  /** Null for a way back, which costs nothing. */
  readonly price: Price | null
}

/** Money as it came: its id at the rail, the channel that brought it (no other can refund it), and who paid. */
export type Brought = {
  readonly objectId: string
  readonly channelId: string | null
  readonly payer: PayerPlace | null
}

/** Money of which something is to be refunded: whose, by which attempt it came where one is known, and its currency. */
export type Came = { readonly payment: Payment; readonly attempt: PaymentAttempt | null; readonly currency: string }

/** An asset goes out in whichever money it has a price in; a channel without any currency of its own only brings money in. */
function paysOut(channel: ChannelFacts, came: Came, nowMs: number): boolean {
  const { terms, asset } = channel
  return asset === null ? terms.has(came.currency) : terms.size > 0 && quoteFor(channel, came, nowMs) !== null
}

/** The route of the money: back, or to the place that a caller who may pay others names. */
export function wayFor(
  came: Came,
  brought: Brought,
  amountMinor: bigint,
  { route: named, allowed }: Pick<RefundPayment, 'route' | 'allowed'>,
  facts: PaymentFacts,
): Route | Refusal {
  const { payment, attempt, currency } = came
  const crossing = refusePlace(named, payment, facts)
  if (crossing) return crossing
  const known = knownPlace(attempt, brought)
  if (named === null) return byRail(payment, brought, facts) ?? toPayer(came, known, facts) ?? refuseRouteMissing()
  if (known && isSamePlace(named, known))
    return toPayer(came, known, facts) ?? byRail(payment, brought, facts) ?? refuseRouteMissing()
  const elsewhere: Elsewhere = { place: named, allowed }
  const why = whyNotElsewhere(elsewhere)
  if (why) return why
  const route = routeTo(came, named, facts)
  if (route === null) return refuseRouteMissing()
  const price = priceElsewhere(payment, amountMinor, currency, route.channel, elsewhere)
  return isRefusal(price) ? price : { ...route, price }
}

/** Refuses a place for the refund that the caller named on a channel of the other mode. */
function refusePlace(named: PayerPlace | null, { livemode }: Payment, { channels }: PaymentFacts): Refusal | null {
  const channel = named && channels.current(named.channelId)
  return channel ? refuseOtherMode(channel, livemode, () => payingOut(channels)) : null
}

const refuseRouteMissing = () => refuse('refund_route_missing', 'recipient', ROUTE_FIX)

const ROUTE_FIX =
  'The rail does not refund by itself, and no account of the payer is known for sure. Send channel and recipient, of a channel that pays out the currency in this mode.'

/** The account that paid: as the rail reported it, or as its payer did before paying. */
function knownPlace(attempt: PaymentAttempt | null, { channelId, payer }: Brought): PayerPlace | null {
  return payer ?? (attempt?.channelId === channelId ? placeOf(attempt) : null)
}

/** The way back by the rail that brought the money: it knows who paid, whatever anybody reports of that. */
function byRail(payment: Payment, { channelId, objectId }: Brought, { channels }: PaymentFacts): Route | null {
  const channel = channelId === null ? undefined : channels.current(channelId)
  if (!channel?.collect?.refunds || !isForMode(channel, payment.livemode)) return null
  return { channel, refundOf: objectId, recipient: recipientOf(null), price: null }
}

const toPayer = (came: Came, place: PayerPlace | null, facts: PaymentFacts) =>
  place === null ? null : routeTo(came, place, facts)

/** The way to an account, on a channel that pays out what came; null where there is none. */
function routeTo(came: Came, place: PayerPlace, { channels, nowMs }: PaymentFacts): Route | null {
  const channel = channels.current(place.channelId)
  // Even where the caller named it: what came in as test money goes out on no channel of live money.
  if (!channel || !isForMode(channel, came.payment.livemode) || !paysOut(channel, came, nowMs)) return null
  return { channel, refundOf: null, recipient: recipientOf(place), price: null }
}

/** The rate at which the same asset came in, if it did: what came in goes out. */
export function quoteFor({ asset }: ChannelFacts, { payment, attempt, currency }: Came, nowMs: number): Quote | null {
  if (!asset) return null
  const came = [attempt, ...payment.attempts].find(
    (each) => each?.quote && each.quote.currency === currency && isSameAsset(each.quote, asset),
  )
  return came?.quote ?? quoteFrom(asset, currency, nowMs)
}

/** Of a return that nobody named a place for. */
export const NOWHERE_ELSE = { route: null, allowed: 'may not pay' } as const

/** The way for an amount in suspense: back, or to the place that is named once the money has settled. */
export function wayOfReturn(
  payment: Payment,
  receipt: Receipt,
  wanted: Pick<ReturnPayment, 'route' | 'allowed'>,
  facts: PaymentFacts,
): Route | Refusal {
  const { currency, objectId, channelId, payer } = receipt
  const missing = refuseRouteMissing()
  if (!facts.wallet(receipt.walletId, currency)) return missing
  const came = { payment, attempt: attemptOf(payment, receipt), currency }
  const route = wayFor(came, { objectId, channelId, payer }, receipt.suspenseMinor, wanted, facts)
  if (isRefusal(route)) return route
  // An account that an event alone names is nobody's, until the rail, or the caller, names it, too.
  if (wanted.route === null && receipt.reportedBy === 'event' && route.refundOf === null) return missing
  // What came back once was not the rail's own payment: nothing there can be refunded again. Nor does it go by itself where it failed.
  if (receipt.reason === 'return_failed' && (route.refundOf !== null || wanted.route === null)) return missing
  const settled = settledAt(payment, receipt, facts)
  return route.price !== null && settled > facts.nowMs ? refuseUnsettled(settled) : route
}

/** What of a contract may go back by itself now: partial amounts that may still be made up stay until it has ended. */
export function returnableNow(payment: Payment, { returnsAtOnce, waiting }: PaymentFacts): readonly Receipt[] {
  if (!returnsAtOnce || payment.returnsHeld) return []
  return waiting().filter((each) => each.reason !== 'partial' || payment.status !== 'issued')
}

/** Whether its rail has to be asked about an amount before it can go back: only an event reported it, and the rail gives nothing back itself. */
export function isToLookFor(payment: Payment, receipt: Receipt, facts: PaymentFacts): boolean {
  if (receipt.reportedBy === 'gateway' || facts.adoptedReturn(receipt)) return false
  return isRefusal(wayOfReturn(payment, receipt, NOWHERE_ELSE, facts))
}

const [LOOK_AFTER_MS, LOOK_AGAIN_MAX_MS] = [5_000, 3_600_000]

/** When a rail is asked about an amount again: after as long as the money has waited already, so ever more rarely, and after an hour at most. */
export function lookAgainAt({ at }: Receipt, nowMs: number): number {
  return nowMs + Math.min(Math.max(nowMs - at, LOOK_AFTER_MS), LOOK_AGAIN_MAX_MS)
}

/** When the first of what may go back is due; null where there is nothing. What has to be looked for takes turns with attempts. */
export function returnsAt(payment: Payment, facts: PaymentFacts): number | null {
  const moments = returnableNow(payment, facts).map((each) =>
    isToLookFor(payment, each, facts) ? lookAgainAt(each, facts.nowMs) : facts.nowMs,
  )
  return moments.length === 0 ? null : Math.min(...moments)
}

function refuseUnsettled(settledAtMs: number): Refusal {
  const at = new Date(settledAtMs).toISOString()
  return refuse(
    'insufficient_funds',
    'recipient',
    `This money settles at ${at}: until then it goes back to the account that paid, and nowhere else.`,
  )
}

/** The rail is asked about so many attempts, each with a call of its own, before it refunds. */
const ASKED_ATTEMPTS_MAX = 4

/**
 * The numbers of the attempts that money may have come by: the one that is known, else those of its channel, newest first, or the first
 * one where a restore lost it. Only the rail's word about them counts.
 */
export function attemptsBy({ attempts }: Payment, known: number | null, channelId: string | null): readonly number[] {
  if (known !== null) return [known]
  const numbers = attempts.filter((each) => each.channelId === channelId).map(({ number }) => number)
  return numbers.length === 0 ? [1] : numbers.toReversed().slice(0, ASKED_ATTEMPTS_MAX)
}

export function attemptOf({ attempts }: Payment, { attempt }: Receipt): PaymentAttempt | null {
  return attempt === null ? null : (attempts[attempt - 1] ?? null)
}
