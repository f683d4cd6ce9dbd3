// Every attempt at a transfer, from what the contract's activities say of it and the job of the newest. Pure.
import { attemptReference } from '../contract/ids.ts'
import { channelOfAttempt } from './attempt.ts'
import type { ExecutionStatus } from './moves.ts'
import type { Activity, Attempt, Failure, Transfer } from './transfer.ts'

/** One attempt; times in milliseconds since the epoch. */
export type MadeAttempt = {
  readonly number: number
  readonly channelId: string | null
  readonly reference: string
  readonly status: ExecutionStatus
  /** How often the channel was asked without an outcome; null of an attempt that another one has followed. */
  readonly tries: number | null
  readonly createdAt: number
  /** When the order was sent to the channel last; null where it has not been. */
  readonly submittedAt: number | null
  readonly endedAt: number | null
  readonly nextAt: number | null
  readonly failure: Failure | null
}

/** The attempts at a contract, first to last. None before it is paid. */
export function attemptsMade(contract: Transfer, newest: Attempt | null): readonly MadeAttempt[] {
  if (contract.paidAt === null) return []
  const starts = contract.activities.flatMap((line, place) => {
    const number = line.type === 'paid' ? 1 : numberIn(line, 'transfer_retried')
    return number === null ? [] : [{ number, place, at: line.at }]
  })
  return starts.map(({ number, place, at }, i) => {
    const own = contract.activities.slice(place, starts[i + 1]?.place)
    // What refused it for good stands just before the attempt that follows it.
    const isNewest = newest?.number === number
    const failed = own.findLast(({ type }) => type === 'transfer_failed')
    const status = isNewest ? newest.status : statusOf(number, newest)
    return {
      number,
      channelId: isNewest ? newest.channelId : channelOfAttempt(contract, number),
      reference: attemptReference(contract.id, number),
      status,
      tries: isNewest ? newest.tries : null,
      createdAt: at,
      submittedAt: submittedAt(own, isNewest ? newest : null),
      endedAt: own.findLast(({ type }) => ENDS.has(type))?.at ?? null,
      nextAt: isNewest ? newest.dueAt : null,
      failure: failed ? failureIn(failed) : isNewest ? contract.execution.failure : null,
    }
  })
}

const ENDS: ReadonlySet<Activity['type']> = new Set(['transfer_failed', 'completed', 'returned', 'cancelled'])

function numberIn({ type, data }: Activity, wanted: Activity['type']): number | null {
  const number = type === wanted ? data?.['attempt'] : undefined
  return typeof number === 'number' ? number : null
}

/** Another attempt follows only a definite failure; one after the newest never left, for an earlier one had arrived after all. */
function statusOf(number: number, newest: Attempt | null): ExecutionStatus {
  return newest === null || number < newest.number ? 'failed' : 'voided'
}

function submittedAt(own: readonly Activity[], newest: Attempt | null): number | null {
  return newest?.submittedAt ?? own.findLast(({ type }) => type === 'transfer_submitted')?.at ?? null
}

function failureIn({ data }: Activity): Failure {
  return { code: String(data?.['code'] ?? ''), message: String(data?.['message'] ?? '') }
}
