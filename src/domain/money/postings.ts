// The accounting recipes (docs/design/domain.md): which amount moves from which account to which with each move of a contract.
import { invariant } from '../invariant.ts'
import type { Payment } from '../payment/payment.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** Accounts with a floor are balances of the wallet; all others only receive rows and are summed from them. */
export type FlooredAccount = 'available' | 'held' | 'in_transit' | 'pending' | 'suspense'
export type LedgerAccount = FlooredAccount | 'fee_revenue' | 'external' | `clearing:${string}`

/** One row: it takes from `debit` and gives to `credit`, so it balances by construction. Minor units, above zero. */
export type Posting = { readonly debit: LedgerAccount; readonly credit: LedgerAccount; readonly amountMinor: bigint }

const posting = (debit: LedgerAccount, credit: LedgerAccount, amountMinor: bigint): Posting => {
  invariant(amountMinor > 0n, 'a posting moves more than nothing')
  return { debit, credit, amountMinor }
}

/**
 * Pay: amount and fee leave the balance and wait. A refund of a payment takes from what that payment brought: `parent`
 * is the payment contract of a refund or return, null for any other transfer.
 */
export function holdPostings(contract: Transfer, parent: Payment | null): readonly Posting[] {
  return sourcesOf(contract, contract.debitMinor, parent).map(([source, minor]) => posting(source, 'held', minor))
}

/** Where the money of a transfer comes from and goes back to, with how much of it. */
function sourcesOf(
  { origin, terms }: Transfer,
  minor: bigint,
  parent: Payment | null,
): readonly [FlooredAccount, bigint][] {
  if (origin?.from === 'suspense') {
    // A fee on top of what came is the account's own money.
    const ownMinor = minor > terms.amountMinor ? minor - terms.amountMinor : 0n
    const came: [FlooredAccount, bigint] = ['suspense', minor - ownMinor]
    return ownMinor > 0n ? [came, ['available', ownMinor]] : [came]
  }
  // What had been refunded before its settlement is settled with the rest once that has passed.
  const pendingMinor = origin && parent?.status === 'paid' ? origin.pendingMinor : 0n
  const sources: [FlooredAccount, bigint][] = [
    ['pending', pendingMinor],
    ['available', minor - pendingMinor],
  ]
  return sources.filter(([, part]) => part > 0n)
}

/** The rail accepted: the money is on its way. */
export function transitPostings(contract: Transfer): readonly Posting[] {
  return [posting('held', 'in_transit', contract.debitMinor)]
}

/** The rail failed an accepted transfer: back to where it waits. */
export function untransitPostings(contract: Transfer): readonly Posting[] {
  return [posting('in_transit', 'held', contract.debitMinor)]
}

/** Delivered: what the recipient gets goes to the channel's clearing account, the fee to revenue. */
export function deliveryPostings(
  contract: Transfer,
  from: 'held' | 'in_transit',
  channelId: string,
): readonly Posting[] {
  const sent = posting(from, `clearing:${channelId}`, contract.debitMinor - contract.feeMinor)
  return contract.feeMinor > 0n ? [sent, posting(from, 'fee_revenue', contract.feeMinor)] : [sent]
}

/** Bounced: what had been delivered comes back and waits. The fee stays earned. */
export function bouncePostings(contract: Transfer, channelId: string): readonly Posting[] {
  return [posting(`clearing:${channelId}`, 'held', contract.debitMinor - contract.feeMinor)]
}

/** Refund: everything the contract still holds goes back. */
export function refundPostings(contract: Transfer, parent: Payment | null): readonly Posting[] {
  return sourcesOf(contract, contract.heldMinor, parent).map(([source, minor]) => posting('held', source, minor))
}
