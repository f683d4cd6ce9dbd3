// When a channel is left alone: a rail that does not answer is called less and less, and once it answers, again in
// full. Contracts meanwhile stay paid and queued, where a cancel is safe. Pure.

export type Outage = {
  /** Calls in a row that were not answered. */
  readonly silent: number
  /** How often it was closed off since it last answered. */
  readonly openings: number
  /** Until when nothing is sent, in milliseconds since the epoch. */
  readonly openUntil: number | null
}

export const NO_OUTAGE: Outage = { silent: 0, openings: 0, openUntil: null }

const SILENT_TO_OPEN = 5
const OPEN_FIRST_MS = 1000
const OPEN_MAX_MS = 30_000

/** The outage after one more call. Any answer of the rail ends it, a refusal too. */
export function afterCall(before: Outage, result: 'answered' | 'silent', nowMs: number): Outage {
  if (result === 'answered') return NO_OUTAGE
  const silent = before.silent + 1
  // Calls that were under way when it was closed off are no reason to wait longer.
  const isOpen = before.openUntil !== null && before.openUntil > nowMs
  if (isOpen || (before.openings === 0 && silent < SILENT_TO_OPEN)) return { ...before, silent }
  const pauseMs = Math.min(OPEN_FIRST_MS * 2 ** before.openings, OPEN_MAX_MS)
  return { silent, openings: before.openings + 1, openUntil: nowMs + pauseMs }
}

/** How many calls at once are in order: all, none while it is closed off, one to see whether it answers again. */
export function callsAllowed(outage: Outage, max: number, nowMs: number): number {
  if (outage.openUntil === null) return max
  return outage.openUntil > nowMs ? 0 : 1
}
