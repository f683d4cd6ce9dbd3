// How processes share the lanes: each lane has one owner, few move when one comes or goes, and what a process held that is gone is free.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { lanesOf, ownerOf } from '../../../src/app/jobs/own-lanes.ts'
import { openLanePlaces, type LanePlaces } from '../../../src/app/jobs/lane-places.ts'
import { freeing, openOwnProcess, type OwnProcess } from '../../../src/app/jobs/own-process.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { openLog } from '../../../src/platform/log.ts'
import { countNotHolding } from '../../../src/store/operator/lane-moves.ts'
import type { ProcessRole } from '../../../src/store/operator/processes.ts'
import { connectedTo } from '../../rig/servers/other-server.ts'
import { type Caller, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const log = openLog('fatal')

const reachingAll = (id: string) => ({ id, unreached: [] })

function open(
  role: ProcessRole = 'all',
  places: Pick<LanePlaces, 'parted' | 'nodeOf'> = ONE_PLACE,
  serverOf: (lane: number) => string = () => 'home',
): OwnProcess {
  const { reader } = world.gateway.deps
  const own = openOwnProcess(reader, { id: randomUUID(), host: 'here', pid: 1, role, version: '0' }, log, serverOf)
  own.onGone(freeing(reader, places, log))
  return own
}

const ONE_PLACE = openLanePlaces(() => ALL_LANES)
/** As on a cluster of two nodes, the first of which has lane 1 alone. */
const TWO_PLACES = openLanePlaces(() => ALL_LANES)
TWO_PLACES.see([
  { node: 'first', lanes: [1] },
  { node: 'second', lanes: ALL_LANES.filter((lane) => lane !== 1) },
])

const lookAll = async (all: readonly OwnProcess[]) => {
  // Who came last is seen by those before it at their second look.
  for (const each of [...all, ...all]) await each.look()
}

test('a lane has one owner, and only those of a process that goes move', () => {
  const three = [randomUUID(), randomUUID(), randomUUID()]
  const [first = '', second = '', third = ''] = three
  const shareOf = (id: string, all: readonly string[]) => lanesOf(id, all.map(reachingAll), () => 'home')
  const shares = three.map((id) => shareOf(id, three))
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(ALL_LANES)
  for (const share of shares) expect(share.length).toBeGreaterThan(ALL_LANES.length / 6)
  const left = [first, third]
  for (const lane of shareOf(first, three)) expect(shareOf(first, left)).toContain(lane)
  for (const lane of shareOf(second, three)) expect([first, third]).toContain(ownerOf(`lane ${lane}`, left))
  expect(ownerOf('backups', [])).toBeNull()
})

test('lanes of a server are of those that reach it, and where none does, of whose they are anyway', () => {
  const three = [randomUUID(), randomUUID(), randomUUID()]
  const serverOf = (lane: number) => (lane < 128 ? 'home' : 'east')
  const sharesWhere = (cutOff: readonly number[]) => {
    const all = three.map((id, i) => ({ id, unreached: cutOff.includes(i) ? ['east'] : [] }))
    return three.map((id) => lanesOf(id, all, serverOf))
  }
  const whole = sharesWhere([])
  const atHome = (shares: readonly (readonly number[])[]) => shares.map((lanes) => lanes.filter((lane) => lane < 128))
  for (const cutOff of [[0], [1, 2], [0, 1, 2]]) {
    const shares = sharesWhere(cutOff)
    expect(shares.flat().toSorted((a, b) => a - b)).toEqual(ALL_LANES)
    expect(atHome(shares)).toEqual(atHome(whole))
    // Of the lanes of those that reach it none moves.
    for (const i of [0, 1, 2].filter((each) => !cutOff.includes(each)))
      expect(shares[i]).toEqual(expect.arrayContaining([...(whole[i] ?? [])]))
  }
  expect(sharesWhere([0])[0]).toEqual(atHome(whole)[0])
  expect(sharesWhere([0, 1, 2])).toEqual(whole)
})

test('what one does not reach is said to the others, and said no more once it does', async () => {
  const serverOf = (lane: number) => (lane < 128 ? 'home' : 'east')
  const [one, two] = [open('all', ONE_PLACE, serverOf), open('all', ONE_PLACE, serverOf)]
  await lookAll([one, two])
  const shares = () => [one.ownLanes(), two.ownLanes()]
  const before = shares()
  let unreached = ['east']
  one.onReach(() => unreached)
  await lookAll([one, two])
  expect(one.ownLanes().every((lane) => lane < 128)).toBe(true)
  expect(
    shares()
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(ALL_LANES)
  unreached = []
  await lookAll([one, two])
  expect(shares()).toEqual(before)
  await Promise.all([one.end(), two.end()])
})

test('processes that see each other share all lanes, and one that only answers requests takes none', async () => {
  const [one, two, api] = [open(), open('worker'), open('api')]
  expect(one.ownLanes()).toEqual(ALL_LANES)
  await lookAll([one, two, api])
  expect([...one.ownLanes(), ...two.ownLanes()].toSorted((a, b) => a - b)).toEqual(ALL_LANES)
  expect(api.ownLanes()).toEqual([])
  expect([one.living(), api.living()]).toEqual([3, 3])
  expect([one, two, api].filter((each) => each.isOwn('backups')).length).toBe(1)
  await two.end()
  await one.look()
  expect(one.ownLanes()).toEqual(ALL_LANES)
  await Promise.all([one.end(), api.end()])
})

async function withEndpoint(lane: number): Promise<Caller> {
  const caller = await world.newCaller({ lane })
  const made = await caller.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/hooks' } })
  expect(made.status, made.text).toBe(200)
  return caller
}

const leased = (id: string, { account }: Caller) =>
  world.sql(
    `update webhook_progress set leased_until = now() + interval '1 hour', leased_by = $1 where account_id = $2`,
    [id, account.accountId],
  )

async function freeOf(callers: readonly Caller[]): Promise<Caller[]> {
  const rows = await world.sql(`select account_id from webhook_progress where leased_until is null`)
  return callers.filter(({ account }) => rows.some((row) => row['account_id'] === account.accountId))
}

test('the endpoints of a process that is gone are free as soon as another one sees it, and of no other', async () => {
  const [first, second] = [await withEndpoint(1), await withEndpoint(2)]
  const [one, two] = [open(), open()]
  await lookAll([one, two])
  await leased(two.id, first)
  await leased(one.id, second)
  const free = () => freeOf([first, second])
  await one.look()
  expect(await free()).toEqual([])
  // Killed: it says nothing any more.
  await world.sql(`update processes set alive_until = now() where id = $1`, [two.id])
  await one.look()
  await expect.poll(free).toEqual([first])
  await one.end()
})

describe('the clock of the database goes back', () => {
  const lastsUntil = (id: string, from: string) =>
    world.sql(`update processes set alive_until = now() + interval '${from}' where id = $1`, [id])
  /** Somebody's row of before: it is read, and said to be there no more. */
  async function openDead(): Promise<OwnProcess> {
    const dead = open()
    await dead.look()
    return dead
  }

  test.each(['5 minutes', '30 seconds', '10 seconds'])('%s: those that had ended take no lanes', async (by) => {
    const [one, dead] = [open(), await openDead()]
    await one.look()
    expect(one.ownLanes().length).toBeLessThan(ALL_LANES.length)
    await dead.end()
    await lastsUntil(dead.id, by)
    await one.look()
    expect([one.ownLanes(), one.living()]).toEqual([ALL_LANES, 1])
    // A lane that moves waits for the word of the one that is there, and of no other.
    const [counted] = await world.gateway.deps.reader.send([countNotHolding(randomUUID())])
    expect(counted?.rows[0]?.['left']).toBe(1)
    await one.end()
  })

  test('one that goes on says so at its next look, and nothing of it is freed', async () => {
    const caller = await withEndpoint(1)
    const [one, two] = [open(), open()]
    await lookAll([one, two])
    await leased(two.id, caller)
    const shares = [one.ownLanes(), two.ownLanes()]
    await lastsUntil(one.id, '5 minutes')
    await lastsUntil(two.id, '5 minutes')
    for (let looks = 0; looks < 3; looks++) await one.look()
    expect(one.ownLanes()).toEqual(ALL_LANES)
    await lookAll([one, two])
    expect([one.ownLanes(), two.ownLanes()]).toEqual(shares)
    expect(await freeOf([caller])).toEqual([])
    await Promise.all([one.end(), two.end()])
  })

  test('one that was killed before says nothing more, and what it held is free within seconds', async () => {
    const caller = await withEndpoint(1)
    const [one, dead] = [open(), await openDead()]
    await leased(dead.id, caller)
    await lastsUntil(dead.id, '5 minutes')
    for (let looks = 0; looks < 3; looks++) await one.look()
    expect(await freeOf([caller])).toEqual([])
    const lookedAgain = async () => {
      await one.look()
      return freeOf([caller])
    }
    await expect.poll(lookedAgain).toEqual([caller])
    await one.end()
  })
})

test('a group of lanes where nothing can be freed keeps no other waiting, and a process is seen to live meanwhile', async () => {
  const [held, quick] = [await withEndpoint(1), await withEndpoint(2)]
  const [one, two] = [open('all', TWO_PLACES), open()]
  await lookAll([one, two])
  await leased(two.id, held)
  await leased(two.id, quick)
  const locking = await connectedTo(world.lanesOwner)
  try {
    await locking.query('begin')
    const { lane, accountId } = held.account
    await locking.query('select from webhook_progress where lane = $1 and account_id = $2 for update', [
      lane,
      accountId,
    ])
    await world.sql(`update processes set alive_until = now() where id = $1`, [two.id])
    await one.look()
    await expect.poll(() => freeOf([held, quick])).toEqual([quick])
    const living = await world.sql(`select from processes where id = $1 and alive_until > now()`, [one.id])
    expect(living).toHaveLength(1)
  } finally {
    await locking.end()
  }
  // Where it could not be done it is done again at a later look.
  const lookedAgain = async () => {
    await one.look()
    return freeOf([held, quick])
  }
  await expect.poll(lookedAgain).toEqual([held, quick])
  await one.end()
})
