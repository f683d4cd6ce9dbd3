// Steps of histories that are past their time, as the removals of words and of documents read them: whose the oldest are, and which
// contracts ended there.
import type { Row } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

/** An account with steps that are past their time, and by how much the oldest is. */
export type DueAccount = AccountKey & { readonly overdueSeconds: number }

export const dueAccountFrom = (row: Row): DueAccount => ({
  lane: row['lane'] as number,
  accountId: row['account_id'] as string,
  overdueSeconds: row['overdue_seconds'] as number,
})

/** A step that a removal comes to. `ended`: the contract that ended with it, and has not gone on since. */
export type OldStep = {
  readonly position: number
  readonly atMs: number
  readonly isOld: boolean
  readonly ended: string | null
}

export const oldStepFrom = (row: Row): OldStep => ({
  position: Number(row['position']),
  atMs: row['at'] as number,
  isOld: row['is_old'] as boolean,
  ended: row['ended'] as string | null,
})

/** Those of a page that are past their time: nothing behind the first that is not. */
export function oldOf(steps: readonly OldStep[]): readonly OldStep[] {
  const young = steps.findIndex(({ isOld }) => !isOld)
  return young < 0 ? steps : steps.slice(0, young)
}
