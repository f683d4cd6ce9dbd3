// Environment -> Config, read once, all faults reported together. What a start needs of it is in start-config.ts.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type CrashPlace, crashPlace } from '../../engine/crash-points.ts'
import { SHIPPED_CHANNELS } from '../../connectors/catalogue.ts'
import { type ChannelConfig, channelFacts } from '../../domain/channel/config.ts'
import { DEFAULT_CURRENCIES, isCurrency } from '../../domain/money/currencies.ts'
import { LOOPBACK_RANGES, openAddressGuard } from '../../platform/addresses.ts'
import { PASSWORD_COST, type PasswordCost } from '../../platform/passwords.ts'
import { PROCESS_ROLES, type ProcessRole } from '../../store/operator/processes.ts'
import { type Lines, LINES } from '../../platform/telemetry/wide-lines.ts'
import { type BackupsConfig, backupsOf } from './backups.ts'
import { removalOf } from './removal.ts'
import type { Lives } from '../../workers/sweeps/remove.ts'
import { type DoorsConfig, doorsOf } from './doors.ts'
import { oidcOf, type OidcConfig } from './oidc.ts'
import { type Asked, dataDirOf, type Env, isLoopback, listOf, type Reader, readerOf } from './environment.ts'
import { type LaneServer, laneServersOf } from './lane-servers.ts'
import { beyondThisMachine, isLocalDatabase, isLoopbackUrl, type Mode } from './mode.ts'
import { textOf } from './settings.ts'
import { type OperationsConfig, operationsOf } from './operations.ts'
import { type TracesConfig, tracesOf } from './traces.ts'
import { type CryptoConfig, cryptoOf, type RailsConfig, railsOf } from './rails.ts'

export type Config = {
  /** Null where it is neither set nor a trial on this machine alone: nothing is started then. */
  readonly mode: Mode | null
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /**
   * Where the outside world reaches this gateway; links in replies begin with it. Without GATEWAY_PUBLIC_URL and a port
   * it is only known once the port is bound (see wire.ts).
   */
  readonly publicUrl: string
  /** Whether GATEWAY_PUBLIC_URL sets it. */
  readonly publicUrlIsSaid: boolean
  /** An own PostgreSQL (15 or newer), as the gateway logs in; null starts the embedded one. */
  readonly databaseUrl: string | null
  readonly databaseIsLocal: boolean
  /** Whether the embedded one was set explicitly (GATEWAY_DATABASE=embedded), which production needs. */
  readonly embeddedIsSaid: boolean
  /** The login of its owner, who migrates; null where DATABASE_URL is that, or where nothing is migrated. */
  readonly ownerDatabaseUrl: string | null
  /** The login of operators' commands; null derives one from the owner's. */
  readonly operatorDatabaseUrl: string | null
  /** PostgreSQLs beside that one, which lanes are spread over. */
  readonly laneServers: readonly LaneServer[]
  readonly dataDir: string
  /** A second place, beside the data directory, where it is noted how far the database had come. */
  readonly markDir: string | null
  readonly backups: BackupsConfig
  /** For how long what may leave the database stays in it. */
  readonly removal: Lives
  readonly logLevel: string
  /** Which requests, jobs and deliveries get a line in the log. */
  readonly logRequests: Lines
  /** Where traces go; null where nothing is traced. */
  readonly traces: TracesConfig | null
  readonly currencies: readonly string[]
  readonly channels: readonly ChannelConfig[]
  /** A sandbox provider that runs elsewhere; null starts one beside the gateway. */
  readonly sandboxUrl: string | null
  /** Connections that write; each owns the lanes with `lane mod writers`. */
  readonly writers: number
  readonly batchMax: number
  readonly queueMax: number
  /** Where figures are served without a key; port null for nowhere, and then GET /metrics takes a key. */
  readonly metrics: { readonly host: string; readonly port: number | null }
  /** Whether a batch may hold many lanes (one PostgreSQL) or one (a distributed engine). */
  readonly laneScope: 'many lanes' | 'one lane'
  /** How requests reach the lanes of a Citus cluster. */
  readonly citusWorkers: 'direct' | 'through the coordinator'
  /** What this process does: it answers requests, works in lanes, or both. */
  readonly role: ProcessRole
  /** How many processes share the port and the work. */
  readonly processes: number
  /** Requests a second for each key; 0 for no limit. */
  readonly rateLimit: number
  readonly rateBurst: number
  /** The limits that hold before a caller is known. */
  readonly doors: DoorsConfig
  readonly durability: 'refuse' | 'allow'
  /** How long a call to the sandbox provider may take, from its start to the last byte. */
  readonly callTimeoutMs: number
  /** How long a worker holds an attempt: longer than all calls it makes with it, so that a live one reports first. */
  readonly leaseMs: number
  /** A rail may tell of a payment before its list shows it: for so long a refund waits for that. */
  readonly refundAbsentForMs: number
  /** The keys that seal webhook secrets, as text; null keeps one in the data directory. */
  readonly sealingKeys: string | null
  /** Addresses and CIDR ranges that webhook endpoints may have although they are not public. */
  readonly webhookAllow: readonly string[]
  /** From the start of a webhook call to the last byte of its reply. */
  readonly webhookTimeoutMs: number
  /** How long an endpoint stays with a process that no longer reports. */
  readonly webhookLeaseMs: number
  /** Multiplies the waits between the tries of a webhook: 1, but in tests. */
  readonly webhookRetryScale: number
  /** By channel, the secrets that its provider signs callbacks with; more than one while one is replaced. */
  readonly callbackSecrets: ReadonlyMap<string, readonly string[]>
  readonly rails: RailsConfig
  readonly crypto: CryptoConfig
  /** Of members' passwords. No setting: it is the constant, but in worlds of tests. */
  readonly passwordCost: PasswordCost
  /** Where members may sign in elsewhere; null for nowhere. */
  readonly oidc: OidcConfig | null
  /** Whether it is operated over HTTP. */
  readonly operations: OperationsConfig
  /** Where this process is to end in a test of the saga; null everywhere else. */
  readonly crashAt: CrashPlace | null
  /** `off` pauses all payouts when it starts, until an operator lets them go on. */
  readonly payouts: 'on' | 'off'
  /** Whether the console is served, at /console. */
  readonly console: 'on' | 'off'
}

