// A provider tells of a contract whose payer chose nothing here: what came has the price of its channel, and a failure is an
// attempt that failed, with its event.
import { afterAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { openWorld } from '../../world.ts'
import type { PaymentBody } from './payments-stage.ts'
import { CONFIRMED, eventOf, getPayment, makeProvider, newId, openPayment, tell } from './receiver-world.ts'

const channels = SHIPPED_CHANNELS.map((channel) =>
  channel.collect ? { ...channel, collect: { ...channel.collect, settle_after_seconds: 0 } } : channel,
)
const own = { service: 'payment', name: 'Rail', description: 'A rail.', covered: true, currencies: {}, recipient: [] }
const onTop = {
  ...own,
  id: 'on-top',
  connector: 'maya',
  undo_seconds: 0,
  collect: {
    kind: 'maya' as const,
    covered: true,
    settle_after_seconds: 0,
    currencies: { PHP: { fees: { fixed: 15 } } },
  },
}
const world = await openWorld({ config: { channels: [...channels, onTop] } })
const { caller } = world
const provider = await makeProvider(world, caller)
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const open = async (fields: object) => (await openPayment(caller, { ...fields })) as unknown as PaymentBody
const get = async (id: string) => (await getPayment(caller, id)) as unknown as PaymentBody
const available = () => caller.balance('PHP')
const feeOf = async (id: string, amount: number) => {
  const { fees } = (await open({ amount, channel: id })).preview
  return fees.total
}

describe('that it succeeded', () => {
  test.each(['gcash', 'maya', 'qrph', 'card'])('%s: its fee is taken as if it had been chosen', async (channel) => {
    const fee = await feeOf(channel, 100)
    const opened = await open({ amount: 100 })
    const before = await available()
    const event = eventOf({ contract_id: opened.id, channel, amount: 100, currency: 'PHP' })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    const paid = await get(opened.id)
    expect(paid).toMatchObject({ channel: { id: channel }, amount_received: 100, preview: { fees: { total: fee } } })
    await expect.poll(async () => (await get(opened.id)).status).toBe('completed')
    expect(await available()).toBeCloseTo(before + 100 - fee, 6)
    expect(fee).toBeGreaterThan(0)
  })

  test('a fee on top is on top where it came, and else out of what came', async () => {
    for (const amount of [115, 100]) {
      const opened = await open({ amount: 100 })
      const before = await available()
      await tell(world, provider, eventOf({ contract_id: opened.id, channel: 'on-top', amount, currency: 'PHP' }))
      await expect.poll(async () => (await get(opened.id)).status).toBe('completed')
      expect(await get(opened.id)).toMatchObject({ preview: { amount, fees: { total: 15 } } })
      expect(await available()).toBeCloseTo(before + amount - 15, 6)
    }
  })

  test('any other amount fits no price, and goes to suspense', async () => {
    const opened = await open({ amount: 100 })
    await tell(world, provider, eventOf({ contract_id: opened.id, channel: 'on-top', amount: 107, currency: 'PHP' }))
    expect(await get(opened.id)).toMatchObject({ status: 'issued', amount_received: 107 })
  })

  test('a channel that nobody configured costs nothing, and settles a day later', async () => {
    const opened = await open({ amount: 100 })
    await tell(world, provider, eventOf({ contract_id: opened.id, channel: 'pigeon', amount: 100, currency: 'PHP' }))
    const paid = await get(opened.id)
    expect(paid).toMatchObject({ status: 'paid', preview: { fees: { total: 0 } } })
  })
})

describe('that it failed', () => {
  const failed = (id: string, fields: object = {}, type = 'payment_intent.failed') => {
    const failure = { code: 'insufficient_funds', message: 'Too little money.' }
    return eventOf({ contract_id: id, channel: 'gcash', amount: 100, currency: 'PHP', failure, ...fields }, { type })
  }

  test('is an attempt that failed, with an activity and an event; another payment may follow', async () => {
    const opened = await open({ amount: 100 })
    const id = newId('pi')
    expect(await tell(world, provider, failed(opened.id, { id }))).toEqual(CONFIRMED)
    const after = await get(opened.id)
    expect(after).toMatchObject({
      status: 'issued',
      attempts: [
        {
          type: 'gcash',
          channel: 'gcash',
          status: 'failed',
          failure: { code: 'insufficient_funds', message: 'Too little money.' },
        },
      ],
    })
    expect(after.activities.at(-1)).toMatchObject({ type: 'attempt_failed' })
    const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
    const types = events.filter(({ data }) => data.object.id === opened.id).map(({ type }) => type)
    expect(types).toEqual(['contract.issued', 'contract.payment_failed'])
    // The same payment once more is the same failure; another is another.
    await tell(world, provider, failed(opened.id, { id }))
    expect((await get(opened.id)).attempts).toHaveLength(1)
    await tell(world, provider, failed(opened.id, { id: newId('pi') }))
    expect((await get(opened.id)).attempts).toHaveLength(2)
    await tell(world, provider, failed(opened.id, { id, failure: undefined }, 'payment_intent.succeeded'))
    const paid = await get(opened.id)
    expect(paid.attempts.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
    expect(paid.preview.fees.total).toBe(await feeOf('gcash', 100))
  })

  test('leaves the payer room to try here', async () => {
    const opened = await open({ amount: 100 })
    for (let i = 0; i < 15; i++) await tell(world, provider, failed(opened.id, { id: newId('pi') }))
    const after = await get(opened.id)
    expect(after.attempts).toHaveLength(10)
    const path = `/contracts/payment/${opened.id}/pay`
    const reply = await caller.ask('PUT', path, { body: { type: 'card', card: { token: 'tok_visa' } } })
    expect(reply.status, reply.text).toBe(200)
  })

  test('says nothing where the payer chose something here, or the channel brings no money in', async () => {
    const chosen = await open({ amount: 100 })
    await caller.ask('PUT', `/contracts/payment/${chosen.id}/pay`, { body: { type: 'gcash' } })
    const opened = await open({ amount: 100 })
    await tell(world, provider, failed(chosen.id, { id: newId('pi') }))
    for (const channel of ['instapay', 'pigeon', undefined])
      await tell(world, provider, failed(opened.id, { id: newId('pi'), channel }))
    expect((await get(chosen.id)).attempts).toHaveLength(1)
    expect((await get(opened.id)).attempts).toEqual([])
  })
})
