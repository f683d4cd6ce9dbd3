// The epoch of the books and a recovery of them, on the wire.
import Type from 'typebox'
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
  },
  { $id: 'Recovery' },
)

export const ResumeBody = closed(
  {
    evidence: {
      ...evidence,
      description: 'Why the books fit what the rails did: what was compared, and with what result.',
    },
  },
  { $id: 'ResumeRequest' },
)
export const RecoveryReply = envelope('number', Type.Object({ recovery: RecoveryShape }))

export function presentRecovery(epoch: Epoch): Wire<typeof RecoveryShape> {
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
  }
}

const presentPlace = ({ systemId, timeline, position, marks }: DatabasePlace): Wire<typeof PlaceShape> => ({
  system_id: systemId,
  timeline,
  position: position.toString(),
  marks: marks.toString(),
})
