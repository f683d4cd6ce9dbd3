// A payer whose money is held chooses the same wallet once more: at the same moment, after the transfer was cancelled, with a key that has
// ended; and the merchant cancels meanwhile. What workers do is done step by step, so that nothing is mended by a later look.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findPayment } from '../../../../src/app/payments/payments.ts'
import { payByWallet } from '../../../../src/app/payments/wallet-payments.ts'
import type { Payment } from '../../../../src/domain/payment/payment.ts'
import { openLog } from '../../../../src/platform/log.ts'
import { openScheduler } from '../../../../src/workers/scheduler.ts'
import { type Caller, openWorld } from '../../../world.ts'
import { make } from '../../accounts/key-stage.ts'
import { policiesOf } from '../../policies/policy-stage.ts'
import { contractIn, type PaymentBody, tokenOf } from '../payments-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const { deps } = world.gateway
const scheduler = openScheduler({ ...deps, ...deps.payments, inFlightPerChannel: 8, log: openLog('fatal') })

let payer: Caller
let walletId: string
let before: { readonly available: number; readonly held: number }
beforeAll(async () => {
  payer = await world.newCaller({ lane: 7 })
  walletId = (await payer.wallet('PHP')).id
  await policiesOf(payer).make({ name: 'Later', then: { kind: 'delay', seconds: 3600 } })
})
beforeEach(async () => void (before = await pocket()))
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const pocket = async () => {
  const { available, held } = await payer.wallet('PHP')
  return { available, held }
}

/** What the payer has with so many payments of 100 held beyond what was before. */
const withHeld = (payments: number) => ({
  available: before.available - 100 * payments,
  held: before.held + 100 * payments,
})

const open = async () =>
  contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } }))
const get = async ({ id }: PaymentBody) => contractIn(await caller.ask('GET', `/contracts/payment/${id}`))

const pay = (payment: PaymentBody) =>
  world.ask('PUT', `/contracts/payment/${payment.id}/pay`, {
    body: { type: 'wallet', wallet: { wallet_id: walletId } },
    headers: { authorization: `Bearer ${tokenOf(payment)}`, 'x-api-key': payer.apiKey },
  })

type Made = { readonly id: string; readonly status: string }

const transfersOf = async ({ id }: PaymentBody) =>
  (await payer.ask('GET', `/contracts/transfer?reference_id=${id}`)).data['contracts'] as readonly Made[]

async function paying(payment: PaymentBody): Promise<string> {
  const [transfer, ...others] = (await transfersOf(payment)).filter(({ status }) => status === 'paid')
  if (!transfer || others.length > 0) throw new Error(`${others.length + (transfer ? 1 : 0)} transfers pay`)
  return transfer.id
}

async function held(): Promise<PaymentBody> {
  const payment = await open()
  const reply = await pay(payment)
  if (reply.status !== 200) throw new Error(`not begun but ${reply.status}: ${reply.text}`)
  return payment
}

/** Whatever is due of a contract is done, as if its time had come. */
async function work(contractId: string): Promise<void> {
  await world.sql('update jobs set due_at = now() where contract_id = $1 and due_at is not null', [contractId])
  await scheduler.round([caller.account.lane, payer.account.lane])
  await scheduler.settled()
}

async function read({ id }: PaymentBody): Promise<Payment> {
  const payment = await findPayment(deps, id)
  if (!payment) throw new Error('no such contract')
  return payment
}

async function byKey(apiKey: string) {
  const found = await deps.callers.byApiKey(apiKey)
  if (!found) throw new Error('nobody has the key')
  return found
}

test('two first choices at once are one attempt, and hold the money once', async () => {
  const payment = await open()
  const [unchosen, who] = [await read(payment), await byKey(payer.apiKey)]
  const both = await Promise.all([1, 2].map(() => payByWallet(deps, unchosen, who, walletId)))
  expect(both).toMatchObject(both.map(() => ({ contract: { status: 'issued', attempts: [{ kind: 'wallet' }] } })))
  expect((await get(payment)).attempts).toHaveLength(1)
  expect(await pocket()).toEqual(withHeld(1))
  await work(await paying(payment))
  expect(await get(payment)).toMatchObject({ amount_received: 100, attempts: [{ status: 'succeeded' }] })
  expect(await pocket()).toEqual({ ...withHeld(1), held: before.held })
})

test('cancelled by the merchant while the money is held, the contract is cancelled at once', async () => {
  const payment = await held()
  await work(payment.id)
  expect(await get(payment)).toMatchObject({ status: 'issued', attempts: [{ status: 'processing' }] })
  const cancelled = contractIn(await caller.ask('DELETE', `/contracts/payment/${payment.id}`))
  expect(cancelled).toMatchObject({ status: 'cancelled', attempts: [{ status: 'cancelled' }] })
  await work(await paying(payment))
  expect(await get(payment)).toMatchObject({ status: 'cancelled', amount_received: 0 })
  expect(await pocket()).toEqual(before)
})

test.each(['begun', 'processing'])(
  'chosen again just after the transfer of a %s attempt was cancelled, it pays',
  async (how) => {
    const payment = await held()
    if (how === 'processing') await work(payment.id)
    const first = await paying(payment)
    await payer.cancel(first, 'changed my mind')
    expect(await pocket()).toEqual(before)
    const both = await Promise.all([pay(payment), pay(payment)])
    expect(both.map(({ status, text }) => [status, text])).toEqual(
      both.map(() => [200, expect.stringContaining('Payment begun.')]),
    )
    expect(await pocket()).toEqual(withHeld(1))
    expect((await get(payment)).attempts).toMatchObject([
      { status: 'failed', failure: { code: 'not_approved' } },
      { status: 'starting' },
    ])
    await work(await paying(payment))
    expect(await get(payment)).toMatchObject({
      amount_received: 100,
      attempts: [{ status: 'failed' }, { status: 'succeeded' }],
    })
  },
)

test('chosen again with a key that ends meanwhile, it is refused, and the attempt goes on whose money is held', async () => {
  const payment = await held()
  const { apiKey, key } = await make(payer, { scopes: ['transfers:pay'] })
  const who = await byKey(apiKey)
  await payer.ask('DELETE', `/keys/${key.id}`)
  expect(await payByWallet(deps, await read(payment), who, walletId)).toMatchObject({ code: 'invalid_api_key' })
  expect((await get(payment)).attempts).toMatchObject([{ status: 'starting', failure: null }])
  expect(await pocket()).toEqual(withHeld(1))
  await work(await paying(payment))
  expect(await get(payment)).toMatchObject({ amount_received: 100, attempts: [{ status: 'succeeded' }] })
})

test('what is said of a transfer that its holder cancels in that moment is not said of the contract', async () => {
  const payment = await open()
  const execute: typeof deps.execute = async (request) => {
    if (request.command.verb === 'pay') await payer.cancel(request.command.id, 'changed my mind')
    return deps.execute(request)
  }
  const paid = await payByWallet({ ...deps, execute }, await read(payment), await byKey(payer.apiKey), walletId)
  expect(paid).toMatchObject({ code: 'payment_not_payable' })
  expect(await get(payment)).toMatchObject({
    status: 'issued',
    attempts: [{ status: 'failed', failure: { code: 'payment_not_payable' } }],
  })
  expect(await pocket()).toEqual(before)
  expect((await pay(payment)).status).toBe(200)
  expect(await pocket()).toEqual(withHeld(1))
})
