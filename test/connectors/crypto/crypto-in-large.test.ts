// A block that is larger than one answer that is read: whoever fills one with call data hides no payment, in it or after it.
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patient, readTip } from '../../../src/connectors/crypto/blocks.ts'
import { type Arrival, readArrivals } from '../../../src/connectors/crypto/contents/arrivals.ts'
import {
  forgetOthers,
  largeBlock,
  type LargeBlocks,
  noteLarge,
  readInParts,
} from '../../../src/connectors/crypto/contents/large-blocks.ts'
import { openRpc, RpcDoubt } from '../../../src/connectors/crypto/rpc.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { type FaultyNode, startFaultyNode } from '../../rig/faulty-node.ts'
import { type AssetName, CONFIRMATIONS, openReceivers, type Receivers, type Shown } from './crypto-in-stage.ts'

/** What is read of one answer here, so that a block over it is made quickly. */
const CAP_BYTES = 32 * 1024
const FILLERS = 60
const BUYERS = 80
const STRANGER = '0x00000000000000000000000000000000000f00d5'
const outbound = openOutbound({ replyBytesMax: CAP_BYTES })
const wide = openOutbound({ replyBytesMax: 8 << 20 })

let receivers: Receivers
let node: FaultyNode
beforeAll(async () => {
  receivers = await openReceivers()
  node = await startFaultyNode(receivers.chain.url)
})
afterAll(async () => {
  await node.close()
  await receivers.close()
  await Promise.all([outbound.close(), wide.close()])
})

const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 7 })

/** Somebody's transactions, which wait to be mined: each is of so many bytes of call data. */
async function fill(count: number, bytes: number): Promise<void> {
  const { client } = receivers.chain
  const first = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const gas = BigInt(30_000 + 16 * bytes)
  for (let at = 0; at < count; at++)
    await client.sendTransaction({ account, to: STRANGER, data: `0x${'00'.repeat(bytes)}`, gas, nonce: first + at })
}

/** Token transfers of others: more of them than one answer holds. */
async function sell(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await receivers.chain.pay('token', STRANGER, 1n)
}

const makeLarge = (asset: AssetName) => (asset === 'coin' ? fill(FILLERS, 4096) : sell(BUYERS))
const watcher = (asset: AssetName, changes = {}) => receivers.watcher(asset, { outbound, url: node.url, ...changes })
const unitsOf = ({ order }: Shown) => receivers.told(order).map(({ units }) => units)
const callsOf = (method: string) => node.calls.filter((each) => each === method).length
const PART_OF = { coin: 'eth_getTransactionByBlockHashAndIndex', token: 'eth_getTransactionReceipt' } as const

