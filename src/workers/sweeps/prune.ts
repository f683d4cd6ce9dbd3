// Deletes rows past their retention, some at a time on a connection of its own: each statement is committed by itself,
// so that what was done stays done, and no other session waits for a long one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../platform/db.ts'
import { deleteOldRows, findOldRows, OLD_ROWS } from '../../store/contracts/old-rows.ts'

/** What one statement deletes at most, and what one query finds: it is repeated over rows that are not cleaned up yet. */
const DELETED_AT_ONCE = 1000
const FOUND_AT_ONCE = 20 * DELETED_AT_ONCE

/** Deletes a page of each kind; how many queries found as much as they may, and so left some behind. */
export async function pruneRound(session: Session, lanes: readonly number[]): Promise<number> {
  let leftBehind = 0
  for (const kind of OLD_ROWS) {
    const [result] = await session.send([findOldRows(kind, lanes, FOUND_AT_ONCE)])
    const found = result?.rows ?? []
    for (let from = 0; from < found.length; from += DELETED_AT_ONCE) {
      const began = performance.now()
      await session.send([deleteOldRows(kind, found.slice(from, from + DELETED_AT_ONCE))])
      // As long a rest as it took: half of a disk's time at most.
      await sleep(performance.now() - began)
    }
    if (found.length === FOUND_AT_ONCE) leftBehind += 1
  }
  return leftBehind
}
