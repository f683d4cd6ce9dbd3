// Money comes in on a chain: seen, confirmed, told once; and what a chain does to it before it is final.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unreportedPayments } from '../../../src/app/crypto/chain-addresses.ts'
import { CONFIRMATIONS, openReceivers, type Receivers } from './crypto-in-stage.ts'

let receivers: Receivers
beforeAll(async () => {
  receivers = await openReceivers()
})
afterAll(() => receivers.close())

const ASSETS = ['coin', 'token'] as const
const COIN = 10n ** 18n

/** The signed bytes, so that the very transaction can be mined again. */
const rawOf = (hash: Hex): Promise<Hex> =>
  receivers.chain.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)

describe.each(ASSETS)('in the %s', (asset) => {
  test('a payment is seen, confirmed block by block, and told once with what it is', async () => {
    const { chain, round, follow, watcher, told, depths, collecting } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    const following = watcher(asset)
    await follow(following)
    expect(await collecting().checkCollection(order)).toMatchObject({ kind: 'open', status: 'pending' })
    const transaction = await chain.pay(asset, address, units)
    for (let depth = 1; depth < CONFIRMATIONS; depth++) {
      await chain.mine()
      expect(await round(following)).toBe(1)
      expect(depths(order).at(-1)).toBe(depth)
      expect(told(order)).toEqual([])
      expect(await collecting().checkCollection(order)).toMatchObject({ kind: 'open', status: 'processing' })
      expect(await collecting().voidCollection(order, Date.now())).toBe('refused')
    }
    const mined = await chain.client.getTransactionReceipt({ hash: transaction })
    await chain.mine()
    await receivers.follow(following)
    const network = `eip155:${chain.chainId}`
    const payment = {
      id: `${network}/${transaction}/${asset === 'coin' ? 'coin' : `${chain.token.toLowerCase()}/0`}`,
      network,
      asset: asset === 'coin' ? 'coin' : chain.token.toLowerCase(),
      reference: order.reference,
      units,
      transaction,
      block: { number: mined.blockNumber, hash: mined.blockHash },
      seenAt: expect.any(Number),
    }
    expect(told(order)).toEqual([payment])
    await chain.mine(5)
    await receivers.follow(following)
    await receivers.follow(watcher(asset))
    expect(told(order)).toHaveLength(1)
    expect(await receivers.statuses(order)).toEqual(['reported'])
  })

  test('two parts and too much are told as they are; so is what comes late', async () => {
    const { chain, watcher, told } = receivers
    const [parts, much, late] = [
      await receivers.attempt(asset),
      await receivers.attempt(asset),
      await receivers.attempt(asset, { expiresAt: Date.now() - 90 * 86_400_000 }),
    ]
    await chain.pay(asset, parts.address, parts.units / 2n)
    await chain.pay(asset, parts.address, parts.units - parts.units / 2n)
    await chain.pay(asset, much.address, 3n * much.units + 1n)
    await chain.pay(asset, late.address, late.units)
    await chain.mine(CONFIRMATIONS)
    await receivers.follow(watcher(asset))
    const units = told(parts.order).map((payment) => payment.units)
    expect(units.toSorted()).toEqual([parts.units / 2n, parts.units - parts.units / 2n].toSorted())
    expect(new Set(told(parts.order).map(({ id }) => id)).size).toBe(2)
    expect(told(much.order).map((payment) => payment.units)).toEqual([3n * much.units + 1n])
    expect(told(late.order).map((payment) => payment.units)).toEqual([late.units])
  })

  test('a re-org before it is final takes it away: never told, and the attempt can be closed', async () => {
    const { chain, watcher, follow, told, depths, collecting } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    const following = watcher(asset)
    await chain.pay(asset, address, units)
    await chain.mine(CONFIRMATIONS - 1)
    await follow(following)
    expect(await receivers.statuses(order)).toEqual(['seen'])
    await chain.reorg(CONFIRMATIONS - 1)
    await follow(following)
    expect(await receivers.statuses(order)).toEqual(['dropped'])
    expect(depths(order).at(-1)).toBe(0)
    expect(await collecting().checkCollection(order)).toMatchObject({ kind: 'open', status: 'pending' })
    expect(await collecting().voidCollection(order, Date.now())).toBe('voided')
    await chain.mine(2 * CONFIRMATIONS)
    await follow(following)
    expect(told(order)).toEqual([])
  })

  test('a re-org that puts it into another block counts anew, and it is told once', async () => {
    const { chain, watcher, follow, told } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    const other = await receivers.attempt(asset)
    const following = watcher(asset)
    const hash = await chain.pay(asset, address, units)
    const raw = await rawOf(hash)
    await chain.mine(CONFIRMATIONS - 1)
    await follow(following)
    await chain.reorg(CONFIRMATIONS - 1)
    await follow(following)
    await chain.client.sendRawTransaction({ serializedTransaction: raw })
    await chain.mine(CONFIRMATIONS - 1)
    await follow(following)
    expect(await receivers.statuses(order)).toEqual(['seen'])
    expect(told(order)).toEqual([])
    await chain.pay(asset, other.address, other.units)
    await chain.mine()
    await follow(following)
    expect(told(order)).toMatchObject([{ transaction: hash, units }])
    expect(await receivers.statuses(other.order)).toEqual(['seen'])
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect([told(order).length, told(other.order).length]).toEqual([1, 1])
  })

  test('a re-org between two looks, as high as before, is seen by its hash alone', async () => {
    const { chain, watcher, follow, told } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    const following = watcher(asset)
    await chain.mine()
    await follow(following)
    await chain.pay(asset, address, units)
    await chain.mine()
    await follow(following)
    await chain.reorg(1)
    await follow(following)
    expect(await receivers.statuses(order)).toEqual(['dropped'])
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(told(order)).toEqual([])
  })

  test('a watcher that starts anew at every look misses nothing and tells nothing twice', async () => {
    const { chain, watcher, round, told } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    for (let blocks = 0; blocks < 3 * CONFIRMATIONS; blocks++) {
      if (blocks < 4) await chain.pay(asset, address, units + BigInt(blocks))
      await chain.mine()
      await round(watcher(asset))
    }
    expect(told(order).map((payment) => payment.units - units)).toEqual([0n, 1n, 2n, 3n])
  })

  test('what an earlier process saw stays seen until the new one has read that far', async () => {
    const { chain, watcher, follow, told } = receivers
    await follow(watcher(asset))
    const { order, address, units } = await receivers.attempt(asset)
    const patient = { confirmations: 40 }
    await chain.mine(20)
    await chain.pay(asset, address, units)
    await chain.mine(2)
    await follow(watcher(asset, patient))
    const young = watcher(asset, patient)
    expect(await young.look()).toMatchObject({ kind: 'looked', blocks: 16 })
    expect(await receivers.statuses(order)).toEqual(['seen'])
    await follow(young)
    expect(told(order)).toEqual([])
    await chain.mine()
    await follow(watcher(asset))
    expect(told(order)).toHaveLength(1)
  })

  test('hours behind, it catches up block by block', async () => {
    const { chain, watcher, round, told } = receivers
    const { order, address, units } = await receivers.attempt(asset)
    await chain.mine(20)
    await chain.pay(asset, address, units)
    await chain.mine(30)
    const following = watcher(asset)
    const rounds: number[] = []
    do rounds.push(await round(following))
    while (rounds.at(-1) !== 0)
    expect(Math.max(...rounds)).toBeLessThanOrEqual(17)
    expect(told(order)).toHaveLength(1)
  })
})

