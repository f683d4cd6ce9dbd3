// Where a contract's money is, who must act and by when, and what a cancel would do at this moment. Pure.
import { askerWords } from '../policy/judge.ts'
import type { LedgerAccount } from '../money/postings.ts'
import type { Attempt, Transfer } from '../transfer/transfer.ts'

/** An amount in minor units in one place of the books. */
export type Place = { readonly account: LedgerAccount | 'recipient'; readonly amountMinor: bigint }

/** Whether a channel pays out, stands still until an operator has looked at its statement, or was paused by one. */
export type Payouts = 'flowing' | 'frozen' | 'paused'

export type Explanation = {
  readonly summary: string
  readonly places: readonly Place[]
  readonly waitsFor: 'caller' | 'gateway' | 'channel' | 'operator' | 'nobody'
  /** When the next thing happens by itself at the latest, in milliseconds since the epoch; null when nothing does. */
  readonly byMs: number | null
  readonly cancelNow: string
}

/**
 * Explains a contract as it stands. `attempt` is its newest one; `payouts` says whether the channel of that attempt
 * pays out at present.
 */
export function explain(contract: Transfer, attempt: Attempt | null, payouts: Payouts): Explanation {
  const places = placesOf(contract, attempt)
  switch (contract.status) {
    case 'draft':
      return {
        summary: 'A draft. No money is bound.',
        places,
        waitsFor: 'caller',
        byMs: contract.expiresAt,
        cancelNow: 'ends the draft; no money moves',
      }
    case 'issued':
      return {
        summary: `Issued, with its terms and its price frozen. No money is bound until it is paid.${askedWords(contract)}`,
        places,
        waitsFor: 'caller',
        byMs: contract.expiresAt,
        cancelNow: 'ends the contract; no money moves',
      }
    case 'paid':
      return { ...withDispute(contract, explainPaid(contract, attempt, payouts)), places }
    case 'returned':
      return {
        summary: 'Delivered, and sent back by the channel. What came back waits in the payer’s wallet as held.',
        places,
        waitsFor: attempt?.dueAt === null ? 'caller' : 'gateway',
        byMs: attempt?.dueAt ?? null,
        cancelNow: 'refunds what came back; the fee stays earned',
      }
    case 'completed':
      return ended(contract, places, 'The money has arrived.', 'is refused: the money has arrived')
    case 'cancelled':
      return ended(contract, places, refundedWords(contract), 'changes nothing: it is cancelled')
    case 'expired':
      return ended(contract, places, 'Expired before it was paid.', 'changes nothing: it expired')
  }
}

/** What its account's policies asked for before it is paid, the last time that somebody wanted to; and who may give it. */
function askedWords(contract: Transfer): string {
  const { requirements } = contract
  if (!requirements) return ''
  const { approvals, verifications, given } = requirements
  const lacking = approvals.flatMap((need) => {
    const { count, role } = need
    const members = new Set(given.filter((each) => role === null || each.role === role).map((each) => each.memberId))
    const who = role === null ? 'of those who may approve' : `of the role ${role}`
    return members.size >= count
      ? []
      : [
          ` The ${askerWords(need)} asks for ${count === 1 ? 'a member' : `${count} different members`} ${who}, and ${members.size} approved.`,
        ]
  })
  const verified = verifications.map(
    ({ name, verification, verifierId }) =>
      ` The policy “${name}” asks for a verification (${verification})${standing(contract, verification, verifierId)}.`,
  )
  return [...lacking, ...verified].join('')
}

/** How the newest one of the kind stands, as the contract shows it. */
function standing({ verifications = [] }: Transfer, kind: string, verifierId: string | null): string {
  const newest = verifications.findLast(
    (each) => each.verification === kind && (verifierId === null || each.verifierId === verifierId),
  )
  return newest ? `: ${newest.status}${newest.words === null ? '' : ` (${newest.words.replace(/\.$/, '')})`}` : ''
}

function ended(contract: Transfer, places: readonly Place[], summary: string, cancelNow: string): Explanation {
  return { ...withDispute(contract, { summary, waitsFor: 'nobody', byMs: null, cancelNow }), places }
}

/** Where a channel contradicts itself, or a callback in its name, the books stay as they are, and an operator must decide. */
function withDispute(contract: Transfer, words: Words): Words {
  const { execution, activities } = contract
  // What the channel itself reported in the end is no contradiction any more.
  const isSettled = execution.status === 'failed' || execution.status === 'returned' || contract.status === 'cancelled'
  const isDenied = activities.some(
    ({ type, data }) => type === 'failure_disputed' && data?.['attempt'] === execution.number && !isSettled,
  )
  if (isDenied) return { ...words, summary: `${words.summary} ${FORGED_PERHAPS}`, waitsFor: 'operator' }
  if (!contract.activities.some((line) => line.type === 'outcome_disputed')) return words
  const why = 'The channel has contradicted an earlier outcome: somebody must look at it there.'
  return { ...words, summary: `${words.summary} ${why}`, waitsFor: 'operator' }
}

