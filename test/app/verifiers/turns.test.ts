// Long work lets the event loop go on: how much is done in one turn of it is counted.
import { expect, test } from 'vitest'
import { openTurns } from '../../../src/app/verifiers/turns.ts'
import { nameIndex, screened, type Steps } from '../../../src/domain/verifier/screening.ts'

/** Counts turns of the event loop for as long as the work lasts. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly made: T }> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const made = await work()
  isOver = true
  return { turns, made }
}

/** Writes down for each step what it did in which turn. */
function* noted(steps: number, each: number, turn: () => number, doneIn: Map<number, number>): Steps<void> {
  for (let i = 0; i < steps; i++) {
    doneIn.set(turn(), (doneIn.get(turn()) ?? 0) + each)
    yield each
  }
}

test('in one turn no more is done than is allowed, however many share the turns', async () => {
  const inTurns = openTurns(100)
  const doneIn = new Map<number, number>()
  let [turn, left] = [0, 5]
  const count = () => {
    turn++
    if (left > 0) setImmediate(count)
  }
  setImmediate(count)
  const all = [1, 7, 10, 50, 100].map(async (each) => {
    await inTurns(noted(1_000 / each, each, () => turn, doneIn))
    left--
  })
  await Promise.all(all)
  expect([...doneIn.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(4_900)
  // What goes over by less than one step ends the turn.
  expect(Math.max(...doneIn.values())).toBeLessThanOrEqual(106)
})

test('short pieces of work take turns as well, and one that fails keeps no other from its turn', async () => {
  const inTurns = openTurns(100)
  function* failing(): Steps<void> {
    yield 200
    throw new Error('broken')
  }
  const failed = Promise.allSettled([inTurns(failing())])
  const { turns } = await turnsDuring(() => Promise.all(Array.from({ length: 20 }, () => inTurns(nameIndex([])))))
  expect(await failed).toMatchObject([{ status: 'rejected', reason: { message: 'broken' } }])
  expect(turns).toBeGreaterThanOrEqual(20)
})

test('a list of names that are all alike is looked through in many turns', async () => {
  const inTurns = openTurns(500)
  const name = (n: number) =>
    Array.from({ length: 12 }, (_, w) => `abcdefghijklmnopq${(n * 12 + w).toString(36).padStart(3, '0')}`).join(' ')
  const entries = Array.from({ length: 40 }, (_, n) => ({ entry: String(n), names: [name(n)], note: null }))
  const making = await turnsDuring(() => inTurns(nameIndex(entries)))
  const looking = await turnsDuring(() => inTurns(screened(making.made, name(0), 50)))
  expect(looking.made).toHaveLength(10)
  // 40 names, and each of their twelve words is compared with twelve, twice.
  expect(looking.turns).toBeGreaterThanOrEqual((40 * 12 * 12 * 2) / 500)
})
