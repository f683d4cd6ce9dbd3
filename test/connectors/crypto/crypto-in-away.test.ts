// A gateway or a node that was away while the payer's time ended: what was paid in that time came in time, however late it is read, and is not
// closed away before; and no node keeps an attempt open by its silence alone before its time.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FaultyNode, startFaultyNode } from '../../rig/faulty-node.ts'
import { type AssetName, CONFIRMATIONS, openReceivers, type Receivers, type Shown } from './crypto-in-stage.ts'

const ASSETS = ['coin', 'token'] as const
const TIME_SECONDS = 3

let receivers: Receivers
let node: FaultyNode
beforeAll(async () => {
  receivers = await openReceivers()
  node = await startFaultyNode(receivers.chain.url)
})
afterAll(async () => {
  await node.close()
  await receivers.close()
})

/** An attempt whose payer's time ends three seconds after the newest block. */
async function brief(asset: AssetName): Promise<Shown> {
  const { timestamp } = await receivers.chain.client.getBlock()
  return receivers.attempt(asset, { expiresAt: (Number(timestamp) + TIME_SECONDS) * 1000 })
}

/** The next block is made so long before the payer's time is over. */
async function mineBefore({ order }: Shown, seconds: number): Promise<void> {
  const { client } = receivers.chain
  await client.setNextBlockTimestamp({ timestamp: BigInt(order.expiresAt / 1000 - seconds) })
  await client.mine({ blocks: 1 })
}

async function over({ order }: Shown): Promise<void> {
  while (Date.now() <= order.expiresAt + 1000) await sleep(100)
}

const closing = ({ order }: Shown) => receivers.collecting().voidCollection(order, Date.now())

async function read(asset: AssetName): Promise<void> {
  await receivers.chain.mine(2 * CONFIRMATIONS)
  await receivers.follow(receivers.watcher(asset))
}

const came = ({ order }: Shown) =>
  receivers.told(order).map(({ units, seenAt }) => [units, seenAt <= order.expiresAt ? 'in time' : 'late'])

describe.each(ASSETS)('in the %s', (asset) => {
  test('what was paid in time, and is read long after it, keeps its attempt open and came in time', async () => {
    const paid = await brief(asset)
    await receivers.chain.pay(asset, paid.address, paid.units)
    await mineBefore(paid, 1)
    await over(paid)
    expect(await closing(paid)).toBe('refused')
    await read(asset)
    expect(came(paid)).toEqual([[paid.units, 'in time']])
    expect(await closing(paid)).toBe('voided')
  })

  test('what was paid after it is late', async () => {
    const late = await brief(asset)
    await over(late)
    await receivers.chain.pay(asset, late.address, late.units)
    await read(asset)
    expect(came(late)).toEqual([[late.units, 'late']])
  })
})

test.each(ASSETS)(
  'in the %s: nothing is closed before a block after its time was there, or none comes',
  async (asset) => {
    const unpaid = await receivers.attempt(asset, { expiresAt: Date.now() - 1000 })
    const long = await receivers.attempt(asset, { expiresAt: Date.now() - 61_000 })
    const { url } = node
    const behind = receivers.collecting({ url })
    // The newest block that the node has is from before.
    const { number, hash, parentHash } = await receivers.chain.client.getBlock()
    const result = { number: `0x${number.toString(16)}`, hash, parentHash, timestamp: '0x1' }
    node.spoil('eth_getBlockByNumber', { when: 'after', how: { result } })
    expect(await behind.voidCollection(unpaid.order, Date.now())).toBe('unknown')
    expect(await behind.voidCollection(long.order, Date.now())).toBe('voided')
    node.spoil('eth_getBlockByNumber', null)
    await receivers.chain.mine()
    expect(await behind.voidCollection(unpaid.order, Date.now())).toBe('voided')
  },
)

test.each(ASSETS)(
  'in the %s: a node that is away closes what is not over, and says nothing of what is',
  async (asset) => {
    const [over, running] = [
      await receivers.attempt(asset, { expiresAt: Date.now() - 61_000 }),
      await receivers.attempt(asset),
    ]
    const away = receivers.collecting({ url: 'http://127.0.0.1:9' })
    expect(await away.voidCollection(over.order, Date.now())).toBe('unknown')
    expect(await away.voidCollection(running.order, Date.now())).toBe('voided')
  },
)

test.each(ASSETS)(
  'in the %s: what is over is over by the clock of the database, where the process’s is behind',
  async (asset) => {
    const away = receivers.collecting({ url: 'http://127.0.0.1:9' })
    const { order } = await receivers.attempt(asset)
    expect(await away.voidCollection(order, order.expiresAt)).toBe('unknown')
    expect(await away.voidCollection(order, order.expiresAt - 1)).toBe('voided')
  },
)

test('a node that takes no block by its hash says by its number whether coins are there', async () => {
  const error = { code: -32602, message: 'invalid argument 1: hex string without 0x prefix' }
  for (const method of ['eth_getBalance', 'eth_getTransactionCount'])
    node.spoil(method, { when: 'before', where: 'blockHash', how: { error } })
  const collecting = receivers.collecting({ url: node.url })
  const [unpaid, paid] = [await brief('coin'), await brief('coin')]
  await receivers.chain.payByContract(paid.address, paid.units)
  await mineBefore(paid, 1)
  await over(paid)
  await receivers.chain.mine()
  expect(await collecting.voidCollection(unpaid.order, Date.now())).toBe('voided')
  expect(await collecting.voidCollection(paid.order, Date.now())).toBe('refused')
  // No answer at all is none by number either.
  node.spoil('eth_getBalance', { when: 'before', how: 'fails' })
  expect(await collecting.voidCollection(unpaid.order, Date.now())).toBe('unknown')
  node.spoil('eth_getBalance', { when: 'before', how: { error } })
  expect(await collecting.voidCollection(unpaid.order, Date.now())).toBe('unknown')
  for (const method of ['eth_getBalance', 'eth_getTransactionCount']) node.spoil(method, null)
})

test('a token that does not tell what is held closes a minute after the time; a node that refuses closes nothing', async () => {
  const collecting = receivers.collecting({ url: node.url })
  const [now, long] = [
    await receivers.attempt('token', { expiresAt: Date.now() - 1000 }),
    await receivers.attempt('token', { expiresAt: Date.now() - 61_000 }),
  ]
  await receivers.chain.mine()
  node.spoil('eth_call', { when: 'before', how: { error: { code: 3, message: 'execution reverted: paused' } } })
  expect(await collecting.voidCollection(now.order, Date.now())).toBe('unknown')
  expect(await collecting.voidCollection(long.order, Date.now())).toBe('voided')
  node.spoil('eth_call', { when: 'before', how: { error: { code: -32005, message: 'limit exceeded' } } })
  expect(await collecting.voidCollection(long.order, Date.now())).toBe('unknown')
  node.spoil('eth_call', null)
})
