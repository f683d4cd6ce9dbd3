// A lane goes from one PostgreSQL to another under load and back: no request fails, nothing is told twice or left out, and the books
// hold.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoServers, type TwoServers } from '../../rig/servers/two-servers.ts'
import type { Caller, World } from '../../world.ts'

const LANE = 200

let servers: TwoServers
let world: World
let caller: Caller
let neighbour: Caller
beforeAll(async () => {
  servers = await openTwoServers()
  world = servers.world
  caller = await world.newCaller({ lane: LANE })
  neighbour = await world.newCaller({ lane: 17 })
}, 60_000)
afterAll(() => servers.stop())

const rowsAt = async (sql: World['sql'], table = 'contracts') =>
  (await sql<{ n: number }>(`select count(*)::int as n from ${table} where lane = $1`, [LANE]))[0]?.n

/** Pays again and again until told to stop; what was paid. */
function atWork(payer: Caller): () => Promise<string[]> {
  let isOver = false
  const paid: string[] = []
  const work = async () => {
    while (!isOver) {
      const { id } = await payer.paid({ amount: 1 })
      paid.push(id)
      await payer.get(id)
      await sleep(5)
    }
  }
  const working = Promise.all([work(), work()])
  return async () => {
    isOver = true
    await working
    return paid
  }
}

type Event = { readonly id: string; readonly type: string; readonly data: { readonly object: { readonly id: string } } }

test('a lane moves there and back while its account pays: nothing fails, the feed has no gap, and the books hold', async () => {
  const [stop, stopOther] = [atWork(caller), atWork(neighbour)]
  await sleep(500)
  expect(await servers.moveLane(LANE, 'home')).toMatchObject({ from: 'east', to: 'home', findings: [] })
  expect(await rowsAt(world.sqlElsewhere)).toBe(0)
  await sleep(500)
  expect(await servers.moveLane(LANE, 'east')).toMatchObject({ from: 'home', to: 'east', findings: [] })
  await sleep(500)
  const paid = await stop()
  await stopOther()
  expect(await rowsAt(world.sql)).toBe(0)
  for (const id of paid) expect(await world.settle(id)).toBe('completed')
  const events = await caller.all<Event>('/events', 'events')
  const issued = events.filter(({ type }) => type === 'contract.paid').map(({ data }) => data.object.id)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(issued.filter((id) => paid.includes(id)).toSorted()).toEqual(paid.toSorted())
  await world.ledgerHolds()
  console.log(`server moves: ${paid.length} transfers paid while their lane moved twice, none failed`)
}, 180_000)
