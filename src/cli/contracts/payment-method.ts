// The payer's choice of how to pay, as words on the command line.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/channel/collection.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { uuid } from '../arguments.ts'

export type MethodOptions = {
  readonly method?: PaymentKind
  readonly mobile?: string
  readonly token?: string
  readonly wallet?: string
  readonly asset?: string
  readonly network?: string
  readonly refundAddress?: string
}
type Flag = Exclude<keyof MethodOptions, 'method'>

/** Each flag's field on the wire, and the kinds that it goes with. */
const FLAGS: Readonly<
  Record<Flag, { readonly flag: string; readonly field: string; readonly kinds: readonly PaymentKind[] }>
> = {
  mobile: { flag: '--mobile', field: 'mobile', kinds: ['gcash', 'maya'] },
  token: { flag: '--token', field: 'token', kinds: ['card'] },
  wallet: { flag: '--wallet', field: 'wallet_id', kinds: ['wallet'] },
  asset: { flag: '--asset', field: 'asset', kinds: ['crypto'] },
  network: { flag: '--network', field: 'network', kinds: ['crypto'] },
  refundAddress: { flag: '--refund-address', field: 'refund_address', kinds: ['crypto'] },
}

/** Adds the options that say how it is paid. */
export function withMethod(command: Command): Command {
  return command
    .addOption(new Option('--method <kind>', 'how it is paid').choices(PAYMENT_KINDS))
    .option('--mobile <number>', 'gcash, maya: the number of the wallet, such as 09171234567')
    .option('--token <token>', 'card: a token of the card provider, never a card number')
    .option('--wallet <id>', 'wallet: the wallet that pays, of the account whose key is given', uuid)
    .option('--asset <code>', 'crypto: such as USDC')
    .option('--network <id>', 'crypto: such as eip155:1')
    .option('--refund-address <address>', 'crypto: where money that does not fit goes back to')
}

/** The method as the API takes it; undefined where none is chosen. A flag of another kind is a wrong use. */
export function methodOf(options: MethodOptions, command: Command): Record<string, unknown> | undefined {
  const { method } = options
  const fields: Record<string, string> = {}
  for (const [name, { flag, field, kinds }] of Object.entries(FLAGS)) {
    const value = options[name as Flag]
    if (value === undefined) continue
    if (method === undefined || !kinds.includes(method))
      command.error(`error: ${flag} goes with --method ${kinds.join(' or ')}`, { exitCode: 2 })
    fields[field] = value
  }
  return method === undefined ? undefined : { type: method, [method]: fields }
}

export type Checkout = { readonly baseUrl: string; readonly token: string; readonly contractId: string }

const TOKEN_PATH = /^(.*)\/pay\/([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})\/?$/

/** A contract's checkout_url: where its gateway is, the payer's token, and the contract that the token begins with. */
export function checkoutUrl(text: string): Checkout {
  const url = URL.canParse(text) ? new URL(text) : null
  const [, path = '', id = '', proof = ''] = TOKEN_PATH.exec(url?.pathname ?? '') ?? []
  const hex = Buffer.from(id, 'base64url').toString('hex')
  const contractId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  if (url === null || !isUuid(contractId))
    throw new InvalidArgumentError('Give the checkout_url of a payment contract, whole.')
  return { baseUrl: `${url.origin}${path}`, token: `${id}.${proof}`, contractId }
}
