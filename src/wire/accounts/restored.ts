// What an account is told of a restore of the gateway from a backup, once the recovery has ended (docs/recovery.md).
import Type from 'typebox'
import { livemode, nullable, nullableTime, time, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

export const Restoration = Type.Object(
  {
    id: Type.String({ description: 'Of the epoch: epoch_2.' }),
    livemode,
    epoch: Type.Integer({ description: 'The life of the books that began with the restore; the first one is 1.' }),
    restored_to: time(
      'When the newest thing happened, in any account, that the books still knew: what happened later and before began_at was undone.',
    ),
    began_at: time('When the gateway found that its books were older than what it had done.'),
    resume_after: nullable(
      Type.String({
        description: 'The account’s newest event that still stands: the cursor from which its feed goes on.',
      }),
    ),
    undone_after: nullableTime,
    docs: Type.String({ description: 'What to do about it, on the gateway’s own documentation site.' }),
  },
  { $id: 'Restoration' },
)

/** A restore as one account sees it. Times are milliseconds since the epoch of clocks. */
export type Restored = {
  readonly livemode: boolean
  readonly epoch: number
  readonly restoredTo: number
  readonly beganAt: number
  /** The account's newest event that still stands, and when its history was written last; null for none. */
  readonly resumeAfter: string | null
  readonly undoneAfter: number | null
}

export function presentRestored(restored: Restored): Wire<typeof Restoration> {
  const { epoch, beganAt } = restored
  return {
    id: `epoch_${epoch}`,
    livemode: restored.livemode,
    epoch,
    restored_to: iso(restored.restoredTo),
    began_at: iso(beganAt),
    resume_after: restored.resumeAfter,
    undone_after: isoOrNull(restored.undoneAfter),
    docs: '/docs/recovery#for-receivers',
  }
}
