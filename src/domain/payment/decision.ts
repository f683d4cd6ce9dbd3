// What deciding a command about a payment contract yields, and what it may know. Values only.
import { asItStands, type Decision, type DecisionOf, type Facts, moved, type Rules } from '../contract/decision.ts'
import { invariant } from '../invariant.ts'
import type { EventType } from '../transfer/moves.ts'
import { isLiveAttempt, type Payment, type PaymentAttempt, type CollectionJob, type Receipt } from './payment.ts'
import type { Posting } from '../money/postings.ts'
import type { Activity, Transfer } from '../transfer/transfer.ts'

/** Rows of another wallet than the contract's own carry its id: money in another currency. */
export type PlacedPosting = Posting & { readonly walletId: string }

/** A transfer that a recovery adopted, for it is the return of money that the books did not know. */
export type AdoptedReturn = Pick<Transfer, 'id' | 'status'> & {
  readonly terms: Pick<Transfer['terms'], 'amountMinor' | 'currency'>
}

export type PaymentFacts = Pick<Facts, 'nowMs' | 'channels' | 'wallet' | 'expiresInSeconds'> & {
  /** By which money is judged that goes elsewhere than back; asked for it alone. */
  readonly rulesElsewhere: () => Rules | null
  readonly job: CollectionJob | null
  /** The amount that was booked under a rail's id, whichever contract it was for. */
  readonly booked: (objectId: string) => Receipt | undefined
  /** What of this contract's receipts is in suspense, the oldest first. */
  readonly waiting: () => readonly Receipt[]
  /** The id of the transfer that returns a receipt's money by itself: the same again after a restore that has undone it. */
  readonly returnId: (receipt: Receipt) => string
  /** That return, where a recovery found it at its provider and adopted it, before the books knew what it was of. */
  readonly adoptedReturn: (receipt: Receipt) => AdoptedReturn | undefined
  /** The account's setting: money in suspense goes back by itself. */
  readonly returnsAtOnce: boolean
}

export type PaymentDecision = DecisionOf<Payment> & {
  readonly job: CollectionJob | null
  /** Receipts that are new, and known ones of which less is in suspense. */
  readonly receipts: readonly Receipt[]
  readonly placed: readonly PlacedPosting[]
  /** The provider's id of an attempt. */
  readonly intent: { readonly providerId: string; readonly attempt: number } | null
  /** A transfer of its own that refunds money, made in the same moment. */
  readonly spawned: Decision | null
  /** The amount that the job is leased to look for at its rail, before it goes back; null where it is leased for an attempt, or not. */
  readonly toLookFor: Receipt | null
  /** What follows at once on the same contract. */
  readonly next: PaymentDecision | null
}

type Written = {
  readonly job?: CollectionJob | null
  readonly receipts?: readonly Receipt[]
  readonly placed?: readonly PlacedPosting[]
  readonly intent?: PaymentDecision['intent']
  readonly spawned?: Decision | null
  readonly toLookFor?: Receipt | null
  readonly next?: PaymentDecision | null
}

const NOTHING = {
  job: null,
  receipts: [],
  placed: [],
  intent: null,
  spawned: null,
  toLookFor: null,
  next: null,
} as const

export function unchanged(payment: Payment, written: Written = {}): PaymentDecision {
  return { ...asItStands(payment), ...NOTHING, ...written, job: jobFor(payment, written.job) }
}

export function paymentMoved(
  payment: Payment,
  nowMs: number,
  changes: Partial<Payment>,
  activities: readonly Activity[],
  event: EventType | null,
  written: Written = {},
): PaymentDecision {
  const decision = moved(payment, nowMs, changes, activities, event)
  // What is to be done now is another thing: how often a rail was asked before says nothing about it. Past its time the looks are counted
  // that a contract still gets (attempts.ts): those before something happened may have been about another attempt.
  const isCounted = payment.status === 'issued' && payment.expiresAt <= nowMs
  const isSamePurpose = decision.after.status === payment.status && !isCounted
  const job = written.job && !isSamePurpose ? { ...written.job, tries: 0 } : written.job
  return { ...decision, ...NOTHING, ...written, job: jobFor(decision.after, job) }
}

