// Addresses of EVM chains as people type them (EIP-55). Pure; it knows no chain and no network.
import { keccak_256 } from '@noble/hashes/sha3'

type Address = `0x${string}`

/** An address that is no recipient, and what it is: "the token's own contract". */
export type TakenAddress = { readonly address: Address; readonly whose: string }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ZERO = `0x${'0'.repeat(40)}`

/**
 * An address that money may go to, with its checksum, or a sentence that says how to fix it. One in lower case alone
 * carries no checksum and is taken as it is; any other must have the right one.
 */
export function payableAddress(
  text: string,
  taken: readonly TakenAddress[],
): { readonly address: Address } | { readonly fault: string } {
  if (!isAddressText(text)) return { fault: 'Give an address of the chain: 0x and 40 hexadecimal digits.' }
  const address = checksummed(text)
  if (text !== address && text !== text.toLowerCase())
    return {
      fault: 'The checksum of the address is wrong (EIP-55), so it was mistyped. Copy it anew from the wallet.',
    }
  if (address === ZERO) return { fault: 'Nobody holds the zero address. Give the address of the recipient.' }
  const owner = taken.find((each) => checksummed(each.address) === address)
  return owner ? { fault: `The address is ${owner.whose}. Give the address of the recipient.` } : { address }
}

function isAddressText(text: string): text is Address {
  return ADDRESS.test(text)
}

/** With the case of its letters by EIP-55: that of a digit of the hash over 7 is upper. */
function checksummed(text: string): Address {
  const digits = text.slice(2).toLowerCase()
  const hash = keccak_256(digits)
  const half = (place: number) => ((hash[place >> 1] ?? 0) >> (place % 2 === 0 ? 4 : 0)) & 15
  return `0x${digits.replace(/[a-f]/g, (letter, place: number) => (half(place) > 7 ? letter.toUpperCase() : letter))}`
}
