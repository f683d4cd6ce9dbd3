// What waits for an operator, of all accounts, oldest first: outcomes that nobody knows, money behind a frozen channel, and
// channels that contradict themselves.
import { explain } from '../../domain/contract/explain-transfer.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import { contractWithJob, contractWithJobFrom } from '../../store/contracts/explained.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import {
  closeReview,
  frozenTransfers,
  reviewedTransfers,
  unknownTransfers,
  type WaitingCursor,
  type WaitingTransfer,
  waitingTransferFrom,
} from '../../store/operator/waiting-transfers.ts'
import { actionOf, type Deed, type OperatorDeps } from '../operator/operator-actions.ts'

export type SeenTransfer = WaitingTransfer & {
  readonly contract: Transfer
  readonly attempt: Attempt | null
  readonly isFrozen: boolean
  /** Found because a channel contradicted itself. */
  readonly isContradicted: boolean
}

export const FROM_THE_FIRST: WaitingCursor = { sinceMs: 0, contractId: '00000000-0000-0000-0000-000000000000' }

type Page = { readonly transfers: readonly SeenTransfer[]; readonly next: WaitingCursor | null }

/** A page after the cursor. One may be shorter than the limit, even empty, and have a next one: what was settled meanwhile is left out. */
export async function waitingTransfers(
  { reader }: Pick<OperatorDeps, 'reader'>,
  after: WaitingCursor,
  limit: number,
): Promise<Page> {
  const [stopped] = await reader.send([frozenChannels()])
  const frozen = (stopped?.rows ?? []).map((row) => row['channel_id'] as string)
  const results = await reader.send([
    reviewedTransfers(after, limit + 1),
    unknownTransfers(after, limit + 1),
    ...frozen.map((channelId) => frozenTransfers(channelId, after, limit + 1)),
  ])
  const contradicted = new Set((results[0]?.rows ?? []).map((row) => row['contract_id'] as string))
  const found = results.flatMap(({ rows }) => rows.map(waitingTransferFrom)).toSorted(bySince)
  // One contract may be found twice: as unknown, and as contradicted. The earlier one stands.
  const candidates = found.filter(
    ({ contractId }, place) => found.findIndex((each) => each.contractId === contractId) === place,
  )
  const page = candidates.slice(0, limit)
  const last = page.at(-1)
  const next = candidates.length > limit && last ? { sinceMs: last.sinceMs, contractId: last.contractId } : null
  const read = await reader.send(page.map((each) => contractWithJob({ ...each, id: each.contractId })))
  const transfers = page.flatMap((each, place) => {
    const row = read[place]?.rows[0]
    if (!row) return []
    const { contract, job } = contractWithJobFrom(row)
    if (contract.kind !== 'transfer') return []
    const attempt = job?.kind === 'payout' ? job : null
    const isFrozen = attempt !== null && frozen.includes(attempt.channelId)
    const seen = { ...each, contract, attempt, isFrozen, isContradicted: contradicted.has(each.contractId) }
    return isWaiting(seen) ? [seen] : []
  })
  return { transfers, next }
}

/** Somebody has understood why a channel contradicts itself: the transfer waits no more. The books stay as they are. */
export async function closeReviewOf(deps: OperatorDeps, contractId: string, deed: Deed): Promise<Refusal | null> {
  const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
  const none = refuse('review_not_found', 'id', 'No transfer with this id waits because a channel contradicted itself.')
  if (!owner) return none
  const { lane, accountId } = owner
  const action = actionOf(deps, lane, 'close review', contractId, deed)
  return deps.reader.transaction<Refusal | null>([closeReview(lane, accountId, contractId)], ([closed]) =>
    closed?.rows[0] ? { statements: [insertOperatorAction(action)], value: null } : { statements: [], value: none },
  )
}

const bySince = (a: WaitingTransfer, b: WaitingTransfer) =>
  a.sinceMs - b.sinceMs || (a.contractId < b.contractId ? -1 : 1)

/** Unknown ones are shown while the channel is still asked: it may never answer. */
function isWaiting({ contract, attempt, isFrozen }: SeenTransfer): boolean {
  if (attempt?.status === 'unknown' && contract.status === 'paid') return true
  return explain(contract, attempt, isFrozen ? 'frozen' : 'flowing').waitsFor === 'operator'
}
