// What a payer still has to do, where a part has come already or time has passed. Pure.
import type { NextAction } from '../../domain/channel/collection.ts'
import type { Payment, PaymentAttempt } from '../../domain/payment/payment.ts'
import { assetDue } from '../../domain/money/quotes.ts'
import { eip681Uri } from '../../formats/eip681.ts'

type AddressAction = Extract<NextAction, { readonly type: 'display_address' }>

/** Whether its time has passed. */
export const isOver = ({ expiresAt }: NextAction, nowMs: number) => expiresAt !== null && expiresAt <= nowMs

/** The same address for the rest alone, at the price of the attempt; as it was where the rest is too small to be sent. */
export function actionForRest(
  action: AddressAction,
  { quote }: PaymentAttempt,
  restMinor: bigint,
  { terms }: Payment,
): AddressAction {
  const rest = quote && assetDue(restMinor, terms.currency, quote)
  if (!rest || 'fault' in rest) return action
  const { address } = action
  const chainId = Number(quote.network.slice(quote.network.indexOf(':') + 1))
  const uri = eip681Uri({ chainId, token: quote.token, address, units: rest.units })
  return { ...action, amount: rest.text, uri }
}
