// Money that arrives, and other reports about a payment. An amount is booked once for each object of its rail: on the
// contract where it fits, in suspense where it does not; it is never lost and never brings an ended contract back.
// Pure.
import { versionIn } from '../channel/channel.ts'
import { isForMode } from '../channel/modes.ts'
import {
  accumulates,
  type Arrival,
  earlierParts,
  suspenseReasonOf,
  pricedByQuote,
  priceOf,
  whyNotSuspended,
  withMore,
} from './arrivals.ts'
import { activity } from '../contract/decision.ts'
import { fixedText } from '../money/money.ts'
import { attemptFailed, endOf, nextDue, processing } from './attempts.ts'
import type { PaymentReport, ReceivePayment } from './commands.ts'
import { isLiveAttempt, type Payment, type PaymentAttempt, type Receipt, type SuspenseReason } from './payment.ts'
import {
  jobDue,
  type PaymentDecision,
  type PaymentFacts,
  paymentMoved,
  type PlacedPosting,
  unchanged,
  withAttempt,
} from './decision.ts'
import { UNKNOWN_SETTLES_AFTER_MS } from './refunds/recipients.ts'
import { attemptOfReport, failedUnchosen, type Price } from './unchosen.ts'
import { decideSettle } from './settle.ts'
import { beyondItsChannels, crossing, isBelieved, isOfWallets, OF_WALLETS, onlyOf } from './sources.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

/** How an event was taken in, and the contract afterwards. */
export type Reception = {
  readonly status: 'applied' | 'duplicate' | 'ignored' | 'needs_review'
  /** Why an operator has to review it. */
  readonly reason: string | null
  readonly decision: PaymentDecision
}

/** Takes in a report of a payment. Refuses only where unallocated money is to be refused. */
export function decideReceive(
  payment: Payment,
  command: ReceivePayment & { readonly report: PaymentReport },
  facts: PaymentFacts,
): Reception | Refusal {
  const told = { ...command.report, channelId: command.report.channelId ?? onlyOf(command.allowedChannels) }
  const channel = told.channelId === null ? undefined : facts.channels.current(told.channelId)
  if (channel && !isForMode(channel, payment.livemode)) return needsReview(payment, crossing(channel.id, payment))
  const attempt = attemptOfReport(payment, told)
  const broughtBy = attempt?.channelId ?? told.channelId ?? payment.terms.channelId
  const report = { ...told, payer: isBelieved(command, told.payer, broughtBy, facts) ? told.payer : null }
  const beyond = beyondItsChannels(payment, attempt, report, command.allowedChannels ?? null)
  if (beyond !== null) return needsReview(payment, beyond)
  if (command.event.body !== null && isOfWallets(attempt, report, facts)) return needsReview(payment, OF_WALLETS)
  switch (report.outcome) {
    case 'processing':
      return reportedProcessing(payment, attempt, report, facts)
    case 'failed':
      return reportedFailed(payment, attempt, report, facts)
    case 'succeeded':
      return reportedSucceeded(payment, attempt, { ...command, report }, facts)
  }
}

const ignored = (payment: Payment): Reception => ({ status: 'ignored', reason: null, decision: unchanged(payment) })
const applied = (decision: PaymentDecision): Reception => ({ status: 'applied', reason: null, decision })
const needsReview = (payment: Payment, reason: string): Reception => ({
  status: 'needs_review',
  reason,
  decision: unchanged(payment),
})

function reportedProcessing(
  payment: Payment,
  attempt: PaymentAttempt | null,
  { shown, objectId }: PaymentReport,
  facts: PaymentFacts,
): Reception {
  if (payment.status !== 'issued' || !attempt || !isLiveAttempt(attempt)) return ignored(payment)
  // It came late, after the money that it was about.
  if (facts.booked(objectId)) return ignored(payment)
  return applied(processing(payment, attempt, shown, facts))
}

