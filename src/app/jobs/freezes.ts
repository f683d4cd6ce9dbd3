// Channels that start nothing new, as an operator or a reconciliation left them, and those whose payouts are paused. Read once a
// second by the scheduler.
import { isPaused } from '../../domain/channel/payout-pauses.ts'
import type { Row, Session } from '../../platform/db.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import { payoutPauses } from '../../store/operator/payout-pauses.ts'

export type Freezes = {
  readonly has: (channelId: string) => boolean
  /** Whether payouts of the channel are paused; what comes in by it goes on. */
  readonly paysNothing: (channelId: string) => boolean
  /** Reads both again where the last read is a second old. */
  readonly look: () => Promise<void>
}

const LOOK_MS = 1000

export function openFreezes(reader: Session, monotonicMs: () => number): Freezes {
  let frozen: ReadonlySet<string> = new Set()
  let paused: ReadonlySet<string> = new Set()
  let lookAt = 0
  return {
    has: (channelId) => frozen.has(channelId),
    paysNothing: (channelId) => isPaused(paused, channelId),
    look: async () => {
      if (monotonicMs() < lookAt) return
      lookAt = monotonicMs() + LOOK_MS
      const [freezes, pauses] = await reader.send([frozenChannels(), payoutPauses()])
      frozen = channelsIn(freezes?.rows)
      paused = channelsIn(pauses?.rows)
    },
  }
}

const channelsIn = (rows: readonly Row[] = []) => new Set(rows.map((row) => row['channel_id'] as string))
