// A gateway that was away past the end of a contract's time, on the database itself: its rail is asked before the clock ends the contract,
// so that what was paid in time is paid.
import { afterAll, expect, test } from 'vitest'
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openScheduler } from '../../../src/workers/scheduler.ts'
import type { PaymentDeps } from '../../../src/app/payments/payment-deps.ts'
import { contractIn } from '../../http/payments/payments-stage.ts'
import { press } from '../../sandbox/payers.ts'
import { openWorld } from '../../world.ts'
import { lapsed } from '../../rig/payments/lapsed.ts'

// Nobody is registered for the provider's events: it is heard of what it is asked about alone.
const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

/** A contract that is open at its rail; what the payer opens there. */
async function opened(): Promise<{ readonly id: string; readonly page: string }> {
  const body = { amount: 100, currency: 'PHP', payment: { type: 'gcash', gcash: {} } }
  const { id, next_action: next } = contractIn(await caller.ask('POST', '/contracts/payment', { body }))
  return { id, page: next?.url ?? '' }
}

/** Hours go by in which no gateway runs. */
async function away(id: string): Promise<void> {
  await lapsed(world, id, '5 hours')
  await world.sql(`update jobs set due_at = now() - interval '6 hours' where contract_id = $1`, [id])
}

/** What is due is looked after, by a gateway with these channels. */
async function tended(connectors = world.gateway.deps.payments.connectors): Promise<void> {
  const { deps } = world.gateway
  const noted: PaymentDeps['noted'] = (channelId, exchanges) =>
    connectors.has(channelId) ? deps.payments.noted?.(channelId, exchanges) : undefined
  const freezes = openFreezes(deps.reader, () => 0)
  const scheduler = openScheduler({
    ...deps,
    ...deps.payments,
    payments: { ...deps.payments, connectors, noted },
    connectors,
    freezes,
    inFlightPerChannel: 8,
    log: openLog('fatal'),
  })
  await scheduler.round([caller.account.lane])
  await scheduler.settled()
}

const get = async (id: string) => contractIn(await caller.ask('GET', `/contracts/payment/${id}`))

test('what the payer paid meanwhile is paid, and nothing goes back', async () => {
  const { id, page } = await opened()
  await press(page, 'pay')
  await away(id)
  await tended()
  expect(await get(id)).toMatchObject({ status: 'paid', amount_received: 100, amount_in_suspense: 0, refunds: [] })
})

test('what nobody paid is closed at its rail, and expires at the first look', async () => {
  const { id } = await opened()
  await away(id)
  await tended()
  expect(await get(id)).toMatchObject({ status: 'expired', attempts: [{ status: 'cancelled' }] })
})

test('where its channel is missing at first, nobody is asked: the contract waits for the channel, and is paid', async () => {
  const { id, page } = await opened()
  await press(page, 'pay')
  await away(id)
  const { connectors } = world.gateway.deps.payments
  const missing = new Map([...connectors].filter(([channelId]) => channelId !== 'gcash'))
  for (let looks = 0; looks < 6; looks++) {
    await tended(missing)
    await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
  }
  expect(await get(id)).toMatchObject({ status: 'issued' })
  const [job] = await world.sql('select tries from jobs where contract_id = $1', [id])
  expect(job).toMatchObject({ tries: 6 })
  await tended()
  expect(await get(id)).toMatchObject({ status: 'paid', amount_received: 100, amount_in_suspense: 0, refunds: [] })
})
