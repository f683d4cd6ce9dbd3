// When money leaves and arrives, both before it is paid and after. Pure: a moment goes in, moments and sentences come
// out.
import { arrivalAt, type ChannelFacts, dispatchAt } from '../channel/channel.ts'
import type { Message, Transfer } from './transfer.ts'
import { localTime, nextCutOff } from '../channel/windows.ts'

/** Milliseconds since the epoch. */
export type Departure = {
  readonly dispatchAt: number
  /** The cut-off that it leaves at; null on a rail that is always open. */
  readonly cutOffAt: number | null
  /** By when it has arrived; null where it is not known. */
  readonly arrivesAt: number | null
}

/** What becomes of a transfer that is paid at a moment. */
export function departureOf(channel: ChannelFacts, paidAtMs: number): Departure {
  return {
    dispatchAt: dispatchAt(channel, paidAtMs),
    cutOffAt: cutOffAt(channel, paidAtMs),
    arrivesAt: arrivalAt(channel, paidAtMs),
  }
}

/** The first cut-off after the undo window; null where there are none, or none in sight. */
function cutOffAt({ windows, undoSeconds }: ChannelFacts, paidAtMs: number): number | null {
  return windows === null ? null : nextCutOff(windows, paidAtMs + undoSeconds * 1000)
}

/**
 * By when a contract's money arrives, as its stored version knows: as if it were paid when the version was made, from
 * when it was paid, or when it did arrive. Null where it is not known, or where nothing is on its way any more.
 */
export function arrivalOf(contract: Transfer, channel: ChannelFacts | null): number | null {
  const { status, execution, completedAt, paidAt, updatedAt } = contract
  if (completedAt !== null) return completedAt
  if (!channel || status === 'cancelled' || status === 'expired' || execution.status === 'failed') return null
  return arrivalAt(channel, paidAt ?? updatedAt)
}

/** What a payer should know of a rail with cut-offs: when it would leave, in the rail's own time. Never blocks issue. */
export function cutOffNotes(channel: ChannelFacts | null, paidAtMs: number): Message[] {
  const leavesAt = channel && cutOffAt(channel, paidAtMs)
  if (!channel?.windows || leavesAt === null) return []
  const { windows, name } = channel
  const arrivesAt = arrivalAt(channel, paidAtMs)
  const arrives = arrivesAt === null ? '' : ` and arrives by ${localTime(windows, arrivesAt)}`
  const message = `Paid now, it leaves at the cut-off of ${name} at ${localTime(windows, leavesAt)}${arrives}.`
  return [{ code: 'leaves_at_cut_off', type: 'info', message }]
}
