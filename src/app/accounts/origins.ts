// Which origins accounts list, as a process caches them: looked up only for requests that come from a page.
import { setTimeout as sleep } from 'node:timers/promises'
import { laneOf } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import { ofNodesHere } from '../../platform/servers/absence.ts'
import { type ListedOrigin, listedOriginFrom, listedOrigins } from '../../store/accounts/origins.ts'
import type { LaneGroups } from '../jobs/lane-places.ts'

export type OriginBook = {
  /** The accounts that list the origin; empty for an unlisted one. */
  readonly accountsOf: (origin: string) => Promise<ReadonlySet<string>>
}

/** A change is seen everywhere after so long. */
const REMEMBERED_MS = 2000
/** A look that takes longer answers later requests: until then what was seen last counts. */
const WAIT_MAX_MS = 500
const NOBODY: ReadonlySet<string> = new Set()

type Listed = ReadonlyMap<string, ReadonlySet<string>>

/** `lanesByNode`: all lanes by the server or node that has them. */
export function openOrigins(reader: Session, monotonicMs: () => number, lanesByNode: LaneGroups): OriginBook {
  let rows: readonly ListedOrigin[] = []
  let last: Listed | null = null
  let reading: Promise<Listed> | null = null
  let untilMs = 0

  const read = async (): Promise<Listed> => {
    const ask = (lanes: readonly number[]) => reader.send([listedOrigins(lanes)])
    const { answers } = await ofNodesHere(lanesByNode(), ask)
    const seen = new Set(answers.flatMap(({ lanes }) => lanes))
    // Of accounts of a server that is away what they listed before counts: the next look sees what they list now.
    const before = rows.filter(({ accountId }) => !seen.has(laneOf(accountId)))
    rows = [...before, ...answers.flatMap(({ answer: [result] }) => (result?.rows ?? []).map(listedOriginFrom))]
    last = byOrigin(rows)
    return last
  }
  const renew = (): Promise<Listed> => {
    untilMs = monotonicMs() + REMEMBERED_MS
    reading = read().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    accountsOf: async (origin) => {
      const before = last
      // What could not be read is looked up again.
      if (before === null) return (await (reading ?? renew())).get(origin) ?? NOBODY
      if (reading === null && monotonicMs() < untilMs) return before.get(origin) ?? NOBODY
      // A lane that moves, or a server that is away, keeps no page waiting.
      const found = await Promise.race([
        (reading ?? renew()).catch(() => before),
        sleep(WAIT_MAX_MS, before, { ref: false }),
      ])
      return found.get(origin) ?? NOBODY
    },
  }
}

function byOrigin(rows: readonly ListedOrigin[]): Listed {
  const listed = new Map<string, Set<string>>()
  for (const { accountId, origin } of rows) {
    const accounts = listed.get(origin) ?? new Set()
    listed.set(origin, accounts.add(accountId))
  }
  return listed
}
