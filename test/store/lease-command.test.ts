// Taking the command that waits longest: of several that are due, one is taken, and the others wait for whoever comes next.
import { afterAll, expect, test } from 'vitest'
import { leaseCommand, leasedFrom } from '../../src/store/commands/commands.ts'
import { drafts, give } from '../http/commands/command-stage.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const LEASE_MS = 30_000

test('of commands that are due at once each is taken by one, and none is held for nobody', async () => {
  const caller = await world.newCaller()
  const { lane, accountId } = caller.account
  const given = []
  for (let count = 0; count < 5; count++) given.push(await give(caller, { type: 'transfers.create', rows: drafts(1) }))
  const taken: string[] = []
  for (let times = 0; times <= given.length; times++) {
    const [found] = await world.gateway.deps.reader.send([leaseCommand([lane], LEASE_MS)])
    const rows = (found?.rows ?? []).map(leasedFrom)
    expect(rows.length).toBe(times < given.length ? 1 : 0)
    taken.push(...rows.map(({ id }) => id))
    const held = 'select id from commands where account_id = $1 and leased_until is not null'
    expect(await world.sql(held, [accountId])).toHaveLength(taken.length)
  }
  expect(taken).toEqual(given.map(({ id }) => id))
})
