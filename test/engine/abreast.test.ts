// Batches that are held up: what comes meanwhile goes beside them where that is allowed, and waits where it is not.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Abreast, openBatcher } from '../../src/engine/batch.ts'

/** A batcher whose batches are answered when they are told to be. */
function heldBatcher(abreast?: Abreast) {
  const batches: { readonly asks: readonly number[]; readonly answer: () => void }[] = []
  const run = (asks: readonly number[]) =>
    new Promise<readonly number[]>((resolve) => {
      batches.push({ asks, answer: () => resolve(asks) })
    })
  const batcher = openBatcher<number, number>({
    batchMax: 2,
    queueMax: 100,
    groupOf: () => 0,
    run,
    ...(abreast && { abreast }),
  })
  return { batcher, batches, asked: () => batches.map(({ asks }) => asks) }
}

const untilBatches = (batches: readonly unknown[], count: number) =>
  expect.poll(() => batches.length, { interval: 2 }).toBe(count)

test('a batch that is held up has others beside it, no more than allowed', async () => {
  const { batcher, batches, asked } = heldBatcher({ max: 3, afterMs: 10 })
  const replies = [1, 2, 3, 4, 5, 6, 7].map((ask) => batcher.submit(ask))
  await untilBatches(batches, 3)
  await sleep(40)
  expect(asked()).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  // The second is answered before the first, and its line goes on.
  batches[1]?.answer()
  expect(await Promise.all(replies.slice(2, 4))).toEqual([3, 4])
  await untilBatches(batches, 4)
  for (const { answer } of batches) answer()
  expect(await Promise.all(replies)).toEqual([1, 2, 3, 4, 5, 6, 7])
  await batcher.drain()
})

test('what comes after a batch was found to be held up goes beside it at once', async () => {
  const { batcher, batches, asked } = heldBatcher({ max: 2, afterMs: 10 })
  const first = batcher.submit(1)
  await untilBatches(batches, 1)
  await sleep(40)
  const second = batcher.submit(2)
  await untilBatches(batches, 2)
  batches[1]?.answer()
  expect(await second).toBe(2)
  // The first is held up still.
  const third = batcher.submit(3)
  await untilBatches(batches, 3)
  for (const { answer } of batches) answer()
  expect(await Promise.all([first, third])).toEqual([1, 3])
  expect(asked()).toEqual([[1], [2], [3]])
})

test('drain waits for all that are under way', async () => {
  const { batcher, batches } = heldBatcher({ max: 2, afterMs: 10 })
  const replies = [1, 2, 3].map((ask) => batcher.submit(ask))
  await untilBatches(batches, 2)
  let isDrained = false
  const drained = batcher.drain().then(() => {
    isDrained = true
  })
  batches[1]?.answer()
  await replies[2]
  await sleep(20)
  expect(isDrained).toBe(false)
  batches[0]?.answer()
  await drained
  expect(await Promise.all(replies)).toEqual([1, 2, 3])
})

test('where a batch may hold what the next one needs, that waits', async () => {
  const { batcher, batches, asked } = heldBatcher()
  const replies = [1, 2, 3].map((ask) => batcher.submit(ask))
  await untilBatches(batches, 1)
  await sleep(40)
  expect(asked()).toEqual([[1, 2]])
  batches[0]?.answer()
  await untilBatches(batches, 2)
  batches[1]?.answer()
  expect(await Promise.all(replies)).toEqual([1, 2, 3])
})
