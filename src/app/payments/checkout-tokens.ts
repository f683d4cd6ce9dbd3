// The token of a payer: it proves the right to one payment contract, and is stored nowhere. Anyone who can read the
// contract's checkout_url has it.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../../domain/contract/ids.ts'

export type CheckoutTokens = {
  readonly tokenOf: (contractId: string) => string
  /** The contract that a token proves the right to; null for a text that is none. */
  readonly contractOf: (token: string) => string | null
}

const MAC_BYTES = 16
const TOKEN = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/

/** The first key makes tokens, all of them prove: keys of the gateway that are not in its database. */
export function openCheckoutTokens(keys: readonly Buffer[]): CheckoutTokens {
  const derived = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'checkout token', 32)))
  const macOf = (key: Buffer, id: Buffer) => createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES)
  const [first] = derived
  if (!first) throw new Error('checkout tokens need a key')
  return {
    tokenOf: (contractId) => {
      const id = Buffer.from(contractId.replaceAll('-', ''), 'hex')
      return `${id.toString('base64url')}.${macOf(first, id).toString('base64url')}`
    },
    contractOf: (token) => {
      const [, named = '', mac = ''] = TOKEN.exec(token) ?? []
      const id = Buffer.from(named, 'base64url')
      const proof = Buffer.from(mac, 'base64url')
      if (id.length !== MAC_BYTES || proof.length !== MAC_BYTES) return null
      // All keys are tried, so that the time reveals nothing.
      const fits = derived.filter((key) => timingSafeEqual(macOf(key, id), proof))
      const contractId = uuidOf(id)
      return fits.length > 0 && isUuid(contractId) ? contractId : null
    },
  }
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
