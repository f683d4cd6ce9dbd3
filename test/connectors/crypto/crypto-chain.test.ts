// What a chain does to a transfer that was sent: re-orgs, fees that rise, transactions that revert, tokens that lie. Time and
// blocks are the test's, the chain is real.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COIN, CONFIRMATIONS, openPayers, type Order, type Payers } from './crypto-payers.ts'

let payers: Payers
beforeAll(async () => {
  payers = await openPayers()
})
afterAll(() => payers.close())

async function rowOf(order: Order) {
  const { send } = await payers.book.find(order.reference)
  if (!send) throw new Error('the order is not in the book')
  return send
}

describe('a re-org', () => {
  test.each(['coin', 'token'] as const)('takes a mined transfer back: %s, paid once at the end', async (asset) => {
    const { chain } = payers
    const { address, connector } = await payers.newPayer()
    const order = payers.order({ asset })
    await connector.send(order)
    // Kept for after the snapshot is taken back, for the chain forgets what it had in its pool, too.
    const before = await chain.client.snapshot()
    await chain.mine()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
    expect((await rowOf(order)).minedBlock).not.toBeNull()
    expect(await payers.received(order)).toBe(order.units)

    await chain.client.revert({ id: before })
    expect(await payers.received(order)).toBe(0n)
    await chain.forgetPool()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
    expect(await rowOf(order)).toMatchObject({ status: 'open', minedBlock: null, minedHash: null })
    expect((await chain.client.getTxpoolStatus()).pending).toBe(1)

    await payers.finalise()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
    expect(await chain.nonce(address)).toBe(1)
    expect((await rowOf(order)).hashes).toHaveLength(1)
  })

  test('puts a transfer into another block: the confirmations are counted anew', async () => {
    const { chain } = payers
    const { connector } = await payers.newPayer()
    const order = payers.order()
    await connector.send(order)
    const before = await chain.client.snapshot()
    await chain.mine(CONFIRMATIONS - 1)
    await connector.check(order.reference, order)
    const first = await rowOf(order)

    await chain.client.revert({ id: before })
    await chain.forgetPool()
    await chain.mine()
    await connector.check(order.reference, order)
    await chain.mine()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
    const second = await rowOf(order)
    expect([second.minedBlock, second.minedHash]).not.toEqual([first.minedBlock, first.minedHash])
    await payers.finalise()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
  })
})

describe('a fee that is too low', () => {
  const setBaseFee = async (baseFeePerGas: bigint) => {
    await payers.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas })
    await payers.chain.mine()
  }
  const low = () => setBaseFee(1_000_000_000n)
  /** From now on blocks take only what pays more than was signed for before; this node even forgets the rest. */
  const high = () => setBaseFee(90_000_000_000n)
  const refused = { kind: 'unknown', reason: expect.stringContaining('refused the transaction') as string }

  test('is raised after a while under the same nonce; only one of the two is mined', async () => {
    const { chain } = payers
    await low()
    const { address, beside } = await payers.newPayer()
    const order = payers.order()
    const connector = beside({ replaceAfterMs: 300 })
    await connector.send(order)
    await high()
    expect(await payers.received(order)).toBe(0n)
    expect(await connector.check(order.reference, order)).toMatchObject(refused)
    expect((await rowOf(order)).hashes).toHaveLength(1)

    await sleep(320)
    const raised = await Promise.all([1, 2, 3].map(() => connector.check(order.reference, order)))
    expect(raised.some(({ kind }) => kind === 'accepted')).toBe(true)
    const { hashes, raws, nonce } = await rowOf(order)
    expect([hashes.length, raws.length, nonce]).toEqual([2, 2, 0])
    expect(await connector.check(order.reference, order)).toEqual({ kind: 'accepted', providerId: hashes[1] })

    await payers.finalise()
    expect(await connector.check(order.reference, order)).toEqual({ kind: 'delivered', providerId: hashes[1] })
    expect(await payers.received(order)).toBe(order.units)
    expect(await chain.nonce(address)).toBe(1)
    await expect(chain.client.getTransactionReceipt({ hash: hashes[0] as Hex })).rejects.toThrow(/could not be found/)
  })

  test('when the first is mined after all, the replacement never is', async () => {
    const { chain } = payers
    await low()
    const { address, beside } = await payers.newPayer()
    const order = payers.order({ asset: 'coin' })
    const connector = beside({ replaceAfterMs: 1 })
    await connector.send(order)
    const [first] = (await rowOf(order)).raws
    await sleep(5)
    await connector.check(order.reference, order)
    const { hashes, raws } = await rowOf(order)
    expect(hashes.length).toBe(2)

    await chain.forgetPool()
    await chain.client.sendRawTransaction({ serializedTransaction: first as Hex })
    await payers.finalise()
    expect(await connector.check(order.reference, order)).toEqual({ kind: 'delivered', providerId: hashes[0] })
    await expect(chain.client.sendRawTransaction({ serializedTransaction: raws[1] as Hex })).rejects.toThrow(/nonce/)
    expect(await payers.received(order)).toBe(order.units)
    expect(await chain.nonce(address)).toBe(1)
  })

  test('is never raised over the cap; what is over it at first is not sent', async () => {
    await low()
    const { beside } = await payers.newPayer()
    const order = payers.order()
    await beside().send(order)
    await high()
    const frugal = beside({ replaceAfterMs: 1, feeCapWei: 50_000_000_000n })
    expect(await frugal.check(order.reference, order)).toMatchObject(refused)
    expect((await rowOf(order)).hashes).toHaveLength(1)
    expect(await frugal.send(payers.order())).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringContaining('over the cap') as string,
    })
    await beside({ replaceAfterMs: 1 }).check(order.reference, order)
    await payers.finalise()
    expect(await payers.received(order)).toBe(order.units)
  })

  test('of the one at the head of the queue is raised when a later one is asked about', async () => {
    const { chain } = payers
    await low()
    const { address, beside } = await payers.newPayer()
    const connector = beside({ replaceAfterMs: 1 })
    const [head, later] = [payers.order(), payers.order()]
    await connector.send(head)
    await connector.send(later)
    await high()
    await connector.check(later.reference, later)
    expect([(await rowOf(head)).hashes.length, (await rowOf(later)).hashes.length]).toEqual([2, 1])
    await chain.mine()
    expect(await payers.received(head)).toBe(head.units)
    await connector.check(later.reference, later)
    await payers.finalise()
    for (const order of [head, later])
      expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await chain.nonce(address)).toBe(2)
  })

  test('leaves the nonces behind it alone: they wait for their turn, not for a fee', async () => {
    await low()
    const { beside } = await payers.newPayer()
    const connector = beside({ replaceAfterMs: 1 })
    const [head, later] = [payers.order(), payers.order()]
    await connector.send(head)
    await connector.send(later)
    await sleep(5)
    expect(await connector.check(later.reference, later)).toMatchObject({ kind: 'accepted' })
    expect([(await rowOf(head)).hashes.length, (await rowOf(later)).hashes.length]).toEqual([2, 1])
    await payers.finalise()
  })
})

