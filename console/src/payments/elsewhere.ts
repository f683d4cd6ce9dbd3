// Where money of a payment goes that does not go back by itself: a channel that the gateway would take for it, and all that this
// channel asks of a recipient. Must not know how it is asked for.
import type { Channel, ReturnRequest } from '../../../sdk/src/index.ts'
import { fieldsOf, NO_RECIPIENT, type RecipientField } from '../transfers/fields.ts'

/** As it is typed; no channel: back to where it came from. */
export type Elsewhere = {
  readonly channel: string | null
  readonly recipient: Readonly<Record<RecipientField, string>>
}

export const BACK: Elsewhere = { channel: null, recipient: NO_RECIPIENT }

/** `currency`: null where nobody knows it, as of money in suspense, which may have come in another than the contract's. */
export type Money = { readonly currency: string | null; readonly livemode: boolean }

/** The channels that pay out a currency, or any at all, for a contract of the mode. */
export function payingOut<Each extends Pick<Channel, 'livemode' | 'currencies'>>(
  channels: readonly Each[],
  { currency, livemode }: Money,
): readonly Each[] {
  return channels.filter(
    (each) =>
      (each.livemode === null || each.livemode === livemode) &&
      each.currencies.some((one) => currency === null || one.currency === currency),
  )
}

/** The place as the API takes it: nothing for the way back, null while a field is empty that the channel asks for. */
export function placeOf(
  { channel, recipient }: Elsewhere,
  channels: readonly Pick<Channel, 'id' | 'required'>[],
): Pick<ReturnRequest, 'channel' | 'recipient'> | null {
  if (channel === null) return {}
  const texts = fieldsOf(channels.find(({ id }) => id === channel)).map(
    ({ field }) => [field, recipient[field].trim()] as const,
  )
  return texts.every(([, text]) => text !== '') ? { channel, recipient: Object.fromEntries(texts) } : null
}
