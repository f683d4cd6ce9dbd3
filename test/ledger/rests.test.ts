// How long the workers that follow the histories rest: nine times what a page took, but never for long after a mere wait.
import { expect, test } from 'vitest'
import { restMs } from '../../src/workers/sweeps/follow-history.ts'

test('a page is followed by a rest of nine times its time', () => {
  expect(restMs(0)).toBe(0)
  expect(restMs(40)).toBe(360)
})

test('what waited for a lock or for the server is not rested for longer than five seconds', () => {
  for (const tookMs of [556, 7000, 600_000]) expect(restMs(tookMs)).toBe(5000)
})
