// The traps of the specification where they are about payment contracts, and the wall between test and live money.
import { afterAll, expect, test } from 'vitest'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { type Caller, openWorld, type Reply, type Sent } from '../../world.ts'

/** One of the rails is for tests alone. */
const channels = SHIPPED_CHANNELS.map((channel) =>
  channel.id === 'maya' ? { ...channel, mode: 'test' as const } : channel,
)
const world = await openWorld({ config: { channels } })
const { caller, other } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

type Shown = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly checkout_url: string
  readonly activities: readonly { readonly parent: string; readonly type: string }[]
  readonly payment: { readonly paid_at: string; readonly details: Readonly<Record<string, unknown>> } | null
}

const PAYMENT = { amount: 100.5, currency: 'PHP' }
const contractIn = ({ data }: Reply) => data['contract'] as Shown
const path = ({ id }: { readonly id: string }, verb = '') => `/contracts/payment/${id}${verb}`

async function opened(fields: Readonly<Record<string, unknown>> = {}): Promise<Shown> {
  const reply = await caller.ask('POST', '/contracts/payment', { body: { ...PAYMENT, ...fields } })
  expect(reply.status, reply.text).toBe(200)
  return contractIn(reply)
}

/** What a payer sends who pays from a wallet: the contract's own token, and the key of the payer's account. */
function fromWallet(contract: Shown, payer: Caller, walletId: string): Sent {
  const token = contract.checkout_url.split('/').at(-1) ?? ''
  const headers = { authorization: `Bearer ${token}`, 'x-api-key': payer.apiKey }
  return { headers, body: { type: 'wallet', wallet: { wallet_id: walletId } } }
}

async function paid(): Promise<Shown> {
  const contract = await opened()
  const { id: walletId } = await other.wallet('PHP')
  const reply = await world.ask('PUT', path(contract, '/pay'), fromWallet(contract, other, walletId))
  expect(reply.status, reply.text).toBe(200)
  return contractIn(reply)
}

test.each(['/contracts/transfer', '/contracts/payment'])(
  'the id decides what DELETE cancels: %s/{id} cancels a payment contract',
  async (under) => {
    const { id } = await opened()
    const reply = await caller.ask('DELETE', `${under}/${id}`, { body: { reason: 'ordered twice' } })
    expect(reply.data).toMatchObject({
      contract: { id, kind: 'payment', status: 'cancelled' },
      cancellation: { status: 'done', reason: 'ordered twice' },
      refund: null,
    })
    const again = await caller.ask('DELETE', `${under}/${id}`, { body: { reason: 'once more' } })
    expect(contractIn(again)).toEqual(contractIn(reply))
  },
)

test('a paid contract is not cancelled: 409 contract_already_paid, by either path', async () => {
  const contract = await paid()
  for (const under of ['/contracts/transfer', '/contracts/payment']) {
    const { status, error } = await caller.ask('DELETE', `${under}/${contract.id}`)
    expect([status, error.code]).toEqual([409, 'contract_already_paid'])
  }
  expect(contractIn(await caller.ask('GET', path(contract)))['status']).toBe('completed')
})

test('the envelope status is a number in create, get, pay, refunds and lists, a string in cancel; each is HTTP 200', async () => {
  const created = await caller.ask('POST', '/contracts/payment', { body: PAYMENT })
  const contract = contractIn(created)
  const done = await paid()
  const replies = {
    create: created,
    get: await caller.ask('GET', path(contract)),
    list: await caller.ask('GET', '/contracts/payment'),
    pay: await caller.ask('PUT', path(contract, '/pay'), { body: { type: 'gcash', gcash: {} } }),
    refund: await caller.ask('POST', path(done, '/refunds'), { body: { amount: 1 } }),
    cancel: await caller.ask('DELETE', path(await opened())),
  }
  const statuses = Object.entries(replies).map(([name, reply]) => [name, reply.status, reply.body['status']])
  expect(statuses).toEqual([
    ['create', 200, 200],
    ['get', 200, 200],
    ['list', 200, 200],
    ['pay', 200, 200],
    ['refund', 200, 200],
    ['cancel', 200, '200'],
  ])
})

