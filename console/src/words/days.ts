// Days as somebody chooses them, on the reader's own clock.

const DAY = /^\d{4}-\d\d-\d\d$/
const TIMES = { first: '00:00:00.000', last: '23:59:59.999' }

/** The first or the last moment of a day; undefined for what is none. */
export function momentOn(day: string, which: keyof typeof TIMES): string | undefined {
  const moment = new Date(`${day}T${TIMES[which]}`)
  return DAY.test(day) && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined
}
