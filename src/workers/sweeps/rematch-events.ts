// Matches again the events that no contract fitted: their contract may be there now, or its attempt known by its
// provider's id. When to try, and when to leave it to an operator, is decided in the write path.
import { type PaymentEventDeps, keptEvent, takeEvent } from '../../app/payments/provider-events.ts'
import { invariant } from '../../domain/invariant.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Row } from '../../platform/db.ts'
import { dueEvents } from '../../store/payments/payment-events.ts'

export type RematchDeps = PaymentEventDeps & { readonly lanes: readonly number[] }

const PAGE = 100

/** One page of what is due; how many events there were. */
export async function rematchRound({ lanes, ...deps }: RematchDeps): Promise<number> {
  const [due] = await deps.reader.send([dueEvents(lanes, PAGE)])
  const rows = due?.rows ?? []
  await Promise.all(rows.map((row) => takeAgain(deps, row)))
  return rows.length
}

async function takeAgain(deps: PaymentEventDeps, row: Row): Promise<void> {
  const owner = { lane: row['lane'] as number, accountId: row['account_id'] as string, keyId: null }
  const event = keptEvent(row)
  invariant(event !== null, 'what waits for a contract came with its body')
  const answer = await takeEvent(deps, owner, event)
  // It would stay due: the loop must pause instead of trying again at once.
  if (isRefusal(answer)) throw new Error(`an event that was taken in before is refused: ${answer.code}`)
}
