// The channels that pay out for this account, with what each asks of a recipient.
import type { Channel, DestinationRequest } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'

export type RecipientField = keyof NonNullable<DestinationRequest['recipient']>
export type Asked = { readonly field: RecipientField; readonly mend: string }

const STALE_MS = 60_000

/** What a channel's `required` says of a recipient. */
type Required = {
  readonly properties?: {
    readonly recipient?: {
      readonly required?: readonly RecipientField[]
      readonly properties?: Readonly<Record<string, { readonly description?: string }>>
    }
  }
}

export function useChannels() {
  const { isLive } = useSignedIn()
  const read = useRead(['channels', 'list'], (signal) => gateway.channels.list({ signal }).all(), {
    staleTime: STALE_MS,
  })
  const all = read.data ?? []
  const paying = all.filter(
    ({ livemode, currencies }) => currencies.length > 0 && (livemode === null || livemode === isLive),
  )
  return { read, paying, nameOf: (id: string) => all.find((each) => each.id === id)?.name ?? id }
}

/** The recipient's fields, in the order that the channel names them. */
export function askedBy(channel: Channel | undefined): readonly Asked[] {
  const recipient = (channel?.required as Required | undefined)?.properties?.recipient
  return (recipient?.required ?? []).map((field) => ({
    field,
    mend: recipient?.properties?.[field]?.description ?? '',
  }))
}
