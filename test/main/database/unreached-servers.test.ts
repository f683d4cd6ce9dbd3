// A gateway that alone does not reach one of the servers: the others do what is due there, within seconds, and it comes back by itself.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildGateway, type Gateway } from '../../../src/main/assemble.ts'
import { ownedDatabase } from '../../../src/main/database/database.ts'
import { otherServers, seePlacement } from '../../../src/main/database/servers.ts'
import { openReach } from '../../../src/main/readiness.ts'
import { openLog } from '../../../src/platform/log.ts'
import { EAST, OTHER_SERVER } from '../../rig/servers/other-server.ts'
import { openRoad, type Road } from '../../rig/servers/road.ts'
import { openWorld, type World } from '../../world.ts'

/** Of that which is due, so that only whoever works in the lane does it. */
const UNDO_SECONDS = 3
const WITHIN = { timeout: 30_000, interval: 200 }

let world: World
let road: Road
let cutOff: Gateway | null = null
beforeEach(async () => {
  world = await openWorld({ lanesElsewhere: EAST, undoSeconds: UNDO_SECONDS })
  const east = world.database.others?.servers.get(OTHER_SERVER)
  if (!east?.owner || Array.isArray(east.owner)) throw new Error('the world has no second server')
  road = await openRoad(east.owner)
})
afterEach(async () => {
  await cutOff?.stop()
  cutOff = null
  await world.stop()
  await road.cut()
})

/** Another gateway on the same servers, whose road to one of them is its own. */
async function openBeside(east: 'is there' | 'does not answer'): Promise<Gateway> {
  const { others: _, ...home } = world.database
  const database = { ...home, others: otherServers(new Map([[OTHER_SERVER, ownedDatabase(road.connection)]])) }
  if (east === 'does not answer') database.others.absent.add(OTHER_SERVER)
  await seePlacement(database)
  const provider = { url: world.sandboxUrl, token: null }
  cutOff = await buildGateway(world.config, database, provider, openLog('fatal'))
  cutOff.startWorkers()
  return cutOff
}

/** How many lanes a gateway works in. */
async function lanesOf({ figures }: Gateway): Promise<number> {
  return Number(/^gateway_lanes(?:\{[^}]*\})? (\d+)$/m.exec(await figures())?.[1])
}
const shares = async (beside: Gateway) => [await lanesOf(world.gateway), await lanesOf(beside)]

/** Both work, and each lane is of one of them. */
async function shared(beside: Gateway): Promise<void> {
  const isShared = async () => {
    const [one = 0, other = 0] = await shares(beside)
    return one + other === 256 && other > 64
  }
  await expect.poll(isShared, WITHIN).toBe(true)
}

/** What is paid in lanes all over the server comes to its end. */
async function paysInEachLane(): Promise<void> {
  const lanes = EAST.filter((lane) => lane % 6 === 0)
  const paid = await Promise.all(
    lanes.map(async (lane) => {
      const caller = await world.newCaller({ lane, funds: { PHP: 1000_00n } })
      return { caller, id: (await caller.paid()).id }
    }),
  )
  const open = async () => {
    const seen = await Promise.all(paid.map(({ caller, id }) => caller.get(id)))
    return seen.filter(({ status }) => status !== 'completed').length
  }
  await expect.poll(open, WITHIN).toBe(0)
}

test('a gateway that is cut off from a server leaves its lanes to those that are not, and takes them back', async () => {
  const beside = await openBeside('is there')
  await shared(beside)
  const before = await shares(beside)
  await road.cut()
  await paysInEachLane()
  const [ours = 0, its = 0] = await shares(beside)
  expect(ours + its).toBe(256)
  expect(ours).toBeGreaterThan(128)
  // Its share of home is what it was.
  expect(its).toBeGreaterThan(32)
  await road.mend()
  await expect.poll(() => shares(beside), WITHIN).toEqual(before)
  await world.ledgerHolds()
}, 90_000)

test('one that was started without a server works in none of its lanes', async () => {
  const beside = await openBeside('does not answer')
  const isSettled = async () => {
    const [ours = 0, its = 0] = await shares(beside)
    return ours + its === 256 && ours > 128 && its > 32
  }
  await expect.poll(isSettled, WITHIN).toBe(true)
  await paysInEachLane()
}, 60_000)

test('a server counts as away after as long as a process that says nothing counts as gone, and is back as slowly', () => {
  let nowMs = 0
  const reach = openReach(() => nowMs)
  const seen: [number, 'ok' | 'away' | 'unsafe', readonly string[]][] = [
    [0, 'ok', []],
    [2000, 'away', []],
    [6000, 'away', []],
    [7000, 'ok', []],
    [8000, 'away', []],
    [13_999, 'away', []],
    [14_000, 'away', ['east']],
    [16_000, 'ok', ['east']],
    [18_000, 'away', ['east']],
    [20_000, 'unsafe', ['east']],
    [26_000, 'ok', []],
  ]
  for (const [atMs, is, unreached] of seen) {
    nowMs = atMs
    reach.note('east', is)
    expect(reach.unreached(), `${atMs}`).toEqual(unreached)
  }
})
