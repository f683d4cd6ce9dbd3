// Addresses of the gateway itself, where money that goes back would come in again, and go round: refused where one is given, and held
// back where it was told. A transfer may pay one, for somebody asks for money there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { privateKeyToAddress } from 'viem/accounts'
import { type CryptoStage, linkOf, newAddress, openCryptoStage } from './crypto-payments-stage.ts'
import type { PaymentBody } from '../payments/payments-stage.ts'
import { eventOf, makeProvider, openPayment, tell } from '../payments/receiver-world.ts'

let at: CryptoStage
beforeAll(async () => {
  at = await openCryptoStage('receives and pays out')
})
afterAll(() => at.close())

const isBack = ({ refunds }: PaymentBody) => refunds.length > 0 && refunds.every(({ status }) => status === 'done')
const hotWallet = () => privateKeyToAddress(at.world.config.crypto.key as `0x${string}`)
const shownAddress = async () => linkOf(await at.open('TUSD')).address

/** An address of ours in every way that it can be written. */
const OURS = [
  ['that a payer was shown', shownAddress],
  ['that a payer was shown, in lower case', async () => (await shownAddress()).toLowerCase()],
  ['that a payer was shown for another asset', async () => linkOf(await at.open('ETH')).address],
  ['that the gateway pays from', async () => hotWallet()],
  ['that the gateway pays from, in lower case', async () => hotWallet().toLowerCase()],
] as const

describe.each(OURS)('an address %s', (_which, ours) => {
  test('is no refund address of a new contract, and the answer says the mend', async () => {
    const network = `eip155:${at.chain.chainId}`
    const crypto = { asset: 'TUSD', network, refund_address: await ours() }
    const body = { amount: 100, currency: 'PHP', payment: { type: 'crypto', crypto } }
    const { status, error } = await at.world.caller.ask('POST', '/contracts/payment', { body })
    const param = 'payment.crypto.refund_address'
    expect([status, error.code, error.param]).toEqual([400, 'invalid_payment_crypto_refund_address', param])
    expect(error.message).toMatch(/an address of this gateway.*the payer's own wallet/)
  })

  test('is none that a payer chooses later', async () => {
    const opened = await openPayment(at.world.caller, { amount: 100 })
    const network = `eip155:${at.chain.chainId}`
    const body = { type: 'crypto', crypto: { asset: 'TUSD', network, refund_address: await ours() } }
    const { status, error } = await at.world.caller.ask('PUT', `/contracts/payment/${opened.id}/pay`, { body })
    expect([status, error.code, error.param]).toEqual([400, 'invalid_crypto_refund_address', 'crypto.refund_address'])
    expect((await at.get(opened.id)).attempts).toEqual([])
  })

  test.each(['refunds', 'returns'])('is no place for %s', async (what) => {
    const { id } = await at.open('TUSD')
    const body = { channel: 'coin', recipient: { wallet: await ours() } }
    const { status, error } = await at.world.caller.ask('POST', `/contracts/payment/${id}/${what}`, { body })
    expect([status, error.code, error.param]).toEqual([400, 'invalid_recipient_wallet', 'recipient.wallet'])
  })
})

test('a refund of what is told to have come from such an address fails: none of it leaves, until it is sent elsewhere', async () => {
  const provider = await makeProvider(at.world, at.world.caller)
  const ours = await shownAddress()
  const { id } = await openPayment(at.world.caller)
  const payer = { channel: 'token', recipient: { name: 'Ana Reyes', wallet: ours } }
  const said = await tell(at.world, provider, eventOf({ contract_id: id, channel: 'a_bank_of_ours', payer }))
  expect(said.status).toBe(200)
  const refund = (body: object) => at.world.caller.ask('POST', `/contracts/payment/${id}/refunds`, { body })
  expect((await refund({})).status).toBe(200)
  const held = await at.minedUntil(id, ({ refunds }) => refunds.some(({ status }) => status === 'failed'))
  expect(held).toMatchObject({ status: 'paid', amount_refunded: 0, refunds: [{ from: 'payment' }] })
  const transfer = await at.world.caller.get(held.refunds[0]?.transfer_id ?? '')
  expect(transfer).toMatchObject({ status: 'cancelled', transfer: { failure: { code: 'invalid_address' } } })
  await at.settled()
  expect(await at.chain.units(ours)).toBe(0n)
  expect((await at.get(id)).refunds).toHaveLength(1)
  // The book of what was signed has nothing of it: no gas was spent.
  expect(await at.world.sql('select from chain_sends where lower(recipient) = lower($1)', [ours])).toEqual([])

  const home = newAddress()
  const sent = await refund({ amount: 10, channel: 'token', recipient: { wallet: home } })
  expect(sent.status, sent.text).toBe(200)
  const back = await at.minedUntil(id, ({ refunds }) => refunds.at(-1)?.status === 'done')
  expect(back.amount_refunded).toBe(10)
  expect(await at.chain.units(home)).toBeGreaterThan(0n)
})

test('a transfer pays a contract there, and the payer of that contract has a refund address elsewhere', async () => {
  const home = newAddress()
  const asked = await at.open('TUSD', { refund_address: home })
  const { address } = linkOf(asked)
  const recipient = { name: 'Ana Reyes', wallet: address }
  await at.world.caller.paid({ channel: 'token', amount: 101, recipient })
  const paid = await at.minedUntil(asked.id, ({ status }) => status === 'completed')
  expect(paid.amount_received).toBeGreaterThanOrEqual(100)
  const back = await at.minedUntil(asked.id, isBack)
  expect(back.amount_in_suspense).toBe(0)
  expect(await at.chain.units(home)).toBeGreaterThan(0n)
})
