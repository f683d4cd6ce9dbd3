// What a session costs that holds an old snapshot open, as a dump or a report does: none of the states that a row has had since can
// be cleaned away, and those of a busy account's row are many.
import pg from 'pg'
import type { Bench } from './measure.ts'
import { BATCHED_PER_SECOND_MAX, payStep, type Record } from './scenarios.ts'
import type { Databases } from './stage/databases.ts'
import { openRig } from './stage/rig.ts'
import { settleTables } from './stage/seed.ts'
import { stopChild } from './stage/stage.ts'

export const SNAPSHOT = 'snapshot'
export const PAY_WITHOUT_SNAPSHOT = 'pay-without-snapshot'
export const PAY_UNDER_SNAPSHOT = 'pay-under-snapshot'

/** So long it is held under the same load before what it costs is measured. */
const HELD_MS = 60_000
const HELD_SHORT_MS = 2000

/** Pays from one wallet: without, and at the end of a minute in which a session held its snapshot. */
export async function runSnapshot(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: SNAPSHOT, undoSeconds: 3600, batchMax: 256 })
  await settleTables(rig.client)
  const paying = (scenario: string) => {
    const { server, big } = rig
    const { connections } = bench
    return payStep(bench, rig, { scenario, server, payers: [big], perSecondMax: BATCHED_PER_SECOND_MAX, connections })
  }
  const [without, under] = [paying(PAY_WITHOUT_SNAPSHOT), paying(PAY_UNDER_SNAPSHOT)]
  const holder = new pg.Client({ connectionString: rig.wish.databaseUrl })
  await holder.connect()
  try {
    for (let round = 1; round <= bench.effort.rounds; round++) {
      await without(round, record)
      await holder.query('begin isolation level repeatable read')
      await holder.query('select count(*) from accounts')
      const heldMs = bench.effort.rounds === 1 ? HELD_SHORT_MS : HELD_MS
      for (const until = performance.now() + heldMs; performance.now() < until; ) await under(round, () => undefined)
      await under(round, record)
      await holder.query('rollback')
      await settleTables(rig.client)
    }
  } finally {
    await holder.end()
  }
  await stopChild(rig.server.child)
}
