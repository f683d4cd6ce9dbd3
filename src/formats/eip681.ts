// Payment links of EVM chains (EIP-681): what a wallet opens with recipient and amount filled in. It knows no chain and
// no token.
import { payableAddress, type TakenAddress } from '../domain/text/evm-address.ts'
import { invariant } from '../domain/invariant.ts'

export type Eip681Order = {
  /** EIP-155. */
  readonly chainId: number
  /** The contract of an ERC-20 token; null for the chain's own coin. */
  readonly token: string | null
  /** Who is paid. */
  readonly address: string
  /** The smallest units of the token or coin. */
  readonly units: bigint
}

const UINT256_MAX = 2n ** 256n - 1n

/**
 * The link, with addresses in their checksummed form. An address that is none, is mistyped, or is the token's own throws,
 * as does an amount of nothing: all of them are ours.
 */
export function eip681Uri({ chainId, token, address, units }: Eip681Order): string {
  invariant(Number.isSafeInteger(chainId) && chainId > 0, `an EIP-155 chain id: ${chainId}`)
  invariant(units > 0n && units <= UINT256_MAX, `an amount of units: ${units}`)
  if (token === null) return `ethereum:${checked(address, [])}@${chainId}?value=${units}`
  const contract = checked(token, [])
  const recipient = checked(address, [{ address: contract, whose: "the token's own contract" }])
  return `ethereum:${contract}@${chainId}/transfer?address=${recipient}&uint256=${units}`
}

function checked(text: string, taken: readonly TakenAddress[]): TakenAddress['address'] {
  const said = payableAddress(text, taken)
  if ('fault' in said) invariant(false, `an address in a payment link: ${text}: ${said.fault}`)
  return said.address
}