function reportedFailed(
  payment: Payment,
  attempt: PaymentAttempt | null,
  report: PaymentReport,
  facts: PaymentFacts,
): Reception {
  const { failure } = report
  // Rank decides, not order of arrival: what was paid stays paid, and the history says that it was contradicted, once.
  if (payment.status === 'paid' || payment.status === 'completed') {
    const isAnother = attempt !== null && attempt.number !== payment.paidAttempt
    if (isAnother && isLiveAttempt(attempt)) return applied(attemptFailed(payment, attempt, failure ?? NO_WORDS, facts))
    if (isAnother || payment.activities.some((line) => line.type === 'outcome_disputed')) return ignored(payment)
    const line = activity('outcome_disputed', facts.nowMs, 'gateway', { code: failure?.code ?? '' })
    return applied(paymentMoved(payment, facts.nowMs, {}, [line], null))
  }
  if (attempt && isLiveAttempt(attempt)) return applied(attemptFailed(payment, attempt, failure ?? NO_WORDS, facts))
  const failed = failedUnchosen(payment, report, facts)
  if (!failed) return ignored(payment)
  const withFailed: Payment = { ...payment, attempts: [...payment.attempts, failed] }
  const intent = { providerId: report.objectId, attempt: failed.number }
  return applied({ ...attemptFailed(withFailed, failed, failure ?? NO_WORDS, facts), intent })
}

const NO_WORDS = { code: 'failed', message: 'The rail gave no reason.' }

function reportedSucceeded(
  payment: Payment,
  attempt: PaymentAttempt | null,
  command: ReceivePayment & { readonly report: PaymentReport },
  facts: PaymentFacts,
): Reception | Refusal {
  const report = pricedByQuote(payment, attempt, command.report)
  const { amountMinor, currency, objectId } = report
  if (amountMinor === null || currency === null)
    return needsReview(payment, 'its amount or currency cannot be read, or is beyond any that is taken')
  const known = facts.booked(objectId)
  if (known) {
    // A transaction is named by what is in it; its worth depends on what came before.
    const isWorth = report.assetUnits !== null || known.amountMinor === amountMinor
    const isSame = known.contractId === payment.id && isWorth && known.currency === currency
    if (isSame) return { status: 'duplicate', reason: null, decision: unchanged(payment) }
    return needsReview(
      payment,
      `other money is booked under the same id of the provider, for contract ${known.contractId}`,
    )
  }
  if (amountMinor <= 0n) return applied(withUnits(payment, attempt, report, facts))
  const wallet = facts.wallet(walletInto(payment, currency, facts), currency)
  if (!wallet) return needsReview(payment, `the account has no wallet in ${currency}`)
  const channelId = attempt?.channelId ?? report.channelId ?? payment.terms.channelId ?? 'other'
  const reportedBy = command.event.bodyHash === null ? 'gateway' : 'event'
  const arrival: Arrival = {
    ...report,
    eventId: command.event.id,
    reportedBy,
    amountMinor,
    currency,
    channelId,
    wallet,
  }
  const reason = suspenseReasonOf(payment, attempt, arrival, facts)
  if (reason === null) return applied(accepted(payment, attempt, arrival, facts))
  if (command.unallocated === 'refuse')
    return refuse(
      'payment_not_payable',
      'id',
      `The payment contract is ${payment.status} and does not take this amount.`,
    )
  const beyond = whyNotSuspended(payment, command, facts)
  return beyond !== null ? needsReview(payment, beyond) : applied(suspended(payment, arrival, reason, facts))
}

/** Money of the contract's currency goes where the contract says; of another one, to the default wallet. */
function walletInto({ terms, walletId }: Payment, currency: string, facts: PaymentFacts): string | null {
  if (currency !== terms.currency) return null
  // A contract of before says nothing until it is paid: its parts must meet.
  return walletId ?? facts.waiting().find((each) => each.currency === currency)?.walletId ?? null
}

/** So little that it is worth nothing by itself; with what follows it counts. */
function withUnits(
  payment: Payment,
  attempt: PaymentAttempt | null,
  report: PaymentReport,
  facts: PaymentFacts,
): PaymentDecision {
  if (!attempt || report.assetUnits === null) return unchanged(payment)
  const attempts = withAttempt(payment, attempt.number, withMore(attempt, report, 'rest'))
  const job = jobDue(payment, facts.job, nextDue({ ...payment, attempts }, facts))
  return paymentMoved(payment, facts.nowMs, { attempts }, [], null, { job })
}

