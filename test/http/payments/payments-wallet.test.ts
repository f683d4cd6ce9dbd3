// Payments from a wallet of another account of the gateway: the payer's own key and the token of the contract, at once or not
// at all.
import { afterAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../world.ts'
import { contractIn, openPayStage, type PaymentBody, told, type Wire } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, asPayer, get, until, choose, refund } = stage
const { caller, other } = world

const walletOf = async (payer: Caller, currency = 'PHP') => (await payer.wallet(currency)).id
const codeOf = ({ body }: Wire) => (body['error'] as { code: string } | undefined)?.code

/** The payer pays with a wallet, with the key and the token that they have. */
async function pay(payment: PaymentBody, payer: Caller, walletId?: string): Promise<Wire> {
  const body = { type: 'wallet', wallet: { wallet_id: walletId ?? (await walletOf(payer, payment.currency)) } }
  return asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, body, { 'x-api-key': payer.apiKey })
}

const inAnswer = ({ status, text, body }: Wire) =>
  contractIn({ status, text, data: (body['data'] ?? {}) as Record<string, unknown> })

test('is paid and completed with the answer, and both books say the same', async () => {
  const before = [await caller.balance('PHP'), await other.balance('PHP')] as const
  const reply = await pay(await open({ amount: 100.5 }), other)
  expect(reply.body['message']).toBe('Payment contract is paid.')
  const payment = inAnswer(reply)
  expect(payment).toMatchObject({ status: 'completed', amount_received: 100.5, paid_by: other.account.profileId })
  expect((await until(payment.id, () => true)).attempts).toMatchObject([
    { type: 'wallet', status: 'succeeded', fee: 0 },
  ])
  expect([await caller.balance('PHP'), await other.balance('PHP')]).toEqual([before[0] + 100.5, before[1] - 100.5])
  const { data } = await other.ask('GET', `/contracts/transfer?reference_id=${payment.id}`)
  expect(data['contracts']).toMatchObject([{ status: 'completed', amount: 100.5, channel: { id: 'wallet' } }])
})

test.each([
  ['JPY', 500, 500n],
  ['KWD', 1.234, 1_234n],
])('in %s, whose decimals are its own', async (currency, amount, amountMinor) => {
  const payer = await world.newCaller({ funds: { [currency]: amountMinor } })
  const payment = inAnswer(await pay(await open({ amount, currency }), payer))
  expect(payment).toMatchObject({ status: 'completed', amount, amount_received: amount })
  expect([await payer.balance(currency), await caller.balance(currency)]).toEqual([0, amount])
})

test('a refund goes back into the wallet that paid', async () => {
  const before = await other.balance('PHP')
  const payment = inAnswer(await pay(await open(), other))
  await refund(payment.id, { amount: 25 })
  await until(payment.id, ({ refunds }) => refunds[0]?.status === 'done')
  expect(await other.balance('PHP')).toBe(before - 75)
})

test('without enough in it: 402, nothing is held, and another way to pay is open', async () => {
  const poor = await world.newCaller({ funds: { PHP: 99_99n } })
  const opened = await open()
  const refused = await pay(opened, poor)
  expect([refused.status, codeOf(refused)]).toEqual([402, 'insufficient_funds'])
  expect(await poor.wallet('PHP')).toMatchObject({ available: 99.99, held: 0, in_transit: 0 })
  const after = await get(opened.id)
  expect(after).toMatchObject({ status: 'issued', amount_received: 0, attempts: [{ status: 'failed' }] })
  expect(inAnswer(await pay(after, other)).status).toBe('completed')
})

test('a wallet in other money, and one that is not the payer’s, pay nothing', async () => {
  const opened = await open()
  const before = [await other.balance('PHP'), await other.balance('USD')]
  const wrong = [await walletOf(other, 'USD'), await walletOf(caller), '0190a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b']
  for (const walletId of wrong) expect((await pay(opened, other, walletId)).status).toBeGreaterThanOrEqual(400)
  expect(await get(opened.id)).toMatchObject({ status: 'issued', amount_received: 0 })
  expect([await other.balance('PHP'), await other.balance('USD')]).toEqual(before)
})

