// Channels that start nothing new, as an operator or a reconciliation left them. Read once a second by the scheduler.
import type { Session } from '../../platform/db.ts'
import { frozenChannels } from '../../store/operator/channels.ts'

export type Freezes = {
  readonly has: (channelId: string) => boolean
  /** Reads them again where the last read is a second old. */
  readonly look: () => Promise<void>
}

const LOOK_MS = 1000

export function openFreezes(reader: Session, monotonicMs: () => number): Freezes {
  let frozen: ReadonlySet<string> = new Set()
  let lookAt = 0
  return {
    has: (channelId) => frozen.has(channelId),
    look: async () => {
      if (monotonicMs() < lookAt) return
      lookAt = monotonicMs() + LOOK_MS
      const [result] = await reader.send([frozenChannels()])
      frozen = new Set((result?.rows ?? []).map((row) => row['channel_id'] as string))
    },
  }
}
