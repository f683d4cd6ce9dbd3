// What may leave the database after its time: words of contracts that ended, and the bytes of what providers said. Whatever happened
// before, wherever the removal is cut off, every read answers as before or says what has left, and the books hold.
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { removeWords } from '../../src/app/resources/removing.ts'
import { Misconfigured, readConfig } from '../../src/main/config/config.ts'
import { openPruneSession } from '../../src/main/database/database.ts'
import { openRemoval } from '../../src/workers/sweeps/remove.ts'
import { genuine } from '../webhooks/receiver-corpus.ts'
import { CONFIRMED, eventOf, makeProvider, openPayment, post, tell } from '../http/payments/receiver-world.ts'
import { type Caller, openWorld } from '../world.ts'

const DAYS = 90
const world = await openWorld({ workers: 'resting' })
const session = openPruneSession(world.database)
afterAll(async () => {
  await world.ledgerHolds()
  await session.close()
  await world.stop()
})
const removalOf = (wordsDays: number | null, bodiesDays: number | null) =>
  openRemoval({
    session,
    ownLanes: () => ALL_LANES,
    lives: { wordsDays, documentsDays: null, bodiesDays },
    nowMs: Date.now,
  })

type Found = { readonly results: readonly { readonly id: string }[]; readonly removed_until: string | null }

async function found(who: Caller, query: string): Promise<{ ids: string[]; removedUntil: string | null }> {
  const { data } = await who.ask('GET', `/search?limit=100&q=${encodeURIComponent(query)}`)
  const { results, removed_until: removedUntil } = data as Found
  return { ids: results.map(({ id }) => id).toSorted(), removedUntil }
}

const recipient = (name: string) => ({ name, wallet: '000123456789', country: 'PH' })

/** The account's history up to a position happened so many days ago. */
const age = ({ account }: Caller, position: number, days: number) =>
  world.sql(
    'update contract_versions set at = now() - make_interval(days => $3) where account_id = $1 and position <= $2',
    [account.accountId, position, days],
  )

const positionOf = async ({ account: { accountId } }: Caller): Promise<number> => {
  const [row] = await world.sql<{ position: string }>('select position from accounts where account_id = $1', [
    accountId,
  ])
  return Number(row?.position)
}

const story = fc.array(
  fc.record({
    name: fc.constantFrom('Ana Reyes', 'Ben Cruz'),
    end: fc.constantFrom('draft', 'issued', 'paid', 'cancelled', 'renamed and cancelled'),
    removal: fc.constantFrom('none', 'a page', 'killed'),
  }),
  { minLength: 2, maxLength: 8 },
)

async function told(who: Caller, name: string, end: string): Promise<string> {
  const fields = { recipient: recipient(name) }
  if (end === 'paid') return (await who.paid(fields)).id
  if (end === 'issued') return (await who.issued(fields)).id
  const { id } = await who.draft(fields)
  if (end === 'renamed and cancelled') await who.update(id, { recipient: recipient('Former Name'), amount: 7 })
  if (end !== 'draft') await who.cancel(id)
  return id
}

/** Killed: the database undoes the page, as it does where the process or its connection ends within it. */
async function removed(who: Caller, how: string): Promise<void> {
  if (how === 'a page') await removeWords(session, who.account, DAYS)
  if (how !== 'killed') return
  const before = await wordsOf(who)
  await world.sql('alter table search_progress add constraint killed check (removed_to < 0) not valid')
  const due = removeWords(session, who.account, DAYS)
  // Where nothing is due nothing is written.
  expect(await due.then(String, (fault: Error) => fault.message)).toMatch(/killed|^0$/)
  await world.sql('alter table search_progress drop constraint killed')
  expect(await wordsOf(who)).toEqual(before)
}

const wordsOf = ({ account: { accountId } }: Caller) =>
  world.sql('select term, object_id from search_terms where account_id = $1 order by 1, 2', [accountId])

test('contracts that ended long ago lose their words, and no other does; all else of them is as it was', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(100), async (steps, share) => {
      const [who, neighbour] = [await world.newCaller(), await world.newCaller()]
      const theirs = await told(neighbour, 'Ana Reyes', 'cancelled')
      const contracts: { id: string; name: string; hasEnded: boolean; at: number }[] = []
      for (const { name, end } of steps) {
        const id = await told(who, name, end)
        contracts.push({
          id,
          name: end.startsWith('renamed') ? 'Former Name' : name,
          hasEnded: end.endsWith('cancelled'),
          at: await positionOf(who),
        })
      }
      const before = await Promise.all(contracts.map(({ id }) => who.get(id)))
      const events = (await who.ask('GET', '/events?limit=100')).data
      for (const name of ['Ana Reyes', 'Ben Cruz', 'Former Name'])
        expect((await found(who, name)).ids).toEqual(
          contracts
            .filter((each) => each.name === name)
            .map(({ id }) => id)
            .toSorted(),
        )
      const agedTo = Math.floor(((await positionOf(who)) * share) / 100)
      await age(who, agedTo, DAYS + 1)
      for (const { removal } of steps) await removed(who, removal)
      while ((await removeWords(session, who.account, DAYS)) > 0);

      const left = contracts.filter(({ hasEnded, at }) => hasEnded && at <= agedTo)
      for (const name of ['Ana Reyes', 'Ben Cruz', 'Former Name']) {
        const answer = await found(who, name)
        const expected = contracts.filter((each) => each.name === name && !left.includes(each))
        expect(answer.ids).toEqual(expected.map(({ id }) => id).toSorted())
        expect(answer.removedUntil === null).toBe(left.length === 0)
      }
      const there = await world.sql<{ object_id: string }>(
        'select distinct object_id from search_terms where account_id = $1',
        [who.account.accountId],
      )
      expect(there.map((row) => row.object_id).toSorted()).toEqual(
        contracts
          .filter((each) => !left.includes(each))
          .map(({ id }) => id)
          .toSorted(),
      )
      for (const { id } of contracts) expect((await found(who, id)).ids).toEqual([id])
      expect(await Promise.all(contracts.map(({ id }) => who.get(id)))).toEqual(before)
      expect(JSON.stringify((await who.ask('GET', '/events?limit=100')).data).length).toBe(
        JSON.stringify(events).length,
      )
      expect(await found(neighbour, 'Ana Reyes')).toEqual({ ids: [theirs], removedUntil: null })
    }),
    { numRuns: 4 },
  )
})

