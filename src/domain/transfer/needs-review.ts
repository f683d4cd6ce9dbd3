// Which steps of a transfer an operator must look at, though nothing waits in them by itself. Pure.
import type { Contract } from '../contract/contract.ts'
import type { Attempt, Transfer } from './transfer.ts'

/**
 * Whether the step tells of a channel that contradicts itself, or of a failure that a callback reported and that nobody can ask the
 * channel about.
 */
export function needsReview(before: Transfer, after: Contract, attempt: Attempt | null): boolean {
  const { activities } = after
  for (let place = before.activities.length; place < activities.length; place += 1) {
    const type = activities[place]?.type
    if (type === 'outcome_disputed' || type === 'failure_disputed') return true
    if (type === 'failure_reported' && attempt?.dueAt === null) return true
  }
  return false
}
