// What a rail says that payers paid, against what the books have of it: booked, asked about after the resume, or for people. Pure.
import type { Contract } from '../contract/contract.ts'
import { isLiveAttempt } from '../payment/payment.ts'

/** The money that came in under the reference of one attempt: several amounts where a code was paid more than once. */
export type ReceivedSum = {
  readonly reference: string
  readonly contractId: string
  readonly number: number
  readonly channelId: string
  /** Null where an amount is not exact. */
  readonly amountMinor: bigint | null
  readonly currency: string
}

export type ReceivedAnswer =
  | { readonly kind: 'matched' }
  /** The attempt is open: its rail is asked about it by itself. */
  | { readonly kind: 'open' }
  /** Nobody asks about it any more: for people. */
  | { readonly kind: 'differs'; readonly words: string }

/**
 * Where the contract that the reference names stands like this; null for one that the books do not know. `earlierMinor`: what the
 * rails list for other attempts at it, which the books may have booked instead.
 */
export function answerToReceived(
  contract: Contract | null,
  received: ReceivedSum,
  earlierMinor: bigint,
): ReceivedAnswer {
  if (contract === null) return { kind: 'differs', words: 'The books have forgotten the contract.' }
  if (contract.kind !== 'payment') return { kind: 'differs', words: 'By our books that contract takes no payments.' }
  const { receivedMinor, attempts, status, terms } = contract
  const attempt = attempts.find(
    ({ number, channelId }) => number === received.number && channelId === received.channelId,
  )
  const isOfCurrency = received.currency === terms.currency
  // What came in another currency is not in the sum; a contract that was paid by this attempt has it.
  const isBooked = isOfCurrency
    ? received.amountMinor !== null && receivedMinor >= earlierMinor + received.amountMinor
    : attempt?.status === 'succeeded'
  if (attempt && isBooked) return { kind: 'matched' }
  if (attempt && isLiveAttempt(attempt)) return { kind: 'open' }
  const what = attempt ? `the attempt is ${attempt.status}` : 'there is no such attempt'
  return { kind: 'differs', words: `By our books the contract is ${status}, and ${what}.` }
}
