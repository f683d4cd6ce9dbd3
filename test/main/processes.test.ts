// What the processes of one start share: their figures as one text, their parts of the limits, and the room in the database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundAt, listeningAt, readConfig } from '../../src/main/config/config.ts'
import { whileReplacedOf } from '../../src/main/config/processes.ts'
import { openFigureBook } from '../../src/main/processes/figures.ts'
import { configAt, placeOf } from '../../src/main/processes/place.ts'
import { openLog } from '../../src/platform/log.ts'
import { checkRoom } from '../../src/main/processes/room.ts'
import { openMetrics } from '../../src/platform/metrics.ts'
import { openWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
})
afterAll(() => world.stop())

function aProcess(commands: number, depth: number) {
  const metrics = openMetrics()
  metrics.counter('commands_total', 'Commands.').inc(commands)
  metrics.gauge('depth', 'Depth.', () => depth)
  metrics.times('seconds', 'Seconds.').observe(0.02)
  return metrics
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('what is counted is summed, what is a state says of which process', async () => {
  const book = openFigureBook<{ readonly number: number }>()
  const [one, other] = [{ number: 1 }, { number: 2 }]
  book.told(one, await aProcess(3, 7).figures())
  book.told(other, await aProcess(4, 9).figures())
  const lines = linesOf(await book.text((each) => each.number))
  expect(lines).toEqual(
    expect.arrayContaining([
      'commands_total 7',
      'depth{process="1"} 7',
      'depth{process="2"} 9',
      'seconds_bucket{le="0.025"} 2',
      'seconds_count 2',
    ]),
  )
})

test('no counter goes back when processes end, several at once among them', async () => {
  const book = openFigureBook<{ readonly number: number }>()
  const all = [{ number: 1 }, { number: 2 }, { number: 3 }]
  for (const each of all) book.told(each, await aProcess(10 ** each.number, 1).figures())
  for (const each of all.slice(0, 2)) book.ended(each)
  const atOnce = book.text((each) => each.number)
  for (const each of all.slice(2)) book.ended(each)
  expect(linesOf(await atOnce)).toContain('commands_total 1110')
  const lines = linesOf(await book.text(() => null))
  expect(lines).toContain('commands_total 1110')
  expect(lines.filter((line) => line.startsWith('depth'))).toEqual([])
  // One that ends without having said anything changes nothing.
  book.ended({ number: 4 })
  expect(linesOf(await book.text(() => null))).toContain('commands_total 1110')
})

test('each has its part of the limits, one at least; no limit stays none', () => {
  const config = { ...readConfig({}), rateLimit: 1000, rateBurst: 1, port: 8080 }
  const place = { number: 2, of: 4, supervisorPid: 1, provider: { at: null, played: [] }, port: 9090, isFirst: false }
  const part = configAt({ ...config, payouts: 'off', metrics: { ...config.metrics, port: 9464 } }, place)
  expect(part).toMatchObject({ rateLimit: 250, rateBurst: 1, port: 9090, payouts: 'on', metrics: { port: null } })
  expect(part.doors.connectionsMax).toBe(Math.floor(config.doors.connectionsMax / 4))
  expect(configAt({ ...config, rateLimit: 0 }, place).rateLimit).toBe(0)
  // The first one alone pauses payouts.
  expect(configAt({ ...config, payouts: 'off' }, { ...place, isFirst: true }).payouts).toBe('off')
})

test.each([80, 443, 8080])(
  'a gateway that begins anew and the processes beside it listen at the port %i that it had',
  (port) => {
    const bound = boundAt('127.0.0.1', port)
    expect(bound).toEqual({ url: `http://127.0.0.1:${port}`, port })
    const config = { ...readConfig({}), processes: 2, port: 0 }
    expect(listeningAt(config, bound).port).toBe(port)
    const provider = { at: null, played: [] }
    expect(placeOf(1, config, provider, null)).toMatchObject({ number: 1, of: 2, port: 0, isFirst: true })
    expect(placeOf(2, config, provider, bound)).toMatchObject({ number: 2, of: 2, port, isFirst: false })
  },
)

test('several processes have room for the one that replaces another', () => {
  expect(whileReplacedOf({ processes: 1, writers: 1 })).toBe(37)
  expect(whileReplacedOf({ processes: 2, writers: 1 })).toBe(3 * 27 + 10)
  expect(whileReplacedOf({ processes: 4, writers: 2 })).toBe(5 * 29 + 10)
})

test('more processes than the database has connections for are refused, with how many it takes', async () => {
  const config = { ...readConfig({}), writers: 1 }
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  await checkRoom(world.database, { ...config, processes: 2 }, log)
  expect(lines).toEqual([])
  const [row] = await world.sql(
    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room",
  )
  // As many as there is room for, and one more has none.
  const processes = Math.floor((Number(row?.['room']) - 10) / 27)
  await checkRoom(world.database, { ...config, processes }, log)
  expect(lines).toMatchObject([expect.stringContaining('while processes are replaced (SIGHUP) they take up to')])
  await expect(checkRoom(world.database, { ...config, processes: 64, writers: 4 }, log)).rejects.toThrow(
    /^GATEWAY_PROCESSES=64 takes up to 2122 connections, and the database has room for \d+\. Raise max_connections, or start fewer processes\.$/,
  )
})
