// Who may connect and how often: the limits that hold before a caller is known.
import { addressList } from '../../platform/addresses.ts'
import { type Env, listOf, type Reader } from './environment.ts'

export type DoorsConfig = {
  /** Wrong credentials a minute from one address, twice as many at once; 0 for no limit. */
  readonly authFailuresPerMinute: number
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[]
  readonly connectionsMax: number
  /** From one address, but for this machine and the proxies that are trusted. */
  readonly connectionsPerAddress: number
  /** How long requests are served on after a signal to stop, so that clients and load balancers notice it first. */
  readonly drainSeconds: number
}

/** What is not over so long after the drain hangs, and will not be; what is left of it the next start repairs. */
const ENDS_WITHIN_MS = 20_000

/** How long a process may take to end from the signal on. */
export const endsWithinMs = ({ drainSeconds }: Pick<DoorsConfig, 'drainSeconds'>): number =>
  drainSeconds * 1000 + ENDS_WITHIN_MS

const DRAIN = 'GATEWAY_DRAIN_SECONDS'
const DRAIN_SECONDS = 5

/** `isTrial`: only this machine can reach the gateway, and nothing waits for its stop. */
export function doorsOf(env: Env, { whole }: Reader, isTrial: boolean, faults: string[]): DoorsConfig {
  return {
    authFailuresPerMinute: whole('GATEWAY_AUTH_FAILURES_PER_MINUTE', 10, 0, 1_000_000),
    trustProxy: trustedOf(env['GATEWAY_TRUST_PROXY'], faults),
    connectionsMax: whole('GATEWAY_CONNECTIONS_MAX', 2000, 10, 100_000),
    connectionsPerAddress: whole('GATEWAY_CONNECTIONS_PER_ADDRESS', 256, 1, 100_000),
    drainSeconds: env['GATEWAY_DRAIN_SECONDS'] ? whole(DRAIN, 0, 0, 600) : isTrial ? 0 : DRAIN_SECONDS,
  }
}

/** Never "all": an address that anyone may write into a header proves nothing. */
function trustedOf(text: string | undefined, faults: string[]): readonly string[] {
  const trusted = listOf(text ?? '')
  try {
    addressList(trusted)
  } catch {
    faults.push(`GATEWAY_TRUST_PROXY must be a list of addresses and CIDR ranges with commas, not "${text}"`)
  }
  if (trusted.some((each) => each.endsWith('/0')))
    faults.push('GATEWAY_TRUST_PROXY trusts everybody. Name the addresses of your proxies.')
  return trusted
}
