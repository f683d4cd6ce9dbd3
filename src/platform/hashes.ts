// Hashes that are kept instead of what they are of, short and in the form that PostgreSQL keeps cheapest; and Merkle trees as RFC 6962
// has them (2.1): hashes of leaves and nodes are told apart by their first byte, and a tree that is not full splits at the largest
// power of two. Knows nothing of what is hashed.
import { createHash, hash } from 'node:crypto'

/**
 * Of an idempotency key's hash, what the ids of contracts carry (domain/contract/ids.ts): 44 bits, as eleven hexadecimal
 * digits. The account's id keeps others, who see ids, from trying which key it was.
 */
export function keyDigestOf(accountId: string, keyHash: string): string {
  return hash('sha256', `${accountId} ${keyHash}`, 'hex').slice(0, 11)
}

/** 128 bits of SHA-256 in the text form of a uuid. */
export function hash128(data: string | Buffer): string {
  const hex = hash('sha256', data, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

const HASH_BYTES = 32

export const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')
export const sha256Hex = (data: string | Buffer): string => hash('sha256', data, 'hex')

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

export const leafHash = (text: string): Buffer => createHash('sha256').update(LEAF).update(text).digest()

const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.concat([NODE, left, right]))

/** The root over hashes of leaves; that of no leaves is the hash of nothing. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves
  if (!first) return sha256('')
  if (leaves.length === 1) return first
  const split = splitOf(leaves.length)
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** The hashes beside the way from a leaf to the root, the lowest first. */
export function pathOf(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split ? [...pathOf(left, index), rootOf(right)] : [...pathOf(right, index - split), rootOf(left)]
}

/** The largest power of two below a number of leaves. */
function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

/** Hashes that stand one after another. */
export function hashesIn(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, i) =>
    bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  )
}
