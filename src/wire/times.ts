// Times on the wire: ISO 8601 in UTC with milliseconds.

// The times of one contract, and of one batch, are mostly the same: the last text is kept.
let lastTimeMs = Number.NaN
let lastIso = ''

/** Milliseconds since the epoch as text. */
export function iso(timeMs: number): string {
  if (timeMs === lastTimeMs) return lastIso
  lastTimeMs = timeMs
  lastIso = new Date(timeMs).toISOString()
  return lastIso
}

export const isoOrNull = (timeMs: number | null) => (timeMs === null ? null : iso(timeMs))
