// Forgets what has had its time: idempotency keys after seven days, tokens after they expired, deliveries after a month.
import type { Session } from '../platform/db.ts'
import { deleteExpiredTokens } from '../store/callers.ts'
import { deleteOldDeliveries } from '../store/deliveries.ts'
import { deleteOldAnswers } from '../store/idempotency.ts'

export async function pruneRound(reader: Session, lanes: readonly number[]): Promise<number> {
  await reader.send([deleteExpiredTokens(lanes), deleteOldAnswers(lanes), ...deleteOldDeliveries(lanes)])
  return 0
}