test('what was booked by a process that died then is told again, under the same id', async () => {
  const { chain, watcher, round, told } = receivers
  const { order, address, units } = await receivers.attempt('token')
  await chain.pay('token', address, units)
  await chain.mine(CONFIRMATIONS)
  const following = watcher('token')
  const booked: string[] = []
  const dying = async ({ id }: { id: string }) => {
    booked.push(id)
    throw new Error('died')
  }
  await round(following, { book: dying })
  expect(await receivers.statuses(order)).toEqual(['final'])
  await round(following)
  expect(told(order).map(({ id }) => id)).toEqual(booked)
})

test('what cannot be booked now is told again after the others', async () => {
  const { chain, session, watcher, round, follow, told } = receivers
  await follow(watcher('token'))
  const [first, second] = [await receivers.attempt('token'), await receivers.attempt('token')]
  await chain.pay('token', first.address, first.units)
  await chain.mine()
  await chain.pay('token', second.address, second.units)
  await chain.mine(CONFIRMATIONS)
  const following = watcher('token')
  const asked: string[] = []
  const busy = async ({ reference }: { reference: string }) => {
    asked.push(reference)
    return reference === first.order.reference ? ('later' as const) : ('booked' as const)
  }
  const waiting = async () => (await unreportedPayments(session, following, 9)).map(({ id }) => id)
  await round(following, { book: async () => 'later' })
  const [one, other] = await waiting()
  const dying = async ({ id }: { id: string }) => {
    if (id === one) return 'later' as const
    throw new Error('died')
  }
  // What breaks keeps nobody waiting, and goes behind the others as well.
  await round(following, { book: dying })
  expect(await waiting()).toEqual([one, other])
  await round(following, { book: busy })
  expect(await round(following, { book: busy })).toBe(0)
  expect(asked.filter((reference) => reference === second.order.reference)).toHaveLength(1)
  expect(await receivers.statuses(first.order)).toEqual(['final'])
  await follow(following)
  expect(told(first.order)).toHaveLength(1)
})

test('two processes that watch the same chain write one truth', async () => {
  const { chain, watcher, follow, told } = receivers
  const { order, address, units } = await receivers.attempt('token')
  const [one, other] = [watcher('token'), watcher('token')]
  for (let block = 0; block < CONFIRMATIONS + 2; block++) {
    if (block === 1) await chain.pay('token', address, units)
    await chain.mine()
    await Promise.all([follow(one), follow(other)])
  }
  expect(new Set(told(order).map(({ id }) => id)).size).toBe(1)
  expect(await receivers.statuses(order)).toEqual(['reported'])
})