/** The contract is paid. What came before in parts comes out of suspense, and what is too much goes there. */
function accepted(
  payment: Payment,
  attempt: PaymentAttempt | null,
  arrival: Arrival,
  facts: PaymentFacts,
): PaymentDecision {
  const { nowMs } = facts
  const { wallet, amountMinor, channelId } = arrival
  const { feeMinor, debitMinor } = priceOf(payment, attempt, channelId, amountMinor, facts)
  const { parts, sumMinor } = accumulates(payment, channelId, facts)
    ? earlierParts(payment, channelId, facts)
    : { parts: [], sumMinor: 0n }
  const excessMinor = sumMinor + amountMinor - debitMinor
  const receipts = receiptsOf(payment, arrival, parts, excessMinor, nowMs)
  const after: Payment = {
    ...payment,
    status: 'paid',
    paidAt: nowMs,
    walletId: wallet.id,
    terms: { ...payment.terms, channelId },
    channelVersion: versionOf(payment, attempt, channelId, facts.channels),
    feeMinor,
    debitMinor,
    paidAttempt: attempt?.number ?? null,
    paidBy: { objectId: arrival.objectId, payer: arrival.payer },
    paidMinor: debitMinor,
    pendingMinor: debitMinor - feeMinor,
    receivedMinor: payment.receivedMinor + amountMinor,
    suspenseMinor: payment.suspenseMinor - sumMinor + excessMinor,
    unallocatedCount: payment.unallocatedCount + (excessMinor > 0n ? 1 : 0),
    settlesAt: nowMs + settleAfterMs(payment, attempt, channelId, facts),
    cancellation: payment.cancellation && { ...payment.cancellation, status: 'refused' },
    attempts: attempt ? withSuccess(payment, attempt, arrival, { feeMinor, debitMinor }) : payment.attempts,
  }
  const data = {
    amount: fixedText(debitMinor, payment.terms.currency),
    reference: arrival.objectId,
    channel: channelId,
  }
  const activities = [activity('paid', nowMs, 'payer', attempt ? { ...data, attempt: attempt.number } : data)]
  if (excessMinor > 0n) activities.push(moneySuspended(arrival, excessMinor, 'excess', nowMs))
  const job = jobDue(payment, facts.job, nextDue(after, facts))
  const settles = after.settlesAt !== null && after.settlesAt <= nowMs
  const paid = paymentMoved(payment, nowMs, after, activities, 'contract.paid', {
    placed: acceptPostings(after, arrival, sumMinor, excessMinor),
    receipts,
    job,
  })
  return settles ? { ...paid, next: decideSettle(paid.after, { ...facts, job }) } : paid
}

function withSuccess(payment: Payment, attempt: PaymentAttempt, arrival: Arrival, price: Price): Payment['attempts'] {
  return withAttempt(payment, attempt.number, {
    ...price,
    status: 'succeeded',
    failure: null,
    receivedUnits: attempt.receivedUnits + (arrival.assetUnits ?? 0n),
    providerId: attempt.providerId ?? arrival.objectId,
    shown: { ...attempt.shown, ...arrival.shown },
    nextAction: null,
  })
}

/**
 * What is too much is of the last that came. It may be more than that, where parts came at the price of another attempt:
 * then the newest of them keep the rest, and go back as parts do.
 */
function receiptsOf(
  payment: Payment,
  arrival: Arrival,
  parts: readonly Receipt[],
  excessMinor: bigint,
  nowMs: number,
): Receipt[] {
  const ofArrival = excessMinor < arrival.amountMinor ? excessMinor : arrival.amountMinor
  let leftMinor = excessMinor - ofArrival
  const emptied = parts.toReversed().map((part) => {
    const suspenseMinor = leftMinor < part.suspenseMinor ? leftMinor : part.suspenseMinor
    leftMinor -= suspenseMinor
    return { ...part, suspenseMinor }
  })
  return [receiptOf(payment, arrival, excessMinor > 0n ? 'excess' : null, ofArrival, nowMs), ...emptied]
}

/** The money goes to where it waits for settlement, the fee to revenue; parts and surplus pass through suspense. */
function acceptPostings(after: Payment, arrival: Arrival, sumMinor: bigint, excessMinor: bigint): PlacedPosting[] {
  const { wallet, amountMinor, channelId } = arrival
  const walletId = wallet.id
  const { feeMinor, pendingMinor } = after
  const isPlain = sumMinor === 0n && excessMinor === 0n
  const from = isPlain ? (`clearing:${channelId}` as const) : 'suspense'
  const postings: PlacedPosting[] = isPlain
    ? []
    : [{ walletId, debit: `clearing:${channelId}`, credit: 'suspense', amountMinor }]
  postings.push({ walletId, debit: from, credit: 'pending', amountMinor: pendingMinor })
  if (feeMinor > 0n) postings.push({ walletId, debit: from, credit: 'fee_revenue', amountMinor: feeMinor })
  return postings
}

