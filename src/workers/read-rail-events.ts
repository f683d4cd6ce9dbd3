// Reads events that channels report of their own accord: late completions and bounces. Each goes through the same door
// as an answer; the position is saved only after the events before it have been recorded, so that a crash reads them again. What cannot be
// recorded now is kept and tried again while what follows is read: a server that is away keeps the news of its own accounts waiting.
import type { PollsEvents, Connector, RailEvent } from '../connectors/connector.ts'
import { livemodesIn } from '../domain/channel/modes.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { Refusal } from '../domain/contract/refusals.ts'
import { groupedBy } from '../domain/grouped.ts'
import { isRefusalOfRecovery } from '../domain/recovery/epoch.ts'
import type { CrashPoint } from '../engine/crash-points.ts'
import { attemptOfReference, type ForgottenOrder, isForgotten } from '../app/accounts/contract-owners.ts'
import { type OutcomeDeps, report } from '../app/transfers/payouts.ts'
import { isAway, type Session } from '../platform/db.ts'
import { readRailEventPosition, saveRailEventPosition } from '../store/operator/channels.ts'
import { type KeptEvents, openKeptEvents, type OrderEvents, type Recorded } from './kept-events.ts'

/** News is recorded, whatever leaves. */
export type RailEventDeps = Omit<OutcomeDeps, 'freezes'> & {
  readonly reader: Session
  readonly channels: Pick<ChannelBook, 'current'>
  /** Called with each order that a restore has undone. */
  readonly onForgotten?: (order: ForgottenOrder) => void
  /** Called each time that events were tried and could not be recorded. */
  readonly onKept?: (news: KeptNews) => void
  /** The node that has a lane, where lanes lie on several. */
  readonly nodeOf?: (lane: number) => string
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicMs?: () => number
}

/** What waits of a channel's news, and the first of the faults. `stands`: so much waits that nothing more is read until some of it is recorded. */
export type KeptNews = {
  readonly channel: string
  readonly kept: number
  readonly reading: 'goes on' | 'stands'
  readonly fault: unknown
}

/** How far a channel's events are read, and are saved as read; and what of them is still to be recorded. */
type Reading = { readonly position: number; readonly saved: number; readonly kept: KeptEvents }

/**
 * Polls a channel's events; each call is one poll and resolves with how many there were. The position is read once and then known
 * from what was saved: whoever else polls the channel meanwhile only makes this one read events again. After a fault it is read anew, and
 * with it all that was kept: it is saved no further than to before the oldest of that.
 */
export function openRailEvents(
  deps: RailEventDeps,
  channelId: string,
  connector: Connector & PollsEvents,
): () => Promise<number> {
  let known: Reading | null = null
  const passAll = (point: CrashPoint, items: readonly RailEvent[]) =>
    items.forEach(({ reference }) => deps.crashPoint(point, reference))
  return async () => {
    const { position: from, saved, kept } = known ?? (await begun(deps, channelId))
    known = null
    const again = await recordAll(deps, channelId, connector, kept.due())
    kept.note(again, 'what was kept')
    const { items, position } = kept.isFull() ? { items: [], position: from } : await connector.pollEvents(from)
    passAll('before rail events are recorded', items)
    const fresh = await recordAll(deps, channelId, connector, kept.free(byOrder(items, from)))
    // A recovery that begins just now: what it refuses is read again after it.
    if ([...again, ...fresh].some(({ trouble }) => trouble?.is === 'of a recovery')) return 0
    kept.note(fresh, 'a page')
    tell(deps, channelId, kept, [...again, ...fresh])
    passAll('before the position in the rail events is saved', items)
    const until = kept.from() ?? Math.max(position, from)
    if (until > saved) await deps.reader.send([saveRailEventPosition(channelId, until)])
    passAll('after the position in the rail events is saved', items)
    known = { position: Math.max(position, from), saved: Math.max(until, saved), kept }
    return items.length + again.reduce((sum, { recorded }) => sum + recorded, 0)
  }
}

async function begun({ reader, nodeOf, monotonicMs }: RailEventDeps, channelId: string): Promise<Reading> {
  const [result] = await reader.send([readRailEventPosition(channelId)])
  const position = Number(result?.rows[0]?.['read_until'] ?? 0)
  const kept = openKeptEvents(nodeOf ?? (() => ''), monotonicMs ?? (() => performance.now()))
  return { position, saved: position, kept }
}

/** Those of one order one after another. */
const byOrder = (items: readonly RailEvent[], from: number): OrderEvents[] =>
  Array.from(
    groupedBy(items, ({ reference }) => reference),
    ([reference, own]) => ({ reference, from, items: own }),
  )

const recordAll = (
  deps: RailEventDeps,
  channelId: string,
  connector: Connector,
  orders: readonly OrderEvents[],
): Promise<Recorded[]> => Promise.all(orders.map((order) => recordOrder(deps, channelId, connector, order)))

/** Records the events of an order up to the first that cannot be recorded now. */
async function recordOrder(
  deps: RailEventDeps,
  channelId: string,
  connector: Connector,
  order: OrderEvents,
): Promise<Recorded> {
  const left = (recorded: number, trouble: Recorded['trouble']): Recorded => ({
    ...order,
    items: order.items.slice(recorded),
    recorded,
    trouble,
  })
  for (const [at, item] of order.items.entries()) {
    const [done] = await Promise.allSettled([record(deps, channelId, connector, item)])
    if (done.status === 'rejected')
      return left(at, { is: isAway(done.reason) ? 'away' : 'its own', fault: done.reason as unknown })
    if (isRefusalOfRecovery(done.value)) return left(at, { is: 'of a recovery', fault: done.value })
  }
  return left(order.items.length, null)
}

function tell({ onKept }: RailEventDeps, channel: string, kept: KeptEvents, tried: readonly Recorded[]): void {
  const trouble = tried.find((each) => each.trouble !== null)?.trouble
  if (trouble)
    onKept?.({ channel, kept: kept.size(), reading: kept.isFull() ? 'stands' : 'goes on', fault: trouble.fault })
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
