// Reads events that channels report of their own accord: late completions and bounces. Each goes through the same door
// as an answer; the position is saved only after the events have been recorded, so that a crash reads them again.
import type { PollsEvents, Connector, RailEvent } from '../connectors/connector.ts'
import { livemodesIn } from '../domain/channel/modes.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { Refusal } from '../domain/contract/refusals.ts'
import { isRefusalOfRecovery } from '../domain/recovery/epoch.ts'
import type { CrashPoint } from '../engine/crash-points.ts'
import { attemptOfReference, type ForgottenOrder, isForgotten } from '../app/accounts/contract-owners.ts'
import { type OutcomeDeps, report } from '../app/transfers/payouts.ts'
import type { Session } from '../platform/db.ts'
import { readRailEventPosition, saveRailEventPosition } from '../store/operator/channels.ts'

export type RailEventDeps = OutcomeDeps & {
  readonly reader: Session
  readonly channels: Pick<ChannelBook, 'current'>
  /** Called with each order that a restore has undone. */
  readonly onForgotten?: (order: ForgottenOrder) => void
}

/**
 * Polls a channel's events; each call is one poll and resolves with how many there were. The position is read once and then known
 * from what was saved: whoever else polls the channel meanwhile only makes this one read events again. After a fault it is read anew.
 */
export function openRailEvents(
  deps: RailEventDeps,
  channelId: string,
  connector: Connector & PollsEvents,
): () => Promise<number> {
  let known: number | null = null
  const passAll = (point: CrashPoint, items: readonly RailEvent[]) =>
    items.forEach(({ reference }) => deps.crashPoint(point, reference))
  return async () => {
    const from = known ?? (await savedPosition(deps.reader, channelId))
    known = null
    const { items, position } = await connector.pollEvents(from)
    passAll('before rail events are recorded', items)
    const refusals = await Promise.all(items.map((item) => record(deps, channelId, connector, item)))
    // A recovery that begins just now: what it refuses is read again after it.
    if (refusals.some(isRefusalOfRecovery)) return 0
    passAll('before the position in the rail events is saved', items)
    if (position > from) await deps.reader.send([saveRailEventPosition(channelId, position)])
    passAll('after the position in the rail events is saved', items)
    known = Math.max(position, from)
    return items.length
  }
}

async function savedPosition(reader: Session, channelId: string): Promise<number> {
  const [result] = await reader.send([readRailEventPosition(channelId)])
  return Number(result?.rows[0]?.['read_until'] ?? 0)
}

/**
 * A reference that is not ours, or names no contract of the channel's mode, is another gateway's on the same provider, such
 * as the one for trials; unless a restore has undone it.
 */
async function record(
  deps: RailEventDeps,
  channelId: string,
  connector: Connector,
  { reference, outcome }: RailEvent,
): Promise<Refusal | null> {
  const attempt = await attemptOfReference(deps, reference, livemodesIn(deps.channels, channelId))
  if (attempt) return report(deps, connector, { channelId, ...attempt }, null, outcome)
  if (await isForgotten(deps, reference)) deps.onForgotten?.({ channel: channelId, reference })
  return null
}
