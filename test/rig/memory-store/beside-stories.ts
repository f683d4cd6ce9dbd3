// Stories on both stores: each with new accounts, so that the same database takes them all.
import pg from 'pg'
import { expect } from 'vitest'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { openWorld } from '../../world.ts'
import { diceOf } from '../dice.ts'
import { simulate, stepsOf, storyText } from '../simulated/simulate.ts'
import { seeded } from '../simulated/world.ts'
import { besidePostgres, knowChannels, newOwners } from './beside-postgres.ts'
import { rowsInMemory, rowsInPostgres } from './stored-rows.ts'

/** Plays so many stories, from this seed on; every difference fails the test with the seed. */
export async function playBeside(from: number, count: number): Promise<{ readonly batches: number }> {
  const world = await openWorld({ workers: 'resting' })
  const owner = new pg.Client(world.lanesOwner)
  await owner.connect()
  const session = openKeyedSession(world.database)
  let batches = 0
  try {
    await knowChannels(owner)
    for (let i = 0; i < count; i++) {
      const seed = from + i
      const owners = await newOwners(session, owner, diceOf(seed).part('owners'))
      const tables = seeded(owners)
      const played = await simulate(seed, stepsOf(seed), { owners, tables, beside: besidePostgres(session) })
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
