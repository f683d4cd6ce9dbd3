// What the rails are told to begin with: where they are, who pays by their books, and what opens them. Read from the
// environment once; without it every rail is the sandbox provider's.
import { type Bank, bankMember, isAccountId } from '../formats/iso20022/banks.ts'
import { qrphCode } from '../formats/qrph.ts'
import type { Env, Reader } from './environment.ts'

export type RailsConfig = {
  /** Null for the sandbox provider. */
  readonly instapayUrl: string | null
  readonly pesonetUrl: string | null
  readonly gcashUrl: string | null
  readonly mayaUrl: string | null
  /** Who pays, by the books of the bank that transfers are paid from. */
  readonly debtorName: string
  readonly debtorBank: Bank
  readonly debtorAccount: string
  readonly gcashClientId: string
  readonly gcashSecret: string
  readonly mayaApiKey: string
  readonly cardUrl: string | null
  readonly cardApiKey: string
  readonly qrphUrl: string | null
  readonly qrphApiKey: string
  /** Who is paid, by the books of the acquirer of QR Ph. */
  readonly qrphMerchant: QrphMerchant
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

export function railsOf(env: Env, faults: string[]): RailsConfig {
  const url = (name: string): string | null => {
    const text = env[name]
    if (!text) return null
    if (!URL.canParse(text)) faults.push(`${name} must be a whole URL, not "${text}"`)
    return text.replace(/\/$/, '')
  }
  const config: RailsConfig = {
    instapayUrl: url('GATEWAY_INSTAPAY_URL'),
    pesonetUrl: url('GATEWAY_PESONET_URL'),
    gcashUrl: url('GATEWAY_GCASH_URL'),
    mayaUrl: url('GATEWAY_MAYA_URL'),
    debtorName: env['GATEWAY_DEBTOR_NAME'] || 'Gateway',
    debtorBank: bankOf(env['GATEWAY_DEBTOR_BANK'] || SANDBOX_BANK, faults),
    debtorAccount: accountOf(env['GATEWAY_DEBTOR_ACCOUNT'] || SANDBOX_ACCOUNT, faults),
    gcashClientId: env['GATEWAY_GCASH_CLIENT_ID'] || SANDBOX.clientId,
    gcashSecret: env['GATEWAY_GCASH_SECRET'] || SANDBOX.secret,
    mayaApiKey: env['GATEWAY_MAYA_API_KEY'] || SANDBOX.apiKey,
    cardUrl: url('GATEWAY_CARD_URL'),
    cardApiKey: env['GATEWAY_CARD_API_KEY'] || SANDBOX.apiKey,
    qrphUrl: url('GATEWAY_QRPH_URL'),
    qrphApiKey: env['GATEWAY_QRPH_API_KEY'] || SANDBOX.apiKey,
    qrphMerchant: merchantOf(env, faults),
  }
  // A real rail with the sandbox's word for a password is a mistake that would only be seen at the first payout.
  if (config.gcashUrl !== null && config.gcashSecret === SANDBOX.secret)
    faults.push('GATEWAY_GCASH_URL is set, so GATEWAY_GCASH_CLIENT_ID and GATEWAY_GCASH_SECRET must be, too')
  if (config.mayaUrl !== null && config.mayaApiKey === SANDBOX.apiKey)
    faults.push('GATEWAY_MAYA_URL is set, so GATEWAY_MAYA_API_KEY must be, too')
  if (config.cardUrl !== null && config.cardApiKey === SANDBOX.apiKey)
    faults.push('GATEWAY_CARD_URL is set, so GATEWAY_CARD_API_KEY must be, too')
  if (config.qrphUrl !== null && (config.qrphApiKey === SANDBOX.apiKey || !env['GATEWAY_QRPH_MERCHANT_ID']))
    faults.push('GATEWAY_QRPH_URL is set, so GATEWAY_QRPH_API_KEY and GATEWAY_QRPH_MERCHANT_ID must be, too')
  if ((config.instapayUrl ?? config.pesonetUrl) !== null && !env['GATEWAY_DEBTOR_BANK'])
    faults.push('a bank rail is set, so GATEWAY_DEBTOR_BANK must be, too')
  return config
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

export function cryptoOf(env: Env, { whole }: Reader, faults: string[]): CryptoConfig {
  const rpcUrl = env['GATEWAY_CRYPTO_RPC_URL'] || null
  // Not shown: such URLs hold keys.
  if (rpcUrl !== null && !URL.canParse(rpcUrl)) faults.push('GATEWAY_CRYPTO_RPC_URL must be a whole URL')
  return {
    rpcUrl,
    key: env['GATEWAY_CRYPTO_KEY'] || null,
    xpub: env['GATEWAY_CRYPTO_XPUB'] || null,
    confirmations: whole('GATEWAY_CRYPTO_CONFIRMATIONS', 12, 1, 1000),
    replaceAfterSeconds: whole('GATEWAY_CRYPTO_REPLACE_AFTER_SECONDS', 180, 1, 86_400),
    feeCapGwei: whole('GATEWAY_CRYPTO_FEE_CAP_GWEI', 200, 1, 100_000),
  }
}
