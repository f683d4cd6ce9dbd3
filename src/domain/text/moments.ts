// Moments in queries: a time, or a day alone, which stands for one of its moments.

const DATE_LENGTH = 10

/** Milliseconds since the epoch of a moment, or of that time of a day in UTC. */
export function momentOf(text: string | undefined, timeOfDay: string): number | null {
  if (text === undefined) return null
  return Date.parse(text.length === DATE_LENGTH ? `${text}T${timeOfDay}Z` : text)
}
