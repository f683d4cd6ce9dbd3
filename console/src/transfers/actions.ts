// What can be done with a transfer as it stands, by whoever looks at it: never what the gateway would refuse.
import type { Scope } from '../../../sdk/src/index.ts'
import type { gateway } from '../gateway.ts'

export type Transfer = Awaited<ReturnType<typeof gateway.transfers.get>>
export type TransferAction = 'edit' | 'issue' | 'pay' | 'retry' | 'cancel'

export function actionsOn(
  { status, preview, cancellation, transfer, approval }: Transfer,
  can: (scope: Scope) => boolean,
): readonly TransferAction[] {
  const isAllowed: Readonly<Record<TransferAction, boolean>> = {
    edit: can('contracts:write') && status === 'draft',
    issue: can('transfers:issue') && status === 'draft' && preview.valid,
    pay: can('transfers:pay') && status === 'issued' && approval?.status !== 'waiting',
    retry: can('transfers:pay') && status === 'paid' && transfer.status === 'failed',
    cancel:
      can('transfers:cancel') &&
      ['draft', 'issued', 'paid', 'returned'].includes(status) &&
      cancellation?.status !== 'pending',
  }
  return (Object.keys(isAllowed) as TransferAction[]).filter((action) => isAllowed[action])
}
