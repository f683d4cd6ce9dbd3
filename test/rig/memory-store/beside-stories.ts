// Stories on both stores: each with new accounts, so that the same database takes them all.
import pg from 'pg'
import { expect } from 'vitest'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { openLanePlaces } from '../../../src/app/jobs/lane-places.ts'
import { lanePlacesAt } from '../../../src/main/database/engine.ts'
import type { Session } from '../../../src/platform/db.ts'
import type { GroupOf } from '../../../src/platform/scope.ts'
import { openWorld } from '../../world.ts'
import { diceOf } from '../dice.ts'
import { simulate, stepsOf, storyText } from '../simulated/simulate.ts'
import { seeded } from '../simulated/world.ts'
import { besidePostgres, knowChannels, newOwners } from './beside-postgres.ts'
import { rowsInMemory, rowsInPostgres } from './stored-rows.ts'

/** `lanes together`: batches say their lanes, all of one shard, as on a cluster. */
export type Scoping = 'many lanes' | 'lanes together'

/** Plays so many stories, from this seed on; every difference fails the test with the seed. */
export async function playBeside(
  from: number,
  count: number,
  scoping: Scoping = 'many lanes',
): Promise<{ readonly batches: number }> {
  const world = await openWorld({ workers: 'resting' })
  const owner = new pg.Client(world.lanesOwner)
  await owner.connect()
  const session = openKeyedSession(world.database)
  const groupOf = scoping === 'many lanes' ? null : await shardsOf(session)
  let batches = 0
  try {
    await knowChannels(owner)
    for (let i = 0; i < count; i++) {
      const seed = from + i
      const owners = await newOwners(session, owner, diceOf(seed).part('owners'), groupOf)
      const tables = seeded(owners)
      const played = await simulate(seed, stepsOf(seed), { owners, tables, beside: besidePostgres(session, groupOf) })
      expect(played.finding, storyText(played)).toBeNull()
      for (const { accountId } of owners)
        expect(rowsInMemory(tables, accountId), `seed ${seed}`).toEqual(await rowsInPostgres(owner, accountId))
      batches += played.batches
    }
    await world.ledgerHolds()
    return { batches }
  } finally {
    await session.close()
    await owner.end()
    await world.stop()
  }
}

/** The shards of a cluster; on one PostgreSQL all lanes are in one. */
async function shardsOf(session: Session): Promise<GroupOf> {
  const places = openLanePlaces(() => [])
  if (process.env['TEST_ON_CITUS'] === 'yes') places.see(await lanePlacesAt(session))
  return places.shardOf
}