function settleAfterMs(
  payment: Payment,
  attempt: PaymentAttempt | null,
  channelId: string,
  { channels }: PaymentFacts,
): number {
  const version = versionOf(payment, attempt, channelId, channels)
  // Only of a channel that nobody configured is nothing known.
  const collect = version === null ? null : versionIn(channels, channelId, version).collect
  return collect ? collect.settleAfterSeconds * 1000 : UNKNOWN_SETTLES_AFTER_MS
}

/** The version that priced the channel which the money came by: it need not be the one that the payer chose last. */
function versionOf(
  payment: Payment,
  attempt: PaymentAttempt | null,
  channelId: string,
  channels: PaymentFacts['channels'],
): number | null {
  if (attempt) return attempt.channelVersion
  const priced = payment.attempts.findLast((each) => each.channelId === channelId)?.channelVersion
  const fixed = payment.terms.channelId === channelId ? payment.channelVersion : null
  return priced ?? fixed ?? channels.current(channelId)?.version ?? null
}

function suspended(payment: Payment, arrival: Arrival, reason: SuspenseReason, facts: PaymentFacts): PaymentDecision {
  const { nowMs } = facts
  const { amountMinor, wallet, channelId, currency } = arrival
  const isOwn = currency === payment.terms.currency
  const changes: Partial<Payment> = {
    receivedMinor: payment.receivedMinor + (isOwn ? amountMinor : 0n),
    suspenseMinor: payment.suspenseMinor + (isOwn ? amountMinor : 0n),
    unallocatedCount: payment.unallocatedCount + (reason === 'partial' ? 0 : 1),
  }
  const attempt = arrival.attempt === null ? undefined : payment.attempts[arrival.attempt - 1]
  // Money of another amount ends its attempt; parts leave theirs open for the rest.
  const closes = attempt !== undefined && reason !== 'partial' && isLiveAttempt(attempt)
  const then = reason === 'partial' ? 'rest' : 'no rest'
  const counted = attempt ? withAttempt(payment, attempt.number, withMore(attempt, arrival, then)) : payment.attempts
  const attempts = closes
    ? withAttempt({ ...payment, attempts: counted }, attempt.number, {
        status: payment.status === 'issued' ? 'failed' : 'succeeded',
        failure: payment.status === 'issued' ? { code: reason, message: 'Another amount arrived.' } : null,
        nextAction: null,
      })
    : counted
  const after: Payment = { ...payment, ...changes, attempts }
  const end = endOf(after, nowMs)
  const job = jobDue(payment, facts.job, nextDue({ ...after, ...end?.changes }, facts))
  const booked = paymentMoved(
    payment,
    nowMs,
    after,
    [moneySuspended(arrival, amountMinor, reason, nowMs)],
    'contract.payment_suspended',
    {
      placed: [{ walletId: wallet.id, debit: `clearing:${channelId}`, credit: 'suspense', amountMinor }],
      receipts: [receiptOf(payment, arrival, reason, amountMinor, nowMs)],
      job,
    },
  )
  // The end is a version and an event of its own: who receives webhooks about ends alone still gets it, and the money
  // is reported too.
  return end ? { ...booked, next: paymentMoved(booked.after, nowMs, end.changes, [end.line], end.event) } : booked
}

function moneySuspended({ currency, objectId }: Arrival, amountMinor: bigint, reason: SuspenseReason, nowMs: number) {
  const data = { amount: fixedText(amountMinor, currency), currency, reason, reference: objectId }
  return activity('payment_suspended', nowMs, 'payer', data)
}

function receiptOf(
  { id: contractId }: Payment,
  {
    eventId,
    objectId,
    attempt,
    channelId,
    currency,
    amountMinor,
    payer,
    reportedBy,
    wallet: { id: walletId },
  }: Arrival,
  reason: SuspenseReason | null,
  suspenseMinor: bigint,
  at: number,
): Receipt {
  const money = { channelId, walletId, currency, amountMinor, suspenseMinor }
  return { eventId, objectId, contractId, attempt, ...money, reason, payer, reportedBy, at }
}
