// The book of addresses on a chain, years on: what was never paid must not be looked through at each block for ever.
import { afterAll, expect, test } from 'vitest'
import { openReceivingBook } from '../../../src/app/crypto/chain-addresses.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const DEAD = 450

test('addresses whose 90 days are over leave the queue of those that are counted', async () => {
  await world.sql(
    `insert into chain_addresses (reference, network, asset, address, fingerprint, key_index, expires_at, balance_block)
     select 'r' || i, 'eip155:1', 'coin', '0x' || lpad(to_hex(i), 40, '0'), 'f', i,
            now() + case when i <= ${DEAD} then -100 when i <= ${DEAD} + 6 then -1 else 1 end * interval '1 day', i
       from generate_series(1, ${DEAD} + 20) i`,
  )
  const book = openReceivingBook(world.gateway.deps.reader)
  const queued = async () => {
    const [row] = await world.sql<{ count: number }>(
      'select count(*)::int from chain_addresses where balance_block is not null',
    )
    return row?.count
  }
  const asked = await book.toCount('eip155:1', 1000n)
  // Twelve of the 14 whose payers have time, four of the six whose time is over.
  expect(asked.map(({ reference }) => Number(reference.slice(1)) - DEAD)).toEqual([
    ...Array.from({ length: 12 }, (_, i) => 7 + i),
    1,
    2,
    3,
    4,
  ])
  expect(await queued()).toBe(DEAD + 20 - 200)
  await book.toCount('eip155:1', 1001n)
  await book.toCount('eip155:1', 1002n)
  expect(await queued()).toBe(20)
})