describe('is refused', () => {
  const path = (id: string) => `/contracts/payment/${id}/pay`

  test('of the account’s own contract', async () => {
    const refused = await pay(await open(), caller)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'payment_not_payable'])
  })

  test('with the token of another contract', async () => {
    const [one, two] = [await open(), await open()]
    const body = { type: 'wallet', wallet: { wallet_id: await walletOf(other) } }
    const refused = await asPayer(one, 'PUT', path(two.id), body, { 'x-api-key': other.apiKey })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'token_not_for_contract'])
    expect((await get(two.id)).attempts).toEqual([])
  })

  test('with the token alone, the key alone, or a key that there is not', async () => {
    const opened = await open()
    const body = { type: 'wallet', wallet: { wallet_id: await walletOf(other) } }
    const alone = await asPayer(opened, 'PUT', path(opened.id), body)
    expect([alone.status, codeOf(alone)]).toEqual([401, 'api_key_required'])
    const unknown = await asPayer(opened, 'PUT', path(opened.id), body, { 'x-api-key': `${other.apiKey}x` })
    expect([unknown.status, codeOf(unknown)]).toEqual([401, 'invalid_api_key'])
    const keyOnly = await other.ask('PUT', path(opened.id), { body })
    expect([keyOnly.status, keyOnly.error.code]).toEqual([404, 'contract_not_found'])
    const merchant = await caller.ask('PUT', path(opened.id), { body })
    expect([merchant.status, merchant.error.code]).toEqual([401, 'payer_token_required'])
  })

  test('with a key that may not pay', async () => {
    const reader = await world.withKey(other, { scopes: ['contracts:read', 'wallets:read'] })
    const refused = await pay(await open(), reader)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'scope_missing'])
  })

  test.each(['cancelled', 'expired'] as const)('of a contract that is %s, and nothing is taken', async (status) => {
    const before = await other.balance('PHP')
    const opened = await open(status === 'expired' ? { expires_in: 1 } : {})
    if (status === 'cancelled') await caller.ask('DELETE', `/contracts/payment/${opened.id}`)
    await until(opened.id, (each) => each.status === status)
    const refused = await pay(opened, other)
    expect([refused.status, codeOf(refused)]).toEqual([409, `contract_${status}`])
    expect(await other.wallet('PHP')).toMatchObject({ available: before, held: 0 })
  })
})

test('two payers at once: one pays, and the other keeps the money', async () => {
  const third = await world.newCaller({ lane: 7 })
  const total = async () => (await other.balance('PHP')) + (await third.balance('PHP'))
  for (let round = 0; round < 4; round++) {
    const before = [await total(), await caller.balance('PHP')] as const
    const opened = await open()
    const replies = await Promise.all([pay(opened, other), pay(opened, third)])
    const done = await until(opened.id, ({ status }) => status === 'completed')
    expect(replies.filter(({ status }) => status === 200).length, JSON.stringify(replies)).toBeGreaterThanOrEqual(1)
    expect(done).toMatchObject({ amount_received: 100, amount_in_suspense: 0 })
    expect([await total(), await caller.balance('PHP')]).toEqual([before[0] - 100, before[1] + 100])
  }
})

test('paid while it is being cancelled: either paid or cancelled, and the money is where that says', async () => {
  for (let round = 0; round < 6; round++) {
    const before = [await other.balance('PHP'), await caller.balance('PHP')] as const
    const opened = await open()
    const [paying] = await Promise.all([pay(opened, other), caller.ask('DELETE', `/contracts/payment/${opened.id}`)])
    const over = await until(opened.id, ({ status }) => status !== 'issued')
    const moved = over.status === 'completed' ? 100 : 0
    expect(['completed', 'cancelled']).toContain(over.status)
    expect(paying.status === 200 && inAnswer(paying).status === 'completed').toBe(moved === 100)
    expect([await other.balance('PHP'), await caller.balance('PHP')]).toEqual([before[0] - moved, before[1] + moved])
    expect((await other.wallet('PHP')).held).toBe(0)
  }
})

test('paid twice with the same wallet is paid once', async () => {
  const before = await other.balance('PHP')
  const opened = await open()
  const replies = [await pay(opened, other), await pay(opened, other)]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await other.balance('PHP')).toBe(before - 100)
})

test('while the payer of an e-wallet is still on the page, a wallet pays and the page is closed', async () => {
  const opened = await open()
  const first = await choose(opened, { type: 'gcash' })
  expect(inAnswer(await pay(first, other)).status).toBe('completed')
  const closed = await until(opened.id, ({ attempts }) => attempts[0]?.status === 'cancelled')
  expect(closed).toMatchObject({ status: 'completed', amount_received: 100 })
  expect(told(closed)).toContain('attempt_closed')
})
