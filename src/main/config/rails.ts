// How the rails are reached: where they are, whether they move real money, who pays by their books, and the credentials
// that open them. Read from the environment once; without it every rail is the sandbox provider's.
import { type Bank, bankMember, isAccountId } from '../../formats/iso20022/banks.ts'
import { qrphCode } from '../../connectors/qrph/code.ts'
import { type Env, isLoopback, type Reader } from './environment.ts'
import { type SettingName, textOf } from './settings.ts'

export type RailMode = 'test' | 'live'

type RailSettings = {
  /** Whether the sandbox provider plays it where it has no address of its own; else it is offered with an address alone. */
  readonly isPlayed: boolean
  /** Whether it reports the results of transfers by callback. */
  readonly callsBack: boolean
  /** What opens it, by the connector's name for it, each with its setting. */
  readonly opens: Readonly<Record<string, SettingName>>
  /** What opens a bank that is elsewhere, sent as a bearer token. On this machine a sidecar has it. */
  readonly opensFar?: Readonly<Record<string, SettingName>>
  /** What must be set beside its address and what opens it. */
  readonly needs: readonly SettingName[]
}

const PAYER = ['GATEWAY_DEBTOR_NAME', 'GATEWAY_DEBTOR_BANK'] as const

/**
 * The rails. Each has two settings beside these: GATEWAY_<RAIL>_URL, and GATEWAY_<RAIL>_MODE for whether that is the rail's
 * own test environment.
 */
const RAILS = {
  instapay: {
    isPlayed: true,
    callsBack: true,
    opens: {},
    opensFar: { apiKey: 'GATEWAY_INSTAPAY_API_KEY' },
    needs: PAYER,
  },
  pesonet: {
    isPlayed: true,
    callsBack: true,
    opens: {},
    opensFar: { apiKey: 'GATEWAY_PESONET_API_KEY' },
    needs: [...PAYER, 'GATEWAY_DEBTOR_ACCOUNT'],
  },
  gcash: {
    isPlayed: true,
    callsBack: true,
    opens: { clientId: 'GATEWAY_GCASH_CLIENT_ID', secret: 'GATEWAY_GCASH_SECRET' },
    needs: [],
  },
  maya: { isPlayed: true, callsBack: true, opens: { apiKey: 'GATEWAY_MAYA_API_KEY' }, needs: [] },
  card: { isPlayed: true, callsBack: false, opens: { apiKey: 'GATEWAY_CARD_API_KEY' }, needs: [] },
  qrph: {
    isPlayed: true,
    callsBack: false,
    opens: { apiKey: 'GATEWAY_QRPH_API_KEY' },
    needs: ['GATEWAY_QRPH_ACQUIRER', 'GATEWAY_QRPH_MERCHANT_ID'],
  },
} as const satisfies Readonly<Record<string, RailSettings>>

export type RailName = keyof typeof RAILS

const isRailName = (text: string): text is RailName => Object.hasOwn(RAILS, text)
export const RAIL_NAMES: readonly RailName[] = Object.keys(RAILS).filter(isRailName)

/** Those that the sandbox provider plays. */
export const PLAYED_RAILS: readonly RailName[] = RAIL_NAMES.filter((name) => RAILS[name].isPlayed)

/** Those that report the results of transfers by callback. */
export const CALLING_RAILS: readonly RailName[] = RAIL_NAMES.filter((name) => RAILS[name].callsBack)

const settingsOf = (name: RailName): RailSettings => RAILS[name]
const urlSetting = (name: RailName) => `GATEWAY_${shouted(name)}_URL` as const
const modeSetting = (name: RailName) => `GATEWAY_${shouted(name)}_MODE` as const
const shouted = (name: RailName) => name.toUpperCase() as Uppercase<RailName>

/** Every setting that is of a rail, and of those that name who pays. */
export const RAIL_SETTINGS: readonly string[] = RAIL_NAMES.flatMap((name) => {
  const { opens, opensFar = {}, needs } = settingsOf(name)
  return [urlSetting(name), modeSetting(name), ...Object.values(opens), ...Object.values(opensFar), ...needs]
})

/** One rail: live where it has a real address, unless that is declared to be the rail's own test environment. */
export type Rail = {
  /** Null for the sandbox provider. */
  readonly url: string | null
  readonly mode: RailMode
}

export type RailsConfig = Readonly<Record<RailName, Rail>> & {
  readonly credentials: { readonly [Name in RailName]: Credentials<Name> }
  /** Who pays, by the books of the bank that transfers are paid from. */
  readonly debtorName: string
  readonly debtorBank: Bank
  readonly debtorAccount: string
  /** Who is paid, by the books of the acquirer of codes. */
  readonly qrphMerchant: QrphMerchant
  /** Settings that open a rail whose address is not set, so that they open nothing; each with the address's setting. */
  readonly addressless: readonly (readonly [setting: string, url: string])[]
}

