// Mandates where money leaves by payments: a payer's wallet that pays a contract, and what goes back to payers.
import { afterAll, expect, test } from 'vitest'
import { type Fields, holderIn, keyIn, make } from '../accounts/key-stage.ts'
import { openPayStage, type PaymentBody } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, asPayer, get } = stage
const { caller, other } = world
const holder = holderIn(world)

const PHP = (total: number, more: Fields = {}): Fields => ({
  mandate: { limits: [{ currency: 'PHP', total, ...more }] },
})

async function payByWallet(payment: PaymentBody, apiKey: string) {
  const body = { type: 'wallet', wallet: { wallet_id: (await other.wallet('PHP')).id } }
  return asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, body, { 'x-api-key': apiKey })
}

const spentBy = async (apiKey: string) =>
  keyIn(await holder({ apiKey }).ask('GET', '/keys/current')) as unknown as {
    mandate: { limits: { spent: number; remaining: number }[] }
  }

test('a wallet payment counts in the account of the payer, and one beyond it pays nothing', async () => {
  const { apiKey } = await make(other, { scopes: ['transfers:pay'], ...PHP(150) })
  expect((await payByWallet(await open(), apiKey)).status).toBe(200)
  const second = await open()
  const before = await other.balance('PHP')
  const { status, body } = await payByWallet(second, apiKey)
  expect([status, body['error']]).toEqual([403, expect.objectContaining({ code: 'mandate_exceeded', param: 'amount' })])
  expect((await get(second.id)).status).toBe('issued')
  expect(await other.balance('PHP')).toBe(before)
  expect((await spentBy(apiKey)).mandate.limits).toMatchObject([{ spent: 100, remaining: 50 }])
})

test('a refund counts, and one beyond it gives nothing back', async () => {
  const { apiKey } = await make(caller, { scopes: ['payments:refund'], ...PHP(80) })
  const payment = await open()
  expect((await payByWallet(payment, other.apiKey)).status).toBe(200)
  const refund = () =>
    holder({ apiKey }).ask('POST', `/contracts/payment/${payment.id}/refunds`, { body: { amount: 50 } })
  expect((await refund()).status).toBe(200)
  const refused = await refund()
  expect([refused.status, refused.error.code]).toEqual([403, 'mandate_exceeded'])
  expect((await spentBy(apiKey)).mandate.limits).toMatchObject([{ spent: 50, remaining: 30 }])
  await world.ledgerHolds()
})

test('above the mark of a mandate a wallet payment waits for a member, and a refund is a member’s to make', async () => {
  const asks = PHP(1000, { approval_above: 40 })
  const payer = await make(other, { scopes: ['transfers:pay'], ...asks })
  const waits = await payByWallet(await open(), payer.apiKey)
  expect([waits.status, waits.body['error']]).toEqual([409, expect.objectContaining({ code: 'approval_required' })])
  const { apiKey } = await make(caller, { scopes: ['payments:refund'], ...asks })
  const payment = await open()
  expect((await payByWallet(payment, other.apiKey)).status).toBe(200)
  const refund = (amount: number) =>
    holder({ apiKey }).ask('POST', `/contracts/payment/${payment.id}/refunds`, { body: { amount } })
  const refused = await refund(40.01)
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([403, 'mandate_exceeded', 'amount'])
  expect((await refund(40)).status).toBe(200)
  await world.ledgerHolds()
})