describe.each(['coin', 'token'] as const)('in the %s', (asset) => {
  test('it brings the very same by its transactions as in one answer', async () => {
    const { chain } = receivers
    await fill(FILLERS, 4096)
    for (let at = 0; at < BUYERS; at++) await chain.pay(asset, `0x${'0'.repeat(37)}${100 + at}`, BigInt(at))
    await chain.payNothing(STRANGER)
    await chain.payByContract(STRANGER, 7n)
    const refused = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [STRANGER, 1n] })
    await chain.client.sendTransaction({ account, to: chain.token, data: refused, gas: 100_000n })
    await chain.mine()
    const { url, chainId, token } = chain
    const of = asset === 'coin' ? 'coin' : (token.toLowerCase() as Hex)
    const [small, whole] = [outbound, wide].map((each) =>
      patient(openRpc({ outbound: each, url, timeoutMs: 30_000 })),
    ) as [ReturnType<typeof openRpc>, ReturnType<typeof openRpc>]
    const block = await readTip(whole, chainId)
    const large: LargeBlocks<readonly Arrival[]> = new Map()
    const [wanted] = await readArrivals(whole, of, [block], large)
    expect(large.size).toBe(0)
    expect(wanted?.length).toBeGreaterThan(BUYERS)
    expect((await readArrivals(small, of, [block], large))[0]).toEqual(wanted)
    expect([...large.keys()]).toEqual([block.hash])
  })

  test('payments in it and after it are told once each', async () => {
    const { chain, attempt, follow } = receivers
    const [inside, after] = [await attempt(asset), await attempt(asset)]
    const following = watcher(asset)
    await follow(following)
    await chain.pay(asset, inside.address, inside.units)
    await makeLarge(asset)
    await chain.pay(asset, inside.address, 5n)
    await chain.mine()
    await chain.pay(asset, after.address, after.units)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect([unitsOf(inside).toSorted(), unitsOf(after)]).toEqual([[5n, inside.units].toSorted(), [after.units]])
    await chain.mine(2)
    await follow(following)
    await follow(watcher(asset))
    expect([unitsOf(inside).length, unitsOf(after).length]).toEqual([2, 1])
  })

  test('what was read of it when the time of a look was over is not asked for again', async () => {
    const { chain, attempt, follow } = receivers
    const paid = await attempt(asset)
    const following = watcher(asset, { timeoutMs: 2_000 })
    await follow(following)
    await makeLarge(asset)
    await chain.pay(asset, paid.address, paid.units)
    await chain.mine()
    const [method, whole] = [PART_OF[asset], asset === 'coin' ? 'eth_getBlockByHash' : 'eth_getLogs']
    const before = [callsOf(method), callsOf(whole)] as const
    const look = following.look()
    await expect.poll(() => callsOf(method) - before[0], { interval: 1 }).toBeGreaterThan(10)
    node.spoil(method, { when: 'before', how: 'hangs' })
    const looked = await look
    expect(looked).toMatchObject({ kind: 'waits', reason: expect.stringMatching(/is larger than one answer: \d+ of/) })
    node.spoil(method, null)
    expect(await following.look()).toMatchObject({ kind: 'looked', blocks: 1 })
    const transactions = await chain.client.getBlockTransactionCount()
    // Those that hung, eight at most, are asked for twice.
    expect(callsOf(method) - before[0]).toBeLessThanOrEqual(transactions + 8)
    // For a coin its hashes are one more call of the same method.
    expect(callsOf(whole) - before[1]).toBe(asset === 'coin' ? 2 : 1)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(unitsOf(paid)).toEqual([paid.units])
  })

  test.each(['transaction', 'block'] as const)('an answer about another %s is none', async (other) => {
    const { chain, attempt, follow } = receivers
    const paid = await attempt(asset)
    const following = watcher(asset)
    await follow(following)
    await makeLarge(asset)
    const hash = await chain.pay(asset, paid.address, paid.units)
    await chain.mine()
    const { client } = chain
    const { hash: block, transactions } = await client.getBlock()
    const place = `0x${transactions.indexOf(hash).toString(16)}`
    const params = asset === 'coin' ? [block, place] : [hash]
    const truth = await client.request<{ ReturnType: object }>({ method: PART_OF[asset], params } as never)
    const own = asset === 'coin' ? 'hash' : 'transactionHash'
    const result = { ...truth, [other === 'block' ? 'blockHash' : own]: `0x${'1'.repeat(64)}` }
    const where = JSON.stringify(params.at(-1))
    node.spoil(PART_OF[asset], { when: 'before', where, how: { result } })
    expect(await following.look()).toMatchObject({ kind: 'waits', reason: expect.stringContaining('makes no sense') })
    node.spoil(PART_OF[asset], null)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(unitsOf(paid)).toEqual([paid.units])
  })

  test('a block that the node itself finds too large for an answer is read so, too', async () => {
    const { chain, attempt, follow } = receivers
    const paid = await attempt(asset)
    const following = watcher(asset)
    await follow(following)
    await chain.pay(asset, paid.address, paid.units)
    await chain.mine()
    const [whole, where] = asset === 'coin' ? ['eth_getBlockByHash', ',true]'] : ['eth_getLogs', 'topics']
    node.spoil(whole, { when: 'before', where, how: { error: { code: -32008, message: 'Response is too big' } } })
    expect(await following.look()).toMatchObject({ kind: 'looked', blocks: 1 })
    node.spoil(whole, null)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(unitsOf(paid)).toEqual([paid.units])
  })

  test('undone by a re-org while it is read, it is read no further', async () => {
    const { chain, attempt, follow } = receivers
    const paid = await attempt(asset)
    const following = watcher(asset)
    await follow(following)
    await makeLarge(asset)
    await chain.pay(asset, paid.address, paid.units)
    await chain.mine()
    node.spoil(PART_OF[asset], { when: 'before', how: { error: { code: -32000, message: 'not now' } } })
    expect(await following.look()).toMatchObject({ kind: 'waits', reason: expect.stringContaining('not now') })
    await chain.reorg(1)
    node.spoil(PART_OF[asset], null)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(unitsOf(paid)).toEqual([])
  })
})

