// What the rails are told to begin with: where they are, whether they move real money, who pays by their books, and what
// opens them. Read from the environment once; without it every rail is the sandbox provider's.
import { type Bank, bankMember, isAccountId } from '../../formats/iso20022/banks.ts'
import { qrphCode } from '../../formats/qrph.ts'
import { type Env, isLoopback, type Reader } from './environment.ts'

export type RailMode = 'test' | 'live'

/** The rails that the sandbox provider plays where they have no address of their own. */
export const RAIL_NAMES = ['instapay', 'pesonet', 'gcash', 'maya', 'card', 'qrph'] as const
export type RailName = (typeof RAIL_NAMES)[number]

/** Those that tell by callbacks what became of transfers. */
export const CALLING_RAILS = ['instapay', 'pesonet', 'gcash', 'maya'] as const

/** One rail: live where it has a real address, unless that is declared to be the rail's own test environment. */
export type Rail = {
  /** Null for the sandbox provider. */
  readonly url: string | null
  readonly mode: RailMode
}

export type RailsConfig = Readonly<Record<RailName, Rail>> & {
  /** What opens the bank rails, sent as a bearer token; null where nothing is sent, such as behind a sidecar. */
  readonly instapayApiKey: string | null
  readonly pesonetApiKey: string | null
  /** Who pays, by the books of the bank that transfers are paid from. */
  readonly debtorName: string
  readonly debtorBank: Bank
  readonly debtorAccount: string
  readonly gcashClientId: string
  readonly gcashSecret: string
  readonly mayaApiKey: string
  readonly cardApiKey: string
  readonly qrphApiKey: string
  /** Who is paid, by the books of the acquirer of QR Ph. */
  readonly qrphMerchant: QrphMerchant
  /** Settings that open a rail whose address is not set, so that they open nothing; each with the address's setting. */
  readonly addressless: readonly (readonly [setting: string, url: string])[]
}

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

const SANDBOX = { clientId: 'sandbox-client', secret: 'sandbox-secret', apiKey: 'sandbox-key' } as const
const SANDBOX_BANK = 'SBOXPHM2XXX'
const SANDBOX_ACCOUNT = '0000000001'

export function railsOf(env: Env, read: Reader, faults: string[]): RailsConfig {
  const rail = (name: RailName) => railOf(env, read, name, faults)
  // What opens a real rail is no business of the sandbox provider, which plays those without an address.
  const opened = <T>(name: RailName, text: string | undefined, played: T): string | T =>
    env[SETTINGS[name].url] ? text || played : played
  const config: RailsConfig = {
    instapay: rail('instapay'),
    pesonet: rail('pesonet'),
    gcash: rail('gcash'),
    maya: rail('maya'),
    card: rail('card'),
    qrph: rail('qrph'),
    instapayApiKey: opened('instapay', env['GATEWAY_INSTAPAY_API_KEY'], null),
    pesonetApiKey: opened('pesonet', env['GATEWAY_PESONET_API_KEY'], null),
    debtorName: env['GATEWAY_DEBTOR_NAME'] || 'Gateway',
    debtorBank: bankOf(env['GATEWAY_DEBTOR_BANK'] || SANDBOX_BANK, faults),
    debtorAccount: accountOf(env['GATEWAY_DEBTOR_ACCOUNT'] || SANDBOX_ACCOUNT, faults),
    gcashClientId: opened('gcash', env['GATEWAY_GCASH_CLIENT_ID'], SANDBOX.clientId),
    gcashSecret: opened('gcash', env['GATEWAY_GCASH_SECRET'], SANDBOX.secret),
    mayaApiKey: opened('maya', env['GATEWAY_MAYA_API_KEY'], SANDBOX.apiKey),
    cardApiKey: opened('card', env['GATEWAY_CARD_API_KEY'], SANDBOX.apiKey),
    qrphApiKey: opened('qrph', env['GATEWAY_QRPH_API_KEY'], SANDBOX.apiKey),
    qrphMerchant: merchantOf(env, faults),
    addressless: addresslessOf(env),
  }
  for (const name of RAIL_NAMES) checkCredentials(env, name, config[name], faults)
  return config
}

