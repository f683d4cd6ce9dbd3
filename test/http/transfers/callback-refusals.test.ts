// A callback that would send money back is believed only when the rail itself says the same: a secret may have leaked. The
// provider is a real one, and what a worker does is done here in turn, so that each order of things can be had.
import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Dispute } from '../../../src/app/transfers/payouts.ts'
import { openRailEvents } from '../../../src/workers/read-rail-events.ts'
import { attemptReference, contractUuid, LANE_COUNT } from '../../../src/domain/contract/ids.ts'
import { pollsEvents, type Connector } from '../../../src/connectors/connector.ts'
import { attemptAt, workerDeps, workNow } from '../../rig/model/one-worker.ts'
import { control } from '../../sandbox/rails.ts'
import { type ContractBody, openWorld } from '../../world.ts'

const SECRET = 'whsec_dGhlIHNlY3JldCB0aGF0IGxlYWtlZA=='
const RAILS = ['sandbox', 'instapay', 'pesonet', 'gcash', 'maya'] as const
const world = await openWorld({
  workers: 'resting',
  config: { callbackSecrets: new Map(RAILS.map((rail) => [rail, [`${SECRET}${rail}`]])) },
})
const { caller } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const disputes: Dispute[] = []
const attemptOf = ({ id }: ContractBody) => attemptAt(world, id)
async function work({ id }: ContractBody): Promise<ContractBody> {
  await workNow(world, id, disputes)
  return caller.get(id)
}
async function readNews(): Promise<void> {
  const { reader, callbacks, channels } = world.gateway.deps
  const connector = callbacks.connectors.get('sandbox') as Connector
  if (!pollsEvents(connector)) throw new Error('the sandbox tells of its events')
  await openRailEvents({ ...workerDeps(world), reader, channels }, 'sandbox', connector)()
}
const scripted = async (scenario: object) => {
  const { id } = await control(world.sandboxUrl, 'POST', '/scenarios', scenario)
  return () => fetch(`${world.sandboxUrl}/scenarios/${String(id)}`, { method: 'DELETE' })
}

/** Posts a callback that is signed with the secret of a channel. */
async function told(contract: ContractBody, status: string, signer: string = 'sandbox', fields: object = {}) {
  const { reference } = contract.transfer
  const amount = contract.preview.receive_amount.toFixed(2)
  const code = status === 'completed' || status === 'accepted' ? null : 'account_closed'
  const object = { rail: 'sandbox', reference, amount, currency: 'PHP', status, code, message: null, ...fields }
  const types = { completed: 'completed', accepted: 'accepted', refused: 'failed', returned: 'returned' }
  const type = `transfer.${types[status as keyof typeof types]}`
  const body = JSON.stringify({ id: 'evt_1', type, created_at: '2026-11-21T00:00:00.000Z', data: { object } })
  const t = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', `${SECRET}${signer}`).update(`${t}.${body}`).digest('hex')
  const headers = { 'service-signature': `t=${t},v1=${digest}` }
  const reply = await world.ask('POST', `/channels/${signer}/callbacks`, { body, headers })
  expect([reply.status, reply.text]).toEqual([200, '{}'])
}

const trail = ({ activities }: ContractBody) => activities.map(({ type }) => type)
const count = (contract: ContractBody, type: string) => trail(contract).filter((each) => each === type).length
const bookOf = ({ transfer }: ContractBody) => control(world.sandboxUrl, 'GET', `/sandbox/books/${transfer.reference}`)

/** Paid, and executed by the rail, which gave no answer. */
async function unknown(amount = 100): Promise<ContractBody> {
  const contract = await caller.paid({ amount })
  const end = await scripted({ match: { reference: contract.transfer.reference }, wire: 'reset_after' })
  const after = await work(contract)
  await end()
  expect(after).toMatchObject({ status: 'paid', transfer: { status: 'unknown' } })
  return after
}

