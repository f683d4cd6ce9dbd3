// How often the plans of a session are made anew: each second where it is busy, and after a few uses where it is not.
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { openSession } from '../../src/platform/db.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const USES = 30

test('a plan serves thirty times at least, and no longer than a second where it serves often', async () => {
  const session = openSession({ connection: world.lanesOwner, parameters: {} })
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const askTimes = async (times: number) => {
    query.mockClear()
    for (let i = 0; i < times; i++) await session.send([{ name: 'one', text: 'select $1::int as one', values: [1] }])
    const texts = (query.mock.calls as unknown[][]).map(([asked]) => asked)
    return texts.filter((text) => text === 'discard plans').length
  }
  expect(await askTimes(USES)).toBe(1)
  // The second is not over: nothing is made anew, however often it is asked.
  expect(await askTimes(USES)).toBe(0)
  await sleep(1050)
  expect(await askTimes(1)).toBe(1)
  await sleep(1050)
  expect(await askTimes(USES - 1)).toBe(0)
  expect(await askTimes(1)).toBe(1)
  query.mockRestore()
  await session.close()
})
