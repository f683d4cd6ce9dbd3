// Signatures that others can check: Ed25519 (RFC 8032). The private keys follow from the keys of the installation, so that whoever
// keeps those keeps these. Knows nothing of what is signed.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import { sha256Hex } from './hashes.ts'

export type Signer = {
  /** The id of the key that signs. */
  readonly keyId: string
  readonly publicKey: Buffer
  readonly sign: (text: string) => Buffer
  /** The public key of that id, where it is one of ours. */
  readonly known: (keyId: string) => Buffer | null
}

const SEED_BYTES = 32
const PUBLIC_BYTES = 32
// What stands before the 32 bytes in PKCS #8 and in SPKI (RFC 8410).
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** The first key signs, signatures of all are known. `purpose` keeps keys of one root apart. */
export function openSigner(roots: readonly Buffer[], purpose: string): Signer {
  const pairs = roots.map((root) => pairOf(Buffer.from(hkdfSync('sha256', root, '', purpose, SEED_BYTES))))
  const [first] = pairs
  if (!first) throw new Error('signing needs a key')
  const byId = new Map(pairs.map(({ keyId, publicKey }) => [keyId, publicKey]))
  return {
    keyId: first.keyId,
    publicKey: first.publicKey,
    sign: (text) => sign(null, Buffer.from(text), first.privateKey),
    known: (keyId) => byId.get(keyId) ?? null,
  }
}

function pairOf(seed: Buffer): { readonly keyId: string; readonly publicKey: Buffer; readonly privateKey: KeyObject } {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_BYTES)
  return { keyId: publicKeyId(publicKey), publicKey, privateKey }
}

/** The first 16 hexadecimal digits of the SHA-256 of its 32 bytes. */
export const publicKeyId = (publicKey: Buffer): string => sha256Hex(publicKey).slice(0, 16)

/** Whether a text was signed by the private half of a public key of 32 bytes. */
export function isSignedBy(publicKey: Buffer, text: string, signature: Buffer): boolean {
  if (publicKey.length !== PUBLIC_BYTES) return false
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signature)
}