test('coins are counted in a time of their own, whatever a look took', async () => {
  const { chain, attempt, follow, book } = receivers
  await follow(watcher('coin', { outbound: wide }))
  const paid = await attempt('coin')
  // The time of the look is over when its blocks are in the book.
  const record: typeof book.record = async (view) => {
    const recorded = await book.record(view)
    await sleep(3_000)
    return recorded
  }
  await chain.payByContract(paid.address, paid.units)
  await chain.mine(CONFIRMATIONS)
  const slow = watcher('coin', { timeoutMs: 3_000, book: { ...book, record } })
  expect(await slow.look()).toMatchObject({ kind: 'looked', doubt: null })
  await follow(watcher('coin'))
  expect(unitsOf(paid)).toEqual([paid.units])
})

test('one transaction that is larger than an answer is a doubt that says so', async () => {
  const { chain, follow } = receivers
  const following = watcher('coin')
  await follow(following)
  await fill(1, CAP_BYTES)
  await chain.mine()
  const reason = expect.stringContaining(
    '0 of its 1 transactions are read, eth_getTransactionByBlockHashAndIndex: the answer',
  )
  expect(await following.look()).toMatchObject({ kind: 'waits', reason })
  await follow(receivers.watcher('coin', { outbound: wide }))
})

test('a line that is too thin for several parts at once is asked for fewer', async () => {
  const transactions = Array.from({ length: 5 }, (_, place) => `0x${place}` as Hex)
  const held = largeBlock<Hex>('a block')
  let atOnce = 0
  const thin = async (transaction: Hex) => {
    atOnce += 1
    await sleep(1)
    const isTooMany = atOnce > 1
    await sleep(1)
    atOnce -= 1
    if (isTooMany) throw new RpcDoubt('timeout')
    return transaction
  }
  const rounds = [8, 4, 2].map((each) => async () => {
    expect(held.atOnce).toBe(each)
    await expect(readInParts(held, transactions, thin)).rejects.toThrow('a block is larger than one answer: 0 of its 5')
  })
  for (const round of rounds) await round()
  expect(await readInParts(held, transactions, thin)).toEqual(transactions)
  expect(held.atOnce).toBe(2)
})

test('what is read for good or undone is forgotten, and what comes after is kept within a bound', () => {
  const named = (number: number, branch = 'a') => ({ number: BigInt(number), hash: `0x${branch}${number}` as Hex })
  const large: LargeBlocks<null> = new Map()
  for (const block of [named(1), named(2), named(2, 'b'), named(3), named(9)]) noteLarge(large, block)
  forgetOthers(large, [named(2, 'b'), named(3)])
  expect([...large.keys()]).toEqual(['0xb2', '0xa3', '0xa9'])
  for (let number = 10; number < 60; number++) noteLarge(large, named(number))
  forgetOthers(large, [named(2, 'b')])
  expect(large.size).toBe(16)
  expect(large.has('0xb2')).toBe(true)
})