/** What opens a rail; null for what a sidecar has. */
type Credentials<Name extends RailName> = { readonly [Word in keyof (typeof RAILS)[Name]['opens']]: string } & {
  readonly [Word in FarWord<(typeof RAILS)[Name]>]: string | null
}
type FarWord<Settings> = Settings extends { readonly opensFar: infer Far } ? keyof Far : never

export type QrphMerchant = {
  readonly acquirerBic: string
  readonly merchantId: string
  readonly merchantName: string
  readonly merchantCity: string
  /** ISO 18245. */
  readonly categoryCode: string
}

export type CryptoConfig = {
  readonly rpcUrl: string | null
  /** Live with a node, unless its chain is declared to be one for tests. */
  readonly mode: RailMode
  /** The private key that payouts are signed with. */
  readonly key: string | null
  /** The extended public key whose addresses money comes in at; it can spend nothing. */
  readonly xpub: string | null
  /** Blocks from a transfer's own on before it is final. */
  readonly confirmations: number
  readonly replaceAfterSeconds: number
  readonly feeCapGwei: number
}

/** What opens the rails that the sandbox provider plays. */
const SANDBOX: Readonly<Record<string, string>> = {
  clientId: 'sandbox-client',
  secret: 'sandbox-secret',
  apiKey: 'sandbox-key',
}
const SANDBOX_BANK = 'SBOXPHM2XXX'
const SANDBOX_ACCOUNT = '0000000001'

export function railsOf(env: Env, read: Reader, faults: string[]): RailsConfig {
  const rails = byRail((name) => railOf(env, read, name, faults))
  const config: RailsConfig = {
    ...rails,
    credentials: byRail((name) => credentialsOf(env, name)) as RailsConfig['credentials'],
    debtorName: textOf(env, 'GATEWAY_DEBTOR_NAME'),
    debtorBank: bankOf(textOf(env, 'GATEWAY_DEBTOR_BANK'), faults),
    debtorAccount: accountOf(textOf(env, 'GATEWAY_DEBTOR_ACCOUNT'), faults),
    qrphMerchant: merchantOf(env, faults),
    addressless: addresslessOf(env),
  }
  for (const name of RAIL_NAMES) checkCredentials(env, name, config[name], faults)
  return config
}

function byRail<T>(of: (name: RailName) => T): Record<RailName, T> {
  return Object.fromEntries(RAIL_NAMES.map((name) => [name, of(name)])) as Record<RailName, T>
}

/** What opens a real rail is never given to the sandbox provider, which plays those without an address. */
function credentialsOf(env: Env, name: RailName): Readonly<Record<string, string | null>> {
  const { opens, opensFar = {} } = settingsOf(name)
  const isPlayed = !env[urlSetting(name)]
  const near = Object.entries(opens).map(([word, setting]) => {
    return [word, isPlayed ? textOf({}, setting) : textOf(env, setting)]
  })
  const far = Object.entries(opensFar).map(([word, setting]) => [word, isPlayed ? null : env[setting] || null])
  return Object.fromEntries([...near, ...far])
}

/** What must be set with a rail's address, wherever that is. */
const neededBy = ({ opens, needs }: RailSettings) => [...Object.values(opens), ...needs]

function addresslessOf(env: Env): [string, string][] {
  return RAIL_NAMES.filter((name) => !env[urlSetting(name)]).flatMap((name) => {
    const settings = settingsOf(name)
    const all = [...neededBy(settings), ...Object.values(settings.opensFar ?? {})]
    // Who pays is sent to two banks, and shown to payers of codes; it opens nothing.
    const opening = all.filter((each) => !each.startsWith('GATEWAY_DEBTOR_'))
    return opening.filter((each) => env[each]).map((each): [string, string] => [each, urlSetting(name)])
  })
}

function railOf(env: Env, { oneOf }: Reader, name: RailName, faults: string[]): Rail {
  const setting = { url: urlSetting(name), mode: modeSetting(name) }
  const url = env[setting.url]?.replace(/\/$/, '') || null
  const said = declaredMode(env, oneOf, setting.mode)
  if (url === null) {
    if (said === 'live')
      faults.push(
        `${setting.mode} is live, so ${setting.url} must be set: without an address the sandbox plays the rail`,
      )
    return { url, mode: 'test' }
  }
  const mode = said ?? 'live'
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    faults.push(`${setting.url} must be a whole URL that begins with https://, not "${url}"`)
  else if (mode === 'live' && new URL(url).protocol !== 'https:' && !isLoopback(new URL(url).hostname))
    faults.push(
      `${setting.url} must begin with https://, for real money goes there (http is for this machine alone, such as a TLS sidecar). If it is the rail's own test environment, set ${setting.mode}=test`,
    )
  return { url, mode }
}

