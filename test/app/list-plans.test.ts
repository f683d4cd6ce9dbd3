// A page of contracts costs the same wherever it is, and whatever it looks for: as many rows are read for the thousandth as for the
// first, and never more than a page may look at.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/platform/db.ts'
import { pageOfContracts } from '../../src/app/contracts/listing.ts'
import { type ContractFilter, listContracts, LOOKED_AT_MAX } from '../../src/store/contracts/lists.ts'
import { type ContractBody, openWorld, type World } from '../world.ts'

const CONTRACTS = 27_000
const LIMIT = 25
let world: World
/** Of the account, newest first. */
let ids: string[]

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  const { accountId } = world.caller.account
  const { id } = await world.caller.draft({ deliverable: { reference_id: 'the same' } })
  const suffix = id.slice(13)
  // Copies of one draft, of which every position of the history is there, too; nobody analysed the tables.
  const copies = `select *, (lpad(to_hex(n), 8, '0') || '-0000' || $3)::uuid as new_id from generate_series(1, $2) n`
  await world.sql(
    `insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
     select v.lane, v.account_id, 1000 + x.n, x.new_id, 1, null, null, v.at, v.document
       from (${copies}) x, (select * from contract_versions where account_id = $1 order by position limit 1) v`,
    [accountId, CONTRACTS, suffix],
  )
  await world.sql(
    `insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor, channel_id,
                            reference_id, expires_at)
     select c.lane, c.account_id, x.new_id, c.kind, c.status, 1, 1000 + x.n, c.currency, c.amount_minor, 0, c.channel_id,
            c.reference_id, c.expires_at
       from (${copies}) x, (select * from contracts where account_id = $1 limit 1) c`,
    [accountId, CONTRACTS, suffix],
  )
  const rows = await world.sql<{ id: string }>('select id from contracts where account_id = $1 order by id desc', [
    accountId,
  ])
  ids = rows.map((row) => row.id)
}, 120_000)
afterAll(() => world.stop())

const NONE: ContractFilter = {
  kind: 'transfer',
  statuses: null,
  channelId: null,
  currency: null,
  referenceId: null,
  amountFromMinor: null,
  amountToMinor: null,
  profileId: null,
  createdFromMs: null,
  createdToMs: null,
  upTo: null,
  after: null,
  limit: LIMIT,
}

type Node = {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** How many rows the leaves of the plan read, all together. */
function rowsRead(node: Node): number {
  const inner = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0)
  if (node.Plans) return inner
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

async function readFor({ text, values }: Statement): Promise<number> {
  const [row] = await world.sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`, values)
  if (!row) throw new Error('no plan')
  const plan = row['QUERY PLAN'][0].Plan
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan/)
  return rowsRead(plan)
}

const FILTERS: readonly (readonly [string, Partial<ContractFilter>])[] = [
  ['nothing', {}],
  ['a status', { statuses: ['draft'] }],
  ['a channel', { channelId: 'sandbox' }],
  ['a reference', { referenceId: 'the same' }],
  ['a currency and amounts', { currency: 'PHP', amountFromMinor: 1n, amountToMinor: 10_000_00n }],
]

test.each(FILTERS)('page 1,000 of %s reads as many rows as page 1', async (_name, filter) => {
  const key = world.caller.account
  const first = await readFor(listContracts(key, { ...NONE, ...filter }))
  const after = ids[999 * LIMIT]
  if (after === undefined) throw new Error('there are too few contracts')
  const thousandth = await readFor(listContracts(key, { ...NONE, ...filter, after }))
  expect(thousandth).toBe(first)
  expect(first).toBeLessThanOrEqual(2 * (LIMIT + 1))
})

test.each<readonly [string, Partial<ContractFilter>]>([
  ['kind', { kind: 'payment' }],
  ['status', { statuses: ['returned'] }],
  ['channel', { channelId: 'none' }],
  ['amount', { currency: 'PHP', amountFromMinor: 10n ** 13n }],
  ['profile', { profileId: '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55' }],
])('a %s that nothing has is looked for in a bounded part, and the page says where it ended', async (_name, filter) => {
  const key = world.caller.account
  expect(await readFor(listContracts(key, { ...NONE, ...filter }))).toBeLessThanOrEqual(2 * LOOKED_AT_MAX)
})

test('whoever follows next finds the one that fits, behind all that do not', async () => {
  const oldest = ids.at(-1) ?? ''
  await world.sql(`update contracts set currency = 'USD' where id = $1`, [oldest])
  const { data } = await world.caller.ask('GET', '/contracts/transfer?currency=USD')
  expect(data).toMatchObject({ contracts: [], next: ids[LOOKED_AT_MAX - 1] })
  const found = await world.caller.all<ContractBody>('/contracts/transfer?currency=USD', 'contracts')
  expect(found.map(({ id }) => id)).toEqual([oldest])
})

test('the last that is looked at fits: it is on the page, and the next goes on behind it', async () => {
  const place = LOOKED_AT_MAX - 1
  await world.sql(`update contracts set currency = 'JPY' where id = any($1)`, [[ids[place], ids[place + 1]]])
  const pages = ids.slice(place, place + 2)
  const { data } = await world.caller.ask('GET', '/contracts/transfer?currency=JPY')
  expect(data).toMatchObject({ contracts: [{ id: pages[0] }], next: pages[0] })
  const found = await world.caller.all<ContractBody>('/contracts/transfer?currency=JPY', 'contracts')
  expect(found.map(({ id }) => id)).toEqual(pages)
})

test('a period holds what was made in it, however much older the ids are', async () => {
  // Most ids of the account are of 1970, as those of rows are older than their contracts whose command waited.
  const { reader } = world.gateway.deps
  const filter = { ...NONE, createdFromMs: Date.now() - 3_600_000, limit: 100 }
  const { contracts, next } = await pageOfContracts({ reader }, world.caller.account, filter)
  expect([contracts.map(({ id }) => id), next]).toEqual([ids.slice(0, 100), ids[99]])
  const later = { ...filter, createdFromMs: Date.now() + 3_600_000 }
  const none = await pageOfContracts({ reader }, world.caller.account, later)
  expect(none).toEqual({ contracts: [], next: ids[LOOKED_AT_MAX - 1] })
})

test('what is made while a page is read is not what the next page begins with', async () => {
  const { deps } = world.gateway
  const reader = {
    ...deps.reader,
    send: async (statements: readonly Statement[]) => {
      const found = await deps.reader.send(statements)
      await world.caller.draft()
      return found
    },
  }
  const filter = { ...NONE, statuses: ['paid'] }
  const { next } = await pageOfContracts({ reader }, world.caller.account, filter)
  expect(next).toBe(ids[LOOKED_AT_MAX - 1])
})
