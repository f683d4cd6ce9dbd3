// Environment -> Config, read once, all faults reported together. The only file that reads process.env.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SHIPPED_CHANNELS } from '../channels/catalogue.ts'
import { type ChannelConfig, channelFacts } from '../domain/channel-config.ts'
import { DEFAULT_CURRENCIES, isCurrency } from '../domain/currencies.ts'

export type Config = {
  readonly host: string
  readonly port: number
  /** Where the outside world reaches this gateway; links in replies begin with it. */
  readonly publicUrl: string
  /** An own PostgreSQL (15 or newer); null starts the embedded one. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly logLevel: string
  readonly currencies: readonly string[]
  readonly channels: readonly ChannelConfig[]
  /** A sandbox provider that runs elsewhere; null starts one beside the gateway. */
  readonly sandboxUrl: string | null
  /** Connections that write; each owns the lanes with `lane mod writers`. */
  readonly writers: number
  readonly batchMax: number
  readonly queueMax: number
  /** Whether a batch may hold many lanes (one PostgreSQL) or one (a distributed engine). */
  readonly laneScope: 'many lanes' | 'one lane'
  /** Requests a second for each key; 0 for no limit. */
  readonly rateLimit: number
  readonly rateBurst: number
  readonly durability: 'refuse' | 'allow'
  /** How long a call to the sandbox provider may take, from its start to the last byte. */
  readonly callTimeoutMs: number
  /** How long a worker holds an attempt: longer than all calls it makes with it, so that one that lives reports first. */
  readonly leaseMs: number
}

// A recall, and the inquiry when the rail did not give the money back.
const CALLS_PER_LEASE = 2

/** Thrown with every fault of the configuration, one a line. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

type Env = Readonly<Record<string, string | undefined>>

/** Reads the configuration; throws {@link Misconfigured}. */
export function readConfig(env: Env = process.env): Config {
  const faults: string[] = []
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    faults.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
    return fallback
  }
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    if ((choices as readonly string[]).includes(text)) return text as T
    faults.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
    return fallback
  }
  const file = readFile(env['GATEWAY_CONFIG'], faults)
  const host = env['HOST'] || '127.0.0.1'
  const port = whole('PORT', 3000, 0, 65_535)
  const config: Config = {
    host,
    port,
    publicUrl: (env['GATEWAY_PUBLIC_URL'] || `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`).replace(
      /\/$/,
      '',
    ),
    databaseUrl: env['DATABASE_URL'] || null,
    dataDir: resolve(env['GATEWAY_DATA_DIR'] || '.gateway'),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'warn'),
    currencies: currenciesOf(file, faults),
    channels: channelsOf(file, faults),
    sandboxUrl: env['SANDBOX_URL']?.replace(/\/$/, '') || null,
    writers: whole('GATEWAY_WRITERS', 1, 1, 16),
    batchMax: whole('GATEWAY_BATCH_MAX', 256, 1, 1000),
    queueMax: whole('GATEWAY_QUEUE_MAX', 4096, 1, 1_000_000),
    laneScope: oneOf('GATEWAY_LANE_SCOPE', ['many lanes', 'one lane'], 'many lanes'),
    rateLimit: whole('GATEWAY_RATE_LIMIT', 1000, 0, 1_000_000),
    rateBurst: whole('GATEWAY_RATE_BURST', 2000, 1, 1_000_000),
    durability: oneOf('GATEWAY_DURABILITY', ['refuse', 'allow'], 'refuse'),
    callTimeoutMs: whole('GATEWAY_CALL_TIMEOUT_MS', 5000, 100, 60_000),
    leaseMs: whole('GATEWAY_LEASE_MS', 15_000, 500, 600_000),
  }
  if (config.leaseMs <= CALLS_PER_LEASE * config.callTimeoutMs)
    faults.push(
      `GATEWAY_LEASE_MS must be more than ${CALLS_PER_LEASE} times GATEWAY_CALL_TIMEOUT_MS (${config.callTimeoutMs})`,
    )
  if (faults.length > 0) throw new Misconfigured(faults.join('\n'))
  return config
}

type File = { readonly currencies?: unknown; readonly channels?: unknown }

function readFile(path: string | undefined, faults: string[]): File {
  if (!path) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    faults.push(`GATEWAY_CONFIG: ${path} must hold a JSON object`)
  } catch (fault) {
    faults.push(`GATEWAY_CONFIG: ${path} cannot be read: ${(fault as Error).message}`)
  }
  return {}
}

function currenciesOf({ currencies }: File, faults: string[]): readonly string[] {
  if (currencies === undefined) return DEFAULT_CURRENCIES
  if (Array.isArray(currencies) && currencies.every((code) => typeof code === 'string' && isCurrency(code)))
    return currencies as string[]
  faults.push('GATEWAY_CONFIG: currencies must be a list of ISO 4217 codes in upper case')
  return DEFAULT_CURRENCIES
}

/** The shipped channels, with those of the file in place of or beside them. */
function channelsOf({ channels }: File, faults: string[]): readonly ChannelConfig[] {
  if (channels === undefined) return SHIPPED_CHANNELS
  if (!Array.isArray(channels)) {
    faults.push('GATEWAY_CONFIG: channels must be a list')
    return SHIPPED_CHANNELS
  }
  const own = channels as ChannelConfig[]
  for (const channel of own) {
    try {
      channelFacts(channel, 1)
    } catch (fault) {
      faults.push(`GATEWAY_CONFIG: ${(fault as Error).message}`)
    }
  }
  const replaced = new Set(own.map((channel) => channel.id))
  return [...SHIPPED_CHANNELS.filter((channel) => !replaced.has(channel.id)), ...own]
}

/** The root of the package, from the sources as from the built files. */
export function packageFile(path: string): string {
  const here = fileURLToPath(import.meta.url)
  const root = here.includes('/dist/src/main/') ? '../../../' : '../../'
  return fileURLToPath(new URL(root + path, import.meta.url))
}
