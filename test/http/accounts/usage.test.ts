// What an account used: counters against a recount of what was written, after a story of chance with failures, bounces, cancels,
// refunds, batches that break at their end and webhooks that do not arrive.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { alsoWriting } from '../../../src/app/operator/operator-changes.ts'
import { executeAlone } from '../../../src/engine/execute.ts'
import { openSession } from '../../../src/platform/db.ts'
import { diceOf, newSeed } from '../../rig/dice.ts'
import { openWorld, READY } from '../../world.ts'
import { makeEndpoint } from '../webhooks/webhook-world.ts'

const world = await openWorld()
const { caller } = world
const { lane, accountId } = caller.account
const { deps } = world.gateway
const seed = newSeed()
const dice = diceOf(seed)
const receiver = createServer((_, reply) => void reply.writeHead(dice.chance(0.3) ? 500 : 200).end())
await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await world.stop()
})

const request = { lane, accountId, keyId: null, idempotency: null }

/** Everything that a transfer and a payment may come to, by chance. */
const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  draft: () => caller.draft({ amount: dice.whole(1, 500) }),
  dollars: () => caller.paid({ amount: dice.whole(1, 50), currency: 'USD' }),
  cancelled: async () => caller.cancel((await caller.issued()).id),
  delivered: () => caller.paid({ amount: dice.whole(1, 500) }),
  refused: () => caller.paid({ recipient: { name: 'sandbox-account-closed', wallet: '000123456789' } }),
  undone: async () => caller.ask('DELETE', `/contracts/transfer/${(await caller.paid()).id}`, { body: {} }),
  bounced: async () => {
    const { id } = await caller.paid()
    await world.settle(id)
    const connector = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }
    const outcome = { kind: 'returned', code: 'account_closed_later', message: 'Closed.' } as const
    const command = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: null, outcome, connector } as const
    await deps.execute({ ...request, command })
  },
  payment: async () => void (await payment()),
  received: async () => void (await received()),
  refunded: async () => {
    const body = { amount: 10, channel: 'sandbox', recipient: READY['recipient'] }
    await caller.ask('POST', `/contracts/payment/${await received()}/refunds`, { body })
  },
  /** A batch that breaks at its very end counts nothing; done again, it counts once. */
  broken: async () => {
    const id = deps.newId(lane)
    const session = openSession({ connection: world.lanesOwner, parameters: {} })
    const breaking = alsoWriting(session, { name: 'break', text: 'select 1 / 0', values: [] })
    const terms = { ...(await draftTerms()), amountMinor: 700n }
    const draft = { expiresInSeconds: null, preview: null, warnings: [], pays: null, livemode: false }
    const command = { verb: 'create_transfer', id, terms, ...draft } as const
    await expect(executeAlone(breaking, deps.channels, { ...request, command })).rejects.toThrow('division by zero')
    await executeAlone(session, deps.channels, { ...request, command })
    await session.close()
  },
  /** The same request again makes no other contract. */
  repeated: async () => {
    const headers = { 'idempotency-key': `repeated ${dice.whole(1, 1_000_000)}` }
    for (let i = 0; i < 3; i++) await caller.ask('POST', '/contracts/transfer', { body: READY, headers })
  },
}

async function draftTerms() {
  const contract = await deps.contracts.submit({ lane, accountId, id: (await caller.draft()).id })
  if (contract?.kind !== 'transfer') throw new Error('no transfer')
  return contract.terms
}

async function payment(): Promise<string> {
  const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  return (data['contract'] as { id: string }).id
}

/** A payment contract that is paid, by money from nobody knows where. */
async function received(): Promise<string> {
  const id = await payment()
  const nothing = { attempt: null, channelId: null, assetUnits: null, failure: null, shown: {} }
  const payer = { channelId: 'sandbox', recipient: { name: 'Ana Reyes', wallet: '000123456789' } }
  const money = {
    outcome: 'succeeded',
    objectId: `money of ${id}`,
    amountMinor: 100_00n,
    currency: 'PHP',
    payer,
  } as const
  const event = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event, report: { ...nothing, ...money }, unallocated: 'suspense' } as const
  await deps.execute({ ...request, command })
  return id
}

