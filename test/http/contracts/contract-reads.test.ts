// What is read beside a contract: its ledger rows, where its money is, and the deliveries of its events.
import { afterAll, describe, expect, test } from 'vitest'
import { bookedBy } from '../../../src/domain/contract/entries.ts'
import { listContractEntries } from '../../../src/ledger/contract-entries.ts'
import { type Caller, openWorld } from '../../world.ts'
import { makeProvider, eventOf, tell } from '../payments/receiver-world.ts'
import { makeEndpoint, tried, endOf } from '../webhooks/webhook-world.ts'

const world = await openWorld({ undoSeconds: 0 })
const { caller, other } = world
afterAll(() => world.stop())

type Entry = {
  readonly transaction_id: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly currency: string
  readonly available_after: number | null
  readonly event: string | null
  readonly reason: string | null
}

const entriesOf = (id: string, kind = 'transfer', limit = 100) =>
  caller.all<Entry>(`/contracts/${kind}/${id}/entries`, 'entries', limit)
const way = (entries: readonly Entry[]) => entries.map(({ debit, credit, amount }) => [debit, credit, amount])

async function payment(owner: Caller, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { amount: 100, currency: 'PHP', ...fields }
  return ((await owner.ask('POST', '/contracts/payment', { body })).data['contract'] as { id: string }).id
}

type Explanation = {
  readonly summary: string
  readonly places: readonly { readonly account: string; readonly amount: number; readonly currency: string }[]
  readonly waits_for: string
  readonly by: string | null
  readonly cancel_now: string
}
const explained = async (id: string, owner = caller) =>
  (await owner.ask('GET', `/contracts/payment/${id}/explain`)).data['explanation'] as Explanation

describe('ledger rows of a contract', () => {
  test('tell the whole way of its money, oldest first, and why, among many others of the same wallet', async () => {
    const before = await Promise.all([1, 2, 3].map(() => caller.paid({ amount: 5 })))
    const contract = await caller.paid()
    const beside = await Promise.all([1, 2, 3].map(() => caller.paid({ amount: 5 })))
    for (const { id } of [...before, contract, ...beside]) expect(await world.settle(id)).toBe('completed')
    const entries = await entriesOf(contract.id)
    expect(entries[0]).toMatchObject({
      debit: 'available',
      credit: 'held',
      amount: 110.5,
      currency: 'PHP',
      event: 'contract.paid',
      reason: 'paid',
    })
    expect(way(entries).at(-2)?.slice(1)).toEqual(['clearing:sandbox', 100])
    expect(way(entries).at(-1)?.slice(1)).toEqual(['fee_revenue', 10.5])
    expect(entries.at(-1)).toMatchObject({ event: 'contract.completed', reason: 'completed' })
    expect(entries.at(-1)?.transaction_id).toBe(entries.at(-2)?.transaction_id)
    const stored = await world.sql<{ count: string }>('select count(*) from ledger where contract_id = $1', [
      contract.id,
    ])
    expect(entries).toHaveLength(Number(stored[0]?.count))
    expect(await entriesOf(contract.id, 'transfer', 1)).toEqual(entries)
  })

  test('there are none before it is paid, however often the draft was changed', async () => {
    const { id } = await caller.draft()
    for (const amount of [101, 102, 103]) await caller.update(id, { amount })
    expect(await entriesOf(id)).toEqual([])
  })

  test('a payment shows what came, also in another currency', async () => {
    const provider = await makeProvider(world, caller)
    const id = await payment(caller)
    const came = { contract_id: id, amount: 100 }
    expect((await tell(world, provider, eventOf({ ...came, currency: 'USD' }))).status).toBe(200)
    expect((await tell(world, provider, eventOf(came))).status).toBe(200)
    const entries = await entriesOf(id, 'payment')
    expect(entries[0]).toMatchObject({ debit: 'clearing:gcash', credit: 'suspense', amount: 100, currency: 'USD' })
    expect(entries.find(({ reason }) => reason === 'paid')).toMatchObject({ credit: 'pending', currency: 'PHP' })
    const stored = await world.sql<{ count: string }>('select count(*) from ledger where contract_id = $1', [id])
    expect(entries).toHaveLength(Number(stored[0]?.count))
  })

  test('a key that may not read wallets is not told what the wallet has', async () => {
    const { id } = await caller.paid()
    const weak = await world.withKey(caller, { scopes: ['contracts:read'] })
    const { data } = await weak.ask('GET', `/contracts/transfer/${id}/entries`)
    const [first] = data['entries'] as Entry[]
    expect(first).toMatchObject({ debit: 'available', available_after: null })
    expect((await entriesOf(id))[0]?.available_after).toBeTypeOf('number')
  })

  test('are the account’s alone, and of the kind that the path names', async () => {
    const { id } = await caller.paid()
    const theirs = await other.ask('GET', `/contracts/transfer/${id}/entries`)
    expect([theirs.status, theirs.error.code]).toEqual([404, 'contract_not_found'])
    expect((await caller.ask('GET', `/contracts/payment/${id}/entries`)).error.code).toBe('contract_not_found')
    expect((await caller.ask('GET', `/contracts/transfer/${id}/entries?after=x`)).error.code).toBe('invalid_after')
  })

  // A cluster explains no plan for any lane.
  test.skipIf(process.env['TEST_ON_CITUS'] === 'yes')(
    'are found by keys of the ledger, whatever else is in it',
    async () => {
      const { id } = await caller.paid()
      const { lane, accountId } = caller.account
      const contract = await world.gateway.deps.contracts.submit({ lane, accountId, id })
      const booked = contract && bookedBy(contract)
      if (!booked) throw new Error('a paid contract has rows')
      const { text } = listContractEntries({ lane, accountId }, id, booked)
      const rows = await world.sql<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${text}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).not.toMatch(/Seq Scan on (ledger|contract_versions)/)
      expect(plan).toMatch(/Index Cond: .*lane = \$1.*account_id = \$2.*contract_id = \$3/)
      expect(plan).toMatch(/Index Cond: .*wallet_id = w\.id.*sequence >= .*sequence < /)
    },
  )
})

