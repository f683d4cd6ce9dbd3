// Every setting of the environment: its meaning, its unit, its default where that is a text, and the mode that it is for. The
// readers take the texts from here, and docs/configuration.md is made of this and of what the readers ask for.

type Setting = {
  readonly what: string
  /** What a text is without the setting. Of numbers and choices the reader's call says it. */
  readonly fallback?: string
  /** What holds without it, in words, where that is no value. */
  readonly unset?: string
  readonly unit?: string
  /** The one mode that it is for. */
  readonly mode?: 'development' | 'production'
}

export const SETTING_GROUPS = {
  'Where it listens': {
    GATEWAY_MODE: {
      what: '`development` or `production`; without it development, where everything is on this machine and no rail has a real address, else the start refuses',
      unset: 'by what is set',
    },
    PORT: { what: '0 takes any free port' },
    HOST: { what: 'the address to listen on; no TLS, so put a proxy before anything else', fallback: '127.0.0.1' },
    GATEWAY_PUBLIC_URL: {
      what: 'where the outside reaches the gateway; links in replies begin with it',
      unset: 'the address that was bound',
    },
    GATEWAY_CONSOLE: { what: 'whether the console is served at `/console`; `off` leaves no route of it' },
    GATEWAY_DRAIN_SECONDS: {
      what: 'how long requests are served on after a signal to stop; no longer where the database is found to be another one',
      unset: '5 in production, else 0',
      unit: 'seconds',
    },
    GATEWAY_METRICS_PORT: {
      what: "a port where `GET /metrics` needs no key; at the gateway's own it needs one with `metrics:read`; 0 for no such port",
    },
    GATEWAY_METRICS_HOST: { what: 'the address of that port', fallback: '127.0.0.1' },
  },
  'Database and data': {
    DATABASE_URL: {
      what: 'a PostgreSQL of your own, 15 or later, as the gateway logs in to it, with all of its servers where there are standbys (docs/availability.md); without it the embedded one is used',
    },
    GATEWAY_OWNER_DATABASE_URL: {
      what: "the login of that database's owner, for `gateway migrate`; a running gateway does not need it",
      mode: 'production',
    },
    GATEWAY_OPERATOR_DATABASE_URL: {
      what: "the login of operators' commands, and of `GATEWAY_OPERATIONS=on`; without it one that follows from the owner's",
      mode: 'production',
    },
    GATEWAY_LANES_FILE: {
      what: 'a JSON file with the PostgreSQLs that lanes are spread over beside the one of `DATABASE_URL` (docs/several-servers.md)',
    },
    PGHOST: { what: 'where the PostgreSQL of `DATABASE_URL` is when that names no host' },
    GATEWAY_DATABASE: {
      what: '`embedded`: production works on the embedded PostgreSQL, which it does for this word alone',
    },
    GATEWAY_DATA_DIR: { what: 'where data lives', fallback: '.gateway' },
    GATEWAY_MARK_DIR: {
      what: 'a second place, on another disk, for the note of how far the database had come (docs/recovery.md)',
    },
    GATEWAY_BACKUP_DIR: {
      what: 'where backups of the embedded database go, and the archive of its log, on another disk (docs/backups.md); without it nothing is backed up',
    },
    GATEWAY_BACKUP_EVERY: { what: 'how often a backup is made', unit: 'hours' },
    GATEWAY_BACKUP_KEEP: {
      what: 'how many backups are kept; older ones go, and the log that they alone needed',
      unit: 'backups',
    },
    GATEWAY_SEARCH_DAYS: {
      what: 'for how long after its end a contract is found by its words; then by its id and reference alone. 0 for ever, else 31 at least (docs/growth.md)',
      unit: 'days',
    },
    GATEWAY_EVENT_DAYS: {
      what: 'for how long after its end the earlier versions of a contract can be read, as events too; then the contract as it stands. Only what is in an archive that was noted leaves. 0 for ever, else 30 at least (docs/growth.md)',
      unit: 'days',
    },
    GATEWAY_PROVIDER_EVENT_DAYS: {
      what: 'for how long the bytes of what providers said of payments are kept, once nothing waits for them; their hash stays. 0 for ever, else 30 at least',
      unit: 'days',
    },
    GATEWAY_SEALING_KEYS: {
      what: 'keys that seal webhook secrets, base64 of 32 bytes, with commas, the first seals; without it `sealing.key` in the data directory. Gateways on one database need the same',
    },
    GATEWAY_DURABILITY: { what: '`allow` runs on a server that can forget acknowledged writes, with a warning' },
    GATEWAY_ROLE: {
      what: 'what a process does: `api` answers requests, `worker` does the work that waits and listens at no port, `all` both',
    },
    GATEWAY_PROCESSES: {
      what: 'how many processes share the port and the work; `auto` for one for each core (docs/guides/scale-out.md)',
      unit: 'processes',
    },
    GATEWAY_CITUS_WORKERS: {
      what: 'on a Citus cluster: how requests reach the worker that has their lane; `direct` where it lets the gateway in, else through the coordinator',
    },
    GATEWAY_LANE_SCOPE: {
      what: '`one lane`: a batch holds the commands of one lane; on a Citus cluster those of one shard, whatever is said here',
    },
  },
  'Work and log': {
    GATEWAY_CONFIG: {
      what: 'a JSON file with `currencies` (a list) and `channels` (fees, limits, recipient fields) in place of the shipped ones',
    },
    LOG_LEVEL: { what: 'how much is logged; JSON lines on standard error' },
    GATEWAY_LOG_REQUESTS: {
      what: 'which requests, jobs and deliveries get a line of the log: `failures` of the gateway or a channel, all, or none',
    },
    GATEWAY_WRITERS: { what: 'connections that write; one for every two cores', unit: 'connections' },
    GATEWAY_BATCH_MAX: { what: 'commands in one transaction at most', unit: 'commands' },
    GATEWAY_QUEUE_MAX: {
      what: 'commands that may wait; beyond it the answer is 503 with `Retry-After`',
      unit: 'commands',
    },
    GATEWAY_LEASE_MS: { what: "how long a worker holds a transfer; more than twice the call's time", unit: 'ms' },
  },
  'Who may call, and how often': {
    GATEWAY_RATE_LIMIT: { what: 'requests a second for each key; 0 for no limit', unit: 'requests a second' },
    GATEWAY_RATE_BURST: { what: 'how many requests of one key may come at once', unit: 'requests' },
    GATEWAY_AUTH_FAILURES_PER_MINUTE: {
      what: 'wrong keys and tokens a minute from one address, twice as many at once; 0 for no limit',
      unit: 'a minute',
    },
    GATEWAY_TRUST_PROXY: { what: 'addresses and ranges, with commas, of proxies whose `X-Forwarded-For` is believed' },
    GATEWAY_CONNECTIONS_MAX: {
      what: 'connections in all; where there is no room the oldest idle one is closed',
      unit: 'connections',
    },
    GATEWAY_CONNECTIONS_PER_ADDRESS: {
      what: 'connections from one address, but for this machine and trusted proxies',
      unit: 'connections',
    },
    GATEWAY_OIDC_ISSUER: { what: 'an OpenID provider where members may sign in; all three of these, or none' },
    GATEWAY_OIDC_CLIENT_ID: { what: 'as whom the gateway asks it' },
    GATEWAY_OIDC_CLIENT_SECRET: { what: 'what proves that it is the gateway' },
  },
  Operations: {
    GATEWAY_OPERATIONS: {
      what: "`on` lets members of operating accounts operate the gateway over HTTP, by the operators' database login, which this process then holds; `off` leaves that to the command line",
      unset: 'on in development, else off',
    },
    GATEWAY_PAYOUTS: {
      what: '`off` pauses all payouts at the start, for every gateway on the database, until `gateway payouts resume`; `on` changes nothing',
    },
    GATEWAY_RESOLUTION_LIMITS: {
      what: 'up to which amount one person resolves an outcome: `PHP=50000,USD=1000`; a currency that is not named always needs two people, and `none` names none',
      fallback: 'PHP=50000',
    },
  },
  'Webhooks and callbacks': {
    GATEWAY_WEBHOOK_ALLOW: {
      what: 'addresses and CIDR ranges that webhooks may go to besides public ones over https; without it the loopback, where only this machine can reach the gateway, else none',
      unset: 'the loopback in a trial, else none',
    },
    GATEWAY_WEBHOOK_TIMEOUT_MS: { what: 'how long a webhook call may take', unit: 'ms' },
    GATEWAY_WEBHOOK_LEASE_MS: { what: 'how long an endpoint stays with a process that says nothing more', unit: 'ms' },
    GATEWAY_WEBHOOK_RETRY_SCALE: { what: 'multiplies the waits between tries; for tests' },
    GATEWAY_CALLBACK_SECRETS: { what: 'what providers sign callbacks with: `instapay=whsec_…,gcash=whsec_…`' },
  },
  'Sandbox provider': {
    SANDBOX_URL: {
      what: 'a sandbox provider that runs elsewhere; without it one is started beside the gateway',
      mode: 'development',
    },
  },
  Rails: {
    GATEWAY_CALL_TIMEOUT_MS: {
      what: 'how long a call to a rail or to the sandbox provider may take, and on a chain all calls of one look or one sending',
      unit: 'ms',
    },
    GATEWAY_INSTAPAY_URL: {
      what: "the rail's address, which makes it live; without it the sandbox provider plays it, and it is test. Over https, but on this machine",
    },
    GATEWAY_PESONET_URL: { what: 'the address of the rail, likewise' },
    GATEWAY_GCASH_URL: { what: 'the address of the rail, likewise' },
    GATEWAY_MAYA_URL: { what: 'the address of the rail, likewise' },
    GATEWAY_CARD_URL: { what: 'the address of the card provider, likewise' },
    GATEWAY_QRPH_URL: { what: 'the address of your acquirer of QR Ph, likewise' },
    GATEWAY_INSTAPAY_MODE: {
      what: "`test` says that the address is the rail's own test environment: it takes test contracts alone",
      unset: 'live with an address',
    },
    GATEWAY_PESONET_MODE: {
      what: 'likewise: `test` for a test environment of the rail',
      unset: 'live with an address',
    },
    GATEWAY_GCASH_MODE: { what: 'likewise: `test` for a test environment of the rail', unset: 'live with an address' },
    GATEWAY_MAYA_MODE: { what: 'likewise: `test` for a test environment of the rail', unset: 'live with an address' },
    GATEWAY_CARD_MODE: { what: 'likewise: `test` for a test environment of the rail', unset: 'live with an address' },
    GATEWAY_QRPH_MODE: { what: 'likewise: `test` for a test environment of the rail', unset: 'live with an address' },
    GATEWAY_INSTAPAY_API_KEY: {
      what: 'opens the bank, sent as a bearer token; a live address needs it, but one on this machine',
    },
    GATEWAY_PESONET_API_KEY: { what: 'opens the bank of PESONet files, likewise' },
    GATEWAY_DEBTOR_NAME: { what: 'who pays, by the books of your bank', fallback: 'Gateway' },
    GATEWAY_DEBTOR_BANK: { what: 'your bank: a BIC or a member number', fallback: 'SBOXPHM2XXX' },
    GATEWAY_DEBTOR_ACCOUNT: { what: 'your account there, for PESONet files', fallback: '0000000001' },
    GATEWAY_GCASH_CLIENT_ID: { what: 'as the wallet gave it to you', fallback: 'sandbox-client' },
    GATEWAY_GCASH_SECRET: { what: 'signs the requests', fallback: 'sandbox-secret' },
    GATEWAY_MAYA_API_KEY: { what: 'as the wallet gave it to you', fallback: 'sandbox-key' },
    GATEWAY_CARD_API_KEY: { what: 'as the provider gave it to you', fallback: 'sandbox-key' },
    GATEWAY_QRPH_API_KEY: { what: 'as the acquirer gave it to you', fallback: 'sandbox-key' },
    GATEWAY_QRPH_ACQUIRER: { what: "the acquirer's BIC, in your codes", fallback: 'SBOXPHM2XXX' },
    GATEWAY_QRPH_MERCHANT_ID: { what: 'who you are to the acquirer', fallback: 'SANDBOX0000001' },
    GATEWAY_QRPH_MERCHANT_NAME: { what: "what the payer's app shows", unset: 'as GATEWAY_DEBTOR_NAME' },
    GATEWAY_QRPH_MERCHANT_CITY: { what: "the city that the payer's app shows", fallback: 'Manila' },
    GATEWAY_QRPH_CATEGORY: { what: 'your trade, by ISO 18245', fallback: '6012' },
  },
  Crypto: {
    GATEWAY_CRYPTO_MODE: { what: 'likewise: `test` for a chain for tests', unset: 'live with an address' },
    GATEWAY_CRYPTO_RPC_URL: {
      what: 'a node of the chain, for channels with an asset ([crypto](crypto.md)); live, unless `GATEWAY_CRYPTO_MODE` is `test`',
    },
    GATEWAY_CRYPTO_KEY: { what: 'the private key that payouts are signed with' },
    GATEWAY_CRYPTO_XPUB: { what: "the extended public key that payers' addresses are derived from" },
    GATEWAY_CRYPTO_CONFIRMATIONS: {
      what: 'blocks until a payout counts as delivered, and a payment as received',
      unit: 'blocks',
    },
    GATEWAY_CRYPTO_REPLACE_AFTER_SECONDS: {
      what: 'when a payout that is not mined is sent again for a higher fee',
      unit: 'seconds',
    },
    GATEWAY_CRYPTO_FEE_CAP_GWEI: { what: 'the most that a unit of gas may cost', unit: 'gwei' },
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      what: 'the collector that traces go to over HTTP',
      unset: 'none: nothing is traced',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { what: 'the same as the whole address for traces' },
    OTEL_TRACES_EXPORTER: { what: '`otlp` or `none`', unset: 'otlp with an endpoint, else none' },
    OTEL_SDK_DISABLED: { what: '`true` traces nothing' },
    OTEL_EXPORTER_OTLP_PROTOCOL: { what: '`http/json` or `http/protobuf`: traces leave as JSON' },
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { what: 'the same, for traces alone' },
    OTEL_TRACES_SAMPLER: { what: 'which traces are taken, by the names of OpenTelemetry', unset: 'always_on' },
    OTEL_TRACES_SAMPLER_ARG: { what: 'the share of traces that is taken, from 0 to 1', unset: '1' },
    OTEL_SERVICE_NAME: { what: 'what spans say of where they are from', fallback: 'gateway-contracts' },
    OTEL_RESOURCE_ATTRIBUTES: { what: 'more of it: `name=value,name=value`' },
    OTEL_BSP_MAX_QUEUE_SIZE: { what: 'spans that may wait; more are dropped', unit: 'spans' },
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { what: 'spans in one call', unit: 'spans' },
    OTEL_BSP_SCHEDULE_DELAY: { what: 'how long spans are gathered', unit: 'ms' },
    OTEL_BSP_EXPORT_TIMEOUT: { what: 'how long a call to the collector may take', unit: 'ms' },
  },
  'The command line': {
    GATEWAY_URL: { what: 'the gateway that commands call', unset: 'that of the login, else of `dev.json`' },
    GATEWAY_API_KEY: { what: 'the key that they send', unset: 'that of the login, else of `dev.json`' },
    GATEWAY_PROFILE: { what: 'the login that is meant, by its name', unset: 'the one in use' },
    GATEWAY_MEMBER_EMAIL: { what: 'who signs in where a command needs a member', unset: 'asked' },
    GATEWAY_MEMBER_PASSWORD: { what: 'the password of that member', unset: 'asked' },
    GATEWAY_MEMBER_CODE: { what: 'the code of the authenticator', unset: 'asked' },
    XDG_CONFIG_HOME: { what: 'where logins are kept, in `gateway/`', unset: '`~/.config`' },
    BROWSER: { what: 'what opens addresses', unset: "the system's own" },
  },
  Tests: {
    GATEWAY_CRASH_AT: { what: 'ends the process at a named point of a saga; for tests', mode: 'development' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>

type Groups = typeof SETTING_GROUPS
export type SettingName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

const FALLBACKS = new Map(
  Object.values<Readonly<Record<string, Setting>>>(SETTING_GROUPS).flatMap((group) =>
    Object.entries(group).map(([name, { fallback = '' }]) => [name, fallback] as const),
  ),
)

/** A text of the environment, or its declared default. */
export function textOf(env: Readonly<Record<string, string | undefined>>, name: SettingName): string {
  return env[name] || (FALLBACKS.get(name) ?? '')
}
