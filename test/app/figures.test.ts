// Figures against a scan of the history: after stories of chance of two accounts, pages that are killed and begun again, and several
// that count at once, they are what the versions of contracts say, counted otherwise than by the code that counts.
import { afterAll, expect, test } from 'vitest'
import { catchUpFigures, countPage, isBehind } from '../../src/app/accounts/figures.ts'
import { READY, openWorld, type Caller } from '../world.ts'
import { diceOf, newSeed } from '../rig/dice.ts'

const world = await openWorld()
afterAll(() => world.stop())
const { deps } = world.gateway
const seed = newSeed()
const dice = diceOf(seed)

type Story = (caller: Caller) => Promise<unknown>

async function payment(caller: Caller): Promise<string> {
  const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  return (data['contract'] as { id: string }).id
}

/** Paid by money from nobody knows where. */
async function received(caller: Caller): Promise<string> {
  const { lane, accountId } = caller.account
  const id = await payment(caller)
  const nothing = { attempt: null, channelId: null, assetUnits: null, failure: null, shown: {} }
  const payer = { channelId: 'sandbox', recipient: { name: 'Ana Reyes', wallet: '000123456789' } }
  const money = { outcome: 'succeeded', objectId: `of ${id}`, amountMinor: 100_00n, currency: 'PHP', payer } as const
  const event = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event, report: { ...nothing, ...money }, unallocated: 'suspense' } as const
  await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return id
}

async function bounced(caller: Caller): Promise<void> {
  const { lane, accountId } = caller.account
  const { id } = await caller.paid()
  await world.settle(id)
  const connector = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }
  const outcome = { kind: 'returned', code: 'account_closed_later', message: 'Closed.' } as const
  const command = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: null, outcome, connector } as const
  await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
}

const STORIES: Readonly<Record<string, Story>> = {
  draft: (caller) => caller.draft({ amount: dice.whole(1, 500) }),
  incomplete: (caller) => caller.draft({ recipient: null, channel: null }),
  dollars: (caller) => caller.paid({ amount: dice.whole(1, 50), currency: 'USD' }),
  cancelled: async (caller) => caller.cancel((await caller.issued()).id),
  delivered: (caller) => caller.paid({ amount: dice.whole(1, 500) }),
  failed: (caller) => caller.paid({ recipient: { name: 'sandbox-account-closed', wallet: '000123456789' } }),
  bounced,
  payment,
  paymentCancelled: async (caller) => caller.ask('DELETE', `/contracts/payment/${await payment(caller)}`, { body: {} }),
  received,
  refunded: async (caller) => {
    const body = { amount: 10, channel: 'sandbox', recipient: READY['recipient'] }
    await caller.ask('POST', `/contracts/payment/${await received(caller)}/refunds`, { body })
  },
}

/** From the versions alone, by a window over them. */
const RECOUNT = `
  with v as (
    select (h.at at time zone $2)::date::text as day, coalesce(h.document ->> 'currency', '') as currency,
           case when h.document ->> 'kind' = 'payment' then 'payment' when h.document -> 'origin' is not null then 'refund'
                else 'transfer' end as kind,
           coalesce(h.document -> 'channel' ->> 0, '') as channel_id, h.document ->> 'status' as status,
           lag(h.document ->> 'status') over w as before, h.document -> 'execution' ->> 'status' as execution,
           (h.document ->> 'debit_minor')::numeric - coalesce((h.document ->> 'fee_minor')::numeric, 0) as moved,
           coalesce((h.document ->> 'fee_minor')::numeric, 0) as fee,
           floor(((h.document ->> 'completed_at')::numeric - (h.document ->> 'paid_at')::numeric) / 1000) as took
      from contract_versions h where h.account_id = $1
    window w as (partition by h.contract_id order by h.version))
  select day, kind, currency, channel_id,
         count(*) filter (where before is null)::int as created,
         count(*) filter (where status = 'paid' or kind = 'payment' and status = 'completed' and before = 'issued')::int as paid,
         count(*) filter (where status = 'completed')::int as completed,
         count(*) filter (where status = 'cancelled' and before = 'paid' and execution = 'failed')::int as failed,
         count(*) filter (where status = 'cancelled' and before <> 'returned'
           and not (before = 'paid' and coalesce(execution, '') = 'failed'))::int as cancelled,
         count(*) filter (where status = 'expired')::int as expired,
         count(*) filter (where status = 'returned')::int as returned,
         coalesce(sum(moved) filter (where status = case when kind = 'payment' then 'paid' else 'completed' end), 0)::text as moved,
         coalesce(sum(fee) filter (where status = case when kind = 'payment' then 'paid' else 'completed' end), 0)::text as fee,
         coalesce(sum(moved) filter (where status = 'returned'), 0)::text as back,
         coalesce(sum(took) filter (where status = 'completed'), 0)::text as took,
         count(*) filter (where status = 'completed' and took <= 1)::int as at_once
    from v where status is distinct from before
   group by 1, 2, 3, 4 order by 1, 2, 3, 4`

