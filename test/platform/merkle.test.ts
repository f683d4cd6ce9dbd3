// Trees and signatures: roots as RFC 6962 has them, a path from every leaf to the root, and nothing that was changed believed.
import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashesIn, leafHash, pathOf, rootOf } from '../../src/platform/hashes.ts'
import { isSignedBy, openSigner, publicKeyId } from '../../src/platform/signing.ts'

// Leaves and roots of the reference tests of Certificate Transparency.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const bytesLeaf = (hex: string) => createHash('sha256').update('\0').update(Buffer.from(hex, 'hex')).digest()

test('roots are those of RFC 6962', () => {
  for (const [count, root] of ROOTS.entries())
    expect(rootOf(LEAVES.slice(0, count + 1).map(bytesLeaf)).toString('hex')).toBe(root)
  expect(rootOf([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

/** Goes up by the place alone, from the lowest hash: written apart from the tree (RFC 9162, 2.1.3.2). */
function rootBy(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): string {
  let [hash, place, last] = [leaf, index, size - 1]
  for (const beside of path) {
    const isRight = place % 2 === 1 || place === last
    hash = createHash('sha256')
      .update('\u0001')
      .update(isRight ? beside : hash)
      .update(isRight ? hash : beside)
      .digest()
    while (isRight && place % 2 === 0 && place !== 0) [place, last] = [place >> 1, last >> 1]
    ;[place, last] = [place >> 1, last >> 1]
  }
  return hash.toString('hex')
}

test('from every leaf of every tree a path leads to its root, and from nothing else', () => {
  for (let size = 1; size <= 33; size++) {
    const leaves = Array.from({ length: size }, (_, i) => leafHash(`leaf ${i} of ${size}`))
    const root = rootOf(leaves).toString('hex')
    for (const [index, leaf] of leaves.entries()) {
      const path = pathOf(leaves, index)
      expect(rootBy(leaf, index, size, path)).toBe(root)
      expect(rootBy(leafHash('another'), index, size, path)).not.toBe(root)
      for (const [place, beside] of path.entries()) {
        const changed = Buffer.from(beside)
        changed[index % 32] = (changed[index % 32] ?? 0) ^ 1
        expect(rootBy(leaf, index, size, path.with(place, changed))).not.toBe(root)
      }
    }
  }
  expect(hashesIn(Buffer.concat(LEAVES.map(bytesLeaf)))).toEqual(LEAVES.map(bytesLeaf))
})

test('a signature is believed of its text and its key alone', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)]
  const signer = openSigner([one, two], 'a test')
  const signature = signer.sign('text')
  expect(isSignedBy(signer.publicKey, 'text', signature)).toBe(true)
  expect(isSignedBy(signer.publicKey, 'text ', signature)).toBe(false)
  expect(isSignedBy(openSigner([two], 'a test').publicKey, 'text', signature)).toBe(false)
  expect(isSignedBy(signer.publicKey.subarray(1), 'text', signature)).toBe(false)
  for (let place = 0; place < signature.length; place++) {
    const changed = Buffer.from(signature)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(isSignedBy(signer.publicKey, 'text', changed)).toBe(false)
  }
  expect(signer.keyId).toBe(publicKeyId(signer.publicKey))
  expect(openSigner([one], 'a test').keyId).toBe(signer.keyId)
  expect(openSigner([one], 'something else').keyId).not.toBe(signer.keyId)
  expect(signer.known(openSigner([two], 'a test').keyId)).toEqual(openSigner([two], 'a test').publicKey)
  expect(signer.known('0000000000000000')).toBeNull()
})