function declaredMode(env: Env, oneOf: Reader['oneOf'], name: SettingName): RailMode | null {
  return env[name] ? oneOf<RailMode>(name, ['test', 'live'], 'live') : null
}

const SANDBOX_WORDS: readonly string[] = Object.values(SANDBOX)

/** A real rail with the sandbox's password is a mistake that would only be seen at the first payout. */
function checkCredentials(env: Env, name: RailName, { url, mode }: Rail, faults: string[]): void {
  if (url === null) return
  const setting = urlSetting(name)
  const settings = settingsOf(name)
  const isFar = URL.canParse(url) && !isLoopback(new URL(url).hostname)
  const far = isFar && mode === 'live' ? Object.values(settings.opensFar ?? {}) : []
  const all = [...neededBy(settings), ...far]
  const missing = all.filter((each) => !env[each] || SANDBOX_WORDS.includes(env[each] ?? ''))
  if (missing.length > 0) faults.push(`${setting} is set, so ${listed(missing)} must be, too`)
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

type Moneyed = { readonly rails: RailsConfig; readonly crypto: CryptoConfig }

/** The rails that move real money, by name: those with an address that is not declared a test environment. */
export function liveRails({ rails, crypto }: Moneyed): readonly string[] {
  const live: string[] = RAIL_NAMES.filter((name) => rails[name].mode === 'live')
  return crypto.rpcUrl !== null && crypto.mode === 'live' ? [...live, 'crypto'] : live
}

/** Tried out on a code at once: what cannot be written would only be seen at the first payment. */
function merchantOf(env: Env, faults: string[]): QrphMerchant {
  const merchant: QrphMerchant = {
    acquirerBic: textOf(env, 'GATEWAY_QRPH_ACQUIRER'),
    merchantId: textOf(env, 'GATEWAY_QRPH_MERCHANT_ID'),
    merchantName: env['GATEWAY_QRPH_MERCHANT_NAME'] || textOf(env, 'GATEWAY_DEBTOR_NAME'),
    merchantCity: textOf(env, 'GATEWAY_QRPH_MERCHANT_CITY'),
    categoryCode: textOf(env, 'GATEWAY_QRPH_CATEGORY'),
  }
  try {
    qrphCode({ ...merchant, amountDecimal: '1.00', reference: 'x'.repeat(25) })
  } catch (fault) {
    faults.push(`GATEWAY_QRPH_… make no QR Ph code: ${(fault as Error).message}`)
  }
  return merchant
}

function bankOf(text: string, faults: string[]): Bank {
  const bank = bankMember(text)
  if (bank) return bank
  faults.push(`GATEWAY_DEBTOR_BANK must be a BIC or the bank's member number, not "${text}"`)
  return { bic: SANDBOX_BANK }
}

function accountOf(text: string, faults: string[]): string {
  if (isAccountId(text)) return text
  faults.push(`GATEWAY_DEBTOR_ACCOUNT must be an account number of at most 34 characters, not "${text}"`)
  return SANDBOX_ACCOUNT
}

export function cryptoOf(env: Env, { whole, oneOf }: Reader, faults: string[]): CryptoConfig {
  const rpcUrl = env['GATEWAY_CRYPTO_RPC_URL'] || null
  // Not shown: such URLs hold keys.
  if (rpcUrl !== null && !URL.canParse(rpcUrl)) faults.push('GATEWAY_CRYPTO_RPC_URL must be a whole URL')
  const said = declaredMode(env, oneOf, 'GATEWAY_CRYPTO_MODE')
  if (rpcUrl === null && said === 'live')
    faults.push('GATEWAY_CRYPTO_MODE is live, so GATEWAY_CRYPTO_RPC_URL must be set: nothing plays a chain')
  return {
    rpcUrl,
    mode: rpcUrl === null ? 'test' : (said ?? 'live'),
    key: env['GATEWAY_CRYPTO_KEY'] || null,
    xpub: env['GATEWAY_CRYPTO_XPUB'] || null,
    confirmations: whole('GATEWAY_CRYPTO_CONFIRMATIONS', 12, 1, 1000),
    replaceAfterSeconds: whole('GATEWAY_CRYPTO_REPLACE_AFTER_SECONDS', 180, 1, 86_400),
    feeCapGwei: whole('GATEWAY_CRYPTO_FEE_CAP_GWEI', 200, 1, 100_000),
  }
}
