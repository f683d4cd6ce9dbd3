// What providers tell while the gateway is in recovery: nothing of it can be written, so none of it may count as heard. A provider
// that calls back is told to call again, and news that a channel lists is read again.
import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { declareRecovery } from '../../../src/app/operator/resume.ts'
import { standingStill } from '../../../src/app/recoveries/recovery.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openRailEvents } from '../../../src/workers/read-rail-events.ts'
import { type ContractBody, openWorld } from '../../world.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
const config = { callbackSecrets: new Map([['sandbox', [SECRET]]]) }
const world = await openWorld({ workers: 'resting', config })
const { caller } = world
const operators = openPlannedSession(world.operators)
afterAll(async () => {
  await operators.close()
  await world.stop()
})

function callbackOf({ transfer, preview, currency }: ContractBody) {
  const amount = preview.receive_amount.toFixed(2)
  const object = { rail: 'sandbox', reference: transfer.reference, amount, currency, status: 'completed' }
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'transfer.completed',
    created_at: '2026-11-21T00:00:00.000Z',
    data: { object: { ...object, code: null, message: null } },
  })
  const t = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  return { body, headers: { 'service-signature': `t=${t},v1=${digest}` } }
}

test('news that a channel lists is read again after a recovery that refused it', async () => {
  const contract = await caller.paid()
  const { execute, reader, channels, callbacks } = world.gateway.deps
  const item = { reference: contract.transfer.reference!, outcome: { kind: 'delivered', providerId: null } } as const
  const asked: number[] = []
  const connector = {
    ...callbacks.connectors.get('sandbox')!,
    pollEvents: async (from: number) => {
      asked.push(from)
      return from < 7 ? { items: [item], position: 7 } : { items: [], position: from }
    },
  }
  const outcomes = { connectors: callbacks.connectors, leaseMs: 60_000, crashPoint: () => undefined, reader, channels }
  const inRecovery = standingStill({ isOn: () => true, wasEver: () => true }, execute)
  expect(await openRailEvents({ ...outcomes, execute: inRecovery }, 'sandbox', connector)()).toBe(0)
  expect((await caller.get(contract.id)).status).toBe('paid')

  const poll = openRailEvents({ ...outcomes, execute }, 'sandbox', connector)
  expect(await poll()).toBe(1)
  expect(await poll()).toBe(0)
  expect((await caller.get(contract.id)).status).toBe('completed')
  expect(asked).toEqual([0, 0, 7])
})

test('a callback in recovery is answered with 503, and is heard when it comes again', async () => {
  const contract = await caller.paid()
  const told = callbackOf(contract)
  const { nowMs, randomHex } = world.gateway.deps
  await declareRecovery({ reader: operators, ids: { nowMs, randomHex } }, { operator: 'ana', evidence: 'ticket 4711' })
  const recovering = await world.beside(config)
  const refused = await recovering.ask('POST', '/channels/sandbox/callbacks', told)
  expect([refused.status, refused.error?.code]).toEqual([503, 'in_recovery'])
  expect((await caller.get(contract.id)).status).toBe('paid')
  // Drafts are written meanwhile, and one that cannot be is told what is wrong with it; not the repeat of what may have been done before.
  const faulty = (headers: Readonly<Record<string, string>>) =>
    recovering.ask('POST', '/contracts/transfer', {
      body: { amount: 100, currency: 'XXP' },
      headers: { 'x-api-key': caller.apiKey, ...headers },
    })
  const [fresh, repeated] = [await faulty({}), await faulty({ 'idempotency-key': 'once' })]
  expect([fresh.status, fresh.error?.code]).toEqual([400, 'invalid_currency'])
  expect([repeated.status, repeated.error?.code]).toEqual([503, 'in_recovery'])

  // The first gateway began before the recovery and has not looked since.
  expect((await world.ask('POST', '/channels/sandbox/callbacks', told)).status).toBe(200)
  expect((await caller.get(contract.id)).status).toBe('completed')
  await recovering.stop()
})
