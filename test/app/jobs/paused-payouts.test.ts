// A pause and a freeze hold for whoever would send: a worker who took a payout up before it was known, a request that pays at once, a
// file at its cut-off. Nothing is leased, the money stays held, and it leaves once when the channel goes on.
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Freezes, openFreezes } from '../../../src/app/jobs/freezes.ts'
import { findPayment } from '../../../src/app/payments/payments.ts'
import { payByWallet } from '../../../src/app/payments/wallet-payments.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { sendTogether } from '../../../src/app/transfers/transfer-files.ts'
import { type SendsFiles, sendsFiles } from '../../../src/connectors/connector.ts'
import { ALL_CHANNELS } from '../../../src/domain/channel/payout-pauses.ts'
import { passOn } from '../../../src/engine/crash-points.ts'
import { pausePayouts } from '../../../src/store/operator/payout-pauses.ts'
import { openPayment } from '../../http/payments/receiver-world.ts'
import { attemptAt } from '../../rig/model/one-worker.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { execute, reader, callbacks } = world.gateway.deps
const { connectors } = callbacks
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})
afterEach(() => world.sql('delete from payout_pauses where true').then(() => world.sql('delete from channel_freezes')))

const STOPS: Readonly<Record<string, (channel: string) => Promise<unknown>>> = {
  'a pause of all channels': () => reader.send([pausePayouts(ALL_CHANNELS, 'ana', 'ticket 4711')]),
  'a pause of the channel': (channel) => reader.send([pausePayouts(channel, 'ana', 'ticket 4711')]),
  'a freeze': (channel) =>
    world.sql('insert into channel_freezes (channel_id, reason) values ($1, $2)', [channel, 'ticket 4711']),
}

/** What a gateway knows by now. */
async function looked(): Promise<Freezes> {
  const freezes = openFreezes(reader, () => 1)
  await freezes.look()
  return freezes
}

async function paid(channel: 'wallet' | 'sandbox' | 'pesonet'): Promise<string> {
  const wallet = await world.other.wallet('PHP')
  const account = { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' }
  const recipient = channel === 'wallet' ? { wallet: wallet.id } : account
  const { id } = await world.caller.issued({ amount: 100, currency: 'PHP', channel, recipient })
  await world.caller.pay(id)
  await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
  return id
}

describe.each(Object.entries(STOPS))('%s', (_, stop) => {
  test.each(['wallet', 'sandbox'] as const)(
    'holds what would leave by %s, and it leaves once afterwards',
    async (channel) => {
      const deps = { execute, connectors, leaseMs: 15_000, crashPoint: passOn }
      const id = await paid(channel)
      const [before, received] = [await attemptAt(world, id), await world.other.balance('PHP')]
      await stop(channel)
      expect(await runPayout({ ...deps, freezes: await looked() }, before)).toBe('not called')
      expect(await attemptAt(world, id)).toEqual(before)
      expect(await world.other.balance('PHP')).toBe(received)
      await world.sql('delete from payout_pauses')
      await world.sql('delete from channel_freezes')
      const freezes = await looked()
      expect(await runPayout({ ...deps, freezes }, before)).toBe('answered')
      expect(await runPayout({ ...deps, freezes }, before)).toBe('not called')
      expect((await attemptAt(world, id)).status).not.toBe('queued')
    },
  )

  test('holds a file', async () => {
    const ids = [await paid('pesonet'), await paid('pesonet')]
    const attempts = await Promise.all(ids.map((id) => attemptAt(world, id)))
    const rail = connectors.get('pesonet')
    if (!rail || !sendsFiles(rail)) throw new Error('pesonet sends files')
    const sent: string[] = []
    const sendFile: SendsFiles['sendFile'] = async (name) => {
      sent.push(name)
      return new Map()
    }
    await stop('pesonet')
    const deps = { execute, connectors, freezes: await looked(), leaseMs: 15_000, crashPoint: passOn }
    expect(await sendTogether(deps, { ...rail, sendFile }, attempts)).toBe('not called')
    expect([sent, await Promise.all(ids.map((id) => attemptAt(world, id)))]).toEqual([[], attempts])
  })
})

test('what was sent before is asked about all the same', async () => {
  const id = await paid('sandbox')
  const connector = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  const { lane, accountId } = world.caller.account
  const command = { verb: 'submit', id, leaseMs: 1, connector } as const
  await execute({ lane, accountId, keyId: null, idempotency: null, command })
  await reader.send([pausePayouts(ALL_CHANNELS, 'ana', 'ticket 4711')])
  await expect.poll(async () => ((await attemptAt(world, id)).dueAt ?? 0) < Date.now()).toBe(true)
  const deps = { execute, connectors, freezes: await looked(), leaseMs: 15_000, crashPoint: passOn }
  expect(await runPayout(deps, await attemptAt(world, id))).toBe('answered')
})

test('a payer who had begun when the pause came has all of it held, and pays once afterwards', async () => {
  const { caller, other } = world
  const before = [await other.balance('PHP'), await caller.balance('PHP')] as const
  const { id: paymentId } = await openPayment(caller, { amount: 100 })
  const { deps } = world.gateway
  const [payment, payer] = [await findPayment(deps, paymentId), await deps.callers.byApiKey(other.apiKey)]
  if (!payment || !payer) throw new Error('neither contract nor payer')
  const freezes = { ...deps.payments.freezes, paysNothing: () => true }
  const paused = { ...deps, payments: { ...deps.payments, freezes } }
  const begun = await payByWallet(paused, payment, payer, (await other.wallet('PHP')).id)
  expect(begun).toMatchObject({ contract: { status: 'issued', attempts: [{ kind: 'wallet', status: 'starting' }] } })
  expect(await other.wallet('PHP')).toMatchObject({ available: before[0] - 100, held: 100 })
  const [queued] = await world.sql(
    `select contract_id as id from jobs where account_id = $1 and kind = 'payout' and status = 'queued'`,
    [other.account.accountId],
  )
  const attempt = await attemptAt(world, queued?.['id'] as string)
  const going = { execute, connectors, freezes: await looked(), leaseMs: 15_000, crashPoint: passOn }
  expect([await runPayout(going, attempt), await runPayout(going, attempt)]).toEqual(['answered', 'not called'])
  expect([await other.balance('PHP'), await caller.balance('PHP')]).toEqual([before[0] - 100, before[1] + 100])
  expect((await other.wallet('PHP')).held).toBe(0)
})

test('who comes while a gateway looks waits for what it sees', async () => {
  await reader.send([pausePayouts('wallet', 'ana', 'ticket 4711')])
  const freezes = openFreezes(reader, () => 1)
  void freezes.look()
  await freezes.look()
  expect([freezes.paysNothing('wallet'), freezes.paysNothing('sandbox')]).toEqual([true, false])
})
