// Forgets what has had its time: idempotency keys after seven days, tokens after they expired.
import type { Session } from '../platform/db.ts'
import { deleteExpiredTokens } from '../store/callers.ts'
import { deleteOldAnswers } from '../store/idempotency.ts'

export async function pruneRound(reader: Session, lanes: readonly number[]): Promise<number> {
  await reader.send([deleteExpiredTokens(lanes), deleteOldAnswers(lanes)])
  return 0
}
