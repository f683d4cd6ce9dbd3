// Addresses out of an extended public key, against what others publish, and the keys that are refused.
import { pbkdf2Sync } from 'node:crypto'
import { HDKey, mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { receivingKey } from '../../../src/connectors/crypto/addresses.ts'
import { TEST_ADDRESSES } from '../../../src/connectors/crypto/keys.ts'

const JUNK = 'test test test test test test test test test test test junk'
const ABOUT = `${'abandon '.repeat(11)}about`

/** BIP-32, test vector 1: m/0'/1/2', an account by its depth, and its child 2. */
const VECTOR =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'
const VECTOR_CHILD =
  'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV'

/** The seed of a mnemonic is PBKDF2 of it (BIP-39). */
function accountOf(mnemonic: string): HDKey {
  return HDKey.fromMasterSeed(pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'")
}

function addressesOf(xpub: string, count: number): string[] {
  const key = receivingKey(xpub, 'test')
  if ('fault' in key) throw new Error(key.fault)
  return Array.from({ length: count }, (_, index) => key.addressAt(index))
}

test('the addresses of the test seed are the ones that everybody has', () => {
  expect(addressesOf(accountOf(JUNK).publicExtendedKey, 20)).toEqual(TEST_ADDRESSES)
})

test('the first address of the seed of BIP-39 is the published one', () => {
  expect(addressesOf(accountOf(ABOUT).publicExtendedKey, 1)).toEqual(['0x9858EfFD232B4033E47d90003D41EC34EcaEda94'])
})

test.each([JUNK, ABOUT])('the owner of a seed has the private key of every address: %s', (mnemonic) => {
  const addresses = addressesOf(accountOf(mnemonic).publicExtendedKey, 10)
  for (const [addressIndex, address] of addresses.entries())
    expect(mnemonicToAccount(mnemonic, { addressIndex }).address).toBe(address)
})

test('the key of the published vector is read, and gives its published child', () => {
  expect(HDKey.fromExtendedKey(VECTOR).deriveChild(2).publicExtendedKey).toBe(VECTOR_CHILD)
  expect(addressesOf(VECTOR, 3)).toHaveLength(3)
})

test('a key has a name of its own, from which it cannot be told', () => {
  const names = [VECTOR, accountOf(JUNK).publicExtendedKey].map((xpub) => receivingKey(xpub, 'test'))
  const fingerprints = names.map((key) => ('fault' in key ? key.fault : key.fingerprint))
  expect(new Set(fingerprints).size).toBe(2)
  for (const fingerprint of fingerprints) expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
})

const account = accountOf(ABOUT)
test.each([
  ['a private key', account.privateExtendedKey, 'private'],
  ['a private key of a test network', `tprv${account.privateExtendedKey.slice(4)}`, 'private'],
  ['a master key', HDKey.fromMasterSeed(Buffer.alloc(32, 1)).publicExtendedKey, 'depth 0'],
  ['a branch', account.deriveChild(0).publicExtendedKey, 'depth 4'],
  ['one with a mistyped letter', account.publicExtendedKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'xpub'],
  ['one that is cut off', account.publicExtendedKey.slice(0, -1), 'xpub'],
  ['an address', TEST_ADDRESSES[0] ?? '', 'xpub'],
  ['nothing', '', 'xpub'],
])('%s is refused, and the word does not hold it', (_, text, said) => {
  const key = receivingKey(text, 'live')
  const fault = 'fault' in key ? key.fault : ''
  expect(fault).toContain(said)
  expect(text !== '' && fault.includes(text)).toBe(false)
})

test('live mode takes no account of the test seed', () => {
  const { publicExtendedKey } = accountOf(JUNK)
  expect(receivingKey(publicExtendedKey, 'live')).toMatchObject({
    fault: expect.stringContaining('test seed') as string,
  })
  expect(receivingKey(publicExtendedKey, 'test')).not.toHaveProperty('fault')
})
