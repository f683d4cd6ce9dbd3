// What the crypto channel starts from: keys that nobody else has, and a test token that is the
// one in its source.
import { readFileSync } from 'node:fs'
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts'
import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { signingKeyFault, TEST_ADDRESSES } from '../../../src/connectors/crypto/keys.ts'
import { compileToken } from '../../rig/token/compile.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const ORDER_OF_THE_CURVE = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

test('the keys of local test chains are refused in live mode, and only there', () => {
  const accounts = Array.from({ length: 20 }, (_, addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }))
  expect(accounts.map(({ address }) => address)).toEqual(TEST_ADDRESSES)
  for (const account of accounts) {
    const key = toHex(account.getHdKey().privateKey as Uint8Array)
    const said = signingKeyFault(key, 'live')
    expect(said).toContain(account.address)
    expect(said).not.toContain(key.slice(2))
    expect(signingKeyFault(key, 'test')).toBeNull()
  }
  expect(signingKeyFault(generatePrivateKey(), 'live')).toBeNull()
})

test.each([
  '',
  '0x',
  'ab'.repeat(32),
  `0x${'ab'.repeat(31)}`,
  `0x${'ab'.repeat(32)}\n`,
  `0x${'00'.repeat(32)}`,
  ORDER_OF_THE_CURVE,
])('%j is no key, in no mode', (key) => {
  for (const mode of ['live', 'test'] as const) expect(signingKeyFault(key, mode)).toContain('private key')
})

test('the compiled token is the one in the source', () => {
  expect(compileToken()).toEqual(JSON.parse(readFileSync('test/rig/token/TestToken.json', 'utf8')))
})
