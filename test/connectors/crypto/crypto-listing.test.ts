// What the chain itself says of the orders that a book has forgotten: after a restore they are found by the memos in their
// transactions, are in the book again, and are never paid twice.
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, listsOrders, type TakenOrder } from '../../../src/connectors/connector.ts'
import type { ChainSends } from '../../../src/connectors/crypto/book.ts'
import { openMemos } from '../../../src/connectors/crypto/memos.ts'
import { RpcDoubt } from '../../../src/connectors/crypto/rpc.ts'
import { startFaultyNode } from '../../rig/faulty-node.ts'
import { type Order, openPayers, type Payers } from './crypto-payers.ts'

let payers: Payers
beforeAll(async () => {
  payers = await openPayers()
})
afterAll(() => payers.close())

const listed = async (connector: Connector, channelId = 'token'): Promise<readonly TakenOrder[]> => {
  if (!listsOrders(connector)) throw new Error('it lists nothing')
  return (await connector.listOrders(channelId, Date.now() - 60_000)) ?? []
}
/** As a restore leaves the book: without what was written to it last. */
const forget = (orders: readonly Order[]) =>
  payers.asOwner('delete from chain_sends where reference = any($1)', [orders.map(({ reference }) => reference)])
const sentAll = async (connector: Connector, count: number, asset: 'token' | 'coin' = 'token') => {
  const orders = Array.from({ length: count }, () => payers.order({ asset }))
  for (const order of orders) expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
  return orders
}
const line = ({ reference, amountDecimal }: Order, kind: TakenOrder['kind']) => ({
  reference,
  kind,
  amountDecimal,
  currency: 'USD',
})

describe('what the book has forgotten', () => {
  test.each(['token', 'coin'] as const)('is listed, and never paid again: %s', async (asset) => {
    const { connector, address } = await payers.newPayer()
    const known = await sentAll(connector, 2, asset)
    await payers.finalise()
    const lost = await sentAll(connector, 3, asset)
    await payers.finalise()
    await forget(lost)

    expect(await listed(connector, asset)).toEqual([...known, ...lost].map((order) => line(order, 'sent')))
    expect(await listed(connector, asset === 'coin' ? 'token' : 'coin')).toEqual([])
    // The same orders again find themselves, and another one has a nonce of its own.
    for (const order of lost) expect(await connector.send(order)).toMatchObject({ kind: 'delivered' })
    const [another] = await sentAll(connector, 1, asset)
    await payers.finalise()
    for (const order of [...known, ...lost, another!]) expect(await payers.received(order)).toBe(order.units)
    expect(await payers.chain.nonce(address)).toBe(6)
  })

  test('and every other one: a book without a single row', async () => {
    const { connector } = await payers.newPayer()
    const lost = await sentAll(connector, 2)
    await payers.finalise()
    await forget(lost)
    expect(await listed(connector)).toEqual(lost.map((order) => line(order, 'sent')))
  })

  test('and is not final yet is accepted, and its end is inquired like any other’s', async () => {
    const { connector } = await payers.newPayer()
    const mined = await sentAll(connector, 1)
    await payers.chain.mine()
    const waiting = await sentAll(connector, 2)
    await forget([...mined, ...waiting])
    const all = [...mined, ...waiting]
    expect(await listed(connector)).toEqual(all.map((order) => line(order, 'accepted')))
    await payers.finalise()
    for (const order of all) {
      expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
      expect(await payers.received(order)).toBe(order.units)
    }
  })

  test('and was adopted without its price is inquired by what its transaction says, and never sent', async () => {
    const { connector, beside, address } = await payers.newPayer()
    const [order] = await sentAll(connector, 1)
    await payers.finalise()
    await forget([order!])
    const unpriced = beside({ quoteOf: () => null })
    expect(await unpriced.check(order!.reference, order!)).toMatchObject({ kind: 'unknown' })
    await listed(connector)
    expect(await unpriced.check(order!.reference, order!)).toMatchObject({ kind: 'delivered' })
    const another = payers.order()
    expect(await unpriced.send(another)).toMatchObject({ kind: 'unknown' })
    expect(await payers.chain.nonce(address)).toBe(1)
  })

  test('of a replacement is found under the order of the first', async () => {
    const { connector, beside, address } = await payers.newPayer()
    const [order] = await sentAll(connector, 1)
    const hurried = beside({ replaceAfterMs: 0 })
    await hurried.check(order!.reference, order!)
    await payers.asOwner('update chain_sends set raws = raws[1:1], hashes = hashes[1:1] where reference = $1', [
      order!.reference,
    ])
    await payers.finalise()
    expect(await listed(connector)).toEqual([line(order!, 'sent')])
    expect(await connector.check(order!.reference, order!)).toMatchObject({ kind: 'delivered' })
    expect(await payers.chain.nonce(address)).toBe(1)
  })

  test('and was undone by the chain moved nothing, and is not listed', async () => {
    const { connector } = await payers.newPayer()
    const [order] = await sentAll(connector, 1)
    await payers.chain.setManner(order!.to, 'reverting')
    await payers.finalise()
    await forget([order!])
    expect(await listed(connector)).toEqual([])
    expect(await connector.send(order!)).toMatchObject({ kind: 'failed', code: 'transfer_reverted' })
  })
})

