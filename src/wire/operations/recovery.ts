// The epoch of the books and a recovery of them, on the wire.
import Type from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import { CHANNEL_STATES, type ComparedChannel, LINE_KINDS, type RecoveryLine } from '../../domain/recovery/compare.ts'
import { type DatabasePlace, type Epoch, inRecovery, RECOVERY_REASONS } from '../../domain/recovery/epoch.ts'
import { closed, envelope, nullable, nullableText, time, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'
import { evidence } from './transfers.ts'

const PlaceShape = Type.Object(
  {
    system_id: Type.String({ description: 'The number of the PostgreSQL cluster.' }),
    timeline: Type.Integer({
      description: 'Its history: a standby that is promoted, or a restore to a moment, begins another one.',
    }),
    position: Type.String({ description: 'How far its log had come, in bytes.' }),
    marks: Type.String({ description: 'How many marks the books had counted.' }),
  },
  { $id: 'DatabasePlace' },
)

const ChannelShape = Type.Object(
  {
    channel: Type.String(),
    state: Type.Enum([...CHANNEL_STATES], {
      description:
        'complete: all that the provider lists was compared. unlisted: it has no list. failed: it could not be read this time.',
    }),
    read_from: time('From when the provider’s list was read.'),
    read_until: time('Until when.'),
    matched: Type.Integer({ description: 'Orders that the books had as the provider has them.' }),
    words: Type.String(),
  },
  { $id: 'ComparedChannel' },
)

const LineShape = Type.Object(
  {
    channel: Type.String({
      description: 'The channel of the order; commands or schedules where the line names one of them.',
    }),
    reference: Type.String({ description: 'The order’s reference, or the id of the command or schedule.' }),
    contract_id: nullableText,
    kind: Type.Enum([...LINE_KINDS], {
      description:
        'settled: the books had it open. adopted: they had forgotten that it was paid, and have it now. in_review: adopted, on terms that only the provider has: to be resolved. lacking: no wallet has its money. differs: it does not fit. extra: it is not ours. open: the provider does not say how it ended; or a command or schedule that goes on after the resume.',
    }),
    amount: nullable(Type.Number({ description: 'In major units; null where the line has no exact amount.' })),
    currency: nullableText,
    words: Type.String(),
    at: time('When it was found.'),
  },
  { $id: 'RecoveryLine' },
)

const RecoveryShape = Type.Object(
  {
    state: Type.Union([Type.Literal('normal'), Type.Literal('recovery')]),
    epoch: Type.Integer({ description: 'How many lives the books have had; 1 until a first recovery.' }),
    reason: Type.Enum(['created', ...RECOVERY_REASONS], { description: 'Why the epoch began.' }),
    began_at: time('When the epoch began.'),
    mark: nullable(PlaceShape),
    found: nullable(PlaceShape),
    proposed_by: nullableText,
    proposed_at: nullable(time('When the first operator spoke.')),
    evidence: nullableText,
    resumed_by: nullableText,
    resumed_at: nullable(time('When the second operator confirmed it.')),
    channels: Type.Array(ChannelShape, {
      description: 'What was read of each channel that moves money, when it was compared last.',
    }),
    lines: Type.Array(LineShape, {
      description:
        'Orders that the books did not have as the provider has them; those for an operator first, a thousand at most.',
    }),
  },
  { $id: 'Recovery' },
)

export const ResumeBody = closed(
  {
    evidence: {
      ...evidence,
      description: 'Why the books fit what the rails did: what was compared, and with what result.',
    },
    without: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: 'Channels that were not compared, for a reason that the evidence names.',
      }),
    ),
  },
  { $id: 'ResumeRequest' },
)
export const CompareBody = closed(
  {
    since: Type.Optional(
      nullable(
        time('From when, where that is earlier than the last change in the books: such as when the backup was made.'),
      ),
    ),
  },
  { $id: 'CompareRecoveryRequest' },
)
export const RecoveryReply = envelope('number', Type.Object({ recovery: RecoveryShape }))

export function presentRecovery(epoch: Epoch, { channels, lines }: RecoveryFound): Wire<typeof RecoveryShape> {
  const { number, reason, beganAt, mark, found, proposedBy, proposedAt, evidence: why, resumedBy, resumedAt } = epoch
  return {
    state: inRecovery(epoch) ? 'recovery' : 'normal',
    epoch: number,
    reason,
    began_at: iso(beganAt),
    mark: mark && presentPlace(mark),
    found: found && presentPlace(found),
    proposed_by: proposedBy,
    proposed_at: proposedAt === null ? null : iso(proposedAt),
    evidence: why,
    resumed_by: resumedBy,
    resumed_at: resumedAt === null ? null : iso(resumedAt),
    channels: channels.map(presentChannel),
    lines: lines.map(presentLine),
  }
}

type RecoveryFound = { readonly channels: readonly ComparedChannel[]; readonly lines: readonly RecoveryLine[] }

export function presentChannel(channel: ComparedChannel): Wire<typeof ChannelShape> {
  const { channelId, state, readFrom, readUntil, matched, words } = channel
  return { channel: channelId, state, read_from: iso(readFrom), read_until: iso(readUntil), matched, words }
}

export function presentLine(line: RecoveryLine): Wire<typeof LineShape> {
  const { channelId, reference, contractId, kind, amountMinor, currency, words, at } = line
  const amount = amountMinor === null || currency === null ? null : majorNumber(amountMinor, currency)
  return { channel: channelId, reference, contract_id: contractId, kind, amount, currency, words, at: iso(at) }
}

const presentPlace = ({ systemId, timeline, position, marks }: DatabasePlace): Wire<typeof PlaceShape> => ({
  system_id: systemId,
  timeline,
  position: position.toString(),
  marks: marks.toString(),
})
