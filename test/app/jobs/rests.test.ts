// How long a schedule is left alone whose run could not be begun.
import { expect, test } from 'vitest'
import { openRests } from '../../../src/app/schedules/rests.ts'
import { Busy } from '../../../src/engine/held-line.ts'
import { openLog } from '../../../src/platform/log.ts'

function stage() {
  let nowMs = 0
  const rests = openRests({ monotonicMs: () => nowMs, log: openLog('silent') })
  /** How long it is left alone after this fault, in whole seconds. */
  const restOf = (fault: Error) => {
    rests.met({ id: 'one' }, fault)
    let seconds = 0
    for (; rests.ids().length > 0; seconds += 1) nowMs += 1000
    return seconds
  }
  return { restOf }
}

test('after faults of its own for longer and longer, up to five minutes', () => {
  const { restOf } = stage()
  const rests = Array.from({ length: 10 }, () => restOf(new Error('its own')))
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
})

test('where its account was held for a few seconds only, however often, and that counts for nothing', () => {
  const { restOf } = stage()
  restOf(new Error('its own'))
  expect(Array.from({ length: 10 }, () => restOf(new Busy('the account')))).toEqual(Array.from({ length: 10 }, () => 4))
  expect(restOf(new Error('its own'))).toBe(2)
})
