// Which commits a server that takes over is asked about: those that may lie behind the place that it must have reached. PostgreSQL forgets
// what became of old transactions: one that is asked about for ever would seem to be missing one day.
import { expect, onTestFinished, test } from 'vitest'
import type { Epochs } from '../../../src/app/recoveries/epochs.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openStanding } from '../../../src/platform/postgres/standing.ts'
import { countMark } from '../../../src/store/operator/epochs.ts'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'

test('a commit is asked about until a look that began after it is confirmed by the next one, and no longer', async () => {
  const { world, epochs: real, open } = await openMarkedWorld()
  const standing = openStanding()
  const [one, other] = [0, 1].map(() => openPlannedSession({ ...world.operators, standing }))
  onTestFinished(async () => void (await Promise.all([one?.close(), other?.close()])))
  const commit = (session = one) => session?.transaction([], () => ({ statements: [countMark()], value: null }))
  const known = () => standing.acknowledged().length
  let meanwhile: () => Promise<unknown> | undefined = async () => undefined
  const newest: Epochs['newest'] = async () => {
    await meanwhile()
    return real.newest()
  }
  const recovery = await open({ standing, epochs: { ...real, newest } })
  await commit()
  // The place that this look tells lies behind the commit, and nothing has to have reached it yet.
  await recovery.look()
  expect(known()).toBe(1)
  await commit(other)
  await recovery.look()
  expect(known()).toBe(1)
  // Acknowledged while it looks: what that tells may be from before.
  meanwhile = () => commit()
  await recovery.look()
  meanwhile = async () => undefined
  expect(known()).toBe(1)
  await recovery.look()
  expect(known()).toBe(1)
  await recovery.look()
  expect(known()).toBe(0)
})
