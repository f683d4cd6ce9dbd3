// Hashes that are kept instead of what they are of: short, and in the form that PostgreSQL keeps cheapest.
import { hash } from 'node:crypto'

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
