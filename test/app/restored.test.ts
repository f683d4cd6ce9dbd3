// What accounts are told of a restore: each that the books know, once for each epoch, whoever tells it and however often.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRestored } from '../../src/app/accounts/restored.ts'
import { type Caller, openWorld, type World } from '../world.ts'

type Told = {
  readonly id: string
  readonly kind: string
  readonly data: { readonly object: Readonly<Record<string, unknown>> }
}

let world: World
let other: Caller
/** Where each account's feed stood before the restore. */
let last: readonly string[]
beforeAll(async () => {
  // Nobody tells it but this test.
  world = await openWorld({ workers: 'resting' })
  other = await world.newCaller()
  await world.caller.draft()
  await world.caller.draft()
  await other.draft()
  last = await Promise.all([world.caller, other].map(async (each) => (await feed(each)).at(-1)?.id ?? ''))
  await restore(2)
})
afterAll(() => world.stop())

const feed = (caller: Caller) => caller.all<Told>('/events', 'events')
const told = async (caller: Caller) =>
  (await caller.all<Told>('/events?types=gateway.restored', 'events')).map(({ data }) => data.object)

async function restore(epoch: number): Promise<void> {
  await world.sql(
    `with begun as (
       insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
       values ($1, 'older', 'ana', now(), 'ben', now()) returning number)
     insert into epoch_positions (lane, account_id, epoch, position)
     select a.lane, a.account_id, b.number, a.position from begun b cross join accounts a`,
    [epoch],
  )
}

/** As a process does that began now. */
const begun = (epoch: number | null, onUntold: (accountId: string) => void = () => undefined) =>
  openRestored({ ...world.gateway.deps, epoch: () => epoch, onUntold })

test('while a recovery goes on, and in books that were never restored, nobody is told', async () => {
  for (const epoch of [null, 1]) expect(await begun(epoch).round()).toBe(0)
  expect(await told(world.caller)).toEqual([])
})

test('two processes at once tell each account once, each of its own history; one that begins later tells nothing', async () => {
  await Promise.all([begun(2).round(), begun(2).round()])
  await begun(2).round()
  for (const [i, caller] of [world.caller, other].entries()) {
    const [event] = (await feed(caller)).slice(-1)
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_[0-9a-f]{36}_2$/), kind: 'gateway' })
    expect(await told(caller)).toEqual([
      {
        id: 'epoch_2',
        livemode: caller.account.livemode,
        epoch: 2,
        restored_to: expect.any(String),
        began_at: expect.any(String),
        resume_after: last[i],
        undone_after: expect.any(String),
        docs: '/docs/recovery#for-receivers',
      },
    ])
  }
})

test('an account that is younger than the restore is told nothing; the next restore is told to all', async () => {
  const younger = await world.newCaller()
  const process = begun(2)
  await process.round()
  expect(await told(younger)).toEqual([])
  await restore(3)
  const next = begun(3)
  for (let done = await next.round(); done > 0; done = 0) expect(await next.round()).toBe(0)
  expect((await told(world.caller)).map(({ epoch }) => epoch)).toEqual([2, 3])
  // What has no history has nothing that was undone.
  expect(await told(younger)).toMatchObject([{ epoch: 3, resume_after: null, undone_after: null }])
})

test('an account that cannot be told keeps no other waiting, and is told once it can be', async () => {
  await restore(4)
  const { accountId } = world.caller.account
  await world.sql(`alter table account_events add constraint refuse_one check (account_id <> '${accountId}') not valid`)
  const untold: string[] = []
  const process = begun(4, (id) => untold.push(id))
  await process.round()
  await world.sql('alter table account_events drop constraint refuse_one')
  expect(untold).toEqual([accountId])
  expect((await told(other)).map(({ epoch }) => epoch)).toEqual([2, 3, 4])
  expect((await told(world.caller)).map(({ epoch }) => epoch)).toEqual([2, 3])
  await process.round()
  expect((await told(world.caller)).map(({ epoch }) => epoch)).toEqual([2, 3, 4])
  expect(untold).toEqual([accountId])
})
