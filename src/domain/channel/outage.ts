// When whoever does not answer is left alone: a rail, or a verifier of one's own, is called less and less, and once it answers, again
// in full. Contracts meanwhile stay paid and queued, where a cancel is safe. Webhook endpoints are none of it: each delivery waits by
// itself, in its row, and an endpoint is switched off after days and not for seconds. Pure.

export type Outage = {
  /** Calls in a row that were not answered. */
  readonly silent: number
  /** How often it was closed off since it last answered. */
  readonly openings: number
  /** Until when nothing is sent, in milliseconds since the epoch. */
  readonly openUntil: number | null
}

export const NO_OUTAGE: Outage = { silent: 0, openings: 0, openUntil: null }

/** After how many calls without an answer it is closed off, and for how long: at first, and at most. */
export type Patience = { readonly silentToOpen: number; readonly openFirstMs: number; readonly openMaxMs: number }

const WITH_RAILS: Patience = { silentToOpen: 5, openFirstMs: 1000, openMaxMs: 30_000 }

/** The outage after one more call. Any answer ends it, a refusal too. */
export function afterCall(
  before: Outage,
  result: 'answered' | 'silent',
  nowMs: number,
  { silentToOpen, openFirstMs, openMaxMs }: Patience = WITH_RAILS,
): Outage {
  if (result === 'answered') return NO_OUTAGE
  const silent = before.silent + 1
  // Calls that were under way when it was closed off are no reason to wait longer.
  const isOpen = before.openUntil !== null && before.openUntil > nowMs
  if (isOpen || (before.openings === 0 && silent < silentToOpen)) return { ...before, silent }
  const pauseMs = Math.min(openFirstMs * 2 ** before.openings, openMaxMs)
  return { silent, openings: before.openings + 1, openUntil: nowMs + pauseMs }
}

/** How many calls at once are in order: all, none while it is closed off, one to see whether it answers again. */
export function callsAllowed(outage: Outage, max: number, nowMs: number): number {
  if (outage.openUntil === null) return max
  return outage.openUntil > nowMs ? 0 : 1
}