/** The contract's job, due at a moment. A new lease makes every earlier report recognisably late. */
export function jobDue(payment: Payment, before: CollectionJob | null, dueAt: number | null): CollectionJob {
  const { lane, accountId, id: contractId } = payment
  const { fence, tries } = before ?? { fence: 0, tries: 0 }
  return { kind: 'collection', lane, accountId, contractId, channelId: null, status: 'open', dueAt, fence, tries }
}

/**
 * The job with the one channel that is called when it is due, so that an outage of its rail holds up its own jobs alone. With
 * attempts at several, or nothing to call, it has no channel: a rail that is away must not keep another from being called.
 */
function jobFor(payment: Payment, job: CollectionJob | null | undefined): CollectionJob | null {
  if (!job) return null
  const isToSettle = payment.status === 'paid' && payment.settlesAt !== null && payment.settlesAt <= (job.dueAt ?? 0)
  const [first, ...others] = isToSettle ? [] : payment.attempts.filter(isLiveAttempt)
  if (!first || others.some(({ channelId }) => channelId !== first.channelId)) return job
  const isToStart = [first, ...others].every(({ status }) => status === 'starting')
  return { ...job, channelId: first.channelId, status: isToStart ? 'queued' : 'open' }
}

/**
 * The attempt that a rail is to be asked about under the lease of so many tries: those that must be closed first, and all in
 * turn, for a rail that does not answer about one must not keep another, which may be paid, from being asked about.
 */
export function dueAttempt(payment: Payment, nowMs: number, tries: number): PaymentAttempt | undefined {
  const live = payment.attempts.filter(isLiveAttempt)
  const closing = live.filter((attempt) => mustClose(payment, attempt, nowMs))
  const inTurn = [...closing, ...live.filter((attempt) => !closing.includes(attempt))]
  return inTurn[Math.max(0, tries - 1) % Math.max(1, inTurn.length)]
}

/** The contract with one of its attempts changed. */
export function withAttempt(payment: Payment, number: number, changes: Partial<PaymentAttempt>): Payment['attempts'] {
  return payment.attempts.map((each) => (each.number === number ? { ...each, ...changes } : each))
}

/** An attempt that the rail must close: the contract ended, is to end, or went on with another attempt. */
export function mustClose(payment: Payment, attempt: PaymentAttempt, nowMs: number): boolean {
  if (!isLiveAttempt(attempt)) return false
  const isUnquoted = attempt.status === 'pending' && attempt.quote !== null && attempt.quote.expiresAt <= nowMs
  const isOver = payment.status !== 'issued' || payment.expiresAt <= nowMs || isUnquoted
  return isOver || attempt.superseded || payment.cancellation?.status === 'pending'
}

/** A receipt's money out of suspense, whoever gets it: the wallet that it is in, what changes in the contract, and the receipt without it. */
export function outOfSuspense(payment: Payment, receipt: Receipt, facts: Pick<PaymentFacts, 'wallet'>) {
  const { currency, suspenseMinor: amountMinor } = receipt
  const walletId = facts.wallet(receipt.walletId, currency)?.id
  invariant(walletId !== undefined, 'what is in suspense is in a wallet')
  const isOwn = currency === payment.terms.currency
  const changes = {
    suspenseMinor: payment.suspenseMinor - (isOwn ? amountMinor : 0n),
    unallocatedCount: payment.unallocatedCount - (receipt.reason === 'partial' ? 0 : 1),
    returnsHeld: payment.returnsHeld,
  } satisfies Partial<Payment>
  return { walletId, changes, receipts: [{ ...receipt, suspenseMinor: 0n }] }
}
