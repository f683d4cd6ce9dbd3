// A standby was promoted: whether the server that took over has all that the other one had acknowledged to this gateway, which was at work, or
// had stopped in order before. What cannot be told counts as lost. Pure.
import { type DatabasePlace, type Epoch, inRecovery, type Mark } from './epoch.ts'

/** What a gateway knew of the server that is gone. */
export type KnownBefore = {
  readonly place: DatabasePlace
  readonly epoch: number
  /** A place in the log that the server had flushed a while before it was seen last: a standby that keeps up has it. */
  readonly settled: bigint
  /** Since it was seen last. */
  readonly silentSeconds: number
}

/** What the server says that took over. */
export type TookOver = {
  readonly place: DatabasePlace
  readonly epoch: Epoch
  /** Where its copy of the log ended when it was promoted; null where it does not know. */
  readonly replayedTo: bigint | null
  /** For so long it has run without a crash. */
  readonly upSeconds: number
  /** For each of the transactions asked about: whether it has it. */
  readonly has: readonly boolean[]
}

/** Why commits that this gateway knows of are missing, or may be; null where all of them are there. */
export function lossOf(before: KnownBefore, after: TookOver): string | null {
  const { place, epoch, replayedTo, upSeconds, has } = after
  if (inRecovery(epoch)) return 'another gateway, or an operator, has begun a recovery'
  if (place.installationId !== before.place.installationId || place.systemId !== before.place.systemId)
    return 'it is another database'
  if (epoch.number !== before.epoch || place.marks < before.place.marks) return 'it stands before what was noted'
  if (place.timeline !== before.place.timeline + 1)
    return 'it is not the next in line, and what lies between is not known'
  // What it replayed after a crash of its own says nothing of the promotion before.
  if (replayedTo === null || upSeconds <= before.silentSeconds) return 'it was started after the other one was gone'
  if (replayedTo < before.settled) return 'it was far behind'
  const missing = has.filter((each) => !each).length
  return missing > 0 ? `it lacks acknowledged transactions (the newest of ${missing} sessions)` : null
}

/** What a gateway at work said of a history: it lacks nothing that this gateway knows of, and its copy of the log ended there. */
export type PromotionWord = { readonly timeline: number; readonly replayedTo: bigint }

/**
 * Whether a database in a later history has all that was there when a gateway stopped in order, although nobody of that gateway saw the
 * promotions. A history has all of the one before up to where its copy of the log ended, so each one since must have begun behind the note, by
 * the word of whoever looked. The note of a gateway that did not stop is of a moment before its last commits, and says nothing of those.
 */
export function hasAllSince(mark: Mark, found: DatabasePlace, words: readonly PromotionWord[]): boolean {
  if (!mark.isStopped || found.installationId !== mark.installationId || found.systemId !== mark.systemId) return false
  if (found.timeline <= mark.timeline || found.position < mark.position) return false
  const since = words.filter(({ timeline }) => timeline > mark.timeline && timeline <= found.timeline)
  const said = new Set(since.map(({ timeline }) => timeline))
  return said.size === found.timeline - mark.timeline && since.every(({ replayedTo }) => replayedTo >= mark.position)
}