test('payment.details is the paid activity; it and the items of activities have the contract as parent', async () => {
  const contract = await paid()
  expect(contract.activities.map(({ parent }) => parent)).toEqual(contract.activities.map(() => contract.id))
  const line = contract.activities.find(({ type }) => type === 'paid')
  expect(contract.payment).toEqual({ paid_at: contract['paid_at'], details: line })
})

test('numbers are JSON numbers and times ISO 8601 in UTC; an event says its time as a number', async () => {
  const contract = await paid()
  for (const name of ['amount', 'amount_received', 'amount_refunded', 'amount_in_suspense'])
    expect([name, typeof contract[name]]).toEqual([name, 'number'])
  expect(contract['amount']).toBe(100.5)
  for (const name of ['created_at', 'updated_at', 'issued_at', 'paid_at', 'completed_at', 'expires_at'])
    expect(contract[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const events = await caller.all<{ created_at: unknown; data: { object: Shown } }>('/events', 'events')
  const own = events.filter(({ data }) => data.object.id === contract.id)
  expect(own.map(({ created_at }) => Number.isInteger(created_at))).toEqual([true, true, true])
})

test('unset fields are there with null, so that the shape is stable', async () => {
  const bare = await opened()
  const nulls = Object.entries(bare).filter(([, value]) => value === null)
  expect(nulls.map(([name]) => name).toSorted()).toEqual([
    'cancellation',
    'channel',
    'completed_at',
    'deliverable',
    'description',
    'issued_to',
    'issued_to_profile',
    'next_action',
    'paid_at',
    'paid_by',
    'payer_profile',
    'payment',
    'recipient',
    'recipient_profile',
    'return_url',
    'settles_at',
  ])
  expect(Object.keys(await paid())).toEqual(Object.keys(bare))
})

test('expires_in is seconds, 30 minutes where nothing is said', async () => {
  const lifeOf = (contract: Shown) =>
    Date.parse(String(contract['expires_at'])) - Date.parse(String(contract['created_at']))
  expect(lifeOf(await opened())).toBe(1_800_000)
  expect(lifeOf(await opened({ expires_in: 60 }))).toBe(60_000)
})

/** An account for live money, with its wallet. */
async function liveAccount(): Promise<{ readonly apiKey: string; readonly walletId: string; readonly live: Shown }> {
  const { deps } = world.gateway
  const account = await createAccount(deps.reader, deps, { name: 'Live', livemode: true, currencies: ['PHP'] })
  const wanted = { name: 'Live', livemode: true, scopes: SCOPES, expiresInSeconds: null }
  const { text: apiKey } = await createApiKey(deps.reader, account, wanted)
  const headers = { 'x-api-key': apiKey }
  const live = contractIn(await world.ask('POST', '/contracts/payment', { headers, body: PAYMENT }))
  expect(live['livemode']).toBe(true)
  return { apiKey, walletId: account.wallets[0]?.id ?? '', live }
}

test('a wallet of test money pays no live contract, nor one of live money a contract of a test', async () => {
  const { apiKey, walletId, live } = await liveAccount()
  const before = await other.wallet('PHP')
  const byTest = await world.ask('PUT', path(live, '/pay'), fromWallet(live, other, before.id))
  const mine = await opened()
  const byLive = await world.ask('PUT', path(mine, '/pay'), fromWallet(mine, { ...other, apiKey }, walletId))
  for (const { status, error } of [byTest, byLive])
    expect([status, error.code, error.param]).toEqual([404, 'wallet_not_found', 'payment.wallet.wallet_id'])
  expect(await other.wallet('PHP')).toEqual(before)
})

test('a channel of test mode brings no live money in, chosen at once or by the payer', async () => {
  const { apiKey, live } = await liveAccount()
  const headers = { 'x-api-key': apiKey }
  const body = { type: 'maya', maya: {} }
  const chosen = await world.ask('PUT', path(live, '/pay'), { headers, body })
  expect([chosen.status, chosen.error.code, chosen.error.param]).toEqual([409, 'channel_not_in_mode', 'payment.type'])
  const fixed = await world.ask('POST', '/contracts/payment', { headers, body: { ...PAYMENT, channel: 'maya' } })
  expect([fixed.status, fixed.error.code, fixed.error.param]).toEqual([409, 'channel_not_in_mode', 'channel'])
  expect((await caller.ask('PUT', path(await opened(), '/pay'), { body })).status).toBe(200)
})
