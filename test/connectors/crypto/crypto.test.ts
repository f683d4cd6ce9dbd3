// Payouts on a real chain: what an independent client sees of them, and that each reference is paid once whatever happens
// between the book and the chain.
import { parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChainSends } from '../../../src/connectors/crypto/book.ts'
import { chainFaults, takenAddresses } from '../../../src/connectors/crypto/connector.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { COIN, openPayers, type Payers } from './crypto-payers.ts'

let payers: Payers
beforeAll(async () => {
  payers = await openPayers()
})
afterAll(() => payers.close())

const nonces = (address: string) =>
  payers
    .sql<{ nonce: string }>('select nonce from chain_sends where sender = $1 and nonce is not null order by nonce', [
      address,
    ])
    .then((rows) => rows.map((row) => Number(row.nonce)))

describe('a payout', () => {
  test.each([
    ['of the coin', 'coin', parseEther('0.00625')],
    ['of a token', 'token', parseUnits('12.5', 6)],
  ] as const)(
    '%s is accepted, then delivered with its confirmations, and seen on the chain',
    async (_, asset, amount) => {
      const { chain, order: newOrder, received } = payers
      const { address, connector } = await payers.newPayer()
      const order = newOrder({ asset })
      const sent = await connector.send(order)
      expect(sent.kind).toBe('accepted')
      expect(await received(order)).toBe(0n)

      for (const kind of ['accepted', 'accepted', 'delivered']) {
        await chain.mine()
        expect(await connector.check(order.reference, order)).toMatchObject({ kind })
      }
      expect(await received(order)).toBe(amount)
      expect(order.units).toBe(amount)
      const hash = 'providerId' in sent ? (sent.providerId as `0x${string}`) : '0x'
      const transaction = await chain.client.getTransaction({ hash })
      expect(transaction.from.toLowerCase()).toBe(address.toLowerCase())
      expect(transaction.chainId).toBe(chain.chainId)
      expect(await chain.nonce(address)).toBe(1)
      const { send } = await payers.book.find(order.reference)
      expect(send).toMatchObject({
        status: 'delivered',
        minedBlock: transaction.blockNumber,
        minedHash: transaction.blockHash,
      })
    },
  )

  test('that is final is told from the book, for ever', async () => {
    const { connector, beside } = await payers.newPayer()
    const order = payers.order()
    await connector.send(order)
    await payers.finalise()
    await connector.check(order.reference, order)
    const blind = beside({ url: 'http://127.0.0.1:9' })
    expect(await blind.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await blind.send(order)).toMatchObject({ kind: 'delivered' })
  })

  test('to an address in lower case is the same as with its checksum', async () => {
    const { connector } = await payers.newPayer()
    const order = payers.order()
    await connector.send({ ...order, recipient: { wallet: order.to.toLowerCase() } })
    expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await payers.received(order)).toBe(order.units)
  })

  test.each([
    ['no address', 'Ana', 'invalid_address'],
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aAe', '5aae'), 'invalid_address'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'invalid_address'],
    ['the token', 'token', 'invalid_address'],
    ['the sender', 'sender', 'invalid_address'],
  ])('to %s has failed before anything is written', async (_, to, code) => {
    const { address, connector } = await payers.newPayer()
    const wallet = { token: payers.chain.token, sender: address }[to] ?? to
    const order = { ...payers.order(), recipient: { wallet } }
    expect(await connector.send(order)).toMatchObject({ kind: 'failed', code })
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'failed', code })
    expect((await payers.book.find(order.reference)).send).toBeNull()
    expect(takenAddresses(address, payers.chain.token)).toHaveLength(2)
  })
})

