// Which origins accounts list, as a process caches them: looked up only for requests that come from a page.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import { listedOriginFrom, listedOrigins } from '../../store/accounts/origins.ts'

export type OriginBook = {
  /** The accounts that list the origin; empty for an unlisted one. */
  readonly accountsOf: (origin: string) => Promise<ReadonlySet<string>>
}

/** A change is seen everywhere after so long. */
const REMEMBERED_MS = 2000
const NOBODY: ReadonlySet<string> = new Set()

export function openOrigins(reader: Session, monotonicMs: () => number): OriginBook {
  let known: Promise<ReadonlyMap<string, ReadonlySet<string>>> | null = null
  let untilMs = 0

  const read = async () => {
    const [result] = await reader.send([listedOrigins(ALL_LANES)])
    const byOrigin = new Map<string, Set<string>>()
    for (const { accountId, origin } of (result?.rows ?? []).map(listedOriginFrom)) {
      const accounts = byOrigin.get(origin) ?? new Set()
      byOrigin.set(origin, accounts.add(accountId))
    }
    return byOrigin
  }

  return {
    accountsOf: async (origin) => {
      if (known === null || monotonicMs() >= untilMs) {
        untilMs = monotonicMs() + REMEMBERED_MS
        known = read()
        // What could not be read is looked up again.
        known.catch(() => {
          known = null
        })
      }
      return (await known).get(origin) ?? NOBODY
    },
  }
}
