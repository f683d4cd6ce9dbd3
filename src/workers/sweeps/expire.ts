// The sweeper: contracts whose time has passed become expired. Only tidiness depends on it: every move checks the clock.
// It is the first to see that the database's clock went back, and sets right what waits for times that will not come for long.
import { isRefusal } from '../../domain/contract/refusals.ts'
import { isRefusalOfRecovery } from '../../domain/recovery/epoch.ts'
import type { Execute } from '../../engine/command-request.ts'
import type { Row, Session } from '../../platform/db.ts'
import { expiredContracts, type Reached, reachedBy, saveSwept, sweptLanes } from '../../store/contracts/expiry.ts'
import { laneAheadFrom, moveWaitsBack, takeLanesAhead } from '../../store/jobs/waits-ahead.ts'

export type ExpireDeps = {
  readonly execute: Execute
  readonly reader: Session
  /** Told how far the database's clock went back, in seconds, once the waits are set right. */
  readonly onClockBack: (seconds: number) => void
}

/** Sweeps one page of the expired contracts of these lanes; how many it has where others may follow, and 0 where it is the last. */
export type ExpireRound = (lanes: readonly number[]) => Promise<number>

const PAGE = 500

/**
 * A sweep passes each contract once, page by page, whatever becomes of it: one that cannot be ended keeps none behind it waiting,
 * and is tried again by the next sweep. How far it has come is kept in memory; a process that starts begins at the lane's mark.
 */
export function openExpiry(deps: ExpireDeps): ExpireRound {
  const reachedIn = new Map<number, Reached>()
  return async (lanes) => {
    const isWhole = !lanes.some((lane) => reachedIn.has(lane))
    const [found, time] = await deps.reader.send([expiredContracts(lanes, reachedIn, PAGE), sweptLanes(lanes)])
    if (time?.rows[0]?.['is_ahead'] === true) await setWaitsRight(deps, lanes)
    const rows = found?.rows ?? []
    const faults = await expireAll(deps, rows)
    if (rows.length === PAGE) for (const row of rows) reachedIn.set(laneIn(row), reachedBy(row))
    else for (const lane of lanes) reachedIn.delete(lane)
    // Nothing that expires after this page was read can have been missed by it, and nothing before it where none was left behind.
    const clean = isWhole && rows.length < PAGE ? lanes.filter((lane) => !faults.has(lane)) : []
    if (clean.length > 0 && time?.rows[0]?.['is_old'] === true)
      await deps.reader.send([saveSwept(clean, time.rows[0]['now'] as string)])
    const [first] = faults
    if (first) throw first[1]
    return rows.length === PAGE ? PAGE : 0
  }
}

const laneIn = (row: Row) => row['lane'] as number

/** A recovery that begins just now leaves it for the sweeps after it; any other refusal says that it has ended, or may not end. */
function unlessInRecovery(answer: object): void {
  if (isRefusal(answer) && isRefusalOfRecovery(answer)) throw new Error('nothing expires in a recovery')
}

/** Tries all of them; the first fault of each lane that had one. */
async function expireAll({ execute }: ExpireDeps, rows: readonly Row[]): Promise<ReadonlyMap<number, unknown>> {
  const faults = new Map<number, unknown>()
  await Promise.all(
    rows.map(async (row) => {
      const [lane, accountId, id] = [laneIn(row), row['account_id'] as string, row['id'] as string]
      const command = { verb: 'expire', id } as const
      const request = { lane, accountId, keyId: null, idempotency: null, command } as const
      await execute(request)
        .then(unlessInRecovery)
        .catch((fault: unknown) => {
          if (!faults.has(lane)) faults.set(lane, fault)
        })
    }),
  )
  return faults
}

async function setWaitsRight({ reader, onClockBack }: ExpireDeps, lanes: readonly number[]): Promise<void> {
  const seconds = await reader.transaction([takeLanesAhead(lanes)], ([taken]) => {
    const ahead = (taken?.rows ?? []).map(laneAheadFrom)
    // Another gateway may have done it meanwhile.
    const statements = ahead.length === 0 ? [] : moveWaitsBack(ahead)
    return { statements, value: Math.max(0, ...ahead.map(({ markSeconds, nowSeconds }) => markSeconds - nowSeconds)) }
  })
  if (seconds > 0) onClockBack(seconds)
}
