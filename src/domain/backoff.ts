// How long to wait before asking a rail again what became of an attempt (robustness: inquiry 5 s … 72 h).

const INQUIRY_LADDER_MS = [5_000, 15_000, 60_000, 300_000, 900_000] as const
const HOUR_MS = 3_600_000

/** The wait before the inquiry after `tries` of them, in milliseconds: the ladder, then every hour. No clock ends it. */
export function inquiryDelayMs(tries: number): number {
  return INQUIRY_LADDER_MS[tries] ?? HOUR_MS
}
