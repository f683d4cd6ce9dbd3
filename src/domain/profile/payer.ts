// What a rail told of a payer as a profile: a name, a number, and the account that paid where money can be sent there. Pure.
import type { ChannelBook } from '../channel/channel.ts'
import type { PayerPlace } from '../channel/collection.ts'
import { lacks } from '../contract/preview.ts'
import { isRefusal, type Refusal, refuse } from '../contract/refusals.ts'
import { placePaidFrom, type Payment, recipientOf } from '../payment/payment.ts'
import { channelToPayBy } from '../transfer/draft.ts'
import type { Recipient } from '../transfer/transfer.ts'
import { firstVersion } from './decide.ts'
import type { Destination, Profile, ProfileFacts } from './profile.ts'

type NewPayer = {
  readonly id: string
  readonly destinationId: string
  /** Of the account of this gateway that paid from a wallet; null for any other payer. */
  readonly accountName: string | null
}

/** The payer of a paid contract as a new profile; a card tells nothing that may be kept. */
export function payerOf(
  payment: Payment,
  { id, destinationId, accountName }: NewPayer,
  channels: ChannelBook,
  nowMs: number,
): Profile | Refusal {
  const place = placePaidFrom(payment)
  const told = recipientOf(place)
  const attempt = payment.attempts.find(({ number }) => number === payment.paidAttempt)
  const mobile = told.mobile ?? attempt?.details['mobile'] ?? null
  const destination = place && destinationAt(place, told, destinationId, payment, channels, nowMs)
  const name = told.name ?? accountName
  if (name === null && mobile === null && !destination)
    return refuse('payer_not_known', 'id', 'The rail told nothing of the payer. Make a profile: POST /profiles.')
  const { email, address, country } = told
  const type = accountName === null ? 'person' : 'business'
  const facts: ProfileFacts = { type, name, email, mobile, address, country, reference: null, metadata: {} }
  const { lane, accountId, livemode } = payment
  const profile = firstVersion({ lane, accountId, id, livemode }, facts, nowMs)
  return destination ? { ...profile, destinations: [destination] } : profile
}

/** The account that paid, where a channel can pay it. */
function destinationAt(
  { channelId }: PayerPlace,
  recipient: Recipient,
  id: string,
  { livemode }: Payment,
  channels: ChannelBook,
  nowMs: number,
): Destination | null {
  const channel = channelToPayBy(channelId, livemode, channels)
  if (isRefusal(channel) || lacks(channel, recipient).length > 0) return null
  const fresh = { isDefault: true, status: 'active', version: 1, changedAt: nowMs } as const
  return { id, label: null, channelId, recipient, ...fresh }
}
