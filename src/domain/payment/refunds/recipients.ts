// Who may get money that is refunded. The rail refunds it, or it goes to the very account that paid, as the rail or,
// before paying, the payer reported it. Any other recipient that a caller names is paid by a transfer like any other:
// with the right to pay, out of settled money, at the channel's price, within its limits, with all that it requires of
// a recipient. Pure.
import type { ChannelFacts } from '../../channel/channel.ts'
import type { PayerPlace } from '../../channel/collection.ts'
import type { PaymentFacts } from '../decision.ts'
import { type Payment, type Receipt, recipientOf } from '../payment.ts'
import { previewOf, problemsOf } from '../../contract/preview.ts'
import { type Refusal, refuse, refuseAll } from '../../contract/refusals.ts'
import { mobileNumber } from '../../text/mobile.ts'

/** What the transfer of a refund costs: nothing where it goes back, the channel's price where it goes elsewhere. */
export type Price = { readonly feeMinor: bigint; readonly debitMinor: bigint }

/** A caller's request to send money elsewhere than back. */
export type Elsewhere = { readonly place: PayerPlace; readonly allowed: 'may pay' | 'may not pay' }

/** Whether two places are one account. What is only reported about its holder may differ. */
export function isSamePlace(named: PayerPlace, known: PayerPlace): boolean {
  if (named.channelId !== known.channelId) return false
  const locators = ['wallet', 'tag', 'mobile'] as const
  const isOne = locators.some((field) => known.recipient[field] !== undefined)
  return isOne && locators.every((field) => formOf(named, field) === formOf(known, field))
}

/** As callers' texts are compared; a rail may write a number in another form, without its plus among them. */
function formOf({ recipient }: PayerPlace, field: 'wallet' | 'tag' | 'mobile'): string | undefined {
  const text = recipient[field]
  return field === 'mobile' && text !== undefined ? (mobileNumber(text) ?? mobileNumber(`+${text}`) ?? text) : text
}

export function whyNotElsewhere({ allowed }: Elsewhere): Refusal | null {
  if (allowed === 'may pay') return null
  return refuse(
    'scope_missing',
    'recipient',
    'Money goes back by the rail, or to the account that paid. Another recipient is a transfer: use a key with the scope transfers:pay.',
  )
}

/** The price of an amount that goes elsewhere, or all that the channel has against it. */
export function priceElsewhere(
  { terms }: Payment,
  amountMinor: bigint,
  currency: string,
  channel: ChannelFacts,
  { place }: Elsewhere,
): Price | Refusal {
  const recipient = recipientOf(place)
  const preview = previewOf({ ...terms, amountMinor, currency, recipient, channelId: channel.id }, channel)
  const [first, ...others] = problemsOf(preview)
  if (first) return refuseAll([first, ...others])
  return { feeMinor: preview.feeMinor, debitMinor: preview.debitMinor }
}

/** When money in suspense is as settled as what was paid is: from then on it may go elsewhere. */
export function settledAt({ terms }: Payment, receipt: Receipt, { channels }: PaymentFacts): number {
  const own = channels.current(receipt.channelId)?.collect
  const brought = own ?? (terms.channelId === null ? null : channels.current(terms.channelId)?.collect)
  return receipt.at + (brought ? brought.settleAfterSeconds * 1000 : UNKNOWN_SETTLES_AFTER_MS)
}

/** Money that came by a channel that is not configured waits this long before it can be spent. */
export const UNKNOWN_SETTLES_AFTER_MS = 24 * 3_600_000