describe('while the outcome is unknown', () => {
  test('a forged refusal of what the rail did pay is never refunded: asked, the rail says that it arrived', async () => {
    const before = await caller.balance('PHP')
    const contract = await unknown()
    disputes.length = 0
    await told(contract, 'refused')
    const held = await caller.get(contract.id)
    expect(held).toMatchObject({ status: 'paid', refund: null, transfer: { status: 'unknown', failure: null } })
    expect(trail(held).slice(trail(contract).length)).toEqual(['failure_reported'])
    expect(held.activities.at(-1)?.resource.data).toMatchObject({ as: 'failed', code: 'account_closed', attempt: 1 })
    // Due at once, not when the ladder says.
    expect((await attemptOf(held)).dueAt).toBeLessThanOrEqual(Date.now())
    const done = await work(held)
    expect(done).toMatchObject({ status: 'completed', refund: null, transfer: { status: 'delivered' } })
    expect(trail(done).slice(-2)).toEqual(['failure_disputed', 'completed'])
    expect(disputes).toEqual([{ channel: 'sandbox', reference: contract.transfer.reference, answer: 'delivered' }])
    expect(await bookOf(done)).toMatchObject({ executions: 1 })
    expect(await caller.balance('PHP')).toBe(before - 110.5)
  })

  test('so is a forged return', async () => {
    const before = await caller.balance('PHP')
    const contract = await unknown()
    await told(contract, 'returned')
    expect(await caller.get(contract.id)).toMatchObject({ status: 'paid', refund: null })
    const done = await work(contract)
    expect(done).toMatchObject({ status: 'completed', refund: null })
    // The rail said that it arrived; it is asked again, for its answer may only have been early.
    expect((await attemptOf(done)).dueAt).not.toBeNull()
    expect(await work(done)).toMatchObject({ status: 'completed', refund: null })
    expect(await caller.balance('PHP')).toBe(before - 110.5)
  })

  test('a true refusal is believed when the rail says it too', async () => {
    const contract = await caller.paid()
    const before = await caller.balance('PHP')
    const end = await scripted({
      match: { reference: contract.transfer.reference },
      wire: 'reset_after',
      verdict: 'refused',
      code: 'account_closed',
    })
    expect((await work(contract)).transfer.status).toBe('unknown')
    await end()
    await told(contract, 'refused')
    expect(await caller.balance('PHP')).toBe(before)
    const done = await work(contract)
    expect(done).toMatchObject({ status: 'cancelled', refund: { amount: 110.5 } })
    expect(count(done, 'failure_disputed')).toBe(0)
    expect(await caller.balance('PHP')).toBe(before + 110.5)
  })

  test('a rail that does not answer leaves it unknown, however often it is said', async () => {
    const contract = await unknown()
    const mend = await scripted({ match: { reference: contract.transfer.reference }, inquiry: 'error' })
    for (let i = 0; i < 5; i++) {
      await told(contract, 'refused')
      expect(await work(contract)).toMatchObject({ status: 'paid', refund: null, transfer: { status: 'unknown' } })
    }
    const still = await caller.get(contract.id)
    expect(count(still, 'failure_reported')).toBe(1)
    expect((await attemptOf(still)).dueAt).not.toBeNull()
    await mend()
    expect(await work(still)).toMatchObject({ status: 'completed', refund: null })
  })

  test('a cancellation that is pending gives no callback the power to refund', async () => {
    const contract = await unknown()
    await caller.cancel(contract.id)
    await told(contract, 'refused')
    expect(await caller.get(contract.id)).toMatchObject({ status: 'paid', cancellation: { status: 'pending' } })
    expect(await work(contract)).toMatchObject({ status: 'completed', cancellation: { status: 'refused' } })
  })
})

