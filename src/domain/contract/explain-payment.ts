// Where the money of a payment contract is, who must act and by when, and what a cancel would do at this moment. Pure.
import type { LedgerAccount } from '../money/postings.ts'
import {
  currentAttempt,
  isLiveAttempt,
  type CollectionJob,
  type Payment,
  type PaymentAttempt,
} from '../payment/payment.ts'

/** An amount in minor units of the contract's currency, in one place of the books; `payer` is outside. */
export type PaymentPlace = { readonly account: LedgerAccount | 'payer'; readonly amountMinor: bigint }

export type PaymentExplanation = {
  readonly summary: string
  readonly places: readonly PaymentPlace[]
  readonly waitsFor: 'payer' | 'caller' | 'gateway' | 'channel' | 'nobody'
  /** When the next thing happens by itself at the latest, in milliseconds since the epoch; null when nothing does. */
  readonly byMs: number | null
  readonly cancelNow: string
}

type Words = Omit<PaymentExplanation, 'places'>

/** Explains a payment contract as it stands, with the job that works on it. */
export function explainPayment(payment: Payment, job: CollectionJob | null): PaymentExplanation {
  return { ...withRest(payment, wordsOf(payment, job)), places: placesOf(payment) }
}

function wordsOf(payment: Payment, job: CollectionJob | null): Words {
  switch (payment.status) {
    case 'issued':
      return explainIssued(payment, job)
    case 'paid':
      return {
        summary: 'Paid. The money waits in the wallet as pending until it is settled.',
        waitsFor: 'gateway',
        byMs: payment.settlesAt,
        cancelNow: 'is refused: it is paid. A refund gives the money back',
      }
    case 'completed':
      return ended('Paid and settled: the money is available.', 'is refused: it is paid. A refund gives the money back')
    case 'cancelled':
      return ended('Cancelled before it was paid.', 'changes nothing: it is cancelled')
    case 'expired':
      return ended('Expired before it was paid.', 'changes nothing: it expired')
  }
}

const ended = (summary: string, cancelNow: string): Words => ({ summary, waitsFor: 'nobody', byMs: null, cancelNow })

function explainIssued(payment: Payment, job: CollectionJob | null): Words {
  const attempt = currentAttempt(payment)
  const byMs = job?.dueAt ?? payment.expiresAt
  if (payment.cancellation?.status === 'pending')
    return {
      summary: 'A cancellation waits for the channel: the contract ends cancelled, or paid if the payer was quicker.',
      waitsFor: 'channel',
      byMs,
      cancelNow: 'changes nothing: a cancellation already waits for the channel’s answer',
    }
  if (!attempt || !isLiveAttempt(attempt))
    return {
      summary: attempt
        ? 'The last way to pay came to nothing. The payer may choose again.'
        : 'Waits for the payer to choose how to pay.',
      waitsFor: 'payer',
      byMs: payment.expiresAt,
      cancelNow: 'ends the contract; no money moves',
    }
  return { ...explainLive(attempt, byMs, payment.expiresAt), cancelNow: CLOSES }
}

const CLOSES =
  'has the channel close what the payer has begun; it ends cancelled, or paid where the payer was quicker, and never both'

function explainLive(attempt: PaymentAttempt, byMs: number, expiresAt: number): Omit<Words, 'cancelNow'> {
  switch (attempt.status) {
    case 'pending':
      return {
        summary: 'The payer has chosen how to pay, and has to finish it there.',
        waitsFor: 'payer',
        byMs: expiresAt,
      }
    case 'processing':
      return { summary: 'The payer has paid; the channel works on it and will report.', waitsFor: 'channel', byMs }
    case 'unknown':
      return {
        summary: 'Nobody knows yet whether the channel has the attempt: it gave no definite answer, and is asked.',
        waitsFor: 'channel',
        byMs,
      }
    case 'starting':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return { summary: 'The channel is being told how the payer wants to pay.', waitsFor: 'gateway', byMs }
  }
}

/** What else is open: money that fits no contract, and refunds that are on their way or failed. */
function withRest(payment: Payment, words: Words): Words {
  const { suspenseMinor, unallocatedCount, returnsHeld, refunds } = payment
  const said: string[] = []
  if (suspenseMinor > 0n || unallocatedCount > 0)
    said.push(returnsHeld ? HELD_BACK : 'Money that does not fit waits in suspense, and goes back by itself.')
  if (refunds.some(({ status }) => status === 'open')) said.push('A refund is on its way: see its transfer contract.')
  if (said.length === 0) return words
  const waitsFor = returnsHeld && words.waitsFor === 'nobody' ? 'caller' : words.waitsFor
  return { ...words, summary: [words.summary, ...said].join(' '), waitsFor }
}

const HELD_BACK = 'Money that does not fit waits in suspense and found no way back by itself: send it by hand.'

/** Refunded money was available or pending before; a refund above what was received less the fee takes other money of the wallet. */
function placesOf({ paidMinor, feeMinor, pendingMinor, refundedMinor, suspenseMinor, paidAt }: Payment) {
  const availableMinor = paidMinor - feeMinor - pendingMinor - refundedMinor
  const places: PaymentPlace[] = [
    { account: 'suspense', amountMinor: suspenseMinor },
    { account: 'pending', amountMinor: pendingMinor },
    { account: 'available', amountMinor: availableMinor },
    { account: 'fee_revenue', amountMinor: paidAt === null ? 0n : feeMinor },
    { account: 'payer', amountMinor: refundedMinor },
  ]
  return places.filter(({ amountMinor }) => amountMinor > 0n)
}
