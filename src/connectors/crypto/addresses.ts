// Addresses for payers out of an extended public key (BIP-32): no key that could spend is on this machine. It knows no
// chain and no book.
import { createHash, ECDH } from 'node:crypto'
import { HDKey, publicKeyToAddress } from 'viem/accounts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { TEST_ADDRESSES } from './keys.ts'

export type ReceivingKey = {
  /** Names the key in the book; the key cannot be derived from it. */
  readonly fingerprint: string
  /** The address of `0/<index>` below the account, with its checksum; `index` is less than 2^31. */
  readonly addressAt: (index: number) => Hex
}

// Purpose, coin, account (BIP-44): m/44'/60'/0'.
const ACCOUNT_DEPTH = 3
/** BIP-44's branch for what is shown to others. */
const EXTERNAL = 0
const FINGERPRINT_DIGITS = 16

/**
 * The key as an operator hands it over, or what is wrong with it, in text without the key. Live mode takes none of a
 * publicly known seed.
 */
export function receivingKey(text: string, mode: 'live' | 'test'): ReceivingKey | { readonly fault: string } {
  if (/^[a-z]prv/i.test(text))
    return { fault: 'is a private key, which could spend: give the extended public key of the account (xpub…) only' }
  const account = parsed(text)
  if (account === null) return { fault: 'must be an extended public key (xpub…, BIP-32), copied whole' }
  if (account.depth !== ACCOUNT_DEPTH)
    return { fault: `must be the key of an account, such as m/44'/60'/0' (depth 3), not one of depth ${account.depth}` }
  const branch = account.deriveChild(EXTERNAL)
  const addressAt = (index: number) => addressOf(branch.deriveChild(index))
  const first = addressAt(0)
  if (mode === 'live' && TEST_ADDRESSES.includes(first))
    return { fault: `belongs to the well-known test seed of ${first}, which anybody can spend from` }
  const fingerprint = createHash('sha256').update(account.publicExtendedKey).digest('hex').slice(0, FINGERPRINT_DIGITS)
  return { fingerprint, addressAt }
}

/** The version, the checksum and the point on the curve are checked. */
function parsed(text: string): HDKey | null {
  try {
    const key = HDKey.fromExtendedKey(text)
    return key.privateKey === null ? key : null
  } catch {
    return null
  }
}

function addressOf({ publicKey }: HDKey): Hex {
  if (publicKey === null) throw new Error('a derived key without a public part')
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed')
  return publicKeyToAddress(`0x${point as string}`)
}