export const PROCESSES_MAX = 64

const REFUND_ABSENT_FOR_MS = 60_000

// A recall, and the inquiry when the rail did not return the money; whose payment it is, and its refund.
const CALLS_PER_LEASE = 2

/** Thrown with every fault of the configuration, one a line. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

/** Reads the configuration; throws {@link Misconfigured}. */
export function readConfig(env?: Env): Config {
  const faults: string[] = []
  const config = configOf(faults, env)
  if (faults.length > 0) throw new Misconfigured(faults.join('\n'))
  return config
}

/** The configuration as far as it can be read; what is wrong with it is added to `faults`. */
export function configOf(faults: string[], env: Env = process.env, asked?: Asked): Config {
  const read = readerOf(env, faults, asked)
  const { whole, oneOf } = read
  const file = readFile(env['GATEWAY_CONFIG'], faults)
  const place = placeOf(env, read, faults)
  const laneServers = laneServersOf(env, faults)
  const config: Omit<Config, 'mode'> = {
    ...place,
    ...databaseOf(env, laneServers, faults),
    laneServers,
    dataDir: dataDirOf(env),
    markDir: env['GATEWAY_MARK_DIR'] ? resolve(env['GATEWAY_MARK_DIR']) : null,
    backups: backupsOf(env, read, faults),
    removal: removalOf(env, read, faults),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'warn'),
    logRequests: oneOf('GATEWAY_LOG_REQUESTS', LINES, 'failures'),
    traces: tracesOf(env, read, faults),
    currencies: currenciesOf(file, faults),
    channels: channelsOf(file, faults),
    sandboxUrl: env['SANDBOX_URL']?.replace(/\/$/, '') || null,
    writers: whole('GATEWAY_WRITERS', 1, 1, 16),
    batchMax: whole('GATEWAY_BATCH_MAX', 256, 1, 1000),
    queueMax: whole('GATEWAY_QUEUE_MAX', 4096, 1, 1_000_000),
    metrics: {
      host: textOf(env, 'GATEWAY_METRICS_HOST'),
      port: whole('GATEWAY_METRICS_PORT', 0, 0, 65_535) || null,
    },
    citusWorkers: oneOf('GATEWAY_CITUS_WORKERS', ['direct', 'through the coordinator'], 'direct'),
    laneScope: oneOf('GATEWAY_LANE_SCOPE', ['many lanes', 'one lane'], 'many lanes'),
    role: oneOf('GATEWAY_ROLE', PROCESS_ROLES, 'all'),
    processes: read.countOr('GATEWAY_PROCESSES', availableParallelism, PROCESSES_MAX),
    rateLimit: whole('GATEWAY_RATE_LIMIT', 1000, 0, 1_000_000),
    rateBurst: whole('GATEWAY_RATE_BURST', 2000, 1, 1_000_000),
    doors: doorsOf(env, read, isTrial(place) && env['GATEWAY_MODE'] !== 'production', faults),
    durability: oneOf('GATEWAY_DURABILITY', ['refuse', 'allow'], 'refuse'),
    callTimeoutMs: whole('GATEWAY_CALL_TIMEOUT_MS', 5000, 100, 60_000),
    leaseMs: whole('GATEWAY_LEASE_MS', 15_000, 500, 600_000),
    refundAbsentForMs: REFUND_ABSENT_FOR_MS,
    sealingKeys: env['GATEWAY_SEALING_KEYS'] || null,
    webhookAllow: allowedOf(env['GATEWAY_WEBHOOK_ALLOW'], place, faults),
    webhookTimeoutMs: whole('GATEWAY_WEBHOOK_TIMEOUT_MS', 15_000, 100, 60_000),
    webhookLeaseMs: whole('GATEWAY_WEBHOOK_LEASE_MS', 30_000, 500, 600_000),
    webhookRetryScale: read.scale('GATEWAY_WEBHOOK_RETRY_SCALE'),
    callbackSecrets: callbackSecretsOf(env['GATEWAY_CALLBACK_SECRETS'], faults),
    rails: railsOf(env, read, faults),
    crypto: cryptoOf(env, read, faults),
    passwordCost: PASSWORD_COST,
    oidc: oidcOf(env, faults),
    operations: operationsOf(env, read, faults),
    crashAt: crashOf(env['GATEWAY_CRASH_AT'], faults),
    payouts: oneOf('GATEWAY_PAYOUTS', ['on', 'off'], 'on'),
    console: oneOf('GATEWAY_CONSOLE', ['on', 'off'], 'on'),
  }
  checkLeases(config, faults)
  for (const channelId of config.callbackSecrets.keys())
    if (!config.channels.some(({ id }) => id === channelId))
      faults.push(`GATEWAY_CALLBACK_SECRETS names a channel that there is not: ${channelId}`)
  return { ...config, mode: modeOf(env, read, config) }
}

