// Money that arrives, checked against what was to be paid: what it is worth, and why it does not fit. Pure.
import { versionIn } from '../channel/channel.ts'
import type { ReceivedMoney } from '../channel/collection.ts'
import { amountMinorMax, parseAmount } from '../money/money.ts'
import type { PaymentReport, ReceivePayment } from './commands.ts'
import type { PaymentFacts } from './decision.ts'
import { isLiveAttempt, type Payment, type PaymentAttempt, type Receipt, type SuspenseReason } from './payment.ts'
import { assetDue, moneyOf } from '../money/quotes.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { hasChosen, isChosen, type Price, priceUnchosen } from './unchosen.ts'

export type Arrival = PaymentReport & {
  readonly eventId: string
  readonly reportedBy: Receipt['reportedBy']
  readonly amountMinor: bigint
  readonly currency: string
  readonly channelId: string
  readonly wallet: Wallet
}

/** What a rail reported in an answer, in minor units; null where its amount cannot be read. */
export function minorIn({ amountDecimal, currency }: ReceivedMoney): bigint | null {
  const parsed = parseAmount(Number(amountDecimal), currency)
  return 'fault' in parsed ? null : parsed.amountMinor
}

/** More amounts than this that fit nothing, of one contract, wait for an operator, unbooked: that many suggest abuse. */
const SUSPENDED_MAX = 100

/**
 * Why another amount is not booked to suspense; null where it is. What was returned counts too, for the contract keeps each; an
 * operator who has looked takes it in all the same.
 */
export function whyNotSuspended(
  { refunds }: Payment,
  { retakes }: Pick<ReceivePayment, 'retakes'>,
  facts: Pick<PaymentFacts, 'waiting'>,
): string | null {
  const waiting = facts.waiting().length
  if (waiting >= SUSPENDED_MAX) return 'too many amounts of the contract are in suspense'
  // What failed to go back is in suspense again, and counts there.
  const returned = refunds.filter(({ from, status }) => from === 'suspense' && status !== 'failed').length
  if (retakes !== undefined || waiting + returned < SUSPENDED_MAX) return null
  return 'too many amounts came that do not fit the contract, with those that were returned'
}

/** What came of an asset is worth what it adds to what came before, at the quote of the attempt. */
export function pricedByQuote(payment: Payment, attempt: PaymentAttempt | null, report: PaymentReport): PaymentReport {
  if (report.assetUnits === null) return report
  if (!attempt?.quote) return { ...report, amountMinor: null }
  const { currency } = payment.terms
  const { quote, receivedUnits: before, debitMinor } = attempt
  const due = assetDue(debitMinor, currency, quote)
  if ('fault' in due) return { ...report, amountMinor: null }
  const worth = (units: bigint) => moneyOf(units, due.units, debitMinor, quote)
  const amountMinor = worth(before + report.assetUnits) - worth(before)
  return { ...report, currency, amountMinor: amountMinor > amountMinorMax(currency) ? null : amountMinor }
}

/** Why an amount does not make the contract paid; null where it does. */
export function suspenseReasonOf(
  payment: Payment,
  attempt: PaymentAttempt | null,
  { currency, amountMinor, channelId, seenAt = 0 }: Arrival,
  facts: PaymentFacts,
): SuspenseReason | null {
  if (payment.status === 'cancelled' || payment.status === 'expired') return 'late'
  if (payment.status !== 'issued') return 'excess'
  if (currency !== payment.terms.currency) return 'wrong_currency'
  // The sweep may be late; an attempt that was open in time keeps the contract open until its rail has answered.
  if (payment.expiresAt <= facts.nowMs && !payment.attempts.some(isLiveAttempt)) return 'late'
  // The price of an asset held for as long as its attempt was open, and for nothing that was seen after its end: who keeps the attempt
  // open with crumbs does not keep the price.
  if (attempt?.quote && (!isLiveAttempt(attempt) || seenAt > attempt.quote.expiresAt)) return 'late'
  const dueMinor = priceOf(payment, attempt, channelId, amountMinor, facts).debitMinor
  if (!accumulates(payment, channelId, facts)) return amountMinor === dueMinor ? null : 'wrong_amount'
  return earlierParts(payment, channelId, facts).sumMinor + amountMinor >= dueMinor ? null : 'partial'
}

/** What was to be paid, and the fee of it: of the attempt, or by the channel where the payer chose nothing here. */
export function priceOf(
  payment: Payment,
  attempt: PaymentAttempt | null,
  channelId: string,
  amountMinor: bigint,
  facts: PaymentFacts,
): Price {
  if (!hasChosen(payment)) return priceUnchosen(payment, channelId, amountMinor, facts)
  return attempt && isChosen(payment, attempt) ? attempt : payment
}

export function accumulates(payment: Payment, channelId: string, { channels }: PaymentFacts): boolean {
  const chosen = payment.attempts.filter((each) => isChosen(payment, each))
  const version = chosen.findLast((each) => each.channelId === channelId)?.channelVersion
  return version !== undefined && (versionIn(channels, channelId, version).collect?.accumulates ?? false)
}

export function earlierParts({ terms }: Payment, channelId: string, facts: PaymentFacts) {
  const parts = facts
    .waiting()
    .filter((each) => each.reason === 'partial' && each.currency === terms.currency && each.channelId === channelId)
  return { parts, sumMinor: parts.reduce((sum, each) => sum + each.suspenseMinor, 0n) }
}

/**
 * What changes in an attempt by which more came. With `rest` the payer may pay the rest, or by another method, as long as nothing more
 * is on the way: what came is confirmed.
 */
export function withMore(
  { receivedUnits, status, chain }: PaymentAttempt,
  { assetUnits, block }: Pick<PaymentReport, 'assetUnits' | 'block'>,
  then: 'rest' | 'no rest',
): Partial<PaymentAttempt> {
  const reach = { looked: chain?.looked ?? 0, booked: Math.max(chain?.booked ?? 0, block ?? 0) }
  return {
    receivedUnits: receivedUnits + (assetUnits ?? 0n),
    status: then === 'rest' && status === 'processing' ? 'pending' : status,
    ...(block === undefined ? {} : { chain: reach }),
  }
}
