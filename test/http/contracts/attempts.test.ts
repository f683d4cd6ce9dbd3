// Every attempt at a contract, with what the channel was asked and answered where it ended in no definite success, and with
// nothing where it did.
import { afterAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { openPruneSession } from '../../../src/main/database/database.ts'
import { pruneRound } from '../../../src/workers/sweeps/prune.ts'
import { looked } from '../payments/payments-stage.ts'
import { openWorld } from '../../world.ts'

const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
const world = await openWorld({ config: { channels } })
const { caller, other } = world
afterAll(() => world.stop())

type Exchange = {
  readonly method: string
  readonly path: string
  readonly request_body: string | null
  readonly status_code: number | null
  readonly response_body: string | null
  readonly fault: string | null
}
type Attempt = {
  readonly number: number
  readonly channel: string
  readonly status: string
  readonly tries: number | null
  readonly reference: string
  readonly ended_at: string | null
  readonly failure: { readonly code: string } | null
  readonly calls: readonly { readonly outcome: string; readonly exchanges: readonly Exchange[] }[]
}

const attemptsOf = (id: string, kind = 'transfer', limit = 100) =>
  caller.all<Attempt>(`/contracts/${kind}/${id}/attempts`, 'attempts', limit)
const keptRows = async () => Number((await world.sql<{ n: string }>('select count(*) as n from channel_calls'))[0]?.n)

describe('attempts at a transfer', () => {
  test('a definite success leaves nothing but itself', async () => {
    const before = await keptRows()
    const { id } = await caller.paid()
    expect(await world.settle(id)).toBe('completed')
    expect(await attemptsOf(id)).toMatchObject([
      { number: 1, channel: 'sandbox', status: 'delivered', failure: null, calls: [] },
    ])
    expect(await keptRows()).toBe(before)
    expect(await attemptsOf((await caller.draft()).id)).toEqual([])
  })

  test('one that was refused says what was sent and answered, without the account', async () => {
    const { id } = await caller.paid({ amount: 100.21 })
    expect(await world.settle(id)).toBe('cancelled')
    const [attempt, ...others] = await attemptsOf(id)
    expect(others).toEqual([])
    expect(attempt).toMatchObject({ number: 1, status: 'failed', failure: { code: 'account_closed' } })
    expect(attempt?.ended_at).not.toBeNull()
    const [call] = attempt?.calls ?? []
    expect(call?.outcome).toBe('failed')
    const [exchange] = call?.exchanges ?? []
    expect(exchange).toMatchObject({ method: 'POST', path: '/transfers', status_code: 200, fault: null })
    expect(exchange?.request_body).toContain(attempt?.reference)
    expect(exchange?.request_body).toContain('••••6789')
    expect(exchange?.response_body).toContain('account_closed')
    expect(JSON.stringify(attempt)).not.toContain('000123456789')
  })

  test('doubt is kept, too: the answer that said nothing', async () => {
    const { id } = await caller.paid({ amount: 100.41 })
    const [attempt] = await looked(
      () => attemptsOf(id),
      ([each]) => (each?.calls.length ?? 0) > 0,
    )
    expect(attempt?.calls[0]).toMatchObject({ outcome: 'unknown', exchanges: [{ status_code: 500 }] })
    expect(await world.settle(id)).toBe('completed')
    // The inquiry that ended it was a success.
    expect((await attemptsOf(id))[0]?.calls.map(({ outcome }) => outcome)).not.toContain('delivered')
  })

  test('each attempt has its own, page by page', async () => {
    const { accountId } = caller.account
    await world.sql('update accounts set refunds_at_once = false where account_id = $1', [accountId])
    const { id } = await caller.paid({ channel: 'sandbox', amount: 200.21 })
    await looked(
      () => caller.get(id),
      ({ transfer }) => transfer.status === 'failed',
    )
    expect((await caller.ask('PUT', `/contracts/transfer/${id}/retry`)).status).toBe(200)
    const isOver = (all: readonly Attempt[]) => all.length === 2 && all[1]?.status === 'failed'
    const attempts = await looked(() => attemptsOf(id), isOver)
    expect(attempts.map(({ number, status, calls }) => [number, status, calls.length])).toEqual([
      [1, 'failed', 1],
      [2, 'failed', 1],
    ])
    expect(attempts[0]?.tries).toBeNull()
    expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(2)
    expect(await attemptsOf(id, 'transfer', 1)).toEqual(attempts)
    await world.sql('update accounts set refunds_at_once = true where account_id = $1', [accountId])
  })

  test('are the account’s alone', async () => {
    const { id } = await caller.paid()
    expect((await other.ask('GET', `/contracts/transfer/${id}/attempts`)).error.code).toBe('contract_not_found')
    expect((await caller.ask('GET', `/contracts/payment/${id}/attempts`)).error.code).toBe('contract_not_found')
    const weak = await world.withKey(caller, { scopes: ['wallets:read'] })
    expect((await weak.ask('GET', `/contracts/transfer/${id}/attempts`)).error.code).toBe('scope_missing')
  })
})

test('what is kept of an attempt is bounded, and forgotten after thirty days', async () => {
  const { id } = await caller.paid({ amount: 300.21 })
  await world.settle(id)
  const { lane, accountId } = caller.account
  const call = { attempt: 1, outcome: 'unknown', exchanges: [] }
  const connector = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }
  const outcome = { kind: 'unknown', reason: 'nothing' } as const
  const command = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: 999, outcome, connector } as const
  const ask = { lane, accountId, keyId: null, idempotency: null, command }
  for (let fence = 1; fence <= 50; fence++) await world.gateway.deps.execute({ ...ask, call: { ...call, fence } })
  expect((await attemptsOf(id))[0]?.calls).toHaveLength(20)
  await world.sql(`update channel_calls set at = now() - interval '31 days' where contract_id = $1`, [id])
  const session = openPruneSession(world.database)
  await pruneRound(session, ALL_LANES)
  await session.close()
  expect((await attemptsOf(id))[0]?.calls).toEqual([])
})

test('a payment’s attempt shows why its channel declined it, without what opens its page', async () => {
  const body = { amount: 100, currency: 'PHP' }
  const { data } = await caller.ask('POST', '/contracts/payment', { body })
  const { id, checkout_url: page } = data['contract'] as { id: string; checkout_url: string }
  const paid = await caller.ask('PUT', `/contracts/payment/${id}/pay`, {
    body: { type: 'card', card: { token: 'tok_declined' } },
  })
  const attempts = await attemptsOf(id, 'payment')
  expect(attempts, paid.text).toHaveLength(1)
  expect(JSON.stringify(attempts)).not.toContain(page.slice(page.lastIndexOf('/') + 1))
  expect(JSON.stringify(attempts)).not.toContain('tok_declined')
  expect(attempts[0]).toMatchObject({ status: 'failed', calls: [{ outcome: 'failed' }] })
})
