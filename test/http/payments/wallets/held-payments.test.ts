// A payer pays from a wallet whose money does not leave at once, as a policy of its account says: the payer has paid and the money is
// held, so the contract says neither that it is paid nor that the payer did not pay. Real workers, and leases of two seconds.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../world.ts'
import { policiesOf } from '../../policies/policy-stage.ts'
import { looked, openPayStage, type PaymentBody, told, type Wire } from '../payments-stage.ts'

const stage = await openPayStage({ callTimeoutMs: 900, leaseMs: 2000 })
const { world, open, asPayer, get, until, ends } = stage
const { caller } = world
const HELD_SECONDS = 3600

let payer: Caller
beforeAll(async () => {
  payer = await world.newCaller({ lane: 7 })
  await policiesOf(payer).make({ name: 'Later', then: { kind: 'delay', seconds: HELD_SECONDS } })
})
afterAll(() => stage.close())
// The payer's books say so a moment after the contract's.
beforeEach(async () => void (await looked(pocket, ({ held }) => held === 0)))

const WITHIN = { timeout: 60_000, interval: 50 }
const codeOf = ({ body }: Wire) => (body['error'] as { code: string } | undefined)?.code
const pocket = async () => {
  const { available, held } = await payer.wallet('PHP')
  return { available, held }
}

async function pay(payment: PaymentBody): Promise<Wire> {
  const body = { type: 'wallet', wallet: { wallet_id: (await payer.wallet('PHP')).id } }
  return asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, body, { 'x-api-key': payer.apiKey })
}

/** A contract that the payer has paid, of which nothing has left; and the payer's transfer. */
async function held(fields: Record<string, unknown> = {}) {
  const payment = await open(fields)
  const reply = await pay(payment)
  if (reply.status !== 200) throw new Error(`not begun but ${reply.status}: ${reply.text}`)
  return { payment, reply, transferId: await transferOf(payment) }
}

/** The payer's transfer that is under way. */
async function transferOf({ id }: PaymentBody): Promise<string> {
  const { data } = await payer.ask('GET', `/contracts/transfer?reference_id=${id}`)
  const found = (data['contracts'] as { id: string; status: string }[]).find(({ status }) => status === 'paid')
  if (!found) throw new Error('no transfer is under way')
  return found.id
}

/** The time has come. */
const leave = (transferId: string) => world.sql('update jobs set due_at = now() where contract_id = $1', [transferId])

/** The payment is looked at once more, and again. */
async function lookedAt({ id }: PaymentBody, times: number): Promise<void> {
  const fence = async () =>
    Number((await world.sql('select fence from jobs where contract_id = $1', [id]))[0]?.['fence'])
  for (let look = 0; look < times; look++) {
    const before = await fence()
    await world.sql('update jobs set due_at = now() where contract_id = $1 and due_at > now()', [id])
    await expect.poll(fence, WITHIN).toBeGreaterThan(before)
  }
}

async function failuresOf({ id }: PaymentBody): Promise<number> {
  const events = await caller.all<unknown>('/events?types=contract.payment_failed', 'events')
  return events.filter((event) => JSON.stringify(event).includes(id)).length
}

const isProcessing = ({ attempts }: PaymentBody) => attempts[0]?.status === 'processing'

test('is answered as begun, is processing while the money is held, and is paid when it leaves', async () => {
  const [before, earned] = [await pocket(), await caller.balance('PHP')]
  const { payment, reply, transferId } = await held()
  expect(reply.body).toMatchObject({ message: 'Payment begun.', data: { contract: { status: 'issued' } } })
  expect(await pocket()).toEqual({ available: before.available - 100, held: before.held + 100 })
  await until(payment.id, isProcessing)
  await lookedAt(payment, 1)
  const waits = await get(payment.id)
  expect(waits).toMatchObject({
    status: 'issued',
    amount_received: 0,
    attempts: [{ status: 'processing', failure: null }],
  })
  expect(told(waits)).not.toContain('attempt_failed')
  await leave(transferId)
  const done = await ends(payment.id, 'completed')
  expect(done).toMatchObject({ amount_received: 100, attempts: [{ type: 'wallet', status: 'succeeded' }] })
  expect(await failuresOf(payment)).toBe(0)
  await expect.poll(pocket, WITHIN).toEqual({ available: before.available - 100, held: before.held })
  expect(await caller.balance('PHP')).toBe(earned + 100)
})

test('asked for again it is the same attempt, and nothing more is held', async () => {
  const { payment, transferId } = await held()
  const before = await pocket()
  const [first, meanwhile] = await Promise.all([pay(payment), pay(payment)])
  await until(payment.id, isProcessing)
  const replies = [first, meanwhile, await pay(payment)]
  expect(replies.map(({ status, body }) => [status, body['message']])).toEqual(
    replies.map(() => [200, 'Payment begun.']),
  )
  expect((await get(payment.id)).attempts).toHaveLength(1)
  expect(await pocket()).toEqual(before)
  await leave(transferId)
  await ends(payment.id, 'completed')
  await expect.poll(pocket, WITHIN).toEqual({ available: before.available, held: before.held - 100 })
})

test('while it is processing nobody else begins', async () => {
  const { payment, transferId } = await held()
  await until(payment.id, isProcessing)
  const { other } = world
  const before = await other.wallet('PHP')
  const body = { type: 'wallet', wallet: { wallet_id: before.id } }
  const path = `/contracts/payment/${payment.id}/pay`
  const refused = await asPayer(payment, 'PUT', path, body, { 'x-api-key': other.apiKey })
  expect([refused.status, codeOf(refused)]).toEqual([409, 'payment_processing'])
  expect(await other.wallet('PHP')).toEqual(before)
  await leave(transferId)
  await ends(payment.id, 'completed')
})

test('its transfer cancelled, the attempt has failed, the payer has the money, and another way is open', async () => {
  const before = await pocket()
  const { payment, transferId } = await held()
  await until(payment.id, isProcessing)
  await payer.cancel(transferId, 'changed my mind')
  expect(await pocket()).toEqual(before)
  await lookedAt(payment, 1)
  const failed = await until(payment.id, ({ attempts }) => attempts[0]?.status === 'failed')
  expect(failed).toMatchObject({ status: 'issued', attempts: [{ failure: { code: 'not_approved' } }] })
  expect(await failuresOf(payment)).toBe(1)
  expect((await pay(payment)).status).toBe(200)
  await leave(await transferOf(payment))
  expect((await ends(payment.id, 'completed')).attempts).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
})

test.each(['cancelled', 'expired'] as const)(
  'the contract %s meanwhile takes nothing, and the payer gets it back',
  async (end) => {
    const before = await pocket()
    const { payment, transferId } = await held(end === 'expired' ? { expires_in: 10 } : {})
    await until(payment.id, isProcessing)
    const cancelled =
      end === 'cancelled' ? (await caller.ask('DELETE', `/contracts/payment/${payment.id}`)).status : 200
    expect(cancelled).toBe(200)
    expect(await ends(payment.id, end)).toMatchObject({ amount_received: 0, attempts: [{ status: 'cancelled' }] })
    expect(await pocket()).toEqual({ available: before.available - 100, held: before.held + 100 })
    await leave(transferId)
    await expect.poll(async () => (await payer.get(transferId)).status, WITHIN).toBe('cancelled')
    expect(await pocket()).toEqual(before)
    expect(await get(payment.id)).toMatchObject({ status: end, amount_received: 0, amount_in_suspense: 0 })
  },
)
