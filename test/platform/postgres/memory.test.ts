// What the embedded server takes of the memory that there is.
import { expect, test } from 'vitest'
import { memoryHereBytes, memorySettings } from '../../../src/platform/postgres/memory.ts'

const GB = 1024 ** 3

test.each([
  ['a small container', 0.25, '128MB', '192MB'],
  ['a container of one gigabyte', 1, '256MB', '768MB'],
  ['a machine', 24, '6144MB', '18432MB'],
  ['a large machine', 512, '8192MB', '393216MB'],
])('%s gives the embedded server its share', (_name, gigabytes, buffers, cached) => {
  expect(memorySettings(gigabytes * GB)).toEqual({ shared_buffers: buffers, effective_cache_size: cached })
})

test('what may be used here is a number, whether or not there is a limit', () => {
  expect(memoryHereBytes()).toBeGreaterThan(64 * 1024 ** 2)
  expect(memoryHereBytes()).toBeLessThan(1024 ** 5)
})