describe('a transaction that names no order', () => {
  test('is listed by its hash, with what it moved', async () => {
    const key = generatePrivateKey()
    const address = privateKeyToAddress(key)
    const { connector } = await payers.newPayer({ key })
    await payers.chain.fund(address, 10n ** 18n, 0n)
    const to = privateKeyToAddress(generatePrivateKey())
    const account = privateKeyToAccount(key)
    const hash = await payers.chain.client.sendTransaction({ account, chain: foundry, to, value: 7n, gas: 21_000n })
    await payers.finalise()
    const [stranger, ...others] = await listed(connector)
    expect(others).toEqual([])
    expect(stranger?.reference).toBe(hash)
    expect(stranger?.note).toContain(to)
  })

  test('a second transaction of one order is one more, under its own hash', async () => {
    const { connector } = await payers.newPayer()
    const [order] = await sentAll(connector, 1)
    await payers.finalise()
    await forget([order!])
    // Without a look at the chain, on a book that has no row at all, it goes again.
    await connector.send(order!)
    await payers.finalise()
    const [known, ...others] = (await listed(connector)).toSorted((one) => (one.note === undefined ? -1 : 1))
    expect(known).toEqual(line(order!, 'sent'))
    expect(others.map(({ note }) => note)).toEqual([expect.stringContaining(order!.reference)])
    expect(others[0]?.reference).toMatch(/^0x/)
    expect(await payers.received(order!)).toBe(2n * order!.units)
  })
})

describe('a list that is not whole', () => {
  test('is none: the node lags by minutes', async () => {
    const { connector, beside } = await payers.newPayer()
    const anHourLater = async (...asked: Parameters<ChainSends['unfinished']>) => {
      const found = await payers.book.unfinished(...asked)
      return { ...found, readAt: found.readAt + 3_600_000 }
    }
    await payers.finalise()
    expect(await listed(connector)).toEqual([])
    await expect(listed(beside({ book: { ...payers.book, unfinished: anHourLater } }))).rejects.toThrow(
      'older than five minutes',
    )
  })

  test('is none: the book ends before it begins', async () => {
    const { connector, beside } = await payers.newPayer()
    const orders = await sentAll(connector, 2)
    await payers.finalise()
    // Final, or it would be read since then.
    await connector.check(orders[0]!.reference, orders[0]!)
    await forget(orders.slice(1))
    const late = beside()
    if (!listsOrders(late)) throw new Error('it lists nothing')
    await expect(late.listOrders('token', Date.now() + 86_400_000)).rejects.toThrow('compare from earlier')
  })

  test.each([
    ['a block is not shown', 'eth_getBlockByNumber', { result: null }],
    ['what is counted is away', 'eth_getTransactionCount', 'fails'],
    ['another chain answers', 'eth_chainId', { result: '0x1' }],
    ['receipts are not shown', 'eth_getTransactionReceipt', { result: null }],
  ] as const)('is none: %s', async (_, method, how) => {
    const node = await startFaultyNode(payers.chain.url)
    const { connector, beside } = await payers.newPayer()
    const lost = await sentAll(connector, 1)
    await payers.finalise()
    await forget(lost)
    node.spoil(method, { when: 'after', how })
    await expect(listed(beside({ url: node.url }))).rejects.toThrow(RpcDoubt)
    node.spoil(method, null)
    expect(await listed(beside({ url: node.url }))).toEqual(lost.map((order) => line(order, 'sent')))
    await node.close()
  })
})

describe('a recipient that takes nothing behind a call', () => {
  test.each([
    ['reverts', '0x36600557005b600080fd'],
    ['burns all gas', '0x3660055700' + '5bfe'],
  ])('and %s is paid without a memo', async (_, code) => {
    const { connector } = await payers.newPayer()
    const [known] = await sentAll(connector, 1, 'coin')
    const order = payers.order({ asset: 'coin' })
    await payers.chain.client.setCode({ address: order.to, bytecode: code as Hex })
    expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
    expect(await listed(connector, 'coin')).toEqual([line(known!, 'sent')])
    await forget([order])
    const [, stranger] = await listed(connector, 'coin')
    expect(stranger?.note).toContain(order.to)
    // Nobody knows which order that was, so nothing more leaves.
    expect(await connector.send(payers.order())).toMatchObject({ kind: 'not_sent' })
  })
})

describe('a memo', () => {
  const order = {
    reference: '019a1b2c3d4e7f608a9b0c1d2e3f4051007',
    channelId: 'usdc',
    amountMinor: 2n ** 63n + 5n,
    currency: 'PHP',
  }
  const key = `0x${'7'.repeat(64)}` as Hex

  test('says what was written, to the key that wrote it and for its nonce alone', () => {
    const memos = openMemos(key, 1)
    const memo = memos.write(order, 12)
    const { isOf, ...read } = memos.read(`0x1234${memo.slice(2)}`, 12)!
    expect(read).toEqual({ reference: order.reference, amountMinor: order.amountMinor, currency: 'PHP' })
    expect([isOf('usdc'), isOf('eth')]).toEqual([true, false])
    expect(memos.read(memo, 13)).toBeNull()
    expect(openMemos(key, 2).read(memo, 12)).toBeNull()
    expect(openMemos(`0x${'8'.repeat(64)}`, 1).read(memo, 12)).toBeNull()
    expect(memos.read(`${memo.slice(0, -1)}${memo.endsWith('0') ? '1' : '0'}` as Hex, 12)).toBeNull()
    expect(memos.read('0x', 12)).toBeNull()
    // Nobody else sees the reference, or that two are of one contract.
    expect(memo).not.toContain(order.reference.slice(0, 12))
    expect(memos.write(order, 13).slice(0, 30)).not.toBe(memo.slice(0, 30))
  })
})