describe('a payment is explained', () => {
  test('from the first look to its end', async () => {
    const id = await payment(caller)
    expect(await explained(id)).toMatchObject({
      places: [],
      waits_for: 'payer',
      by: expect.any(String),
      cancel_now: 'ends the contract; no money moves',
    })
    const provider = await makeProvider(world, caller)
    await tell(world, provider, eventOf({ contract_id: id, amount: 100 }))
    const paid = await explained(id)
    expect(paid.cancel_now).toMatch(/^is refused: it is paid/)
    const sum = paid.places.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(100)
    const ended = await payment(caller)
    await caller.ask('DELETE', `/contracts/payment/${ended}`)
    expect(await explained(ended)).toMatchObject({ waits_for: 'nobody', by: null, places: [] })
  })

  test('with what waits in suspense', async () => {
    const id = await payment(caller)
    const provider = await makeProvider(world, caller)
    await world.sql('update accounts set returns_at_once = false where account_id = $1', [caller.account.accountId])
    await tell(world, provider, eventOf({ contract_id: id, amount: 40 }))
    const { places, summary } = await explained(id)
    expect(places).toEqual([{ account: 'suspense', amount: 40, currency: 'PHP' }])
    expect(summary).toMatch(/suspense/)
  })

  test('to its account alone, and a transfer is none', async () => {
    const id = await payment(caller)
    expect((await other.ask('GET', `/contracts/payment/${id}/explain`)).error.code).toBe('contract_not_found')
    const transfer = await caller.draft()
    expect((await caller.ask('GET', `/contracts/payment/${transfer.id}/explain`)).error.code).toBe('contract_not_found')
    expect((await caller.ask('GET', `/contracts/transfer/${id}/explain`)).error.code).toBe('contract_not_found')
  })
})

describe('deliveries of a contract', () => {
  type Delivery = {
    readonly id: string
    readonly endpoint_id: string
    readonly type: string
    readonly status: string
    readonly last_status_code: number | null
  }

  test('at every endpoint, newest event first, page by page', async () => {
    const [first, second] = [await makeEndpoint(caller), await makeEndpoint(caller)]
    for (const { id } of [first, second]) await caller.ask('PUT', `/webhook-endpoints/${id}/pause`)
    const { id } = await caller.draft()
    await caller.issue(id)
    const end = await endOf(world, caller)
    for (const endpoint of [first, second]) await tried(world, endpoint.id, [end], 'dead')
    await world.sql(
      `insert into delivery_attempts (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome, status_code)
       select lane, account_id, endpoint_id, position, 0, 1, now(), 5, 'refused', 503 from deliveries where endpoint_id = $1`,
      [first.id],
    )
    const path = `/contracts/transfer/${id}/deliveries`
    const all = await caller.all<Delivery>(path, 'deliveries')
    expect(all.map(({ type, status }) => [type, status])).toEqual([
      ['contract.issued', 'dead'],
      ['contract.issued', 'dead'],
    ])
    expect(all.map(({ endpoint_id: at }) => at).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(all.find(({ endpoint_id: at }) => at === first.id)?.last_status_code).toBe(503)
    expect(await caller.all<Delivery>(path, 'deliveries', 1)).toEqual(all)
    expect((await other.ask('GET', path)).error.code).toBe('contract_not_found')
    expect((await caller.ask('GET', `${path}?after=x`)).error.code).toBe('invalid_after')
    const weak = await world.withKey(caller, { scopes: ['contracts:read'] })
    expect((await weak.ask('GET', path)).error.code).toBe('scope_missing')
  })
})
