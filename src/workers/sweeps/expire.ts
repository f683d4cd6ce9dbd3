// The sweeper: contracts whose time has passed become expired. Only tidiness depends on it: every move checks the clock.
// It is the first to see that the database's clock went back, and sets right what waits for times that will not come for long.
import type { Execute } from '../../engine/command-request.ts'
import type { Session } from '../../platform/db.ts'
import { expiredContracts, saveSwept, sweptLanes } from '../../store/contracts/expiry.ts'
import { laneAheadFrom, moveWaitsBack, takeLanesAhead } from '../../store/jobs/waits-ahead.ts'

export type ExpireDeps = {
  readonly execute: Execute
  readonly reader: Session
  readonly lanes: readonly number[]
  /** Told how far the database's clock went back, in seconds, once the waits are set right. */
  readonly onClockBack: (seconds: number) => void
}

const PAGE = 500

/** Sweeps one page of expired contracts; how many it found. */
export async function expireRound(deps: ExpireDeps): Promise<number> {
  const [found, time] = await deps.reader.send([expiredContracts(deps.lanes, PAGE), sweptLanes(deps.lanes)])
  if (time?.rows[0]?.['is_ahead'] === true) await setWaitsRight(deps)
  const rows = found?.rows ?? []
  await Promise.all(
    rows.map((row) => {
      const [lane, accountId, id] = [row['lane'] as number, row['account_id'] as string, row['id'] as string]
      return deps.execute({ lane, accountId, keyId: null, idempotency: null, command: { verb: 'expire', id } })
    }),
  )
  // Nothing that expires after this page was read can have been missed by it.
  if (rows.length < PAGE && time?.rows[0]?.['is_old'] === true)
    await deps.reader.send([saveSwept(deps.lanes, time?.rows[0]?.['now'] as string)])
  return rows.length
}

async function setWaitsRight({ reader, lanes, onClockBack }: ExpireDeps): Promise<void> {
  const seconds = await reader.transaction([takeLanesAhead(lanes)], ([taken]) => {
    const ahead = (taken?.rows ?? []).map(laneAheadFrom)
    // Another gateway may have done it meanwhile.
    const statements = ahead.length === 0 ? [] : moveWaitsBack(ahead)
    return { statements, value: Math.max(0, ...ahead.map(({ markSeconds, nowSeconds }) => markSeconds - nowSeconds)) }
  })
  if (seconds > 0) onClockBack(seconds)
}
