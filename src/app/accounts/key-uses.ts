// On which day each key was used last: noted in memory as requests pass, and written now and then by a worker, once a day for
// each key and process. No request waits for it.
import { isAway, type Session } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import { type KeyUse, noteKeyUses } from '../../store/accounts/keys.ts'
import type { Caller } from './callers.ts'

export type KeyUses = {
  readonly note: (caller: Caller) => void
  /** Writes what was noted since the last time. While the database is away it stays noted. */
  readonly flush: () => Promise<void>
}

const DAY_MS = 86_400_000
/** So many keys are remembered as written; of more, some are written again, which changes nothing. */
const WRITTEN_MAX = 100_000

export function openKeyUses(session: Session, nowMs: () => number): KeyUses {
  let dayEndsAt = 0
  let day = ''
  const seen = new Set<string>()
  const noted = new Map<string, KeyUse>()
  return {
    note: ({ lane, accountId, keyId }) => {
      const now = nowMs()
      if (now >= dayEndsAt || seen.size >= WRITTEN_MAX) {
        day = new Date(now).toISOString().slice(0, 10)
        dayEndsAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS
        seen.clear()
      }
      if (seen.has(keyId)) return
      seen.add(keyId)
      noted.set(keyId, { lane, accountId, keyId, day })
    },
    flush: async () => {
      const uses = [...noted.values()]
      if (uses.length === 0) return
      noted.clear()
      try {
        await session.send([noteKeyUses(scopeOf(uses), uses)])
      } catch (fault) {
        for (const use of uses) if (!noted.has(use.keyId)) noted.set(use.keyId, use)
        if (!isAway(fault)) throw fault
      }
    },
  }
}
