// The payer's choice of how to pay, as words on the command line.
import { E_WALLETS, PAYMENT_KINDS, type PaymentKind } from '../../domain/payment/kinds.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { type JsonObject, wordOf } from '../arguments.ts'
import { Misused } from '../failures.ts'
import { choice, flag, idOption, option, type Values } from '../command.ts'

/** Each option's flag, its field on the wire, and the kinds that it goes with. */
const FIELDS: Readonly<Record<string, readonly [flag: string, field: string, kinds: readonly PaymentKind[]]>> = {
  mobile: ['--mobile', 'mobile', E_WALLETS],
  token: ['--token', 'token', ['card']],
  hosted: ['--hosted', 'hosted', ['card']],
  wallet: ['--wallet', 'wallet_id', ['wallet']],
  asset: ['--asset', 'asset', ['crypto']],
  network: ['--network', 'network', ['crypto']],
  refundAddress: ['--refund-address', 'refund_address', ['crypto']],
}

export const METHOD = {
  method: choice('<kind>', 'how it is paid', PAYMENT_KINDS),
  mobile: option('<number>', `${E_WALLETS.join(', ')}: the number of the wallet, such as 09171234567`),
  token: option('<token>', 'card: a token of the card provider, never a card number'),
  hosted: flag('card: the payer types it on a page of the card provider, which the next action leads to'),
  wallet: idOption('<id>', 'wallet: the wallet that pays, of the account whose key is given', 'wallet'),
  asset: option('<code>', 'crypto: such as USDC'),
  network: option('<id>', 'crypto: such as eip155:1'),
  refundAddress: option('<address>', 'crypto: where money that does not fit goes back to'),
}

/** The method as the API takes it; undefined where none is chosen. A flag of another kind is a wrong use. */
export function methodOf(options: Values<typeof METHOD>): JsonObject | undefined {
  const { method } = options
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    const [flag, field, kinds] = FIELDS[name] ?? []
    if (flag === undefined || field === undefined || kinds === undefined) continue
    if (method === undefined || !kinds.includes(method))
      throw new Misused(`${flag} goes with --method ${kinds.join(' or ')}`)
    fields[field] = value
  }
  return method === undefined ? undefined : { type: method, [method]: fields }
}

export type Checkout = { readonly baseUrl: string; readonly token: string; readonly contractId: string }

const TOKEN_PATH = /^(.*)\/pay\/([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})\/?$/

/** A contract's checkout_url: where its gateway is, the payer's token, and the contract that the token begins with. */
export const checkoutUrl = wordOf('Give the checkout_url of a payment contract, whole.', (text): Checkout | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  const [, path = '', id = '', proof = ''] = TOKEN_PATH.exec(url?.pathname ?? '') ?? []
  const hex = Buffer.from(id, 'base64url').toString('hex')
  const contractId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  if (url === null || !isUuid(contractId)) return null
  return { baseUrl: `${url.origin}${path}`, token: `${id}.${proof}`, contractId }
})