/** What the versions of contracts and the tries of deliveries come to, and what was counted, at one moment. */
const RECOUNT = `
  with v as (
    select h.lane, h.account_id, (h.at at time zone 'utc')::date as day, h.document->>'kind' as kind, h.version,
           h.document->>'currency' as currency, (h.document->>'amount_minor')::numeric as minor,
           h.document->>'status' as status, h.document->'execution'->>'status' as execution,
           lag(h.document->>'status') over (partition by h.lane, h.contract_id order by h.version) as before
      from contract_versions h where h.lane = $2),
  recount as (
    select day, currency, count(*) filter (where kind is distinct from 'payment' and before is null) as transfers_created,
           count(*) filter (where kind is distinct from 'payment' and status = 'completed' and before <> status) as transfers_completed,
           count(*) filter (where kind is distinct from 'payment' and before <> status and (status = 'returned' or status = 'cancelled'
             and before in ('paid', 'completed') and execution in ('failed', 'returned'))) as transfers_failed,
           count(*) filter (where kind = 'payment' and before is null) as payments_created,
           count(*) filter (where kind = 'payment' and status in ('paid', 'completed')
             and coalesce(before, '') not in ('paid', 'completed')) as payments_paid,
           coalesce(sum(minor) filter (where kind is distinct from 'payment' and status = 'completed' and before <> status), 0) as out_minor,
           coalesce(sum(minor) filter (where kind = 'payment' and status in ('paid', 'completed')
             and coalesce(before, '') not in ('paid', 'completed')), 0) as in_minor
      from v where account_id = $1 group by day, currency),
  tries as (
    select (t.at at time zone 'utc')::date as day, count(*) filter (where t.outcome = 'delivered') as delivered,
           count(*) filter (where t.outcome <> 'delivered') as failed
      from delivery_attempts t where t.lane = $2 and t.account_id = $1 group by 1)
  select (select json_agg(r order by r.day, r.currency) from recount r) as recount,
         (select json_agg(c order by c.day, c.currency) from (
            select day, currency, transfers_created, transfers_completed, transfers_failed, payments_created, payments_paid,
                   out_minor, in_minor from usage_contracts where lane = $2 and account_id = $1) c) as counted,
         (select json_agg(t order by t.day) from tries t) as tries,
         (select json_agg(d order by d.day) from (
            select day, delivered, failed from usage_deliveries where lane = $2 and account_id = $1) d) as deliveries`

type Counts = Readonly<Record<'recount' | 'counted' | 'tries' | 'deliveries', readonly Record<string, number>[]>>

test(`counters are what was written, whatever happened (seed ${seed})`, async () => {
  const { port } = receiver.address() as AddressInfo
  await makeEndpoint(caller, { url: `http://127.0.0.1:${port}/hook`, events: ['*'] })
  const names = Object.keys(STEPS)
  const steps = [...names, ...Array.from({ length: 48 }, () => dice.pick(names))]
  for (let i = 0; i < steps.length; i += 6)
    await Promise.all(steps.slice(i, i + 6).map(async (name) => STEPS[name]?.()))
  const row = await vi.waitFor(
    async () => {
      const [counts] = await world.sql<Counts>(RECOUNT, [accountId, lane])
      const sum = (member: string) => counts?.counted.reduce((all, each) => all + Number(each[member]), 0) ?? 0
      for (const member of ['transfers_failed', 'transfers_completed', 'payments_paid', 'in_minor', 'out_minor'])
        expect(sum(member), member).toBeGreaterThan(0)
      expect(counts?.deliveries?.[0]?.['delivered']).toBeGreaterThan(50)
      expect(counts?.deliveries?.[0]?.['failed']).toBeGreaterThan(0)
      return counts
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(row?.counted).toEqual(row?.recount)
  expect(row?.deliveries).toEqual(row?.tries)
  await world.ledgerHolds()
}, 180_000)

type Day = {
  readonly day: string
  readonly transfers: { readonly created: number }
  readonly volume: readonly { readonly currency: string; readonly out: number; readonly in: number }[]
}
const usage = async (query = '') => (await caller.ask('GET', `/usage${query}`)).data['usage'] as readonly Day[]

test('is shown day by day, empty ones included, in major units', async () => {
  const [day] = await world.sql<{ day: string; created: number; out: string }>(
    `select day::text, sum(transfers_created)::int as created, sum(out_minor) filter (where currency = 'PHP')::text as out
       from usage_contracts where account_id = $1 group by day order by day limit 1`,
    [accountId],
  )
  const all = await usage()
  expect(all).toHaveLength(30)
  expect(all.slice(0, -2).every(({ transfers, volume }) => transfers.created === 0 && volume.length === 0)).toBe(true)
  const shown = all.find((each) => each.day === day?.day)
  expect(shown?.transfers.created).toBe(day?.created)
  expect(shown?.volume.find(({ currency }) => currency === 'PHP')?.out).toBe(Number(day?.out) / 100)
  expect((await usage(`?from=${day?.day}&to=${day?.day}`)).map((each) => each.day)).toEqual([day?.day])
  expect((await usage('?from=2024-02-28&to=2024-03-01')).map((each) => each.day)).toEqual([
    '2024-02-28',
    '2024-02-29',
    '2024-03-01',
  ])
})

test.each([
  ['?from=2026-06-31', 'invalid_from'],
  ['?from=2026-02-02&to=2026-02-01', 'invalid_from'],
  ['?from=2024-01-01&to=2026-01-01', 'invalid_from'],
  ['?to=soon', 'invalid_to'],
  ['?days=3', 'unknown_parameter'],
])('%s is refused as %s', async (query, code) => {
  expect((await caller.ask('GET', `/usage${query}`)).error.code).toBe(code)
})