test('a contract that goes on after its end has words again, and loses them after its new end', async () => {
  const who = await world.newCaller()
  const provider = await makeProvider(world, who)
  const { id } = await openPayment(who)
  expect((await who.ask('DELETE', `/contracts/payment/${id}`, { body: { reason: 'no longer wanted' } })).status).toBe(
    200,
  )
  const query = 'PHP 100.50'
  expect((await found(who, query)).ids).toEqual([id])
  await age(who, await positionOf(who), DAYS + 1)
  expect(await removeWords(session, who.account, DAYS)).toBeGreaterThan(0)
  expect((await found(who, query)).ids).toEqual([])
  expect(await tell(world, provider, eventOf({ contract_id: id }))).toEqual(CONFIRMED)
  expect((await found(who, query)).ids).toEqual([id])
  expect(await removeWords(session, who.account, DAYS)).toBe(0)
  await age(who, await positionOf(who), DAYS + 1)
  expect(await removeWords(session, who.account, DAYS)).toBeGreaterThan(0)
  expect((await found(who, query)).ids).toEqual([])
})

test('a round takes every account that is due, says for how long it was, and then that nothing is', async () => {
  const removal = removalOf(DAYS, null)
  while ((await removal.round()) > 0);
  expect(removal.overdueSeconds()).toBe(0)
  const callers = [await world.newCaller(), await world.newCaller()]
  for (const who of callers) {
    await told(who, 'Cora Due', 'cancelled')
    expect((await found(who, 'cora')).ids).toHaveLength(1)
    await age(who, await positionOf(who), DAYS + 3)
  }
  await removal.round()
  expect(removal.overdueSeconds()).toBeGreaterThan(2 * 86_400)
  while ((await removal.round()) > 0);
  expect(removal.overdueSeconds()).toBe(0)
  for (const who of callers) expect((await found(who, 'cora')).ids).toEqual([])
})

test('the bytes of a settled event go after their time, and the same event is known again', async () => {
  const { caller } = world
  const provider = await makeProvider(world, caller)
  const tellBytes = async (event: object) => {
    const bytes = Buffer.from(JSON.stringify(event))
    return post(world, genuine(provider, bytes), bytes)
  }
  const settled = eventOf({ contract_id: (await openPayment(caller)).id })
  const young = eventOf({ contract_id: (await openPayment(caller)).id })
  const waiting = eventOf({ contract_id: '0198a3f2-7700-7000-8000-000000000000' })
  for (const event of [settled, young, waiting]) expect(await tellBytes(event)).toEqual(CONFIRMED)
  const bodies = async () =>
    (
      await world.sql<{ id: string; has: boolean }>(
        'select id, body is not null as has from payment_events where account_id = $1 and body_hash is not null',
        [caller.account.accountId],
      )
    )
      .flatMap(({ id, has }) => (has ? [id] : []))
      .toSorted()
  const all = [settled, young, waiting].map((event) => String(event['id'])).toSorted()
  expect(await bodies()).toEqual(all)
  await world.sql(`update payment_events set at = now() - interval '401 days' where id = any($1)`, [
    [settled['id'], waiting['id']],
  ])
  const removal = removalOf(null, 400)
  expect(await removal.round()).toBe(0)
  const kept = all.filter((id) => id !== settled['id'])
  expect(await bodies()).toEqual(kept)
  expect(removal.overdueSeconds()).toBeGreaterThan(80_000)

  // Told once more it books nothing; with other bytes it is not the same.
  expect(await tellBytes(settled)).toEqual(CONFIRMED)
  expect((await tellBytes({ ...settled, note: 'other' })).status).not.toBe(200)
  expect(await bodies()).toEqual(kept)

  // Whoever asks for less than a month gets a month.
  await world.sql(`update payment_events set at = now() - interval '29 days' where id = $1`, [young['id']])
  const [asked] = await session.send([
    {
      name: 'ask_for_less',
      text: 'select empty_event_bodies($1, $2, $3, $4) as emptied',
      values: [caller.account.lane, `{${caller.account.accountId}}`, `{${String(young['id'])}}`, 0],
    },
  ])
  expect(Number(asked?.rows[0]?.['emptied'])).toBe(0)
  expect(await bodies()).toEqual(kept)
})

test.each([
  ['GATEWAY_SEARCH_DAYS', '30'],
  ['GATEWAY_PROVIDER_EVENT_DAYS', '29'],
])('%s=%s is refused: something still looks so far back', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(Misconfigured)
  expect(readConfig({ [name]: '0' }).removal).toMatchObject({ wordsDays: null })
})
