// What can be done with a payment as it stands, by whoever looks at it: never what the gateway would refuse.
import type { Scope } from '../../../sdk/src/index.ts'
import type { gateway } from '../gateway.ts'

export type Payment = Awaited<ReturnType<typeof gateway.payments.get>>
export type PaymentAction = 'refund' | 'return' | 'cancel'

export function actionsOn(
  { status, preview, cancellation, paid_at: paidAt, amount_refunded: refunded, amount_in_suspense: suspended }: Payment,
  can: (scope: Scope) => boolean,
): readonly PaymentAction[] {
  const isAllowed: Readonly<Record<PaymentAction, boolean>> = {
    refund: can('payments:refund') && paidAt !== null && refunded < preview.amount,
    return: can('payments:refund') && suspended > 0,
    cancel: can('transfers:cancel') && status === 'issued' && cancellation?.status !== 'pending',
  }
  return (Object.keys(isAllowed) as PaymentAction[]).filter((action) => isAllowed[action])
}
