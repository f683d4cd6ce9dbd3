// Where a gateway stands among the processes of one start, and what of the limits is its share.
import { type Bound, type Config, listeningAt } from '../config/config.ts'
import type { GivenProvider } from '../sandbox/provider.ts'

export type Place = {
  /** From 1. */
  readonly number: number
  /** How many there are. */
  readonly of: number
  /** The process that keeps what they share. */
  readonly supervisorPid: number
  readonly provider: GivenProvider
  /** The port that all of them answer at; 0 until the first one has it. */
  readonly port: number
  /** The first one pauses payouts, where that is said, and makes the accounts of a trial. The others find both done. */
  readonly isFirst: boolean
}

/** Where the process of this number stands. `first` is what the first one said when it was ready, null until then. */
export function placeOf(
  number: number,
  config: Config,
  provider: GivenProvider,
  first: Pick<Bound, 'port'> | null,
): Place {
  const { processes: of, port } = first === null ? config : listeningAt(config, first)
  return { number, of, supervisorPid: process.pid, provider, port, isFirst: first === null }
}

/**
 * The configuration of one of them. What is counted in memory is counted by each: it gets its part of the limit. The port of the figures
 * is the supervisor's.
 */
export function configAt(config: Config, { of, port, isFirst }: Place): Config {
  const { doors } = config
  const part = (limit: number) => (limit === 0 ? 0 : Math.max(1, Math.floor(limit / of)))
  return {
    ...config,
    port,
    payouts: isFirst ? config.payouts : 'on',
    metrics: { ...config.metrics, port: null },
    rateLimit: part(config.rateLimit),
    rateBurst: part(config.rateBurst),
    doors: {
      ...doors,
      authFailuresPerMinute: part(doors.authFailuresPerMinute),
      connectionsMax: part(doors.connectionsMax),
      connectionsPerAddress: part(doors.connectionsPerAddress),
    },
  }
}
