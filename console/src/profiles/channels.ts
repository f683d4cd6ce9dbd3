// The channels that pay out for this account, with what each asks of a recipient.
import type { Channel, DestinationRequest } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { payingOut } from '../payments/elsewhere.ts'
import { useSignedIn } from '../session/session.ts'
import { recipientOf } from '../transfers/fields.ts'

export type RecipientField = keyof NonNullable<DestinationRequest['recipient']>
export type Asked = { readonly field: RecipientField; readonly mend: string }

const STALE_MS = 60_000

export function useChannels() {
  const { isLive } = useSignedIn()
  const read = useRead(['channels', 'list'], (signal) => gateway.channels.list({ signal }).all(), {
    staleTime: STALE_MS,
  })
  const all = read.data ?? []
  const paying = payingOut(all, { currency: null, livemode: isLive })
  return { read, paying, nameOf: (id: string) => all.find((each) => each.id === id)?.name ?? id }
}

/** The recipient's fields, in the order that the channel names them. */
export function askedBy(channel: Channel | undefined): readonly Asked[] {
  const recipient = recipientOf(channel)
  return (recipient?.required ?? []).map((field) => ({
    field: field as RecipientField,
    mend: recipient?.properties?.[field]?.description ?? '',
  }))
}
