// Channels that pay nothing out until an operator has looked, on the wire.
import Type from 'typebox'
import { SOMETHING } from '../../domain/text/texts.ts'
import { closed, envelope, nullableText, time, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'
import { evidence } from './transfers.ts'

export type Freeze = { readonly channelId: string; readonly reason: string; readonly sinceMs: number }

const FreezeShape = Type.Object(
  {
    channel: Type.String(),
    reason: Type.String({ description: 'Why, and who did it where somebody did.' }),
    since: time('When.'),
  },
  { $id: 'Freeze' },
)

const channel = Type.String({ maxLength: 64, pattern: SOMETHING, description: 'The id of the channel.' })
export const ChannelParams = Type.Object({ channel })

export const FreezeBody = closed(
  { channel, reason: { ...evidence, description: 'Why it stands still, for whoever lets it go on.' } },
  { $id: 'FreezeRequest' },
)
export const AcknowledgeBody = closed({ evidence }, { $id: 'Acknowledgement' })

export const FreezesReply = envelope('number', Type.Object({ freezes: Type.Array(FreezeShape), next: nullableText }))
export const FreezeReply = envelope('number', Type.Object({ freeze: FreezeShape }))
export const AcknowledgedReply = envelope('string', Type.Object({ channel: Type.String() }))

export const presentFreeze = ({ channelId, reason, sinceMs }: Freeze): Wire<typeof FreezeShape> => ({
  channel: channelId,
  reason,
  since: iso(sinceMs),
})
