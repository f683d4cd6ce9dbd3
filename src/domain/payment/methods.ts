// The ways in which a payment contract can be paid at this moment, with what each costs. Pure.
import { isForMode } from '../channel/modes.ts'
import { type ChannelBook, type ChannelFacts, inbound } from '../channel/channel.ts'
import type { PaymentKind } from './kinds.ts'
import type { Payment } from './payment.ts'
import { isValid, previewOf } from '../contract/preview.ts'

export type OfferedMethod = {
  readonly kind: PaymentKind
  readonly channelId: string
  readonly name: string
  readonly feeMinor: bigint
  /** What the payer would pay. */
  readonly debitMinor: bigint
  readonly asset: { readonly asset: string; readonly network: string } | null
  /** Whether the payer can give a card on a page of the rail's own. */
  readonly hosted: boolean
}

/** What a payer may choose: the channel that the caller fixed, or every one that takes the amount. */
export function methodsFor(channels: ChannelBook, payment: Payment): readonly OfferedMethod[] {
  return channelsFor(channels, payment).flatMap((channel) => {
    const priced = inbound(channel)
    const preview = previewOf({ ...payment.terms, channelId: channel.id }, priced)
    if (!priced || !channel.collect || !isValid(preview)) return []
    const { feeMinor, debitMinor } = preview
    const asset = channel.asset && { asset: channel.asset.asset, network: channel.asset.network }
    const { kind, hosted } = channel.collect
    return [{ kind, channelId: channel.id, name: channel.name, feeMinor, debitMinor, asset, hosted }]
  })
}

function channelsFor(channels: ChannelBook, payment: Payment): readonly ChannelFacts[] {
  const { terms, channelFixed, channelVersion, livemode } = payment
  if (channelFixed && terms.channelId !== null && channelVersion !== null) {
    const fixed = channels.at(terms.channelId, channelVersion)
    const isOffered = fixed && isForMode(fixed, livemode) && channels.current(fixed.id)
    return isOffered ? [fixed] : []
  }
  return channels.all().filter((each) => each.collect && isForMode(each, livemode))
}
