// Approvals: a member approves what policies hold back, one contract or many.
import type { Requester } from '../payments/payments.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { Deps } from '../deps.ts'

/** What a member looked at. */
export type Approved = { readonly id: string; readonly termsHash: string }

/** What became of one of many. */
export type ApprovalOutcome = { readonly id: string; readonly result: Transfer | Refusal }

/** Approves each by itself: one that is refused holds no other back. */
export async function approveAll(
  { execute }: Pick<Deps, 'execute'>,
  requester: Omit<Requester, 'idempotency' | 'versions'>,
  memberId: string,
  items: readonly Approved[],
): Promise<ApprovalOutcome[]> {
  return Promise.all(
    items.map(async ({ id, termsHash }) => {
      if (!isUuid(id)) return { id, result: contractNotFound() }
      const command = { verb: 'approve', id, termsHash, memberId } as const
      const result = await execute({ ...requester, idempotency: null, command })
      return { id, result: isRefusal(result) ? result : result.contract }
    }),
  )
}