function modeOf(env: Env, { oneOf }: Reader, config: Omit<Config, 'mode'>): Mode | null {
  if (env['GATEWAY_MODE']) return oneOf<Mode>('GATEWAY_MODE', ['development', 'production'], 'production')
  return beyondThisMachine(config).length === 0 ? 'development' : null
}

function crashOf(text: string | undefined, faults: string[]): CrashPlace | null {
  if (!text) return null
  const place = crashPlace(text)
  if (!place) faults.push(`GATEWAY_CRASH_AT must be a point of src/engine/crash-points.ts, not "${text}"`)
  return place
}

type Place = Pick<Config, 'host' | 'port' | 'publicUrl' | 'publicUrlIsSaid'>

function placeOf(env: Env, { whole }: Reader, faults: string[]): Place {
  const host = textOf(env, 'HOST')
  const port = whole('PORT', 3000, 0, 65_535)
  const said = env['GATEWAY_PUBLIC_URL']
  const publicUrl = (said || urlOfBound(host, port)).replace(/\/$/, '')
  if (!URL.canParse(publicUrl)) faults.push(`GATEWAY_PUBLIC_URL must be a whole URL, not "${publicUrl}"`)
  return { host, port, publicUrl, publicUrlIsSaid: Boolean(said) }
}

/** Where a server listens. */
export type Bound = {
  readonly url: string
  /** As a number: an address with the port 80 names none once it is parsed. */
  readonly port: number
}

export const boundAt = (host: string, port: number): Bound => ({ url: urlOfBound(host, port), port })

/** For a gateway that begins anew, and for others on the same port: also where the system had chosen the port. */
export const listeningAt = (config: Config, { port }: Pick<Bound, 'port'>): Config => ({ ...config, port })

