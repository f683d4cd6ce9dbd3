// When a delivery is tried again, when it is given up, and when an endpoint is left alone (docs/design/webhooks.md). Pure: time
// and chance are passed in, and waits are multiplied by a scale that is 1 but in tests.

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'held'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The wait before each try, in milliseconds: 75.7 hours in all. */
export const DELIVERY_LADDER_MS = [
  0,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

/** After this a delivery that still fails is given up, whatever kept it from being tried. */
export const HORIZON_MS = DELIVERY_LADDER_MS.reduce((sum, wait) => sum + wait, 0)

const JITTER = 0.2
// A receiver that is slow, or reports that it is busy, is not called again within a minute.
const BUSY_WAIT_MS = MINUTE_MS

/** What one call came to, as far as the next one depends on it. */
export type TryResult = {
  readonly outcome: 'delivered' | 'refused' | 'no_answer' | 'not_sent'
  readonly statusCode: number | null
  /** The receiver's own wish (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | null
  /** Nothing can come of another try. */
  readonly isFinal?: boolean
}

/** When to try again after `tries` failed ones, in milliseconds since the epoch; null gives the delivery up. */
export function nextTryAt(
  tries: number,
  result: TryResult,
  delivery: { readonly createdAt: number },
  nowMs: number,
  chance: number,
  scale: number,
): number | null {
  const rung = DELIVERY_LADDER_MS[tries]
  if (result.isFinal || rung === undefined || nowMs - delivery.createdAt >= HORIZON_MS * scale) return null
  const jittered = rung * (1 + JITTER * (2 * chance - 1))
  const wished = Math.min(result.retryAfterMs ?? 0, DELIVERY_LADDER_MS[tries + 1] ?? rung)
  const least = isBusy(result) ? BUSY_WAIT_MS : 0
  return nowMs + Math.round(Math.max(jittered, wished, least) * scale)
}

const isBusy = ({ outcome, statusCode }: TryResult) =>
  outcome === 'no_answer' || statusCode === 429 || statusCode === 503

/** How an endpoint fares. Times in milliseconds since the epoch. */
export type Health = {
  /** Failures in a row. */
  readonly failures: number
  /** How often the breaker opened since the endpoint was last trusted in full. */
  readonly openings: number
  readonly openUntil: number | null
  /** How many calls at once it is trusted with: one probe after the breaker, then twice as many with each success. */
  readonly trusted: number
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  /** Since when it has failed without a success, and how many tries that were. */
  readonly failingSince: number | null
  readonly failedTries: number
  /** A moving average of its answers, in milliseconds. */
  readonly latencyMs: number | null
}

export const TRUSTED_MAX = 16
const FAILURES_TO_OPEN = 5
const RECENT_LEAST = 20
const OPEN_FIRST_MS = 30 * SECOND_MS
const OPEN_MAX_MS = 15 * MINUTE_MS
const GIVE_UP_AFTER_MS = 5 * DAY_MS
const GIVE_UP_TRIES = 10
const LATENCY_WEIGHT = 0.2

/** The tries of the last minutes, as the process that serves the endpoint saw them. */
export type Recent = { readonly tries: number; readonly failures: number }
export const RECENT_MS = 5 * MINUTE_MS

/** The health after one more try. `recent` counts that try. */
export function healthAfter(
  before: Health,
  result: TryResult,
  durationMs: number,
  recent: Recent,
  nowMs: number,
  scale: number,
): Health {
  if (result.outcome === 'delivered') {
    const trusted = Math.min(before.trusted * 2, TRUSTED_MAX)
    return {
      ...before,
      failures: 0,
      openings: trusted === TRUSTED_MAX ? 0 : before.openings,
      openUntil: null,
      trusted,
      lastSuccessAt: nowMs,
      failingSince: null,
      failedTries: 0,
      latencyMs: averaged(before.latencyMs, durationMs),
    }
  }
  const failed: Health = {
    ...before,
    failures: before.failures + 1,
    lastFailureAt: nowMs,
    failingSince: before.failingSince ?? nowMs,
    failedTries: before.failedTries + 1,
  }
  const mostlyFails = recent.tries >= RECENT_LEAST && recent.failures * 2 >= recent.tries
  const wasProbe = before.openings > 0 && before.trusted === 1
  // Calls that were under way when it opened are no reason to open it further.
  const isOpen = before.openUntil !== null && before.openUntil > nowMs
  if (isOpen || !(wasProbe || mostlyFails || failed.failures >= FAILURES_TO_OPEN)) return failed
  const openMs = Math.min(OPEN_FIRST_MS * 2 ** before.openings, OPEN_MAX_MS) * scale
  return { ...failed, openings: before.openings + 1, openUntil: nowMs + Math.round(openMs), trusted: 1 }
}

function averaged(before: number | null, durationMs: number): number {
  return Math.round(before === null ? durationMs : before + LATENCY_WEIGHT * (durationMs - before))
}

/** Whether an endpoint that keeps failing, or that answers 410 Gone, is to be left alone until it is enabled again. */
export function disabledBecause(
  health: Health,
  result: TryResult,
  nowMs: number,
  scale: number,
): 'gone' | 'failing' | null {
  if (result.outcome === 'refused' && result.statusCode === 410) return 'gone'
  const failingForMs = health.failingSince === null ? 0 : nowMs - health.failingSince
  return failingForMs >= GIVE_UP_AFTER_MS * scale && health.failedTries >= GIVE_UP_TRIES ? 'failing' : null
}
