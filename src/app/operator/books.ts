// The books of the installation: the trial balance, and the ledger's rows of all accounts.
import { isUuid, laneOf } from '../../domain/contract/ids.ts'
import {
  type EntryCursor,
  entriesWithin,
  firstEntryAt,
  type PlacedEntry,
  placedEntryFrom,
} from '../../ledger/all-entries.ts'
import {
  type BalanceLine,
  balanceLineFrom,
  balanceLines,
  countWallets,
  holdCount,
  uncountedFrom,
  uncountedLanes,
  uncountedWallets,
} from '../../ledger/trial-balance.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import type { OperatorDeps } from './operator-actions.ts'

/** What each kind of ledger account gave and took. It counts what came since it was last asked for. */
export async function trialBalance({ reader }: Pick<OperatorDeps, 'reader'>): Promise<BalanceLine[]> {
  const [uncounted] = await reader.send([uncountedLanes()])
  for (const lane of (uncounted?.rows ?? []).map((row) => row['lane'] as number))
    await reader.transaction([holdCount(lane), uncountedWallets(lane)], ([, wallets]) => {
      // Somebody else may have counted them meanwhile.
      const uncounted = (wallets?.rows ?? []).map(uncountedFrom)
      return { statements: uncounted.length === 0 ? [] : countWallets(lane, uncounted), value: null }
    })
  const [lines] = await reader.send([balanceLines()])
  return (lines?.rows ?? []).map(balanceLineFrom)
}

export type EntriesWanted = {
  readonly before: EntryCursor | null
  readonly accountId: string | null
  readonly contractId: string | null
  readonly ledgerAccount: string | null
  readonly limit: number
}

const FIRST_STRETCH_MS = 60_000
/** A row may be written a little after the moment that it names. */
const SLACK_MS = 60_000

type Entries = { readonly entries: readonly PlacedEntry[]; readonly hasMore: boolean }

/** Newest first. Stretches of time double until there are enough, or the beginning is reached. */
export async function allEntries(deps: OperatorDeps, wanted: EntriesWanted): Promise<Entries> {
  const { before, contractId, ledgerAccount, limit } = wanted
  const account = await accountOf(deps, wanted)
  if (account === 'unknown') return { entries: [], hasMore: false }
  const [first] = await deps.reader.send([firstEntryAt()])
  const beginMs = ((first?.rows[0]?.['at_ms'] as number | null) ?? deps.ids.nowMs()) - SLACK_MS
  const entries: PlacedEntry[] = []
  let toMs = before?.atMs ?? deps.ids.nowMs() + SLACK_MS
  for (let lengthMs = FIRST_STRETCH_MS; entries.length <= limit && toMs > beginMs; lengthMs *= 2) {
    const fromMs = Math.max(toMs - lengthMs, beginMs)
    const stretch = { fromMs, toMs, before, account, contractId, ledgerAccount, limit: limit + 1 - entries.length }
    const [result] = await deps.reader.send([entriesWithin(stretch)])
    entries.push(...(result?.rows ?? []).map(placedEntryFrom))
    toMs = fromMs
  }
  return { entries: entries.slice(0, limit), hasMore: entries.length > limit }
}

async function accountOf(deps: OperatorDeps, { accountId, contractId }: EntriesWanted) {
  if (contractId !== null) {
    const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
    if (owner === null || (accountId !== null && accountId !== owner.accountId)) return 'unknown'
    return { lane: owner.lane, accountId: owner.accountId }
  }
  if (accountId === null) return null
  return isUuid(accountId) ? { lane: laneOf(accountId), accountId } : 'unknown'
}
