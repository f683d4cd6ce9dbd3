// Wallets over HTTP: several a currency, one of them the default; a mark; closing; moves between one's own; top-ups.
import { afterAll, expect, test } from 'vitest'
import type { Wallet as WalletSchema } from '../../../src/wire/wallets/wallets.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'

type Wallet = Wire<typeof WalletSchema>

const world = await openWorld()
afterAll(() => world.stop())

const walletIn = ({ data }: Reply) => data['wallet'] as Wallet
const open = async (by: Caller, fields: object = {}) =>
  walletIn(await by.ask('POST', '/wallets', { body: { currency: 'PHP', ...fields } }))
const patch = (by: Caller, id: string, body: object) => by.ask('PATCH', `/wallets/${id}`, { body })
const read = async (by: Caller, id: string) => walletIn(await by.ask('GET', `/wallets/${id}`))
const listed = async (by: Caller, query = '') => (await by.ask('GET', `/wallets${query}`)).data['wallets'] as Wallet[]
const defaultOf = async (by: Caller) => (await listed(by, '?currency=PHP'))[0]!
const coded = ({ status, error }: Reply) => `${status} ${error.code} ${error.param}`
const topUp = (by: Caller, id: string, amount: number, reference?: string) =>
  by.ask('POST', `/wallets/${id}/topups`, { body: { amount, ...(reference === undefined ? {} : { reference }) } })

/** A transfer from one wallet to another, of one's own or anybody's. */
async function move(by: Caller, from: string, to: string, amount: number): Promise<Reply> {
  const { id } = await by.issued({ amount, channel: 'wallet', recipient: { wallet: to } })
  return by.ask('PUT', `/contracts/transfer/${id}/pay`, { body: { source: from } })
}

const eventsOf = async (by: Caller) =>
  (await by.all<{ type: string; data: { object: Wallet } }>('/events', 'events')).filter(({ type }) =>
    type.startsWith('wallet.'),
  )

test('a currency has several wallets, and one of them is the default', async () => {
  const by = await world.newCaller()
  const first = await defaultOf(by)
  expect(first).toMatchObject({
    default: true,
    status: 'open',
    label: null,
    low_balance: null,
    is_low: false,
    metadata: {},
  })
  const second = await open(by, { currency: 'php', label: ' Payroll ', metadata: { team: 'hr' } })
  expect(second).toMatchObject({
    currency: 'PHP',
    label: 'Payroll',
    default: false,
    available: 0,
    metadata: { team: 'hr' },
  })
  expect((await open(by, { currency: 'EUR' })).default).toBe(true)
  expect((await listed(by, '?currency=PHP')).map(({ id }) => id)).toEqual([first.id, second.id])

  const renamed = walletIn(
    await patch(by, second.id, { label: 'Salaries', default: true, metadata: { team: null, a: 'b' } }),
  )
  expect(renamed).toMatchObject({ label: 'Salaries', default: true, metadata: { a: 'b' } })
  expect(await read(by, first.id)).toMatchObject({ default: false })
  expect((await patch(by, second.id, { label: 'Salaries' })).status).toBe(200)
  expect((await eventsOf(by)).map(({ type, data }) => [type, data.object.id])).toEqual([
    ['wallet.created', second.id],
    ['wallet.created', expect.any(String)],
    ['wallet.updated', second.id],
    ['wallet.updated', first.id],
  ])
  const audited = await world.sql(
    `select action, before, after from audit_entries where account_id = $1 and object_id = $2 order by id`,
    [by.account.accountId, second.id],
  )
  expect(audited).toMatchObject([
    { action: 'wallet.created', before: null, after: { label: 'Payroll', default: false } },
    {
      action: 'wallet.updated',
      before: { label: 'Payroll', default: false },
      after: { label: 'Salaries', default: true },
    },
  ])
  // The default pays what names no wallet, and gets what names none.
  const contract = await by.issued({ amount: 100 })
  expect((await by.ask('PUT', `/contracts/transfer/${contract.id}/pay`)).error.code).toBe('insufficient_funds')
  const payment = await by.ask('POST', '/contracts/payment', { body: { amount: 10, currency: 'PHP' } })
  expect(payment.data['contract']).toMatchObject({ wallet_id: second.id })
})

