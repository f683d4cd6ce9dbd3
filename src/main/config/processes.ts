// How many connections so many processes take.
import type { Config } from './config.ts'

/** Of one process at most, beside those that write: that it is there, reads, lists, lanes, webhooks, proofs, removal, search, operators. */
const BESIDE_WRITERS = 25
/** One writes, and one waits for accounts that others write to. */
const OF_WRITER = 2
/** Commands of operators, and the supervisor's. */
const OTHERS = 10

type Counted = Pick<Config, 'processes' | 'writers'>

export const connectionsOf = ({ processes, writers }: Counted): number =>
  processes * (BESIDE_WRITERS + OF_WRITER * writers) + OTHERS

/** Several are replaced one by one, each new one ready before its old one ends: there is one more meanwhile. */
export const whileReplacedOf = ({ processes, writers }: Counted): number =>
  connectionsOf({ processes: processes > 1 ? processes + 1 : 1, writers })