test('what was read from where the cursor is no more is not written', async () => {
  const { chain, watcher, follow, book } = receivers
  const { order, units } = await receivers.attempt('token')
  await follow(watcher('token'))
  const { network, asset } = watcher('token')
  const from = await book.cursor({ network, asset })
  if (from === null) throw new Error('the token is not followed')
  const block = { number: from.number + 1n, hash: from.hash }
  const id = `${network}/${from.hash}/0`
  const view = { network, asset, to: block, top: block.number, payments: [] }
  const payments = [{ id, reference: order.reference, units, transaction: from.hash, block, timeMs: 0 }]
  await chain.mine()
  await follow(watcher('token'))
  expect(await book.record({ ...view, from, payments })).toBeNull()
  expect(await receivers.statuses(order)).toEqual([])
  expect(await book.cursor({ network, asset })).not.toEqual(from)
})

describe('coins that a contract pays', () => {
  test('are counted beside those of transactions, each once, until the address spends', async () => {
    const { chain, watcher, follow, told, owner, book } = receivers
    const { order, address, units } = await receivers.attempt('coin')
    const following = watcher('coin')
    await chain.payByContract(address, 5n * units)
    await chain.mine()
    await chain.pay('coin', address, units)
    await chain.mine()
    await chain.payByContract(address, COIN)
    await chain.pay('coin', address, 2n * units)
    await chain.mine()
    await follow(following)
    for (let block = 0; block < 2 * CONFIRMATIONS; block++) {
      await chain.mine()
      await follow(following)
    }
    const sum = told(order).reduce((all, payment) => all + payment.units, 0n)
    expect(sum).toBe(COIN + 8n * units)
    expect(sum).toBe(await chain.balance(address))
    expect(told(order).filter(({ transaction }) => transaction !== null).length).toBe(2)

    const keyIndex = (await book.find(order.reference))?.address.keyIndex ?? -1
    const { privateKey } = owner.deriveChild(0).deriveChild(keyIndex)
    const account = privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString('hex')}`)
    expect(account.address).toBe(address)
    await chain.client.sendTransaction({ account, to: chain.token, value: 0n, gas: 50_000n })
    await chain.mine(2 * CONFIRMATIONS)
    await follow(following)
    await chain.pay('coin', address, units)
    await chain.payByContract(address, COIN)
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(told(order).reduce((all, payment) => all + payment.units, 0n)).toBe(sum + units)
  })

  test('and are taken back by a re-org before they are final are never told', async () => {
    const { chain, watcher, follow, told } = receivers
    const { order, address } = await receivers.attempt('coin')
    const following = watcher('coin')
    await chain.payByContract(address, COIN)
    await chain.mine(CONFIRMATIONS - 1)
    await follow(following)
    await chain.reorg(CONFIRMATIONS - 1)
    await chain.mine(2 * CONFIRMATIONS)
    await follow(following)
    expect(told(order)).toEqual([])
  })
})

test('coins are not counted at a block from which the cursor is just moving away', async () => {
  const { watcher, follow, book, sql, login } = receivers
  const { order } = await receivers.attempt('coin')
  await follow(watcher('coin'))
  const { network, asset } = watcher('coin')
  const block = await book.cursor({ network, asset })
  if (block === null) throw new Error('the coin is not followed')
  const neighbour = new pg.Client(login)
  await neighbour.connect()
  await neighbour.query('begin')
  await neighbour.query(`update chain_cursors set block = block + 1 where asset = 'coin'`)
  const count = { network, reference: order.reference, id: 'counted', cursor: block, block, seenAt: null }
  await sql('update chain_addresses set balance_block = balance_block - 1 where reference = $1', [order.reference])
  const counting = book.counted({ ...count, units: COIN })
  await sleep(100)
  await neighbour.query('commit')
  await counting
  await neighbour.end()
  expect(await receivers.statuses(order)).toEqual([])
  await sql(`update chain_cursors set block = block - 1 where asset = 'coin'`)
  await book.counted({ ...count, units: null })
  expect(await receivers.statuses(order)).toEqual([])
})

test('a token that keeps a part: what arrived is told, not what was sent', async () => {
  const { chain, watcher, follow, told } = receivers
  const { order, address } = await receivers.attempt('token')
  await chain.setManner(address, 'taxed')
  await chain.pay('token', address, 1_000_000n)
  await chain.mine(CONFIRMATIONS)
  await follow(watcher('token'))
  expect(told(order).map((payment) => payment.units)).toEqual([990_000n])
  expect(await chain.units(address)).toBe(990_000n)
})

test('nothing comes in by a transfer of nothing, nor by another asset', async () => {
  const { chain, watcher, follow, told } = receivers
  const { order, address } = await receivers.attempt('token')
  await chain.pay('token', address, 0n)
  await chain.pay('coin', address, COIN)
  await chain.mine(CONFIRMATIONS)
  await follow(watcher('token'))
  await follow(watcher('coin'))
  expect(told(order)).toEqual([])
  expect(await receivers.statuses(order)).toEqual([])
})
