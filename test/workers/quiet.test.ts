// A loop that rests longer while nothing goes on, and what it asks for that: for how long nothing has stirred.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLog } from '../../src/platform/log.ts'
import { startLook } from '../../src/workers/look.ts'
import { restsUntilMs, startLoop } from '../../src/workers/loop.ts'

const log = openLog('fatal')

test('a loop rests as long as it is told at each of its rounds', async () => {
  const rests = [1, 1, 60_000]
  let rounds = 0
  const loop = startLoop({
    name: 'loop',
    round: async () => {
      rounds += 1
      return 0
    },
    idleMs: () => rests.shift() ?? 1,
    log,
  })
  await expect.poll(() => rests.length).toBe(0)
  await sleep(50)
  expect(rounds).toBe(3)
  loop.wake()
  await expect.poll(() => rounds).toBeGreaterThan(3)
  await loop.stop()
})

test('long rests end together, never later than asked, and never at once', () => {
  for (const idleMs of [1000, 2000, 5000, 60_000])
    for (const fromMs of [7000, 7000.4, 7012.5, 7500, 7997]) {
      const untilMs = restsUntilMs(fromMs, idleMs)
      expect(untilMs % 1000).toBe(0)
      expect(untilMs - fromMs).toBeLessThanOrEqual(idleMs)
      expect(untilMs - fromMs).toBeGreaterThan(idleMs - 1000)
    }
  // A timer that came too early: its second is over all the same.
  for (const fromMs of [6998.1, 6999.6]) expect(restsUntilMs(fromMs, 1000)).toBe(8000)
  expect(restsUntilMs(7012.5, 200)).toBe(7212.5)
})

test('nothing has stirred since the last word of a write, whatever a look finds', async () => {
  const look = startLook({
    groups: () => [[0]],
    look: async () => [{ lane: 0, dueInMs: new Map([['jobs', 0]]) }],
    tell: () => undefined,
    onFailed: () => undefined,
    log,
  })
  await sleep(80)
  // Timers count whole milliseconds, and may come one early.
  const quietMs = look.quietMs()
  expect(quietMs).toBeGreaterThanOrEqual(79)
  look.stir()
  expect(look.quietMs()).toBeLessThan(quietMs)
  await look.stop()
})

test('where nothing goes on every look is for all kinds of work', async () => {
  const looks: string[] = []
  const look = startLook({
    groups: () => [[0]],
    look: async (_, which) => {
      looks.push(which)
      return []
    },
    tell: () => undefined,
    onFailed: () => undefined,
    log,
  })
  // Pauses grow to a second within six looks: from then on each look follows the one before by a second.
  await expect.poll(() => looks.length).toBeGreaterThanOrEqual(9)
  expect(new Set(looks.slice(6))).toEqual(new Set(['all']))
  await look.stop()
})