const FORGED_PERHAPS =
  'A signed callback said that it failed, and the channel’s own answer says otherwise: somebody must look at who can sign its callbacks.'

function refundedWords({ refund, activities }: Transfer): string {
  if (refund) return 'Cancelled, and refunded to the payer’s wallet.'
  const rejected = activities.findLast(({ type }) => type === 'rejected')
  if (!rejected) return 'Cancelled before it was paid.'
  const reason = rejected.data?.['reason']
  return `Rejected by a member before it was paid${typeof reason === 'string' ? `: “${reason}”` : ''}. No money moved.`
}

type Words = Omit<Explanation, 'places'>

function explainPaid(contract: Transfer, attempt: Attempt | null, payouts: Payouts): Words {
  const byMs = attempt?.dueAt ?? null
  const pending = contract.cancellation?.status === 'pending'
  const reported = reportedWords(contract, byMs)
  const detail = pending ? `${reported} A cancellation waits for that.` : reported
  const cancelLater = pending
    ? 'changes nothing: a cancellation already waits for the channel’s answer'
    : 'has the channel recall where it can; it ends completed, or cancelled with a refund, and never both'
  switch (attempt?.status ?? 'none') {
    case 'queued':
      if (payouts !== 'flowing') return STANDING_STILL[payouts]
      return {
        summary: 'Paid. The money waits in the payer’s wallet as held and has not left.',
        waitsFor: 'gateway',
        byMs,
        cancelNow: 'refunds all of it, the fee included',
      }
    case 'submitting':
      return {
        summary: `The channel is being told at this moment.${detail}`,
        waitsFor: 'gateway',
        byMs,
        cancelNow: cancelLater,
      }
    case 'accepted':
      return {
        summary: `The channel has accepted it and will report how it ends.${detail}`,
        waitsFor: reported !== '' && byMs === null ? 'operator' : 'channel',
        byMs,
        cancelNow: cancelLater,
      }
    case 'unknown':
      return {
        summary: `Nobody knows yet whether the money went: the channel gave no definite answer.${detail}`,
        // Where the rail takes no inquiry, an operator must find out.
        waitsFor: byMs === null ? 'operator' : 'channel',
        byMs,
        cancelNow: cancelLater,
      }
    case 'failed':
      return {
        summary: 'The channel refused it for good. The money waits in the payer’s wallet as held.',
        waitsFor: 'caller',
        byMs: null,
        cancelNow: 'refunds all of it, the fee included; a retry sends it again instead',
      }
    case 'none':
    case 'voided':
    case 'delivered':
    case 'returned':
      return {
        summary: 'Paid, with an attempt that ended without an outcome: this should not be.',
        waitsFor: 'operator',
        byMs,
        cancelNow: cancelLater,
      }
  }
}

/** What a callback reported, which is not trusted before the channel itself confirms it. */
function reportedWords({ execution }: Transfer, byMs: number | null): string {
  if (!execution.reported) return ''
  const what = execution.reported.as === 'failed' ? 'was refused' : 'came back'
  const then = byMs === null ? 'the channel cannot be asked, so an operator has to find out.' : 'the channel is asked.'
  return ` A callback says that it ${what} (${execution.reported.code}); ${then}`
}

// The reason is for the operator alone: it may be about another account's money.
const FROZEN: Words = {
  summary:
    'Paid. The money waits in the payer’s wallet as held: the channel pays nothing out until the operator lets it go on.',
  waitsFor: 'operator',
  byMs: null,
  cancelNow: 'refunds all of it, the fee included',
}

const PAUSED: Words = {
  ...FROZEN,
  summary:
    'Paid. The money waits in the payer’s wallet as held: the operator has paused payouts, and it leaves when they go on.',
}

const STANDING_STILL = { frozen: FROZEN, paused: PAUSED } as const

function placesOf(contract: Transfer, attempt: Attempt | null): Place[] {
  const { feeMinor, debitMinor, heldMinor } = contract
  if (contract.status === 'completed')
    return withFee([{ account: 'recipient', amountMinor: debitMinor - feeMinor }], feeMinor)
  if (contract.status === 'returned') return withFee([{ account: 'held', amountMinor: heldMinor }], feeMinor)
  if (contract.status === 'paid')
    return [{ account: attempt?.status === 'accepted' ? 'in_transit' : 'held', amountMinor: heldMinor }]
  if (contract.refund) {
    const kept = debitMinor - contract.refund.amountMinor
    return withFee([{ account: 'available', amountMinor: contract.refund.amountMinor }], kept)
  }
  return []
}

function withFee(places: Place[], feeMinor: bigint): Place[] {
  return feeMinor > 0n ? [...places, { account: 'fee_revenue', amountMinor: feeMinor }] : places
}
