// What the chain says of forgotten orders where the block that has them is larger than one answer that is read, or would be.
import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connector, listsOrders, type TakenOrder } from '../../../src/connectors/connector.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { startFaultyNode } from '../../rig/faulty-node.ts'
import { type Order, openPayers, type Payers } from './crypto-payers.ts'

const CAP_BYTES = 32 * 1024
const outbound = openOutbound({ replyBytesMax: CAP_BYTES })

let payers: Payers
beforeAll(async () => {
  payers = await openPayers()
})
afterAll(async () => {
  await payers.close()
  await outbound.close()
})

const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 7 })

/** Somebody's transactions of so many bytes of call data, which wait to be mined. */
async function fill(count: number, bytes: number): Promise<void> {
  const { client } = payers.chain
  const first = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const to = '0x00000000000000000000000000000000000f00d5'
  const data: Hex = `0x${'00'.repeat(bytes)}`
  const gas = BigInt(30_000 + 16 * bytes)
  for (let at = 0; at < count; at++) await client.sendTransaction({ account, to, data, gas, nonce: first + at })
}

async function sent(connector: Connector, count: number): Promise<Order[]> {
  const orders = Array.from({ length: count }, () => payers.order())
  for (const order of orders) expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
  return orders
}

/** As a restore leaves the book: without what was written to it last. */
const forget = (orders: readonly Order[]) =>
  payers.asOwner('delete from chain_sends where reference = any($1)', [orders.map(({ reference }) => reference)])

async function listed(connector: Connector): Promise<readonly Pick<TakenOrder, 'reference' | 'kind'>[]> {
  if (!listsOrders(connector)) throw new Error('it lists nothing')
  const orders = (await connector.listOrders('token', Date.now() - 60_000)) ?? []
  return orders.map(({ reference, kind }) => ({ reference, kind }))
}

const as = (orders: readonly Order[], kind: TakenOrder['kind']) => orders.map(({ reference }) => ({ reference, kind }))

test('what a large block has is listed, and what waits for one', async () => {
  const { beside } = await payers.newPayer()
  const connector = beside({ outbound })
  const mined = await sent(connector, 2)
  await fill(20, 4096)
  await payers.finalise()
  const waiting = await sent(connector, 2)
  await fill(20, 4096)
  await forget([...mined, ...waiting])
  expect(await listed(connector)).toEqual([...as(mined, 'sent'), ...as(waiting, 'accepted')])
  await payers.finalise()
  expect(await listed(connector)).toEqual([...as(mined, 'sent'), ...as(waiting, 'sent')])
})

test('a transaction of a block that is larger than an answer is a doubt; of the pool, only where it may be an own one', async () => {
  const { beside } = await payers.newPayer()
  const connector = beside({ outbound })
  const waiting = await sent(connector, 1)
  await fill(1, CAP_BYTES)
  await forget(waiting)
  expect(await listed(connector)).toEqual(as(waiting, 'accepted'))
  await payers.finalise()
  await expect(listed(connector)).rejects.toThrow('eth_getTransactionByBlockHashAndIndex: the answer is larger')
})

test('what the node does not show of a large pool is not taken for nothing', async () => {
  const { beside } = await payers.newPayer()
  const node = await startFaultyNode(payers.chain.url)
  const connector = beside({ outbound, url: node.url })
  const waiting = await sent(connector, 1)
  await fill(20, 4096)
  await forget(waiting)
  node.spoil('eth_getTransactionByHash', { when: 'before', how: { result: null } })
  await expect(listed(connector)).rejects.toThrow('that it does not show: wait until it is mined')
  node.spoil('eth_getTransactionByHash', null)
  expect(await listed(connector)).toEqual(as(waiting, 'accepted'))
  await payers.finalise()
  await node.close()
})
