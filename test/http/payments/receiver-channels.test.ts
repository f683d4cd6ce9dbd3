// A receiver key that is bound to channels: what it tells of a payment by another one is kept for a person and never acted
// on, whatever names it uses, also when it waited for its contract. Over every pair of channels that bring money in.
import { afterAll, describe, expect, test } from 'vitest'
import { rematchRound } from '../../../src/workers/sweeps/rematch-events.ts'
import { openWorld } from '../../world.ts'
import {
  CONFIRMED,
  eventOf,
  eventRow,
  getPayment,
  makeProvider,
  openPayment,
  tell,
  type Told,
} from './receiver-world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const CHANNELS = ['gcash', 'maya', 'qrph', 'card']
const PAIRS = CHANNELS.flatMap((told) => CHANNELS.map((about): [string, string] => [told, about]))
const METHODS: Readonly<Record<string, Told>> = {
  gcash: { type: 'gcash', gcash: {} },
  maya: { type: 'maya', maya: {} },
  qrph: { type: 'qr', qr: { scheme: 'qrph' } },
  card: { type: 'card', card: { token: 'tok_3ds' } },
}
const isPaid = (status: string) => status === 'paid' || status === 'completed'
const idOf = (event: Told) => String(event['id'])

type Attempted = { readonly id: string; readonly amount: number; readonly reference: string }

/** A payment contract whose payer has chosen the channel, and what the rail calls the attempt. */
async function attemptOn(channel: string): Promise<Attempted> {
  const { id } = await openPayment(caller, { payment: METHODS[channel] })
  const { data } = await caller.ask('GET', `/contracts/payment/${id}`)
  const { attempts } = data['contract'] as { attempts: { channel: string; reference: string; amount: number }[] }
  const attempt = attempts.at(-1)
  expect(attempt?.channel).toBe(channel)
  return { id, amount: attempt?.amount ?? 0, reference: attempt?.reference ?? '' }
}

describe.each(PAIRS)('a key of %s that tells of a payment by %s', (told, about) => {
  const verdict = told === about ? 'is believed' : 'is not believed'
  test(`${verdict}, by its reference, the contract's id, and whatever channel it says`, async () => {
    const provider = await makeProvider(world, caller, { channels: [told] })
    const { id, amount, reference } = await attemptOn(about)
    const failed = { type: 'payment_intent.failed' }
    const tries = [
      ...(told === about
        ? []
        : [eventOf({ reference, contract_id: id, amount, channel: about, status: 'failed' }, failed)]),
      ...(told === about ? [] : [eventOf({ reference, amount, channel: about })]),
      eventOf({ reference, amount, channel: told }),
    ]
    for (const event of tries) expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(isPaid((await getPayment(caller, id)).status)).toBe(told === about)
    for (const event of tries) {
      const row = await eventRow(world, caller, idOf(event))
      expect([row?.status, row?.contract_id]).toEqual([told === about ? 'applied' : 'needs_review', id])
      expect(row?.amount_minor === null).toBe(told !== about)
    }
    expect((await getPayment(caller, id)).activities.map(({ type }) => type)).not.toContain('attempt_failed')
  })
})

test('a key of several channels is believed about each of them, and where it names none about no other', async () => {
  const provider = await makeProvider(world, caller, { channels: ['gcash', 'maya'] })
  const chosen = await attemptOn('maya')
  await tell(world, provider, eventOf({ reference: chosen.reference, amount: chosen.amount, channel: undefined }))
  expect(isPaid((await getPayment(caller, chosen.id)).status)).toBe(true)
  const open = await openPayment(caller)
  const event = eventOf({ contract_id: open.id, channel: undefined })
  await tell(world, provider, event)
  expect(await eventRow(world, caller, idOf(event))).toMatchObject({
    status: 'needs_review',
    reason: expect.stringContaining('names no channel'),
  })
  expect((await getPayment(caller, open.id)).amount_received).toBe(0)
})

test('what waited for its contract is bound as well when the contract is there', async () => {
  const provider = await makeProvider(world, caller, { channels: ['card'] })
  const event = eventOf({ reference: 'order-of-tomorrow', channel: 'gcash' })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  expect((await eventRow(world, caller, idOf(event)))?.status).toBe('unmatched')
  const { id } = await openPayment(caller, { deliverable: { reference_id: 'order-of-tomorrow' } })
  await world.sql('update payment_events set due_at = now() where due_at is not null')
  await rematchRound({ ...world.gateway.deps, lanes: [caller.account.lane] })
  expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'needs_review', contract_id: id })
  expect((await getPayment(caller, id)).status).toBe('issued')
})

test('a key that is bound to none tells of all channels of its mode', async () => {
  const unbound = await makeProvider(world, caller)
  for (const channel of ['gcash', 'card']) {
    const { id, amount, reference } = await attemptOn(channel)
    await tell(world, unbound, eventOf({ reference, amount, channel }))
    expect(isPaid((await getPayment(caller, id)).status)).toBe(true)
  }
})
