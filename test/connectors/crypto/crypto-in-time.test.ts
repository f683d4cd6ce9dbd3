// Coins that a contract pays shortly before the payer's time is over: they are counted at final blocks, long after it, and came in
// time all the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONFIRMATIONS, openReceivers, type Receivers, type Shown } from './crypto-in-stage.ts'

const TIME_SECONDS = 120

let receivers: Receivers
beforeAll(async () => {
  receivers = await openReceivers()
})
afterAll(() => receivers.close())

/** An attempt whose payer's time is over in two minutes of the chain's own clock. */
async function brief(): Promise<Shown> {
  const { chain, watcher, follow, attempt } = receivers
  await chain.mine(2 * CONFIRMATIONS)
  await follow(watcher('coin'))
  const { timestamp } = await chain.client.getBlock()
  return attempt('coin', { expiresAt: (Number(timestamp) + TIME_SECONDS) * 1000 })
}

/** The next block is made so long after the payer's time is over; before it where negative. */
async function mineAt({ order }: Shown, secondsAfter: number): Promise<void> {
  const { client } = receivers.chain
  await client.setNextBlockTimestamp({ timestamp: BigInt(order.expiresAt / 1000 + secondsAfter) })
  await client.mine({ blocks: 1 })
}

const unitsIn = ({ order }: Shown) => receivers.told(order).map(({ units }) => units)
const inTime = ({ order }: Shown) => receivers.told(order).map(({ seenAt }) => seenAt <= order.expiresAt)

test('what was there in time is on its way until it is counted, and was seen in time', async () => {
  const { chain, watcher, follow, collecting } = receivers
  const paid = await brief()
  const following = watcher('coin')
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('voided')
  await chain.payByContract(paid.address, paid.units)
  await mineAt(paid, -20)
  await follow(following)
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('refused')
  await mineAt(paid, 50)
  await follow(following)
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('refused')
  expect(receivers.told(paid.order)).toEqual([])
  // While no watcher looks, so that one count finds it long after the time.
  await chain.mine(3 * CONFIRMATIONS)
  await follow(following)
  expect([unitsIn(paid), inTime(paid)]).toEqual([[paid.units], [true]])
})

test('what came after it is late, and keeps nothing open', async () => {
  const { chain, watcher, follow, collecting } = receivers
  const late = await brief()
  await mineAt(late, -1)
  await chain.payByContract(late.address, late.units)
  await mineAt(late, 1)
  expect(await collecting().voidCollection(late.order, Date.now())).toBe('voided')
  await chain.mine(2 * CONFIRMATIONS)
  await follow(watcher('coin'))
  expect([unitsIn(late), inTime(late)]).toEqual([[late.units], [false]])
})

test('a part in time and one after it, found by one count, are two payments', async () => {
  const { chain, watcher, follow, collecting } = receivers
  const paid = await brief()
  const [early, late] = [paid.units - 1n, 5n]
  await chain.pay('coin', paid.address, 3n)
  await chain.payByContract(paid.address, early)
  await mineAt(paid, 0)
  await chain.payByContract(paid.address, late)
  await mineAt(paid, 40)
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('refused')
  await chain.mine(2 * CONFIRMATIONS)
  await follow(watcher('coin'))
  await chain.mine(2 * CONFIRMATIONS)
  await follow(watcher('coin'))
  const counted = receivers.told(paid.order).filter(({ transaction }) => transaction === null)
  expect(counted.map(({ units, seenAt }) => [units, seenAt <= paid.order.expiresAt])).toEqual([
    [early, true],
    [late, false],
  ])
  expect(unitsIn(paid).toSorted()).toEqual([3n, 5n, early])
})

test('taken back by a re-org, it keeps the attempt open no longer', async () => {
  const { chain, collecting } = receivers
  const paid = await brief()
  await chain.payByContract(paid.address, paid.units)
  await mineAt(paid, -10)
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('refused')
  await chain.reorg(1)
  expect(await collecting().voidCollection(paid.order, Date.now())).toBe('voided')
})

/** Writes what is seen in the block after the cursor, as a look does, and answers with when it came. */
async function seenIn({ order, units }: Shown, fill: '1' | '2', timeMs: number): Promise<number> {
  const { watcher, book, sql } = receivers
  const { network, asset } = watcher('token')
  const from = await book.cursor({ network, asset })
  if (from === null) throw new Error('the token is not followed')
  const hash = `0x${fill.repeat(64)}` as const
  const block = { number: from.number + 1n, hash }
  const id = `${network}/${order.reference}/${asset}/0`
  const payments = [{ id, reference: order.reference, units, transaction: hash, block, timeMs }]
  expect(await book.record({ network, asset, from, to: from, top: block.number, payments })).not.toBeNull()
  const [row] = await sql<{ at: number }>(
    'select extract(epoch from created_at)::float8 * 1000 as at from chain_payments where id = $1',
    [id],
  )
  return Math.round(row?.at ?? 0)
}

test('moved into another block by a re-org, it came when that one was made', async () => {
  const paid = await receivers.attempt('token')
  const madeAt = Date.now() - 60_000
  expect(await seenIn(paid, '1', madeAt)).toBe(madeAt)
  expect(await seenIn(paid, '2', madeAt + 30_000)).toBe(madeAt + 30_000)
  expect(await seenIn(paid, '1', madeAt - 10_000)).toBe(madeAt - 10_000)
})

test('once seen in a block, it came no later than that, though the chain’s clock is ahead', async () => {
  const { sql, attempt } = receivers
  const paid = await attempt('token')
  const ahead = Date.now() + 3_600_000
  const seenAt = await seenIn(paid, '1', ahead)
  expect(seenAt).toBeLessThanOrEqual(Date.now())
  await sql(`update chain_payments set status = 'dropped' where reference = $1`, [paid.order.reference])
  expect(await seenIn(paid, '1', ahead)).toBe(seenAt)
  expect(await receivers.statuses(paid.order)).toEqual(['seen'])
})
