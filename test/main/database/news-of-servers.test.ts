// The news of a channel while one of two servers is away, or an account is held: it waits for those whose it is, all other news is recorded,
// and nothing is lost when the process ends meanwhile.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RailEvent } from '../../../src/connectors/connector.ts'
import { Busy } from '../../../src/engine/held-line.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { openKeptEvents } from '../../../src/workers/kept-events.ts'
import { type KeptNews, openRailEvents } from '../../../src/workers/read-rail-events.ts'
import { EAST, whileAway } from '../../rig/servers/other-server.ts'
import { type Caller, type ContractBody, openWorld, type World } from '../../world.ts'

let world: World
let home: Caller
let east: Caller
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  home = await world.newCaller({ lane: 17 })
  east = await world.newCaller({ lane: 200 })
})
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const EVENT: RailEvent = { reference: 'another gateway’s', outcome: { kind: 'delivered', providerId: null } }

type Page = { readonly items: readonly RailEvent[]; readonly position: number }

const delivered = ({ transfer }: ContractBody): RailEvent => ({
  reference: transfer.reference ?? '',
  outcome: { kind: 'delivered', providerId: null },
})

/** A process that reads these pages of the channel's news, whose clock goes on when the test says so. */
function reading(pages: readonly Page[], execute: Execute = world.gateway.deps.execute) {
  const { reader, channels, callbacks } = world.gateway.deps
  const asked: number[] = []
  const told: KeptNews[] = []
  let nowMs = 0
  const connector = {
    ...callbacks.connectors.get('sandbox')!,
    pollEvents: async (from: number) => {
      asked.push(from)
      return pages.find(({ position }) => position > from) ?? { items: [], position: from }
    },
  }
  const deps = {
    execute,
    reader,
    channels,
    connectors: callbacks.connectors,
    leaseMs: 60_000,
    crashPoint: () => undefined,
    onKept: (news: KeptNews) => told.push(news),
    nodeOf: (lane: number) => world.database.others?.placement.serverOf(lane) ?? '',
    monotonicMs: () => nowMs,
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { poll: openRailEvents(deps, 'sandbox', connector), asked, told, pass }
}

const statusOf = async (caller: Caller, { id }: ContractBody) => (await caller.get(id)).status
const saved = async () =>
  (await world.sql<{ until: string }>(`select read_until::text as until from rail_event_positions`)).map(({ until }) =>
    Number(until),
  )

/** Which contracts were reported to the write path, in turn. */
function counting(refuses: (id: string) => boolean = () => false) {
  const ids: string[] = []
  const execute: Execute = async (request) => {
    const { command } = request
    const id = command.verb === 'report' ? command.id : ''
    ids.push(id)
    if (refuses(id)) throw new Busy(request.accountId)
    return world.gateway.deps.execute(request)
  }
  return { ids, execute }
}

test('a server that is away keeps the news of its own accounts waiting, and nothing is lost when the process ends', async () => {
  const [ofEast, first, second, last] = [await east.paid(), await home.paid(), await home.paid(), await east.paid()]
  const pages: Page[] = [
    { items: [delivered(ofEast), delivered(first)], position: 10 },
    { items: [delivered(second), delivered(last)], position: 20 },
  ]
  const { ids, execute } = counting()
  const one = reading(pages, execute)
  await whileAway(world.sqlElsewhere, world.sql, async () => {
    for (let polls = 0; polls < 4; polls += 1) await one.poll()
    expect(one.asked).toEqual([0, 10, 20, 20])
    expect([await statusOf(home, first), await statusOf(home, second)]).toEqual(['completed', 'completed'])
    expect(await saved()).toEqual([])
    // Where one of the server’s fails, the others wait with it.
    expect(one.told.map(({ kept, reading: goes }) => [kept, goes])).toEqual([[1, 'goes on']])
    one.pass(1000)
    await one.poll()
    expect(one.told.map(({ kept }) => kept)).toEqual([1, 2])
  })
  // The process ends here, and its successor knows what is saved.
  const next = reading(pages)
  const back = async () => {
    next.pass(15_000)
    await next.poll()
    return [await statusOf(east, ofEast), await statusOf(east, last)]
  }
  await expect.poll(back, { timeout: 20_000 }).toEqual(['completed', 'completed'])
  expect(next.asked[0]).toBe(0)
  expect(await saved()).toEqual([20])

  // And had it lived on, it would have come to the same.
  one.pass(15_000)
  for (let polls = 0; polls < 2; polls += 1) await one.poll()
  expect(await saved()).toEqual([20])
  expect(ids.filter((id) => id === first.id)).toHaveLength(1)
})

test('a held account keeps no other’s news waiting, and what is of one order stays in its order', async () => {
  const [held, free] = [await home.paid(), await east.paid()]
  const back: RailEvent = { ...delivered(held), outcome: { kind: 'returned', code: 'account_closed', message: '' } }
  const pages: Page[] = [
    { items: [delivered(held)], position: 30 },
    { items: [back, delivered(free)], position: 40 },
  ]
  let isHeld = true
  const { ids, execute } = counting((id) => isHeld && id === held.id)
  const { poll, told, pass } = reading(pages, execute)
  for (let polls = 0; polls < 3; polls += 1) await poll()
  expect([await statusOf(home, held), await statusOf(east, free)]).toEqual(['paid', 'completed'])
  expect([told.map(({ kept }) => kept), await saved()]).toEqual([[1], [20]])
  pass(999)
  await poll()
  pass(1)
  await poll()
  // Each time longer, up to a quarter of a minute.
  pass(1999)
  await poll()
  expect(ids.filter((id) => id === held.id)).toHaveLength(2)
  isHeld = false
  pass(1)
  expect(await poll()).toBe(2)
  expect((await home.get(held.id)).activities.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['completed', 'returned']),
  )
  expect(await saved()).toEqual([40])
})

test('where too much waits nothing more is read until some of it is recorded', async () => {
  const contract = await home.paid()
  const pages = Array.from(
    { length: 12 },
    (_, page): Page => ({
      items: Array.from({ length: 1000 }, () => delivered(contract)),
      position: 50 + page,
    }),
  )
  const { execute } = counting((id) => id === contract.id)
  const { poll, asked, told, pass } = reading(pages, execute)
  for (let polls = 0; polls < 12; polls += 1) await poll()
  expect(asked).toEqual([40, ...Array.from({ length: 9 }, (_, page) => 50 + page)])
  pass(1000)
  await poll()
  expect(told.at(-1)).toMatchObject({ channel: 'sandbox', kept: 10_000, reading: 'stands' })
  expect([asked.length, await saved()]).toEqual([10, [40]])
})

test('and what is recorded of it makes room', () => {
  const kept = openKeptEvents(
    () => '',
    () => 0,
  )
  const order = { reference: 'another gateway’s', from: 1, items: Array.from({ length: 10_000 }, () => EVENT) }
  const trouble = { is: 'its own', fault: null } as const
  kept.note([{ ...order, recorded: 0, trouble }], 'a page')
  expect([kept.isFull(), kept.from()]).toEqual([true, 1])
  kept.note([{ ...order, items: order.items.slice(1), recorded: 1, trouble }], 'what was kept')
  expect([kept.isFull(), kept.size(), kept.from(), kept.due().length]).toEqual([false, 9999, 1, 1])
  kept.note([{ ...order, items: [], recorded: 9999, trouble: null }], 'what was kept')
  expect([kept.size(), kept.from(), kept.due()]).toEqual([0, null, []])
})