/** How this machine reaches a server that listens there. */
export function urlOfBound(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

type DatabasePart = Pick<
  Config,
  'databaseUrl' | 'databaseIsLocal' | 'embeddedIsSaid' | 'ownerDatabaseUrl' | 'operatorDatabaseUrl'
>

function databaseOf(env: Env, laneServers: readonly LaneServer[], faults: string[]): DatabasePart {
  const databaseUrl = env['DATABASE_URL'] || null
  const word = env['GATEWAY_DATABASE'] || null
  if (word !== null && word !== 'embedded') faults.push(`GATEWAY_DATABASE must be embedded or left out, not "${word}"`)
  if (word === 'embedded' && databaseUrl !== null)
    faults.push('GATEWAY_DATABASE is embedded, and DATABASE_URL names another one: leave one of them out')
  // Without a host the client takes that of PGHOST.
  const isLocal = (url: string) => isLocalDatabase(url, env['PGHOST'] || '')
  return {
    databaseUrl,
    databaseIsLocal:
      (databaseUrl === null || isLocal(databaseUrl)) && laneServers.every((each) => isLocal(each.databaseUrl)),
    embeddedIsSaid: word === 'embedded',
    ownerDatabaseUrl: env['GATEWAY_OWNER_DATABASE_URL'] || null,
    operatorDatabaseUrl: env['GATEWAY_OPERATOR_DATABASE_URL'] || null,
  }
}

function checkLeases(
  config: Pick<Config, 'leaseMs' | 'callTimeoutMs' | 'webhookLeaseMs' | 'webhookTimeoutMs'>,
  faults: string[],
): void {
  if (config.leaseMs <= CALLS_PER_LEASE * config.callTimeoutMs)
    faults.push(
      `GATEWAY_LEASE_MS must be more than ${CALLS_PER_LEASE} times GATEWAY_CALL_TIMEOUT_MS (${config.callTimeoutMs})`,
    )
  if (config.webhookLeaseMs < 2 * config.webhookTimeoutMs)
    faults.push(
      `GATEWAY_WEBHOOK_LEASE_MS must be at least twice GATEWAY_WEBHOOK_TIMEOUT_MS (${config.webhookTimeoutMs})`,
    )
}

/**
 * Where webhooks may go beside public addresses. A gateway that is reachable from this machine alone is a trial:
 * its receivers are here, too.
 */
function allowedOf(text: string | undefined, { host, publicUrl }: Place, faults: string[]): readonly string[] {
  if (text === undefined) return isTrial({ host, publicUrl }) ? LOOPBACK_RANGES : []
  const allow = listOf(text)
  try {
    openAddressGuard({ allow })
  } catch {
    faults.push(`GATEWAY_WEBHOOK_ALLOW must be a list of addresses and CIDR ranges with commas, not "${text}"`)
    return []
  }
  return allow
}

const isTrial = ({ host, publicUrl }: Pick<Place, 'host' | 'publicUrl'>) => isLoopback(host) && isLoopbackUrl(publicUrl)

const SECRET_CHARS_MIN = 16

/** "<channel>=whsec_…,<channel>=…"; a channel may be named twice while its secret is replaced. No secret is ever shown. */
function callbackSecretsOf(text: string | undefined, faults: string[]): ReadonlyMap<string, readonly string[]> {
  const secrets = new Map<string, readonly string[]>()
  for (const [place, entry] of (text ?? '').split(',').entries()) {
    if (entry.trim() === '') continue
    const [, channel = '', secret = ''] = /^\s*([^=\s]+)=(\S*)\s*$/.exec(entry) ?? []
    if (secret.length >= SECRET_CHARS_MIN) secrets.set(channel, [...(secrets.get(channel) ?? []), secret])
    else
      faults.push(
        `GATEWAY_CALLBACK_SECRETS: entry ${place + 1} must be a channel, "=" and a secret of at least ${SECRET_CHARS_MIN} characters`,
      )
  }
  return secrets
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
      channelFacts(channel, 1, 'test')
    } catch (fault) {
      faults.push(`GATEWAY_CONFIG: ${(fault as Error).message}`)
    }
  }
  const replaced = new Set(own.map((channel) => channel.id))
  return [...SHIPPED_CHANNELS.filter((channel) => !replaced.has(channel.id)), ...own]
}