/** Where each rail is, whether that is its own test environment, and what it needs besides. */
const SETTINGS: Readonly<Record<RailName, { url: string; mode: string; needed: readonly string[] }>> = {
  instapay: {
    url: 'GATEWAY_INSTAPAY_URL',
    mode: 'GATEWAY_INSTAPAY_MODE',
    needed: ['GATEWAY_DEBTOR_NAME', 'GATEWAY_DEBTOR_BANK'],
  },
  pesonet: {
    url: 'GATEWAY_PESONET_URL',
    mode: 'GATEWAY_PESONET_MODE',
    needed: ['GATEWAY_DEBTOR_NAME', 'GATEWAY_DEBTOR_BANK', 'GATEWAY_DEBTOR_ACCOUNT'],
  },
  gcash: {
    url: 'GATEWAY_GCASH_URL',
    mode: 'GATEWAY_GCASH_MODE',
    needed: ['GATEWAY_GCASH_CLIENT_ID', 'GATEWAY_GCASH_SECRET'],
  },
  maya: { url: 'GATEWAY_MAYA_URL', mode: 'GATEWAY_MAYA_MODE', needed: ['GATEWAY_MAYA_API_KEY'] },
  card: { url: 'GATEWAY_CARD_URL', mode: 'GATEWAY_CARD_MODE', needed: ['GATEWAY_CARD_API_KEY'] },
  qrph: {
    url: 'GATEWAY_QRPH_URL',
    mode: 'GATEWAY_QRPH_MODE',
    needed: ['GATEWAY_QRPH_API_KEY', 'GATEWAY_QRPH_ACQUIRER', 'GATEWAY_QRPH_MERCHANT_ID'],
  },
}
/** What opens a bank that is elsewhere. On this machine a sidecar has it. */
const OPENED_BY: Partial<Record<RailName, string>> = {
  instapay: 'GATEWAY_INSTAPAY_API_KEY',
  pesonet: 'GATEWAY_PESONET_API_KEY',
}

function addresslessOf(env: Env): [string, string][] {
  return RAIL_NAMES.filter((name) => !env[SETTINGS[name].url]).flatMap((name) => {
    const { needed, url } = SETTINGS[name]
    // Who pays is said to two banks, and to payers of codes; it opens nothing.
    const opening = [...needed, OPENED_BY[name] ?? ''].filter((each) => !each.startsWith('GATEWAY_DEBTOR_'))
    return opening.filter((each) => env[each]).map((each): [string, string] => [each, url])
  })
}

function railOf(env: Env, { oneOf }: Reader, name: RailName, faults: string[]): Rail {
  const setting = SETTINGS[name]
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

function declaredMode(env: Env, oneOf: Reader['oneOf'], name: string): RailMode | null {
  return env[name] ? oneOf<RailMode>(name, ['test', 'live'], 'live') : null
}

const SANDBOX_WORDS: readonly string[] = Object.values(SANDBOX)

/** A real rail with the sandbox's word for a password is a mistake that would only be seen at the first payout. */
function checkCredentials(env: Env, name: RailName, { url, mode }: Rail, faults: string[]): void {
  if (url === null) return
  const { url: setting, needed } = SETTINGS[name]
  const isFar = URL.canParse(url) && !isLoopback(new URL(url).hostname)
  const opener = isFar && mode === 'live' ? OPENED_BY[name] : undefined
  const all = opener === undefined ? needed : [...needed, opener]
  const missing = all.filter((each) => !env[each] || SANDBOX_WORDS.includes(env[each] ?? ''))
  if (missing.length > 0) faults.push(`${setting} is set, so ${listed(missing)} must be, too`)
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

type Moneyed = { readonly rails: RailsConfig; readonly crypto: CryptoConfig }

/** The rails that move real money, by name: those with an address that nobody declared a test environment. */
export function liveRails({ rails, crypto }: Moneyed): readonly string[] {
  const live: string[] = RAIL_NAMES.filter((name) => rails[name].mode === 'live')
  return crypto.rpcUrl !== null && crypto.mode === 'live' ? [...live, 'crypto'] : live
}

/** Tried out on a code at once: what cannot be written would only be seen at the first payment. */
function merchantOf(env: Env, faults: string[]): QrphMerchant {
  const merchant: QrphMerchant = {
    acquirerBic: env['GATEWAY_QRPH_ACQUIRER'] || SANDBOX_BANK,
    merchantId: env['GATEWAY_QRPH_MERCHANT_ID'] || 'SANDBOX0000001',
    merchantName: env['GATEWAY_QRPH_MERCHANT_NAME'] || env['GATEWAY_DEBTOR_NAME'] || 'Gateway',
    merchantCity: env['GATEWAY_QRPH_MERCHANT_CITY'] || 'Manila',
    categoryCode: env['GATEWAY_QRPH_CATEGORY'] || '6012',
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
