// What the mandate of an API key would ask for, as far as it is committed: for trials and dry runs, where nothing is decided.
import { asksApprovalOf, asksApprovals, type Mandate, type Spent } from '../../domain/mandate/mandate.ts'
import { type ApprovalNeed, approvalByMandate } from '../../domain/policy/judge.ts'
import type { Terms } from '../../domain/transfer/transfer.ts'
import { type AccountKey, liveApiKeys } from '../../store/accounts/accounts.ts'
import { mandateFrom, spendingFrom } from '../../store/accounts/mandates.ts'
import type { Deps } from '../deps.ts'

/** A mandate that asks for approvals, with what has left by it; `name` is that of the key that was asked about. */
export type AskingMandate = { readonly mandate: Mandate; readonly name: string; readonly spending: readonly Spent[] }

/** Null for a member, and for a key that pays alone whatever its mandate lets leave. */
export async function askingMandateOf(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId }: AccountKey,
  keyId: string | null,
): Promise<AskingMandate | null> {
  if (keyId === null) return null
  const [found] = await reader.send([liveApiKeys({ kind: 'one lane', lane }, [{ lane, accountId, keyId }])])
  const [row] = found?.rows ?? []
  const mandate = row ? mandateFrom(row['mandate']) : null
  if (!row || !mandate || !asksApprovals(mandate)) return null
  return { mandate, name: row['name'] as string, spending: spendingFrom(row['spending']) }
}

/** The approval that would be asked for; none where the key pays it alone, or may not pay it at all. `minor`: fee included. */
export function approvalsAsked(
  asking: AskingMandate | null,
  { currency, recipient, recipientProfile, channelId }: Terms,
  minor: bigint,
  nowMs: number,
): ApprovalNeed[] {
  if (!asking) return []
  const going = { currency, minor, recipient, profile: recipientProfile?.profile ?? null, channelId, nowMs }
  const { mandate, name, spending } = asking
  return asksApprovalOf(mandate, spending, going) ? [approvalByMandate(mandate.keyId, name)] : []
}
