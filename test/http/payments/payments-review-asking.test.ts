// What the gateway finds out by asking, where no event comes: every attempt is asked about, and none for ever.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { readConfig } from '../../../src/main/config/config.ts'
import { press } from '../../sandbox/payers.ts'
import { control, type Json } from '../../sandbox/rails.ts'
import { openWorld } from '../../world.ts'
import { contractIn, looked, type PaymentBody } from './payments-stage.ts'
import { CONFIRMED, eventOf, makeProvider, tell } from './receiver-world.ts'

// Nobody listens there: what is asked of GCash is not sent. The provider tells no events, for it knows no receiver.
const rails = { ...readConfig({}).rails, gcash: { url: 'http://127.0.0.1:9', mode: 'test' } as const }
const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
const world = await openWorld({ config: { channels, rails } })
const { caller } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

async function choose({ id }: { readonly id: string }, kind: string): Promise<PaymentBody> {
  const body = { type: kind, [kind]: {} }
  return contractIn(await caller.ask('PUT', `/contracts/payment/${id}/pay`, { body }))
}
const open = async () =>
  contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } }))
const get = async (id: string) => contractIn(await caller.ask('GET', `/contracts/payment/${id}`))

/** The contract as it is, once it is so; its job is due again and again. */
async function rushed(id: string, isSo: (payment: PaymentBody) => boolean): Promise<PaymentBody> {
  return looked(async () => {
    await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
    await sleep(200)
    return get(id)
  }, isSo)
}

test('an attempt is asked about although the rail of the one before does not answer', async () => {
  const first = await choose(await open(), 'gcash')
  expect(first.attempts[0]?.status).toBe('starting')
  const second = await choose(first, 'maya')
  await press(second.next_action?.url, 'pay')
  const paid = await rushed(first.id, ({ status }) => status === 'paid')
  expect(paid.attempts.map(({ status }) => status)).toEqual(['starting', 'succeeded'])
})

test('an attempt whose money an event booked without naming it is asked about once more, and no further', async () => {
  const { id, ...chosen } = await choose(await open(), 'maya')
  await press(chosen.next_action?.url, 'pay')
  const books = await control(world.sandboxUrl, 'GET', `/maya/collections/${chosen.attempts[0]?.reference}`)
  const [payment] = books['payments'] as Json[]
  const event = eventOf({ id: payment?.['id'], contract_id: id, amount: 100, channel: 'maya' })
  expect(await tell(world, await makeProvider(world, caller), event)).toEqual(CONFIRMED)
  expect(await get(id)).toMatchObject({ status: 'paid', attempts: [{ status: 'pending' }] })
  const done = await rushed(id, ({ attempts }) => attempts[0]?.status === 'succeeded')
  expect(done).toMatchObject({ status: 'paid', amount_received: 100, amount_in_suspense: 0 })
  const [job] = await world.sql<{ is_far: boolean }>(
    `select due_at > now() + interval '20 hours' as is_far from jobs where contract_id = $1`,
    [id],
  )
  expect(job?.is_far).toBe(true)
})
