// An event may tell whose account a payment came from. Money goes there only where the rail that brought it knows no refund, never into a
// wallet of this gateway, and never to one payer what another one paid.
import { afterAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../../src/connectors/catalogue.ts'
import { readConfig } from '../../../../src/main/config/config.ts'
import { openWorld } from '../../../world.ts'
import { CONFIRMED, eventOf, eventRow, getPayment, makeProvider, openPayment, tell } from '../receiver-world.ts'

// Nobody listens there: the acquirer of codes is away.
const rails = { ...readConfig({}).rails, qrph: { url: 'http://127.0.0.1:9', mode: 'test' } as const }
const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
const world = await openWorld({ config: { channels, rails } })
const { caller, other } = world
afterAll(() => world.stop())

const at = (name: string, wallet: string) => ({
  channel: 'instapay',
  recipient: { name, wallet, tag: 'BOPIPHMM' },
})
const MALLORY = at('Mallory', '009999999999')
const ANA = at('Ana Cruz', '001234567890')

type Refund = { readonly amount: number; readonly status: string; readonly transfer_id: string }
type Seen = {
  readonly status: string
  readonly refunds: readonly Refund[]
  readonly amount_in_suspense: number
  readonly activities: readonly { readonly type: string }[]
  readonly cancellation: { readonly status: string } | null
}
const seen = async (id: string) => (await getPayment(caller, id)) as unknown as Seen
const told = async (id: string) => (await seen(id)).activities.map(({ type }) => type)
const cancel = (id: string) => caller.ask('DELETE', `/contracts/transfer/${id}`, { body: { reason: 'x' } })

async function transferOf({ transfer_id }: Refund) {
  const { data } = await caller.ask('GET', `/contracts/transfer/${transfer_id}`)
  return data['contract'] as { recipient: object | null; channel: { id: string } }
}

test('a key that is bound to a rail which refunds has nothing paid out on another one', async () => {
  const provider = await makeProvider(world, caller, { channels: ['card'] })
  const { id } = await openPayment(caller)
  await cancel(id)
  const event = eventOf({ contract_id: id, amount: 40_000, channel: 'card', payer: MALLORY })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(async () => (await seen(id)).refunds[0]?.status).toBe('failed')
  const [refund] = (await seen(id)).refunds
  expect((await transferOf(refund as Refund)).channel.id).toBe('card')
  expect((await seen(id)).amount_in_suspense).toBe(40_000)
})

test('nor by a key of several rails that leaves the channel out, of the attempt that it names', async () => {
  const provider = await makeProvider(world, caller, { channels: ['card', 'gcash'] })
  const { id } = await openPayment(caller, { payment: { type: 'gcash', gcash: {} } })
  const { data } = await caller.ask('GET', `/contracts/payment/${id}`)
  const [attempt] = (data['contract'] as { attempts: { reference: string }[] }).attempts
  const event = eventOf({ reference: attempt?.reference, amount: 40_000, channel: undefined, payer: MALLORY })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(() => told(id)).toContain('return_started')
  const [refund] = (await seen(id)).refunds
  expect((await transferOf(refund as Refund)).channel.id).toBe('gcash')
})

test('a refund of what a rail brought that refunds goes by it, whatever channel its event names', async () => {
  const provider = await makeProvider(world, caller)
  const { id } = await openPayment(caller)
  const payer = { channel: 'card', recipient: { name: 'Ana Cruz' } }
  expect(await tell(world, provider, eventOf({ contract_id: id, channel: 'card', payer }))).toEqual(CONFIRMED)
  const { status } = await caller.ask('POST', `/contracts/payment/${id}/refunds`, { body: { amount: 0.5 } })
  expect(status).toBe(200)
})

test.each(['qrph', 'gcash'])('no event, of %s either, has money put into a wallet of this gateway', async (channel) => {
  const provider = await makeProvider(world, caller, { channels: [channel] })
  const walletOf = async () => {
    const wallets = (await other.ask('GET', '/wallets')).data['wallets'] as { id: string; currency: string }[]
    return wallets.find(({ currency }) => currency === 'PHP')
  }
  const before = await walletOf()
  const { id } = await openPayment(caller)
  const payer = { channel: 'wallet', recipient: { wallet: before?.id } }
  const event = eventOf({ contract_id: id, amount: 9_000, channel, payer })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  const ended = channel === 'qrph' ? 'refund_failed' : 'return_started'
  await expect.poll(() => told(id)).toContain(ended)
  // The rail has no such payment: what it was asked to give back is there again.
  await expect.poll(async () => (await seen(id)).amount_in_suspense).toBe(9_000)
  expect(await walletOf()).toEqual(before)
})

test('no provider knows anything of the channel between wallets: what its event says of it waits for a person', async () => {
  const provider = await makeProvider(world, caller)
  const { id } = await openPayment(caller)
  const event = eventOf({ contract_id: id, amount: 9_000, channel: 'wallet' })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  expect(await eventRow(world, caller, String(event['id']))).toMatchObject({ status: 'needs_review' })
  expect(await seen(id)).toMatchObject({ status: 'issued', amount_in_suspense: 0 })
})

test('by hand, a payer who is named gets what came from that account, not what waits longest', async () => {
  const provider = await makeProvider(world, caller)
  const { id } = await openPayment(caller)
  await cancel(id)
  expect(await tell(world, provider, eventOf({ contract_id: id, amount: 7, channel: 'qrph' }))).toEqual(CONFIRMED)
  await expect.poll(() => told(id)).toContain('refund_failed')
  const event = eventOf({ contract_id: id, amount: 100.5, channel: 'qrph', payer: ANA })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(async () => (await seen(id)).amount_in_suspense).toBe(107.5)
  const { status } = await caller.ask('POST', `/contracts/payment/${id}/returns`, { body: ANA })
  expect(status).toBe(200)
  expect((await seen(id)).refunds.map(({ amount }) => amount)).toEqual([100.5])
})

test('a contract whose code may be paid is not cancelled while its acquirer does not answer', async () => {
  const provider = await makeProvider(world, caller)
  const { id } = await openPayment(caller, { payment: { type: 'qr', qr: { scheme: 'qrph' } } })
  const { data } = await caller.ask('GET', `/contracts/payment/${id}`)
  const [attempt] = (data['contract'] as { attempts: { reference: string; amount: number }[] }).attempts
  expect((await cancel(id)).status).toBe(200)
  expect(await seen(id)).toMatchObject({ status: 'issued', cancellation: { status: 'pending' } })
  const event = eventOf({ reference: attempt?.reference, amount: attempt?.amount, channel: 'qrph', payer: ANA })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(async () => (await seen(id)).status).toMatch(/^(paid|completed)$/)
  expect((await seen(id)).cancellation?.status).toBe('refused')
})
