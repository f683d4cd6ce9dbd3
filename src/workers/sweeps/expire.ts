// The sweeper: contracts whose time has passed become expired. Only tidiness depends on it: every move checks the clock.
import type { Execute } from '../../engine/command-request.ts'
import type { Session } from '../../platform/db.ts'
import { expiredContracts, saveSwept, sweptLanes } from '../../store/contracts/expiry.ts'

export type ExpireDeps = {
  readonly execute: Execute
  readonly reader: Session
  readonly lanes: readonly number[]
}

const PAGE = 500

/** Sweeps one page of expired contracts; how many it found. */
export async function expireRound(deps: ExpireDeps): Promise<number> {
  const [found, time] = await deps.reader.send([expiredContracts(deps.lanes, PAGE), sweptLanes()])
  const rows = found?.rows ?? []
  await Promise.all(
    rows.map((row) => {
      const [lane, accountId, id] = [row['lane'] as number, row['account_id'] as string, row['id'] as string]
      return deps.execute({ lane, accountId, keyId: null, idempotency: null, command: { verb: 'expire', id } })
    }),
  )
  // Nothing that expires after this page was read can have been missed by it.
  if (rows.length < PAGE) await deps.reader.send([saveSwept(deps.lanes, time?.rows[0]?.['now'] as string)])
  return rows.length
}
