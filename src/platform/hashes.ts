// Hashes that are kept instead of what they are of: short, and in the form that PostgreSQL keeps cheapest.
import { hash } from 'node:crypto'

/** 128 bits of SHA-256 in the text form of a uuid. */
export function hash128(data: string | Buffer): string {
  const hex = hash('sha256', data, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
