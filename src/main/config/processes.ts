// How many connections so many processes take.
import type { Config } from './config.ts'

/** Of one process at most, beside those that write: reads, lists, lanes, webhooks, proofs, removal, search, operators. */
const BESIDE_WRITERS = 24
/** One writes, and one waits for accounts that others write to. */
const OF_WRITER = 2
/** Commands of operators, and the supervisor's. */
const OTHERS = 10

/** Several are replaced one by one, each new one ready before its old one ends: there is one more meanwhile. */
export const connectionsOf = ({ processes, writers }: Pick<Config, 'processes' | 'writers'>): number =>
  (processes > 1 ? processes + 1 : 1) * (BESIDE_WRITERS + OF_WRITER * writers) + OTHERS
