// Several processes share the proofs of the books: each proves the lanes that are its own, as often as one would that had them all.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { openBookProofs } from '../../src/workers/sweeps/prove-books.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let session: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  session = openAuditSession(world.operators)
})
afterAll(async () => {
  await session.close()
  await world.stop()
})

const HOUR_MS = 3_600_000

/** Proofs of these lanes by a clock that is set, with the lanes that were looked at. */
function proofsOf(ownLanes: () => readonly number[], isAway = (_lane: number) => false) {
  const clock = { nowMs: 1000 }
  const looked: number[] = []
  const told: number[] = []
  const watched: Session = {
    ...session,
    send: async (statements) => {
      for (const { name, values } of statements)
        if (name === 'verify_used') {
          looked.push(values[0] as number)
          if (isAway(values[0] as number)) throw new Error('its server is away')
        }
      return session.send(statements)
    },
  }
  const proofs = openBookProofs({
    session: watched,
    sealKeys: { known: () => null },
    ownLanes,
    monotonicMs: () => clock.nowMs,
    onFinding: ({ lane }) => told.push(lane),
  })
  return { proofs, clock, looked, told }
}

test('a process proves its own lanes alone, and again when all would have been proved', async () => {
  const { proofs, clock, looked } = proofsOf(() => [3, 7, 9])
  for (let round = 0; round < 6; round++) {
    await proofs.round()
    clock.nowMs += 60_000
  }
  expect(looked).toEqual([3, 7, 9])
  expect(proofs.oldestSeconds()).toBe(360)
  clock.nowMs += 4 * HOUR_MS
  expect(looked).toHaveLength(3)
  clock.nowMs += HOUR_MS
  for (let round = 0; round < 6; round++) await proofs.round()
  expect(looked).toEqual([3, 7, 9, 3, 7, 9])
  expect(proofs.oldestSeconds()).toBe(0)
})

test('a lane that is given to another process is that one’s to prove and to tell', async () => {
  const { lane } = world.caller.account
  const other = (lane + 1) % ALL_LANES.length
  let own = [lane, other]
  const { proofs, clock, told } = proofsOf(() => own)
  try {
    await world.sql('update wallets set available_minor = available_minor + 1 where account_id = $1', [
      world.caller.account.accountId,
    ])
    await proofs.round()
    await proofs.round()
    expect(new Set(told)).toEqual(new Set([lane]))
    expect(proofs.findings()).toBe(told.length)
    own = [other]
    expect(proofs.findings()).toBe(0)
    // It comes back: what was found before is not told again without a proof.
    own = [lane, other]
    clock.nowMs += 5000
    expect(proofs.findings()).toBe(0)
    await proofs.round()
    expect(proofs.findings()).toBe(told.length / 2)
  } finally {
    await world.sql('update wallets set available_minor = available_minor - 1 where account_id = $1', [
      world.caller.account.accountId,
    ])
  }
})

test('a lane that cannot be read keeps no other from being proved', async () => {
  const { proofs, clock, looked } = proofsOf(
    () => [3, 7, 9],
    (lane) => lane === 3,
  )
  await expect(proofs.round()).rejects.toThrow('away')
  for (let round = 0; round < 2; round++) {
    clock.nowMs += 60_000
    await proofs.round()
  }
  clock.nowMs += 60_000
  await expect(proofs.round()).rejects.toThrow('away')
  expect(looked).toEqual([3, 7, 9, 3])
  expect(proofs.oldestSeconds()).toBe(180)
})
