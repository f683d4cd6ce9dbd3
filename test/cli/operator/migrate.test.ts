// gateway migrate: options that do not go together are misuse, which ends with 2 before any database is looked for.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from '../../../src/cli/main.ts'

let said = ''
beforeEach(() => {
  said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [['--shards', '4'], '--shards is for --distribute'],
  [['--distribute', '--shards', '0'], 'Give at least one shard'],
  [['--distribute', '--shards', '257'], 'Give a whole number from 1 to 256'],
  [['--distribute', '--dry-run'], '--distribute has no dry run'],
])('migrate %j', async (words, why) => {
  expect(await main(['migrate', ...words])).toBe(2)
  expect(said).toContain(why)
})
