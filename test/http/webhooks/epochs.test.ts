// What happens after a restore is told under ids of its own, and a reader whose place was undone learns where to go on.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { activityId } from '../../../src/domain/contract/ids.ts'
import { createGateway, type EpochChange } from '../../../sdk/src/index.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

type Event = { readonly id: string; readonly type: string }

let world: World
let url: string
let caller: Caller
/** Made before the restore; of the contract whose third event came twice. */
let kept: readonly Event[]
let contract: string
let lost: string
beforeAll(async () => {
  world = await openWorld({ undoSeconds: 3600 })
  url = await world.listen()
  caller = world.caller
  contract = (await caller.issued()).id
  kept = await feed()
  await begin(2)
  await toldOf(2)
  lost = kept.at(-1)?.id.replace(/2$/, '3') ?? ''
  await caller.cancel(contract)
})
afterAll(() => world.stop())

const feed = () => caller.all<Event>('/events', 'events')

type Told = { readonly id: string; readonly data: { readonly object: { readonly epoch: number } } }

/** The accounts learn of it, by no request of theirs. */
const toldOf = (epoch: number) =>
  vi.waitFor(
    async () => {
      const told = await caller.all<Told>('/events?types=gateway.restored', 'events')
      expect(told.map(({ data }) => data.object.epoch)).toContain(epoch)
    },
    { timeout: 30_000 },
  )

/** As the start of a gateway on an older database does, whose recovery has ended. */
async function begin(epoch: number): Promise<void> {
  await world.sql(
    `with begun as (
       insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
       values ($1, 'declared', 'ana', now(), 'ben', now()) returning number)
     insert into epoch_positions (lane, account_id, epoch, position)
     select a.lane, a.account_id, b.number, a.position from begun b cross join accounts a`,
    [epoch],
  )
}

test('events of before keep their ids, and those of afterwards have their epoch in them, wherever they are named', async () => {
  const now = await feed()
  expect(now.slice(0, kept.length)).toEqual(kept)
  const [restored, newest] = now.slice(kept.length)
  expect([now.length, restored?.type, newest?.id]).toEqual([kept.length + 2, 'gateway.restored', `${lost}_2`])
  const ofContract = now.filter(({ type }) => type !== 'gateway.restored')
  expect((await caller.ask('GET', `/events/${lost}_2`)).data['event']).toEqual(newest)
  const ids = async (path: string, member: string) =>
    ((await caller.ask('GET', path)).data[member] as { id: string }[]).map(({ id }) => id)
  expect(await ids(`/search?q=${contract}&type=event`, 'results')).toEqual(ofContract.map(({ id }) => id).toReversed())
  expect(await ids(`/search?q=${lost}_2`, 'results')).toEqual([`${lost}_2`])
  expect((await caller.ask('GET', `/resources/${lost}_2`)).status).toBe(200)
  expect((await caller.ask('GET', `/resources/${lost}`)).status).toBe(404)
})

test('so do activities: what was written afterwards never has the id of what was undone, and is found by its own', async () => {
  type Line = { readonly id: string; readonly type: string }
  const lines = (await caller.ask('GET', `/contracts/transfer/${contract}/activities`)).data['activities'] as Line[]
  const { contract: shown } = (await caller.ask('GET', `/contracts/transfer/${contract}`)).data
  expect((shown as { activities: Line[] }).activities).toEqual(lines)
  const before = lines.findIndex(({ type }) => type === 'cancelled')
  expect(before).toBeGreaterThan(1)
  for (const [index, { id }] of lines.entries()) {
    expect(id).toBe(activityId(contract, index, index < before ? 1 : 2))
    const { data } = await caller.ask('GET', `/resources/${id}`)
    expect(data['resource']).toMatchObject({ type: 'activity', id })
  }
  expect((await caller.ask('GET', `/resources/${activityId(contract, before, 1)}`)).status).toBe(404)
})

test('a cursor of before goes on, one that was undone says where, and one of an epoch to come is none', async () => {
  const after = (cursor: string) => caller.ask('GET', `/events?types=contract.cancelled&after=${cursor}`)
  const last = kept.at(-1)?.id ?? ''
  expect((await after(last)).data['events']).toMatchObject([{ id: `${lost}_2` }])
  const told = await after(lost)
  expect([told.status, told.error]).toMatchObject([
    409,
    { code: 'epoch_changed', param: 'after', epoch: 2, resume_after: last, undone_after: expect.any(String) },
  ])
  for (const none of [`${lost}_3`, `${lost}_1`, `${lost}_`]) expect((await after(none)).status).toBe(400)
})

test('a lost event is not found, and it is said why; what never was is only not found', async () => {
  const missing = await caller.ask('GET', `/events/${lost}`)
  expect([missing.status, missing.error.code, missing.error.message]).toEqual([
    404,
    'event_not_found',
    expect.stringContaining('restored'),
  ])
  expect((await caller.ask('GET', `/events/${lost}_2000`)).error.message).toBe('No event has this id.')
})

test('another account sees nothing of it, and a younger one has had no restore', async () => {
  const younger = await world.newCaller()
  await younger.draft()
  const events = await younger.all<Event>('/events', 'events')
  expect(events.map(({ id }) => id)).toEqual([expect.stringMatching(/^evt_[0-9a-f]{36}$/)])
  expect((await younger.ask('GET', `/events?after=${lost}`)).status).toBe(400)
  expect((await younger.ask('GET', `/events/${lost}_2`)).status).toBe(404)
})

test('the stream says it once, and goes on', async () => {
  const changes: EpochChange[] = []
  const stop = new AbortController()
  const gateway = createGateway({ url, apiKey: caller.apiKey })
  const options = {
    after: lost,
    signal: stop.signal,
    onEpochChanged: (change: EpochChange) => void changes.push(change),
  }
  for await (const event of gateway.events.follow(options)) {
    if (event.type === 'gateway.restored') continue
    expect(event.id).toBe(`${lost}_2`)
    stop.abort()
  }
  expect(changes).toEqual([{ epoch: 2, resume_after: kept.at(-1)?.id, undone_after: expect.any(String) }])
})

test('a restore after a restore', async () => {
  await begin(3)
  await caller.draft()
  expect((await feed()).at(-1)?.id).toMatch(/_3$/)
  const told = await caller.ask('GET', `/events?after=${lost.replace(/3$/, '4')}_2`)
  expect(told.error).toMatchObject({ code: 'epoch_changed', epoch: 3, resume_after: `${lost}_2` })
})

test('a step of the ledger that a restore may have had before is named with its epoch', async () => {
  const { id } = await caller.paid()
  const { entries } = (await caller.ask('GET', `/contracts/transfer/${id}/entries`)).data as {
    entries: { transaction_id: string }[]
  }
  const named = entries[0]?.transaction_id ?? ''
  expect(named).toMatch(/^txn_\d+_3$/)
  const wallet = await caller.wallet('PHP')
  const booked = (await caller.ask('GET', `/wallets/${wallet.id}/entries?limit=1`)).data as {
    entries: { transaction_id: string }[]
  }
  expect(booked.entries[0]?.transaction_id).toBe(named)
  expect((await caller.ask('GET', `/resources/${named}`)).status).toBe(200)
  for (const other of [named.replace('_3', ''), named.replace('_3', '_2')])
    expect((await caller.ask('GET', `/resources/${other}`)).status).toBe(404)
})