test('pages of a list hold each wallet once, and a cursor of nothing is refused', async () => {
  const by = await world.newCaller()
  await Promise.all(['one', 'two', 'three'].map((label) => open(by, { label })))
  const whole = await listed(by)
  expect((await by.all<Wallet>('/wallets', 'wallets', 2)).map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
  expect(coded(await by.ask('GET', '/wallets?after=x'))).toBe('400 invalid_after after')
})

test.each<[string, object, string]>([
  ['no currency', {}, '400 missing_currency currency'],
  ['a currency that is not taken', { currency: 'XAU' }, '400 invalid_currency currency'],
  ['too long a label', { currency: 'PHP', label: 'x'.repeat(81) }, '400 invalid_label label'],
  ['a mark below zero', { currency: 'PHP', low_balance: -1 }, '400 invalid_low_balance low_balance'],
  ['a mark of a third of a centavo', { currency: 'PHP', low_balance: 1.001 }, '400 invalid_low_balance low_balance'],
  [
    'too many pairs',
    { currency: 'PHP', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, 'x'])) },
    '400 invalid_metadata metadata',
  ],
  ['another member', { currency: 'PHP', balance: 5 }, '400 unknown_parameter balance'],
])('a wallet with %s is refused, by name', async (_, body, expected) => {
  expect(coded(await world.caller.ask('POST', '/wallets', { body }))).toBe(expected)
})

test('an account has a hundred open wallets at most, and a repeat with its key makes none', async () => {
  const by = await world.newCaller()
  const sent = { body: { currency: 'PHP', label: 'once' }, headers: { 'idempotency-key': 'wallet-1' } }
  const [first, again] = [await by.ask('POST', '/wallets', sent), await by.ask('POST', '/wallets', sent)]
  expect(walletIn(again).id).toBe(walletIn(first).id)
  const there = (await listed(by, '?limit=100')).length
  const made = await Promise.all(
    Array.from({ length: 100 }, () => by.ask('POST', '/wallets', { body: { currency: 'PHP' } })),
  )
  expect(made.filter(({ status }) => status === 200)).toHaveLength(100 - there)
  expect(new Set(made.filter(({ status }) => status !== 200).map(coded))).toEqual(new Set(['409 wallets_full null']))
  // With a hundred, a payment out of the one that is named still finds it.
  const last = walletIn(made.findLast(({ status }) => status === 200)!)
  const moved = await move(by, (await defaultOf(by)).id, last.id, 1)
  expect(moved.data['contract']).toMatchObject({ status: 'paid', wallet_id: (await defaultOf(by)).id })
})

test('a wallet below its mark is told once, and again after it has been above', async () => {
  const by = await world.newCaller({ funds: {} })
  const from = await open(by)
  const to = await open(by)
  await topUp(by, from.id, 1000)
  expect(walletIn(await patch(by, from.id, { low_balance: 500 }))).toMatchObject({ low_balance: 500, is_low: false })
  const lows = async () =>
    (await eventsOf(by)).filter(({ type }) => type === 'wallet.low').map(({ data }) => data.object.available)
  await move(by, from.id, to.id, 500)
  expect(await lows()).toEqual([])
  await move(by, from.id, to.id, 1)
  await move(by, from.id, to.id, 1)
  expect(await lows()).toEqual([499])
  expect(await read(by, from.id)).toMatchObject({ is_low: true, available: 498 })
  await topUp(by, from.id, 2)
  expect(await read(by, from.id)).toMatchObject({ is_low: false })
  await move(by, from.id, to.id, 100)
  expect(await lows()).toEqual([499, 400])
  // Its place in the history is one of its own: the feed has no gap.
  const positions = await world.sql<{ position: string }>(
    'select position from account_history where account_id = $1 order by position',
    [by.account.accountId],
  )
  expect(positions.map(({ position }) => Number(position))).toEqual(positions.map((_, i) => i + 1))
})

