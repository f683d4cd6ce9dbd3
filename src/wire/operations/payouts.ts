// The switch of payouts on the wire: what is paused, by whom and why, and what waits behind it.
import Type from 'typebox'
import { ALL_CHANNELS, type PayoutState } from '../../domain/channel/payout-pauses.ts'
import { SOMETHING } from '../../domain/text/texts.ts'
import { closed, envelope, nullable, time, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'
import { evidence } from './transfers.ts'

const PauseShape = Type.Object(
  {
    channel: nullable(Type.String({ description: 'The channel; null for all of them.' })),
    operator: Type.String({ description: 'Who paused it.' }),
    evidence: Type.String({ description: 'Why.' }),
    since: time('When.'),
  },
  { $id: 'PayoutPause' },
)

const WaitingShape = Type.Object(
  {
    channel: Type.String(),
    payouts: Type.Integer({ description: 'How many are due and have not been sent; counted up to 100,000.' }),
    oldest: time('Since when the oldest of them is due.'),
  },
  { $id: 'WaitingPayouts' },
)

const PayoutsShape = Type.Object(
  {
    state: Type.Enum(['on', 'paused'], { description: 'Whether anything is paused.' }),
    pauses: Type.Array(PauseShape),
    waiting: Type.Array(WaitingShape, {
      description:
        'What is due by channel, paused or not; without what is on a database server that is away, where there are several.',
    }),
  },
  { $id: 'Payouts' },
)

const channel = Type.Optional(
  Type.String({ maxLength: 64, pattern: SOMETHING, description: 'The id of a channel; without it all of them.' }),
)

export const PauseBody = closed({ channel, evidence }, { $id: 'PayoutSwitch' })
export const PayoutsReply = envelope('number', Type.Object({ payouts: PayoutsShape }))

export const presentPayouts = ({ pauses, waiting }: PayoutState): Wire<typeof PayoutsShape> => ({
  state: pauses.length > 0 ? 'paused' : 'on',
  pauses: pauses.map(({ channelId, operator, evidence: why, sinceMs }) => ({
    channel: channelId === ALL_CHANNELS ? null : channelId,
    operator,
    evidence: why,
    since: iso(sinceMs),
  })),
  waiting: waiting.map(({ channelId, count, oldestMs }) => ({
    channel: channelId,
    payouts: count,
    oldest: iso(oldestMs),
  })),
})
