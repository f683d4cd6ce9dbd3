// The payer at the command line: where a contract is paid and with which credentials, and what is asked before a wallet pays.
import { call, get } from '../client.ts'
import { type Place, placeAt, type PlaceOptions, placeOf } from '../place.ts'
import { moneyText, wordsOf } from '../view.ts'
import type { Checkout } from './payment-method.ts'
import type { Payment } from './payment-view.ts'

type PayerOptions = PlaceOptions & {
  readonly checkoutUrl?: Checkout | undefined
  readonly method?: string | undefined
  readonly wallet?: string | undefined
}

/**
 * A payer proves the right to the contract by its token; only a wallet needs the key of its account beside. The payee wrote the
 * address: it says which contract it is, and never where a key goes.
 */
export function payerPlace(options: PayerOptions): Place {
  const { checkoutUrl: checkout, method } = options
  if (!checkout) return placeOf(options)
  const { baseUrl, token } = checkout
  return method === 'wallet' ? { ...placeAt(baseUrl, options), token } : { baseUrl, apiKey: '', token }
}

/** Asked before a wallet pays by a checkout_url: how much, to whom and where, as the gateway tells whoever has the token. */
export async function walletQuestion(options: PayerOptions): Promise<string> {
  const { checkoutUrl: checkout, wallet } = options
  const place = payerPlace(options)
  const path = `/contracts/payment/${checkout?.contractId}`
  const { contract } = await call<{ contract: Payment }>({ ...place, apiKey: '' }, get(path))
  const { amount, currency, description, recipient, issued_by: issuer } = contract
  // A name is what the payee calls itself; the profile is the gateway's own word.
  const payee = wordsOf(recipient?.name && JSON.stringify(recipient.name), issuer && `the profile ${issuer}`)
  const about = description === null ? '' : ` for ${JSON.stringify(description)}`
  return `Pay ${moneyText(amount, currency)} to ${payee}${about} at ${new URL(place.baseUrl).host}, out of ${wallet ?? 'a wallet of yours'}?`
}