test('only an empty wallet that is not the default is closed; it takes and pays nothing, and opens again', async () => {
  const by = await world.newCaller({ funds: {} })
  const first = await defaultOf(by)
  const second = await open(by)
  const close = (id: string) => patch(by, id, { status: 'closed' })
  expect(coded(await close(first.id))).toBe('409 wallet_is_default status')
  await topUp(by, second.id, 100)
  expect(coded(await close(second.id))).toBe('409 wallet_not_empty status')
  const moved = await move(by, second.id, first.id, 100)
  await world.settle((moved.data['contract'] as { id: string }).id)
  expect(walletIn(await close(second.id)).status).toBe('closed')
  expect((await listed(by, '?currency=PHP&status=open')).map(({ id }) => id)).toEqual([first.id])

  expect(coded(await topUp(by, second.id, 1))).toBe('409 wallet_closed wallet')
  expect(coded(await patch(by, second.id, { default: true }))).toBe('400 invalid_default default')
  const body = { amount: 1, currency: 'PHP', wallet: second.id }
  expect(coded(await by.ask('POST', '/contracts/payment', { body }))).toBe('400 invalid_wallet wallet')
  const out = await by.issued({ amount: 1, channel: 'sandbox' })
  expect(coded(await by.ask('PUT', `/contracts/transfer/${out.id}/pay`, { body: { source: second.id } }))).toBe(
    '409 wallet_closed source',
  )
  const into = await by.draft({ amount: 1, channel: 'wallet', recipient: { wallet: second.id } })
  expect(into.preview).toMatchObject({ valid: false, messages: [{ code: 'invalid_recipient_wallet' }] })
  expect(walletIn(await patch(by, second.id, { status: 'open' })).status).toBe('open')
})

test('a transfer into a wallet that was closed meanwhile comes back; money that comes back opens a closed wallet', async () => {
  const by = await world.newCaller({ funds: {} })
  const first = await defaultOf(by)
  const second = await open(by)
  await topUp(by, first.id, 10)
  const { id } = await by.issued({ amount: 10, channel: 'wallet', recipient: { wallet: second.id } })
  await patch(by, second.id, { status: 'closed' })
  expect((await by.pay(id)).wallet_id).toBe(first.id)
  expect(await world.settle(id)).toBe('cancelled')
  expect(await read(by, first.id)).toMatchObject({ available: 10 })

  const third = await open(by)
  await topUp(by, third.id, 1000)
  const bounces = await by.issued({ amount: 100, recipient: { name: 'Ana', wallet: '000123456789' } })
  const debit = bounces.preview.amount
  await by.ask('PUT', `/contracts/transfer/${bounces.id}/pay`, { body: { source: third.id } })
  expect(await world.settle(bounces.id)).toBe('completed')
  const rest = await move(by, third.id, first.id, 1000 - debit)
  await world.settle((rest.data['contract'] as { id: string }).id)
  expect(walletIn(await patch(by, third.id, { status: 'closed' })).status).toBe('closed')
  const { transfer } = await by.get(bounces.id)
  const { lane, accountId } = by.account
  const connector = { notFoundFinalAfterMs: 1, dedupeLifetimeMs: null, inquiry: true }
  await world.gateway.deps.execute({
    lane,
    accountId,
    keyId: null,
    idempotency: null,
    command: {
      verb: 'report',
      id: bounces.id,
      number: transfer.attempts,
      channelId: 'sandbox',
      fence: null,
      outcome: { kind: 'returned', code: 'account_closed', message: 'The account is closed.' },
      connector,
    },
  })
  expect(await world.settle(bounces.id)).toBe('cancelled')
  expect(await read(by, third.id)).toMatchObject({ status: 'open', available: 100 })
  expect((await eventsOf(by)).at(-1)).toMatchObject({
    type: 'wallet.updated',
    data: { object: { id: third.id, status: 'open' } },
  })
  await world.ledgerHolds()
})

