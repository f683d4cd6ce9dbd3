// Channels that start nothing new, as an operator or a reconciliation left them, and those whose payouts are paused. Read once a
// second.
import { isPaused } from '../../domain/channel/payout-pauses.ts'
import { isAway, type Row, type Session } from '../../platform/db.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import { payoutPauses } from '../../store/operator/payout-pauses.ts'

export type Freezes = {
  readonly has: (channelId: string) => boolean
  /** Whether payouts of the channel are paused; what comes in by it goes on. */
  readonly paysNothing: (channelId: string) => boolean
  /** Reads both again where the last read is a second old; who comes during a read waits for it. Throws where nothing was ever read. */
  readonly look: () => Promise<void>
}

/** A freeze stops what would begin, either way; a pause only what would leave: with either no payout begins. */
export const startsNoPayout = ({ has, paysNothing }: Omit<Freezes, 'look'>, channelId: string): boolean =>
  has(channelId) || paysNothing(channelId)

const LOOK_MS = 1000

export function openFreezes(reader: Session, monotonicMs: () => number): Freezes {
  let frozen: ReadonlySet<string> = new Set()
  let paused: ReadonlySet<string> = new Set()
  let lookAt = 0
  let isKnown = false
  let looking = Promise.resolve()
  const read = async () => {
    try {
      const [freezes, pauses] = await reader.send([frozenChannels(), payoutPauses()])
      frozen = channelsIn(freezes?.rows)
      paused = channelsIn(pauses?.rows)
      isKnown = true
    } catch (fault) {
      // Where they are kept nobody changes them while it is away: what was known goes on, as accounts of other servers do.
      if (!isKnown || !isAway(fault)) throw fault
    }
  }
  return {
    has: (channelId) => frozen.has(channelId),
    paysNothing: (channelId) => isPaused(paused, channelId),
    look: () => {
      if (monotonicMs() >= lookAt) {
        lookAt = monotonicMs() + LOOK_MS
        looking = read()
      }
      return looking
    },
  }
}

const channelsIn = (rows: readonly Row[] = []) => new Set(rows.map((row) => row['channel_id'] as string))
