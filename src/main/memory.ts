// How much garbage the process lets stand before it clears up. What waits for the database lives long enough to be taken for old, and
// V8 lets old objects grow to about four times of what is in use before it looks: a command of 100,000 rows, of which 60 MB are in use
// at a time, then takes more than 300 MB. With this it stays below 250 MB (docs/performance.md).
import { setFlagsFromString } from 'node:v8'

/** Old objects grow by so much of what was in use when garbage was collected last. */
const GROWS_BY_PERCENT = 60

/** Holds from the next collection on, so it may be said at any time. */
export const clearUpSooner = (): void => setFlagsFromString(`--heap-growing-percent=${GROWS_BY_PERCENT}`)
