// What whoever reports a payment is believed: of which channels, and of whose account. Pure.
import { modeWord } from '../channel/modes.ts'
import type { PaymentReport, ReceivePayment } from './commands.ts'
import type { PaymentFacts } from './decision.ts'
import type { Payment, PaymentAttempt } from './payment.ts'

/** The only channel that a source may report on: what it does not say is about that. */
export const onlyOf = (channels: readonly string[] | null | undefined) =>
  channels?.length === 1 ? (channels[0] ?? null) : null

/** A source that may report on some channels is trusted about no other: it waits for an operator, and nothing is booked. */
export function beyondItsChannels(
  { terms }: Payment,
  attempt: PaymentAttempt | null,
  report: PaymentReport,
  allowedChannels: readonly string[] | null,
): string | null {
  if (allowedChannels === null) return null
  const meant = [attempt?.channelId ?? terms.channelId, report.channelId].filter((each) => each !== null)
  const other = meant.find((each) => !allowedChannels.includes(each))
  if (other !== undefined) return `its key reports on ${allowedChannels.join(', ')}, and this is about channel ${other}`
  return meant.length > 0 ? null : `it names no channel, and its key reports on ${allowedChannels.join(', ')}`
}

/**
 * Whether money may go back to the account that a report names: what the gateway learned by itself, and of a provider's event an account
 * elsewhere than in a wallet of this gateway; of a source for some channels only where the channel knows no refund of its own. Else the
 * secret of one rail would have money sent out on all others.
 */
export function isBelieved(
  { event, allowedChannels }: ReceivePayment,
  payer: PaymentReport['payer'],
  broughtBy: string | null,
  { channels }: PaymentFacts,
): boolean {
  if (event.body === null || payer === null) return true
  if (channels.current(payer.channelId)?.collect?.kind === 'wallet') return false
  const refunds = broughtBy !== null && channels.current(broughtBy)?.collect?.refunds === true
  return (allowedChannels ?? null) === null || !refunds
}

export const OF_WALLETS =
  'it is about the channel between wallets of this gateway, of which no provider can know anything'

export function isOfWallets(
  attempt: PaymentAttempt | null,
  report: PaymentReport,
  { channels }: PaymentFacts,
): boolean {
  const meant = [attempt?.channelId ?? null, report.channelId].filter((each) => each !== null)
  return meant.some((each) => channels.current(each)?.collect?.kind === 'wallet')
}

/** A report of one mode is never applied to a contract of the other: it waits for an operator, and nothing is booked. */
export const crossing = (channelId: string, { livemode }: Payment) =>
  `channel ${channelId} moves ${modeWord(!livemode)} money, and this is a ${modeWord(livemode)} contract`