describe('a transfer that the chain undoes', () => {
  test('has failed once that is final, not before; gas was spent and no money', async () => {
    const { chain } = payers
    const { address, connector } = await payers.newPayer({}, { wei: COIN, units: 12_500_000n })
    const order = payers.order()
    await connector.send(order)
    // The recipient changes while the transfer waits, and the node that forgot it gets it again.
    await chain.forgetPool()
    await chain.setManner(order.to, 'reverting')
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
    await chain.mine()
    for (let block = 1; block < CONFIRMATIONS; block++) {
      expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'accepted' })
      await chain.mine()
    }
    expect(await chain.nonce(address)).toBe(1)
    const end = { kind: 'failed', code: 'transfer_reverted' }
    expect(await connector.check(order.reference, order)).toMatchObject(end)
    expect(await connector.send(order)).toMatchObject(end)
    expect(await payers.received(order)).toBe(0n)
    expect(await chain.units(address)).toBe(12_500_000n)
    expect(await chain.balance(address)).toBeLessThan(COIN)
  })

  test('is refused before it is signed where the chain says so at once, and stays refused', async () => {
    const { address, connector } = await payers.newPayer()
    const [order, next] = [payers.order(), payers.order()]
    await payers.chain.setManner(order.to, 'reverting')
    const end = { kind: 'failed', code: 'transfer_refused' }
    expect(await connector.send(order)).toMatchObject(end)
    await payers.chain.setManner(order.to, 'plain')
    expect(await connector.send(order)).toMatchObject(end)
    expect(await connector.check(order.reference, order)).toMatchObject(end)
    expect(await connector.send(next)).toMatchObject({ kind: 'accepted' })
    expect((await rowOf(next)).nonce).toBe(0)
    await payers.finalise()
    expect(await payers.received(order)).toBe(0n)
    expect(await payers.chain.nonce(address)).toBe(1)
  })
})

test.each(['silent', 'taxed'] as const)('a token that is %s: mined, but nobody says delivered', async (manner) => {
  const { connector } = await payers.newPayer()
  const order = payers.order()
  await payers.chain.setManner(order.to, manner)
  expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
  await payers.finalise()
  const reason = expect.stringContaining('another transfer than was ordered') as string
  expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'unknown', reason })
  expect(await connector.send(order)).toMatchObject({ kind: 'unknown', reason })
  expect((await rowOf(order)).status).toBe('open')
})

test('a nonce that was used by another transaction proves nothing about ours: unknown, never failed', async () => {
  const { address, connector } = await payers.newPayer()
  const order = payers.order()
  await connector.send(order)
  await payers.chain.forgetPool()
  await payers.chain.client.setNonce({ address, nonce: 1 })
  await payers.finalise()
  expect(await connector.check(order.reference, order)).toMatchObject({
    kind: 'unknown',
    reason: expect.stringContaining('no receipt of ours') as string,
  })
})

test('after a change of keys the old transfers go on, and nothing is paid again', async () => {
  const [old, young] = [await payers.newPayer(), await payers.newPayer()]
  const order = payers.order()
  await old.connector.send(order)
  await payers.chain.forgetPool()
  expect(await young.connector.send(order)).toMatchObject({ kind: 'accepted' })
  expect(await young.beside({ replaceAfterMs: 0 }).check(order.reference, order)).toMatchObject({ kind: 'accepted' })
  await payers.finalise()
  expect(await young.connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
  expect(await payers.received(order)).toBe(order.units)
  expect([await payers.chain.nonce(old.address), await payers.chain.nonce(young.address)]).toEqual([1, 0])
})