test('a change of the default moves no money that is on its way: it comes out of the wallet that it came into', async () => {
  const by = await world.newCaller({ funds: {} })
  const first = await defaultOf(by)
  const { data } = await by.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  const { id } = data['contract'] as { id: string }
  const report = (event: string, amountMinor: bigint) =>
    world.gateway.deps.execute({
      lane: by.account.lane,
      accountId: by.account.accountId,
      keyId: null,
      idempotency: null,
      command: {
        verb: 'receive',
        id,
        event: { id: event, type: 'payment_intent.succeeded', body: null, bodyHash: null },
        report: {
          outcome: 'succeeded',
          objectId: event,
          amountMinor,
          currency: 'PHP',
          channelId: 'other',
          attempt: null,
          assetUnits: null,
          payer: null,
          failure: null,
          shown: {},
        },
        unallocated: 'suspense',
      },
    })
  // Too much: it waits in suspense.
  await report('evt-1', 105_00n)
  expect(await read(by, first.id)).toMatchObject({ suspense: 105 })
  const second = await open(by)
  await patch(by, second.id, { default: true })
  await report('evt-2', 100_00n)
  const [one, two] = [await read(by, first.id), await read(by, second.id)]
  expect(one.pending + one.available).toBeGreaterThan(0)
  expect(two).toMatchObject({ available: 0, pending: 0, suspense: 0 })
  await world.ledgerHolds()
})

test('moves between own wallets are transfers, both ways at once, and nothing is lost', async () => {
  const by = await world.newCaller({ funds: {} })
  const [one, two] = [await defaultOf(by), await open(by)]
  await Promise.all([topUp(by, one.id, 500), topUp(by, two.id, 500)])
  const moves = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? move(by, one.id, two.id, 7) : move(by, two.id, one.id, 3))),
  )
  const contracts = moves.map(({ data }) => data['contract'] as { id: string; wallet_id: string })
  expect(contracts.map(({ wallet_id: id }) => id)).toEqual(contracts.map((_, i) => (i % 2 === 0 ? one.id : two.id)))
  const ends = await Promise.all(contracts.map(({ id }) => world.settle(id)))
  expect(new Set(ends)).toEqual(new Set(['completed']))
  expect([(await read(by, one.id)).available, (await read(by, two.id)).available]).toEqual([460, 540])
  const itself = await by.issued({ amount: 1, channel: 'wallet', recipient: { wallet: one.id } })
  expect(coded(await by.ask('PUT', `/contracts/transfer/${itself.id}/pay`))).toBe('400 invalid_source source')
  await world.ledgerHolds()
})

test('a TEST wallet is topped up once for each reference, a live one never', async () => {
  const by = await world.newCaller({ funds: {} })
  const { id } = await defaultOf(by)
  expect((await topUp(by, id, 12.5, 'a')).data).toMatchObject({
    credited: true,
    reference: 'a',
    wallet: { available: 12.5 },
  })
  expect((await topUp(by, id, 12.5, 'a')).data).toMatchObject({ credited: false, wallet: { available: 12.5 } })
  expect(coded(await topUp(by, id, 13, 'a'))).toBe('409 reference_reused reference')
  expect((await topUp(by, id, 1)).data['credited']).toBe(true)
  expect(coded(await topUp(by, id, 0))).toBe('400 invalid_amount amount')
  const live = await world.newCaller({ livemode: true, funds: {} })
  const wallet = await defaultOf(live)
  const refused = await topUp(live, wallet.id, 1)
  expect(coded(refused)).toBe('409 credit_not_allowed null')
  expect(refused.error.message).toContain('gateway accounts fund')
  expect(await read(live, wallet.id)).toMatchObject({ available: 0 })
  await world.ledgerHolds()
})
