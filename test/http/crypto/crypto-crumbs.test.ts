// More amounts than a contract takes in by itself, on a chain: whoever knows an address can send it crumbs, and money of the customer
// among them must not be lost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeUnallocated } from '../../../src/app/payments/unallocated-events.ts'
import { openOperator, type Operator } from '../../../src/main/operator/operator.ts'
import { type CryptoStage, newAddress, openCryptoStage } from './crypto-payments-stage.ts'
import { urlOf } from '../../world.ts'

let at: CryptoStage
let operator: Operator
beforeAll(async () => {
  at = await openCryptoStage('receives and pays out')
  const databaseUrl = urlOf(at.world.database.owner)
  operator = await openOperator({ ...at.world.config, databaseUrl }, () => undefined)
})
afterAll(async () => {
  await operator.close()
  await at.close()
})

const CRUMBS = 100
const NO_CORRECTION = { contractId: null, amount: null, currency: null }
const DEED = { operator: 'Ana Cruz', evidence: 'the transaction on the chain' } as Parameters<typeof takeUnallocated>[4]

test('the amount after the hundredth waits for an operator, who takes it in once there is room', async () => {
  const { world } = at
  const { accountId } = world.caller.account
  const opened = await at.open('TUSD')
  await at.pay(opened)
  await at.minedUntil(opened.id, ({ status }) => status === 'completed')
  for (let crumbs = 0; crumbs < CRUMBS; crumbs++) await at.pay(opened, () => 100_000n)
  await at.minedUntil(opened.id, ({ amount_received: amount }) => amount >= 100 + CRUMBS * 5.64)
  await at.pay(opened)
  await at.settled()
  const before = await at.get(opened.id)
  const [waiting] = (await operator.openEvents(accountId, 10)) ?? []
  if (!waiting) throw new Error('nothing waits')
  expect(waiting).toMatchObject({ type: 'gateway.chain', status: 'needs_review', contractId: opened.id })

  const take = (correction = NO_CORRECTION) => operator.takeEvent(accountId, waiting.id, correction, DEED)
  expect(await take({ ...NO_CORRECTION, currency: 'PHP' } as never)).toMatchObject({ code: 'invalid_currency' })
  expect(await take()).toMatchObject({ reception: 'needs_review' })
  const back = { channel: 'token', recipient: { wallet: newAddress() } }
  const returned = await world.caller.ask('POST', `/contracts/payment/${opened.id}/returns`, { body: back })
  expect(returned.status).toBe(200)
  expect(await take()).toMatchObject({ reception: 'applied' })
  const after = await at.get(opened.id)
  expect(after.amount_received).toBeCloseTo(before.amount_received + 100, 6)
  expect(await take()).toMatchObject({ code: 'event_not_found' })
  await at.settled()
  expect((await at.get(opened.id)).amount_received).toBeCloseTo(after.amount_received, 6)
})
