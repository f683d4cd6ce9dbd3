// Which of the two worlds a gateway is started in: a trial on this machine alone,
// or production, where money is real. Judges the configuration; changes nothing.
import { serversOf } from '../../platform/postgres/hosts.ts'
import { isLoopback } from './environment.ts'
import { type CryptoConfig, liveRails, type RailsConfig } from './rails.ts'

export type Mode = 'development' | 'production'

/** The parts of the configuration that decide which world it is. */
type Judged = {
  readonly host: string
  readonly publicUrl: string
  readonly databaseIsLocal: boolean
  readonly metrics: { readonly host: string; readonly port: number | null }
  readonly sandboxUrl: string | null
  readonly rails: RailsConfig
  readonly crypto: CryptoConfig
}

/** What reaches beyond this machine, or moves real money: one sentence each, none for a trial. */
export function beyondThisMachine(config: Judged): string[] {
  const { publicUrl, databaseIsLocal, sandboxUrl } = config
  const found: string[] = []
  found.push(...openDoors(config))
  if (!isLoopbackUrl(publicUrl)) found.push(`GATEWAY_PUBLIC_URL is ${publicUrl}, which is not this machine`)
  if (!databaseIsLocal) found.push('DATABASE_URL is on another machine')
  if (sandboxUrl !== null && !isLoopbackUrl(sandboxUrl)) found.push('SANDBOX_URL is on another machine')
  return [...found, ...realMoney(config)]
}

/** What no start of a trial may have, even where the mode is set explicitly. */
function neverInDevelopment(config: Judged): string[] {
  return [...openDoors(config), ...realMoney(config)]
}

function openDoors({ host, metrics }: Judged): string[] {
  const found = isLoopback(host) ? [] : [`HOST is ${host}, which others can reach`]
  if (metrics.port !== null && !isLoopback(metrics.host))
    found.push(`GATEWAY_METRICS_HOST is ${metrics.host}, which others can reach`)
  return found
}

function realMoney(config: Judged): string[] {
  return liveRails(config).map(
    (rail) =>
      `${rail} has a real address (${rail === 'crypto' ? 'GATEWAY_CRYPTO_RPC_URL' : `GATEWAY_${rail.toUpperCase()}_URL`})`,
  )
}

const MENDS = `For real money set GATEWAY_MODE=production; gateway init sets it up step by step.
For a trial leave these out; a rail's own test environment is declared by GATEWAY_<RAIL>_MODE=test.`

/** Why a start in this mode is refused, with the fixes; null where it is not. Production has its own list. */
export function faultOfMode(config: Judged & { readonly mode: Mode | null }): string | null {
  if (config.mode === 'production') return null
  const found = config.mode === null ? beyondThisMachine(config) : neverInDevelopment(config)
  if (found.length === 0) return null
  const why =
    config.mode === null
      ? 'This is not a trial on this machine alone, and GATEWAY_MODE is not set:'
      : 'GATEWAY_MODE is development, and that is for trials without real money on this machine alone:'
  return `${why}\n${found.map((each) => `  ${each}`).join('\n')}\n${MENDS}`
}

export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/**
 * Whether a connection string means a server of this machine: the loopback, or a socket of the file system. `fallback` is
 * the host where it names none.
 */
export function isLocalDatabase(url: string, fallback: string): boolean {
  return serversOf({ connectionString: url }).every(({ connectionString = '' }) =>
    isLocalServer(connectionString, fallback),
  )
}

function isLocalServer(url: string, fallback: string): boolean {
  if (url.startsWith('/')) return true
  if (!URL.canParse(url)) return false
  const { hostname, searchParams, protocol } = new URL(url)
  if (protocol === 'socket:') return true
  // Given twice, the parameter wins, as it does where the connection is opened.
  const host = searchParams.get('host') || decodeURIComponent(hostname) || fallback
  return host === '' || host.startsWith('/') || host.split(',').every(isLoopback)
}