const STORED = `
  select day::text, kind, currency, channel_id, created::int, paid::int, completed::int, failed::int, cancelled::int,
         expired::int, returned::int, moved_minor::text as moved, fee_minor::text as fee, returned_minor::text as back,
         took_seconds::text as took, took_0::int as at_once,
         (took_0 + took_1 + took_2 + took_3 + took_4 + took_5 + took_6 + took_7 + took_8 + took_9 + took_10 + took_11)::int as timed
    from figures where account_id = $1 order by 1, 2, 3, 4`

type Stored = Readonly<Record<string, string | number>>

async function compare({ account }: Caller, zone: string): Promise<Stored[]> {
  const stored = await world.sql<Stored>(STORED, [account.accountId])
  const scanned = await world.sql<Stored>(RECOUNT, [account.accountId, zone])
  expect(
    stored.map(({ timed: _, ...row }) => row),
    `seed ${seed}`,
  ).toEqual(scanned)
  expect(stored.every(({ timed, completed }) => timed === completed)).toBe(true)
  return stored
}

/** Takes all in. */
async function caughtUp(caller: Caller): Promise<void> {
  for (let progress = await catchUpFigures(deps, caller.account); isBehind(progress); )
    progress = await catchUpFigures(deps, caller.account)
}

const stands = ({ account }: Caller) =>
  world.sql(
    'select f.*, p.position from figures f join figures_progress p using (lane, account_id) where account_id = $1',
    [account.accountId],
  )

test(`figures are what the history says (seed ${seed})`, { timeout: 180_000 }, async () => {
  const callers = [world.caller, world.other]
  const names = Object.keys(STORIES)
  const told = [...names, ...Array.from({ length: 30 }, () => dice.pick(names))]
  for (let i = 0; i < told.length; i += 4) {
    await Promise.all(told.slice(i, i + 4).map(async (name) => STORIES[name]?.(dice.pick(callers))))
    if (dice.chance(0.4)) await countPage(deps, dice.pick(callers).account)
  }
  for (const name of names) for (const caller of callers) await STORIES[name]?.(caller)
  const waiting = `select c.id from contracts c where c.status = 'paid' and c.kind = 'transfer'`
  for (const { id } of await world.sql<{ id: string }>(waiting)) await world.settle(id)
  const neighbour = await world.beside()
  for (const caller of callers) {
    await Promise.all([caughtUp(caller), caughtUp(caller), catchUpFigures(deps, caller.account)])
    const rows = await compare(caller, 'UTC')
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name]), 0)
    for (const name of ['created', 'paid', 'completed', 'failed', 'cancelled', 'returned', 'moved', 'fee', 'back'])
      expect(sum(name), name).toBeGreaterThan(0)
  }
  await neighbour.stop()
})

test('a page that is killed at its end counts nothing; done again it counts once', async () => {
  const caller = await world.newCaller()
  await caller.draft()
  await caughtUp(caller)
  await caller.cancel((await caller.draft()).id)
  const { accountId } = caller.account
  const before = await stands(caller)
  await world.sql(
    `alter table figures_progress add constraint killed check (position < 0 or account_id <> '${accountId}') not valid`,
  )
  await expect(countPage(deps, caller.account)).rejects.toThrow(/killed/)
  await world.sql(`alter table figures_progress drop constraint killed`)
  expect(await stands(caller)).toEqual(before)
  await caughtUp(caller)
  expect(await stands(caller)).not.toEqual(before)
  await compare(caller, 'UTC')
})

test('history of before is counted from its beginning, and again where days become other days', async () => {
  const caller = await world.newCaller()
  await caller.cancel((await caller.draft()).id)
  const { lane, accountId } = caller.account
  // Half an hour before midnight in Manila is another day there than half an hour after it.
  await world.sql(
    `update contract_versions set at = ('2026-03-01T15:30:00'::timestamp + make_interval(hours => version - 1)) at time zone 'utc'
      where account_id = $1`,
    [accountId],
  )
  await world.sql(`delete from figures where account_id = $1`, [accountId])
  await world.sql(`update figures_progress set position = 0 where lane = $2 and account_id = $1`, [accountId, lane])
  await caughtUp(caller)
  expect((await compare(caller, 'UTC')).map(({ day }) => day)).toEqual(['2026-03-01'])
  await caller.ask('PATCH', '/accounts/me', { body: { time_zone: 'Asia/Manila' } })
  await caughtUp(caller)
  expect((await compare(caller, 'Asia/Manila')).map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02'])
})

test('matters are counted again without becoming more', async () => {
  const caller = await world.newCaller()
  const { id } = await caller.draft({ recipient: null })
  await caughtUp(caller)
  const { accountId } = caller.account
  const matters = () =>
    world.sql<{ matter: string }>(`select matter from contract_matters where account_id = $1 order by 1`, [accountId])
  expect((await matters()).map(({ matter }) => matter)).toEqual(['draft_incomplete', 'transfer_expiring'])
  await world.sql(`update figures_progress set time_zone = 'Europe/Rome' where account_id = $1`, [accountId])
  await caughtUp(caller)
  expect(await matters()).toHaveLength(2)
  await caller.update(id, { recipient: READY['recipient'] })
  await caughtUp(caller)
  expect((await matters()).map(({ matter }) => matter)).toEqual(['transfer_expiring'])
  await caller.cancel(id)
  await caughtUp(caller)
  expect(await matters()).toEqual([])
})
