// What an adversary tries with what they rightly hold: the token of a payer, a key of a test account, a provider's own key.
import { afterAll, expect, test } from 'vitest'
import { payFromWallet } from '../../../src/app/payments/wallet-payments.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { openWorld } from '../../world.ts'
import { CONFIRMED, eventOf, eventRow, getPayment, makeProvider, newId, openPayment, tell } from './receiver-world.ts'

const [instapay] = SHIPPED_CHANNELS.filter(({ id }) => id === 'instapay')
if (!instapay) throw new Error('no channel instapay')
/** The shipped channels without delay, and a bank for live money alone. */
const channels = [
  ...SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 })),
  { ...instapay, id: 'live-bank', connector: 'pesonet', mode: 'live' as const, undo_seconds: 0 },
]
const world = await openWorld({ config: { channels }, liveRails: ['pesonet'] })
const { caller, other } = world
const provider = await makeProvider(world, caller)
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

type Open = Awaited<ReturnType<typeof openPayment>> & { readonly checkout_url: string }
const open = async (fields = {}) => (await openPayment(caller, fields)) as Open
const tokenOf = ({ checkout_url: url }: Open) => url.slice(url.lastIndexOf('/') + 1)
const BANK = { name: 'Ana Cruz', wallet: '001234567890', tag: 'BOPIPHMM' }

/** A contract that its provider says was paid. */
async function paid(): Promise<Open> {
  const contract = await open()
  expect(await tell(world, provider, eventOf({ contract_id: contract.id }))).toEqual(CONFIRMED)
  return contract
}

test('the idempotency keys of a payer are not those of the merchant', async () => {
  const contract = await open()
  const key = newId('order')
  const headers = { authorization: `Bearer ${tokenOf(contract)}`, 'idempotency-key': key }
  const chosen = await world.ask('PUT', `/contracts/payment/${contract.id}/pay`, { headers, body: { type: 'qr' } })
  expect(chosen.status, chosen.text).toBe(200)
  const again = await world.ask('PUT', `/contracts/payment/${contract.id}/pay`, { headers, body: { type: 'qr' } })
  expect(again.text).toBe(chosen.text)
  const body = { amount: 5, currency: 'PHP' }
  const made = await caller.ask('POST', '/contracts/payment', { headers: { 'idempotency-key': key }, body })
  expect(made.status, made.text).toBe(200)
})

test.each(['refunds', 'returns'])('%s of test money never leave through a channel of live money', async (way) => {
  const contract = await paid()
  const returnAtOnce = (how: boolean) =>
    world.sql('update accounts set returns_at_once = $2 where account_id = $1', [caller.account.accountId, how])
  // By hand, or it may be gone before it is asked for.
  await returnAtOnce(false)
  if (way === 'returns') await tell(world, provider, eventOf({ contract_id: contract.id }))
  const body = { channel: 'live-bank', recipient: BANK }
  const reply = await caller.ask('POST', `/contracts/payment/${contract.id}/${way}`, { body })
  await returnAtOnce(true)
  expect([reply.status, reply.error.code]).toEqual([409, 'channel_not_in_mode'])
})

test('a provider that names an account at a live bank brings no test money there', async () => {
  const contract = await paid()
  const late = eventOf({ contract_id: contract.id, payer: { channel: 'live-bank', recipient: BANK } })
  expect(await tell(world, provider, late)).toEqual(CONFIRMED)
  await expect
    .poll(async () => (await getPayment(caller, contract.id)).activities.map(({ type }) => type))
    .toContain('refund_failed')
  const rows = await world.sql('select 1 from contracts where account_id = $1 and channel_id = $2', [
    caller.account.accountId,
    'live-bank',
  ])
  expect(rows).toEqual([])
})

test('money in a currency that the account has no wallet in is not asked for', async () => {
  const reply = await caller.ask('POST', '/contracts/payment', { body: { amount: 100.5, currency: 'EUR' } })
  expect([reply.status, reply.error.code]).toEqual([400, 'invalid_currency'])
})

test('a payment from a wallet that could not be taken is not taken for paid when it is tried again', async () => {
  const { deps } = world.gateway
  const contract = await open({ currency: 'KWD' })
  // Nowhere to put it: what comes is left to a person, and nothing leaves its payer.
  await world.sql(`delete from wallets where account_id = $1 and currency = 'KWD'`, [caller.account.accountId])
  const order = {
    reference: attemptReference(deps.newId(other.account.lane), 1),
    amountMinor: 100_500n,
    amountDecimal: '100.500',
    currency: 'KWD',
    channelId: 'wallet',
    recipient: { wallet: contract.id },
    description: null,
    quote: null,
    refundOf: null,
    pays: contract.id,
    notAfter: null,
  }
  const paying = { ...deps, findContract: deps.contracts.submit }
  expect(await payFromWallet(paying, contract.id, order)).toBe('not payable')
  expect(await payFromWallet(paying, contract.id, order)).toBe('not payable')
})

const CHAIN = `eip155:1/0x${'ab'.repeat(32)}/0`

test.each(['gateway:pi_1', 'wallet:0198001', 'return:0198:3', CHAIN])(
  'a provider calls no event as the gateway calls its own: %s',
  async (id) => {
    const reply = await tell(world, provider, eventOf({}, { id }))
    expect([reply.status, reply.code]).toEqual([400, 'invalid_id'])
    expect(await eventRow(world, caller, id)).toBeUndefined()
  },
)

test.each(['wallet:0198001', 'return:0198:3', 'event:evt_1', CHAIN])('nor money: %s', async (id) => {
  const reply = await tell(world, provider, eventOf({ id }))
  expect([reply.status, reply.code]).toEqual([400, 'invalid_data_object_id'])
})
