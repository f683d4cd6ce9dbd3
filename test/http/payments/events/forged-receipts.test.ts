// Whoever has the secret by which events are signed can tell of money that never came, and of an account that it came from. None of it
// leaves by that: the rail refunds what it brought, or is asked, and names the account itself.
import { afterAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../../src/connectors/catalogue.ts'
import { control } from '../../../sandbox/rails.ts'
import { openWorld } from '../../../world.ts'
import { CONFIRMED, eventOf, getPayment, makeProvider, newId, openPayment, tell } from '../receiver-world.ts'

const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
const world = await openWorld({ config: { channels } })
const { caller } = world
afterAll(() => world.stop())
// Of all channels: whoever has its secret may tell anything.
const provider = await makeProvider(world, caller)

const MALLORY = { channel: 'instapay', recipient: { name: 'Mallory', wallet: '009999999999', tag: 'BOPIPHMM' } }
const QR = { payment: { type: 'qr', qr: { scheme: 'qrph' } } }

type Seen = {
  readonly status: string
  readonly amount_in_suspense: number
  readonly next_action: { readonly data: string } | null
  readonly attempts: readonly { readonly reference: string }[]
  readonly refunds: readonly { readonly amount: number; readonly status: string; readonly transfer_id: string }[]
  readonly activities: readonly {
    readonly type: string
    readonly resource: { readonly data: { readonly reason?: string } }
  }[]
}
const seen = async (id: string) => (await getPayment(caller, id)) as unknown as Seen
const heldBack = async (id: string) =>
  (await seen(id)).activities.find(({ type }) => type === 'refund_failed')?.resource.data.reason ?? null

/** A contract whose payer was shown a code, and what stands in it. */
async function withCode() {
  const { id } = await openPayment(caller, QR)
  const { data } = await caller.ask('GET', `/contracts/payment/${id}`)
  const { next_action: code, attempts } = data['contract'] as Seen
  return { id, code: code?.data, reference: attempts[0]?.reference }
}

async function recipientOf({ transfer_id }: Seen['refunds'][number] = { amount: 0, status: '', transfer_id: '' }) {
  const { data } = await caller.ask('GET', `/contracts/transfer/${transfer_id}`)
  const { channel, recipient } = data['contract'] as { channel: { id: string }; recipient: { wallet?: string } | null }
  return [channel.id, recipient?.wallet ?? null]
}

test('money that its acquirer does not know stays where it is, and a person is told why', async () => {
  const { id, reference } = await withCode()
  expect(await tell(world, provider, eventOf({ reference, amount: 40_000, channel: 'qrph', payer: MALLORY }))).toEqual(
    CONFIRMED,
  )
  const asked = () =>
    world.sql(`select 1 from jobs where contract_id = $1 and tries > 0 and due_at > now() + interval '1 second'`, [id])
  await expect.poll(async () => (await asked()).length).toBe(1)
  expect(await seen(id)).toMatchObject({ amount_in_suspense: 40_000, refunds: [] })
  // The acquirer's list may lag behind its events: only later its "not there" counts.
  await world.sql(`update payment_events set at = now() - interval '2 minutes' where contract_id = $1`, [id])
  await world.sql(`update jobs set due_at = now() where contract_id = $1`, [id])
  await expect.poll(() => heldBack(id)).toBe('an event reported it, and its rail does not know it')
  expect(await seen(id)).toMatchObject({ amount_in_suspense: 40_000, refunds: [] })
})

test('money that did come goes to the account that its acquirer names, whichever the event names', async () => {
  const { id, code } = await withCode()
  const scan = { code, amount: '60.00', payer: { wallet: '001112223334' } }
  const { id: paid, reference } = await control(world.sandboxUrl, 'POST', '/qrph/pay', scan)
  const event = eventOf({ id: paid, reference, amount: 60, channel: 'qrph', payer: MALLORY })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(async () => (await seen(id)).refunds[0]?.status).toBe('done')
  const [refund] = (await seen(id)).refunds
  expect([refund?.amount, ...(await recipientOf(refund))]).toEqual([60, 'instapay', '001112223334'])
})

test('an event that tells of more than came has none of it sent', async () => {
  const { id, code } = await withCode()
  const { id: paid, reference } = await control(world.sandboxUrl, 'POST', '/qrph/pay', { code, amount: '1.00' })
  const event = eventOf({ id: paid, reference, amount: 40_000, channel: 'qrph', payer: MALLORY })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(() => heldBack(id)).toBe('an event reported it, and its rail knows another amount of this id')
  expect(await seen(id)).toMatchObject({ amount_in_suspense: 40_000, refunds: [] })
})

test.each(['qrph', 'a_bank_of_ours'])(
  'of %s, by nobody’s attempt: nobody can be asked, and it waits',
  async (channel) => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id, amount: 40_000, channel, payer: MALLORY })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    await expect.poll(() => heldBack(id)).toBe('only an event reported it, and its rail cannot be asked about it')
    expect(await seen(id)).toMatchObject({ amount_in_suspense: 40_000, refunds: [] })
  },
)

test('a rail that refunds does so itself, whoever the event says has paid', async () => {
  const { id } = await openPayment(caller)
  const event = eventOf({ id: newId('crd'), contract_id: id, amount: 40_000, channel: 'card', payer: MALLORY })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await expect.poll(async () => (await seen(id)).refunds[0]?.status).toBe('failed')
  const [refund] = (await seen(id)).refunds
  expect(await recipientOf(refund)).toEqual(['card', null])
})
