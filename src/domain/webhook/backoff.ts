// How long to wait before inquiring again what became of an attempt (docs/design/channels.md).

const INQUIRY_LADDER_MS = [5_000, 15_000, 60_000, 300_000, 900_000] as const
const HOUR_MS = 3_600_000
const UNANSWERED_MAX_MS = 60_000

/** The wait before the inquiry after `tries` of them, in milliseconds: the ladder, then every hour. No clock ends it. */
export function inquiryDelayMs(tries: number): number {
  return INQUIRY_LADDER_MS[tries] ?? HOUR_MS
}

/**
 * The wait where the rail could not be reached or did not answer, in milliseconds: the ladder as far as a minute. Such
 * tries show nothing about the rail's pace, and once it is back its answer must not be an hour away.
 */
export function unansweredDelayMs(tries: number): number {
  return Math.min(inquiryDelayMs(tries), UNANSWERED_MAX_MS)
}

/**
 * How many tries count after one that was not answered: silence goes up the ladder as far as its own wait does, and no further, nor
 * takes back what answers counted.
 */
export function triesUnanswered(tries: number): number {
  return inquiryDelayMs(tries) > UNANSWERED_MAX_MS ? tries - 1 : tries
}
