// What is about to be broadcast on a chain is among what the gateway was told was there: a standby that takes over without it is found out.
import { expect, test } from 'vitest'
import { openChainSends } from '../../src/app/crypto/chain-sends.ts'
import type { NewChainSend } from '../../src/domain/transfer/chain-sends.ts'
import { passOn } from '../../src/engine/crash-points.ts'
import { openPlannedSession, ownedDatabase } from '../../src/main/database/database.ts'
import { openStanding } from '../../src/platform/postgres/standing.ts'
import { newDatabase } from '../world.ts'

const SEND: NewChainSend = {
  reference: 'one',
  network: 'eip155:31337',
  sender: `0x${'a'.repeat(40)}`,
  nonce: 0,
  recipient: `0x${'b'.repeat(40)}`,
  token: null,
  amount: 1n,
  gasMax: 1n,
  raws: ['0x01'],
  hashes: [`0x${'1'.repeat(64)}`],
  status: 'open',
}

test('a claim of a nonce, and what replaces it, are acknowledged; what was not written is not', async () => {
  const standing = openStanding()
  const session = openPlannedSession({ ...ownedDatabase(await newDatabase()), standing })
  const book = openChainSends(session, passOn)
  const known = () => standing.acknowledged().map(({ transactionId }) => transactionId)
  try {
    expect(await book.claim(SEND, Date.now() + 60_000)).toBe(true)
    const claimed = known()
    expect(claimed).toHaveLength(1)
    const by = { raw: '0x02', hash: `0x${'2'.repeat(64)}`, gasMax: 2n } as const
    expect(await book.addReplacement('one', SEND.hashes[0]!, by)).toBe(true)
    const replaced = known()
    expect(replaced).not.toEqual(claimed)
    expect(await book.claim(SEND, Date.now() + 60_000)).toBe(false)
    expect(await book.addReplacement('one', SEND.hashes[0]!, by)).toBe(false)
    expect(known()).toEqual(replaced)
    expect((await book.find('one')).send).toMatchObject({ nonce: 0, hashes: [SEND.hashes[0], by.hash] })
  } finally {
    await session.close()
  }
})