describe('once', () => {
  test('fifty at the same moment, from two processes: gapless nonces, each paid once', async () => {
    const { address, connector, beside } = await payers.newPayer()
    const other = beside()
    const orders = Array.from({ length: 50 }, () => payers.order())
    const outcomes = await Promise.all(orders.map((order, i) => (i % 2 === 0 ? connector : other).send(order)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(orders.map(() => 'accepted'))
    expect(await nonces(address)).toEqual(orders.map((_, i) => i))
    await payers.finalise()
    expect(await payers.chain.nonce(address)).toBe(50)
    const paid = await Promise.all(orders.map((order) => payers.received(order)))
    expect(paid).toEqual(orders.map((order) => order.units))
    const ends = await Promise.all(orders.map((order) => connector.check(order.reference, order)))
    expect(new Set(ends.map(({ kind }) => kind))).toEqual(new Set(['delivered']))
  })

  test('one reference many times at once, and again when it is mined', async () => {
    const { address, connector, beside } = await payers.newPayer()
    const order = payers.order()
    const channels = [connector, beside(), beside()]
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, i) => channels[i % 3]!.send(order)))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
    await payers.finalise()
    expect(await connector.send(order)).toMatchObject({ kind: 'delivered' })
    await payers.finalise()
    expect(await payers.received(order)).toBe(order.units)
    expect(await nonces(address)).toEqual([0])
    expect(await payers.chain.nonce(address)).toBe(1)
  })

  test.each([
    ['amount', (order: ReturnType<Payers['order']>) => ({ ...order, amountMinor: order.amountMinor * 2n })],
    ['recipient', (order: ReturnType<Payers['order']>) => ({ ...order, recipient: payers.order().recipient })],
    ['asset', (order: ReturnType<Payers['order']>) => ({ ...order, channelId: 'coin' })],
  ])('a known reference with another %s is unknown, and moves nothing', async (_, changed) => {
    const { address, connector } = await payers.newPayer()
    const order = payers.order()
    await connector.send(order)
    expect(await connector.send(changed(order))).toMatchObject({ kind: 'unknown' })
    expect(await connector.check(order.reference, changed(order))).toMatchObject({ kind: 'unknown' })
    await payers.finalise()
    expect(await payers.chain.nonce(address)).toBe(1)
  })

  test('a process that dies between the claim and the broadcast leaves what the next one sends', async () => {
    const { address, beside } = await payers.newPayer()
    const order = payers.order()
    // The claim is committed, and nothing after it happens.
    const dying: ChainSends = {
      ...payers.book,
      claim: async (...claim) => {
        await payers.book.claim(...claim)
        throw new Error('killed')
      },
    }
    await expect(beside({ book: dying }).send(order)).rejects.toThrow('killed')
    expect((await payers.chain.client.getTxpoolStatus()).pending).toBe(0)

    const restarted = beside()
    expect(await restarted.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
    expect(await restarted.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await restarted.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
    expect(await nonces(address)).toEqual([0])
  })

  test('a claim that nobody asks about again is sent on by the next in the queue', async () => {
    const { address, beside } = await payers.newPayer()
    const [lost, next] = [payers.order(), payers.order()]
    const dying: ChainSends = {
      ...payers.book,
      claim: async (...claim) => {
        await payers.book.claim(...claim)
        throw new Error('killed')
      },
    }
    await expect(beside({ book: dying }).send(lost)).rejects.toThrow('killed')
    const connector = beside()
    await connector.send(next)
    await payers.chain.mine()
    expect(await payers.received(next)).toBe(0n)

    expect(await connector.check(next.reference, next)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await connector.check(next.reference, next)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(lost)).toBe(lost.units)
    expect(await payers.chain.nonce(address)).toBe(2)
  })

  test('a claim that comes too late is not made', async () => {
    const { address, beside } = await payers.newPayer()
    const slow: ChainSends = {
      ...payers.book,
      find: async (reference) => ({ ...(await payers.book.find(reference)), readAt: 0 }),
    }
    expect(await beside({ book: slow }).send(payers.order())).toMatchObject({ kind: 'not_sent' })
    expect(await nonces(address)).toEqual([])
  })
})

describe('too little', () => {
  test.each([
    ['token', { units: 12_499_999n }, 'too little of the asset'],
    ['coin', { wei: COIN / 160n }, 'too little of the asset'],
    ['token', { wei: 1_000n }, 'too little coin for gas'],
  ] as const)('a sender short of %s sends nothing, and burns no nonce', async (asset, funds, reason) => {
    const { address, connector } = await payers.newPayer({}, { wei: COIN, units: 12_500_000n, ...funds })
    const [short, small] = [payers.order({ asset }), payers.order({ asset, amountMinor: 1_00n })]
    const outcome = await connector.send(short)
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining(reason) as string })
    expect(await connector.check(short.reference, short)).toEqual({ kind: 'not_found' })
    expect(await nonces(address)).toEqual([])

    await payers.chain.fund(address, COIN, 12_500_000n)
    for (const order of [small, short]) expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await payers.received(short)).toBe(short.units)
    expect(await nonces(address)).toEqual([0, 1])
  })

  test.each(['token', 'coin'] as const)(
    'what is promised and not yet mined is not promised twice: %s',
    async (asset) => {
      const funds = { wei: COIN / 80n, units: 12_500_000n }
      const { address, connector } = await payers.newPayer({}, funds)
      const orders = Array.from({ length: 4 }, () => payers.order({ asset, amountMinor: 10_00n }))
      const outcomes = await Promise.all(orders.map((order) => connector.send(order)))
      const accepted = outcomes.filter(({ kind }) => kind === 'accepted').length
      expect(accepted).toBe(asset === 'token' ? 1 : 2)
      expect(outcomes.filter(({ kind }) => kind === 'not_sent')).toHaveLength(4 - accepted)
      expect(await nonces(address)).toHaveLength(accepted)
    },
  )

  test('a chain that is ahead of the book sends nothing: somebody else spends with the key', async () => {
    const { address, connector } = await payers.newPayer()
    const first = payers.order()
    await connector.send(first)
    await payers.finalise()
    await payers.chain.client.setNonce({ address, nonce: 2 })
    const outcome = await connector.send(payers.order())
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining('the book does not') as string })
  })
})

test('what keeps the channel from starting is told', async () => {
  const outbound = openOutbound()
  const { url, chainId, token } = payers.chain
  const settings = { outbound, url, chainId, timeoutMs: 1_000 }
  expect(await chainFaults(settings, [{ token, decimals: 6 }])).toEqual([])
  expect(await chainFaults(settings, [{ token, decimals: 18 }])).toEqual([expect.stringContaining('has 6 decimals')])
  const nobody = `0x${'12'.repeat(20)}` as const
  expect(await chainFaults(settings, [{ token: nobody, decimals: 6 }])).toEqual([expect.stringContaining('eth_call')])
  expect(await chainFaults({ ...settings, chainId: 1 }, [])).toEqual([`the node serves chain ${chainId}, not 1`])
  expect(await chainFaults({ ...settings, url: 'http://127.0.0.1:9' }, [])).toEqual([
    expect.stringContaining('ECONNREFUSED'),
  ])
  await outbound.close()
})
