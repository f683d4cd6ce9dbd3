// What the reads of one contract share: whose it is, its kind, and cursors that count rows.
import type { Contract } from '../../domain/contract/contract.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { ReadContract } from '../../engine/reads.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, type RequestWithId } from '../context.ts'
import { badCursor } from '../pages.ts'

/** What is told of how a contract came about is the account's own business: no token reads it. */
export const READ: Access = { accepts: 'api key', scope: 'contracts:read' }

export const TAGS = { transfer: 'Transfer contracts', payment: 'Payment contracts' } as const

/** The contract that the path names, under the caller's account; a token may be bound to another one. */
export function readableContract(request: RequestWithId): ReadContract | Refusal {
  const { lane, accountId, contractId } = callerOf(request)
  const { id } = request.params
  if (!isUuid(id)) return contractNotFound()
  if (contractId !== null && contractId !== id)
    return refuse('token_not_for_contract', 'id', 'The token is bound to another contract.')
  return { lane, accountId, id }
}

/** The contract of the path, of this kind, as it stands. */
export async function contractOf<K extends Contract['kind']>(
  { deps }: Context,
  request: RequestWithId,
  kind: K,
): Promise<Extract<Contract, { kind: K }> | Refusal> {
  const key = readableContract(request)
  if (isRefusal(key)) return key
  const contract = await deps.contracts.submit(key)
  const isOfKind = (found: Contract | null): found is Extract<Contract, { kind: K }> => found?.kind === kind
  return isOfKind(contract) ? contract : contractNotFound(contract)
}

/** Of a list that only grows at its end: the place of the first row of the page. */
export function placeAfter(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^(?:0|[1-9]\d{0,8})$/.test(cursor)) throw badCursor()
  return Number(cursor) + 1
}
