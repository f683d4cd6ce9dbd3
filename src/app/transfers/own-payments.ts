// A rail refunds a payment by its own id of it, whoever asks; and that id came with an event, whose sender may be another account that
// uses the same rail. So the rail is asked first whether the payment was made under an attempt of the contract that is refunded.
import { type Connector, refundsPayments } from '../../connectors/connector.ts'
import type { Outcome, SendOrder } from '../../domain/channel/outcome.ts'

const NOT_ITS_PAYMENT: Outcome = {
  kind: 'failed',
  code: 'payment_not_known',
  message: 'The channel knows no such payment under this contract. Look for it there, and return the money by hand.',
}

const NOT_YET: Outcome = { kind: 'not_sent', reason: 'the channel does not know the payment yet', isAnswered: true }

/**
 * What becomes of an order that refunds a payment, where it is not to be sent; null where it is, and for all other orders. `mayLag`: the
 * order is so new that the rail may have told of the payment before its list shows it.
 */
export async function insteadOfRefund(
  connector: Connector,
  order: SendOrder,
  { mayLag }: { readonly mayLag: boolean },
): Promise<Outcome | null> {
  const { refundOf, refundOfReferences: references } = order
  if (refundOf === null || !references || !refundsPayments(connector)) return null
  for (const reference of references) {
    const found = await connector.paymentUnder({ id: refundOf, reference })
    if (found.kind === 'found') return null
    // Nothing of the refund was sent.
    if (found.kind === 'unknown')
      return { kind: 'not_sent', reason: `whose payment it is was not told: ${found.reason}` }
  }
  if (mayLag) return NOT_YET
  // What an older release had sent, and a restore lost, is known by its own reference.
  const before = await connector.check(order.reference, order)
  if (before.kind === 'unknown') return { kind: 'not_sent', reason: before.reason }
  return before.kind === 'not_found' ? NOT_ITS_PAYMENT : before
}
