// A rail refunds a payment by its own id of it, whoever asks; and that id came with an event, whose sender may be another account that
// uses the same rail. So the rail is asked first whether the payment was made under an attempt of the contract that is refunded.
import { type Connector, refundsPayments } from '../../connectors/connector.ts'
import type { Outcome, SendOrder } from '../../domain/channel/outcome.ts'

const NOT_ITS_PAYMENT: Outcome = {
  kind: 'failed',
  code: 'payment_not_known',
  message: 'The channel knows no such payment under this contract. Look for it there, and return the money by hand.',
}

/** Why an order that refunds a payment is not sent; null where the payment is its contract's, and for all other orders. */
export async function whyNotRefunded(connector: Connector, order: SendOrder): Promise<Outcome | null> {
  const { refundOf, refundOfReference: reference } = order
  if (refundOf === null || reference === undefined || !refundsPayments(connector)) return null
  if (reference === null) return NOT_ITS_PAYMENT
  const found = await connector.paymentUnder({ id: refundOf, reference })
  // Nothing of the refund was sent.
  if (found.kind === 'unknown') return { kind: 'not_sent', reason: `whose payment it is was not told: ${found.reason}` }
  return found.kind === 'found' ? null : NOT_ITS_PAYMENT
}
