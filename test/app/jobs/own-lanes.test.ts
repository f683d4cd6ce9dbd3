// How processes share the lanes: each lane has one owner, few move when one comes or goes, and what a process held that is gone is free.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { lanesOf, ownerOf } from '../../../src/app/jobs/own-lanes.ts'
import { openOwnProcess, type OwnProcess } from '../../../src/app/jobs/own-process.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { openLog } from '../../../src/platform/log.ts'
import type { ProcessRole } from '../../../src/store/operator/processes.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const open = (role: ProcessRole = 'all'): OwnProcess =>
  openOwnProcess(
    world.gateway.deps.reader,
    { id: randomUUID(), host: 'here', pid: 1, role, version: '0' },
    openLog('fatal'),
  )

const lookAll = async (all: readonly OwnProcess[]) => {
  // Who came last is seen by those before it at their second look.
  for (const each of [...all, ...all]) await each.look()
}

test('a lane has one owner, and only those of a process that goes move', () => {
  const three = [randomUUID(), randomUUID(), randomUUID()]
  const [first = '', second = '', third = ''] = three
  const shares = three.map((id) => lanesOf(id, three))
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(ALL_LANES)
  for (const share of shares) expect(share.length).toBeGreaterThan(ALL_LANES.length / 6)
  const left = [first, third]
  for (const lane of lanesOf(first, three)) expect(lanesOf(first, left)).toContain(lane)
  for (const lane of lanesOf(second, three)) expect([first, third]).toContain(ownerOf(`lane ${lane}`, left))
  expect(ownerOf('backups', [])).toBeNull()
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

test('the endpoints of a process that is gone are free as soon as another one sees it, and of no other', async () => {
  const other = await world.newCaller()
  for (const caller of [world.caller, other]) {
    const made = await caller.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/hooks' } })
    expect(made.status, made.text).toBe(200)
  }
  const [one, two] = [open(), open()]
  await lookAll([one, two])
  const leased = (id: string, account: string) =>
    world.sql(
      `update webhook_progress set leased_until = now() + interval '1 hour', leased_by = $1 where account_id = $2`,
      [id, account],
    )
  await leased(two.id, world.caller.account.accountId)
  await leased(one.id, other.account.accountId)
  const free = async () => {
    const rows = await world.sql(`select account_id from webhook_progress where leased_until is null`)
    return rows.map((row) => row['account_id'])
  }
  await one.look()
  expect(await free()).toEqual([])
  // Killed: it says nothing any more.
  await world.sql(`update processes set alive_until = now() where id = $1`, [two.id])
  await one.look()
  expect(await free()).toEqual([world.caller.account.accountId])
  await one.end()
})