describe('at any other moment', () => {
  test('before it is sent: it is sent, and the rail’s own answer counts', async () => {
    const contract = await caller.paid()
    await told(contract, 'refused')
    const still = await caller.get(contract.id)
    expect(still).toMatchObject({ status: 'paid', refund: null, transfer: { status: 'queued' } })
    expect(await work(still)).toMatchObject({ status: 'completed', refund: null })
  })

  test('after the rail accepted it: the answer that it is still on its way is told, once, and it goes on', async () => {
    const contract = await caller.paid()
    const later = { after_seconds: 3600, status: 'completed' }
    await scripted({ match: { reference: contract.transfer.reference }, verdict: 'accepted', later })
    expect((await work(contract)).transfer.status).toBe('accepted')
    disputes.length = 0
    await told(contract, 'refused')
    for (let i = 0; i < 3; i++)
      expect(await work(contract)).toMatchObject({ status: 'paid', refund: null, transfer: { status: 'accepted' } })
    expect(count(await caller.get(contract.id), 'failure_disputed')).toBe(1)
    expect(disputes[0]).toMatchObject({ channel: 'sandbox', answer: 'accepted' })
    await control(world.sandboxUrl, 'POST', '/clock', { advance_seconds: 3600 })
    expect(await work(contract)).toMatchObject({ status: 'completed', refund: null })
  })

  test('after it arrived: what came back is believed when the rail says it, or lists it', async () => {
    const contract = await caller.paid()
    const later = { after_seconds: 3600, status: 'returned' }
    await scripted({ match: { reference: contract.transfer.reference }, later })
    expect((await work(contract)).status).toBe('completed')
    await told(contract, 'returned')
    const asked = await work(contract)
    expect(asked).toMatchObject({ status: 'completed', refund: null })
    expect(trail(asked).slice(-2)).toEqual(['failure_reported', 'failure_disputed'])
    await control(world.sandboxUrl, 'POST', '/clock', { advance_seconds: 3600 })
    const back = await work(contract)
    expect(back).toMatchObject({ status: 'returned', transfer: { status: 'returned' } })
    expect(await work(back)).toMatchObject({ status: 'cancelled', refund: { amount: 100 } })

    const another = await caller.paid()
    await scripted({ match: { reference: another.transfer.reference }, later })
    await work(another)
    await control(world.sandboxUrl, 'POST', '/clock', { advance_seconds: 3600 })
    await readNews()
    expect(await caller.get(another.id)).toMatchObject({ status: 'returned' })
  })

  test('that it was refused after it arrived stays a contradiction for a person', async () => {
    const contract = await work(await caller.paid())
    expect(contract.status).toBe('completed')
    await told(contract, 'refused')
    const after = await caller.get(contract.id)
    expect([after.status, trail(after).at(-1)]).toEqual(['completed', 'outcome_disputed'])
  })
})

test('a callback of one channel moves no attempt of another, over every pair of channels', async () => {
  const contract = await unknown()
  const before = (await caller.ask('GET', `/contracts/transfer/${contract.id}`)).text
  for (const signer of RAILS.filter((rail) => rail !== 'sandbox'))
    for (const rail of [signer, 'sandbox'])
      for (const status of ['completed', 'accepted', 'refused', 'returned'])
        await told(contract, status, signer, { rail })
  expect((await caller.ask('GET', `/contracts/transfer/${contract.id}`)).text).toBe(before)
  // And the other way round: the sandbox’s secret, about an attempt of each of them.
  const recipient = { name: 'Ana Reyes', wallet: '09171234567', mobile: '09171234567', tag: 'BOPIPHMM' }
  for (const channel of RAILS.filter((rail) => rail !== 'sandbox')) {
    const wallet = channel === 'instapay' || channel === 'pesonet' ? '000123456789' : '09171234567'
    const theirs = await caller.paid({ channel, recipient: { ...recipient, wallet } })
    const was = (await caller.ask('GET', `/contracts/transfer/${theirs.id}`)).text
    for (const signer of RAILS.filter((rail) => rail !== channel))
      for (const rail of [signer, channel])
        for (const status of ['completed', 'accepted', 'refused', 'returned'])
          await told(theirs, status, signer, { rail })
    expect((await caller.ask('GET', `/contracts/transfer/${theirs.id}`)).text, channel).toBe(was)
  }
  const { body } = await world.gateway.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { 'x-api-key': caller.apiKey },
  })
  expect(body).toMatch(/gateway_callbacks_ignored_total\{channel="maya"\} [1-9]/)
})

test('what a channel tells of an order that an account of these books made, and none has, is counted', async () => {
  const contract = await unknown()
  const { lane, accountId } = caller.account
  const orderOf = (ofLane: number) =>
    attemptReference(contractUuid({ lane: ofLane, accountId }, Date.now(), '1'.repeat(17), null), 1)
  const aboutOrder = (reference: string) => told(contract, 'completed', 'gcash', { rail: 'gcash', reference })
  // No account is on the next lane: that one is of another gateway with the same provider.
  for (const reference of [orderOf(lane), orderOf((lane + 1) % LANE_COUNT), 'x', String(contract.transfer.reference)])
    await aboutOrder(reference)
  const { body } = await world.gateway.app.inject({ url: '/metrics', headers: { 'x-api-key': caller.apiKey } })
  expect(body).toMatch(/gateway_forgotten_orders_total\{channel="gcash"\} 1$/m)
})
