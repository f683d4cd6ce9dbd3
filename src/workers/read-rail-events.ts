// Reads events that channels report of their own accord: late completions and bounces. Each goes through the same door
// as an answer; the position is saved only after the events have been recorded, so that a crash reads them again.
import type { PollsEvents, Connector, RailEvent } from '../connectors/connector.ts'
import { livemodesIn } from '../domain/channel/modes.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { CrashPoint } from '../engine/crash-points.ts'
import { attemptOfReference } from '../app/accounts/contract-owners.ts'
import { type OutcomeDeps, report } from '../app/transfers/payouts.ts'
import type { Session } from '../platform/db.ts'
import { readNewsPosition, saveNewsPosition } from '../store/operator/channels.ts'

export type NewsDeps = OutcomeDeps & { readonly reader: Session; readonly channels: Pick<ChannelBook, 'current'> }

/** One poll of a channel's events; how many there were. */
export async function newsRound(
  deps: NewsDeps,
  channelId: string,
  connector: Connector & PollsEvents,
): Promise<number> {
  const [result] = await deps.reader.send([readNewsPosition(channelId)])
  const from = Number(result?.rows[0]?.['read_until'] ?? 0)
  const { items, position } = await connector.pollEvents(from)
  const passAll = (point: CrashPoint) => items.forEach(({ reference }) => deps.crashPoint(point, reference))
  passAll('before news is recorded')
  await Promise.all(items.map((item) => record(deps, channelId, connector, item)))
  passAll('before the place in the news is kept')
  if (position > from) await deps.reader.send([saveNewsPosition(channelId, position)])
  passAll('after the place in the news is kept')
  return items.length
}

/**
 * A reference that is not ours, or names no contract of the channel's mode, is another gateway's on the same provider, such
 * as the one for trials.
 */
async function record(
  deps: NewsDeps,
  channelId: string,
  connector: Connector,
  { reference, outcome }: RailEvent,
): Promise<void> {
  const attempt = await attemptOfReference(deps, reference, livemodesIn(deps.channels, channelId))
  if (attempt) await report(deps, connector, { channelId, ...attempt }, null, outcome)
}
