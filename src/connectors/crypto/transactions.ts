// Transfers as signed transactions (EIP-1559): what is called, what it may cost, and the same again with a higher fee.
// Signing is deterministic (RFC 6979). The key stays in the account that is handed in.
import type { PrivateKeyAccount } from 'viem/accounts'
import { concat, encodeFunctionData, erc20Abi, keccak256, parseTransaction } from 'viem'
import type { ChainSend, Hex } from '../../domain/transfer/chain-sends.ts'
import type { Call } from './chain.ts'

/** What a payout moves, and to whom. */
export type Payout = Pick<ChainSend, 'recipient' | 'token' | 'amount'>

export type Fees = { readonly maxFeeWei: bigint; readonly tipWei: bigint }

/** A transaction as it will be broadcast. `gasMax` is the most that it may cost in gas, in wei. */
export type Signed = { readonly raw: Hex; readonly hash: Hex; readonly gasMax: bigint }

/** The call that moves the money: the coin itself, or the token's transfer. */
export function callOf(from: Hex, { recipient, token, amount }: Payout): Call {
  if (token === null) return { from, to: recipient, value: amount, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] })
  return { from, to: token, value: 0n, data }
}

/** The same call with something behind it that neither a token nor an address without code reads. */
export const carrying = (call: Call, memo: Hex): Call => ({ ...call, data: concat([call.data, memo]) })

// What a plain transfer to an address without code takes, whatever the state.
const PLAIN_TRANSFER_GAS = 21_000n

/** A limit above the estimate: state may change until the transaction is mined, and unused gas costs nothing. */
export function gasLimitOf(estimate: bigint): bigint {
  return estimate <= PLAIN_TRANSFER_GAS ? PLAIN_TRANSFER_GAS : (estimate * 5n) / 4n
}

/** Fees that still suffice when the base fee doubles, as it can in six blocks. */
export function feesOf(baseFeeWei: bigint, tipWei: bigint): Fees {
  return { maxFeeWei: 2n * baseFeeWei + tipWei, tipWei }
}

/** Signs a transfer for the first time. */
export function signTransfer(
  account: PrivateKeyAccount,
  chainId: number,
  nonce: number,
  call: Call,
  gas: bigint,
  fees: Fees,
): Promise<Signed> {
  return signed(account, { chainId, nonce, to: call.to, value: call.value, data: call.data, gas }, fees)
}

/**
 * The same transfer with a fee that nodes take in place of the old one: an eighth more at least, and no less than the
 * chain wants now. Null where that is more than `feeCapWei`.
 */
export async function signReplacement(
  account: PrivateKeyAccount,
  raw: Hex,
  now: Fees,
  feeCapWei: bigint,
): Promise<Signed | null> {
  const {
    chainId,
    nonce = 0,
    to,
    value = 0n,
    data = '0x',
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } = parseTransaction(raw)
  if (!to || gas === undefined || maxFeePerGas === undefined)
    throw new Error('the book holds a transaction of no known form')
  const fees = {
    maxFeeWei: larger(eighthMore(maxFeePerGas), now.maxFeeWei),
    tipWei: larger(eighthMore(maxPriorityFeePerGas ?? 0n), now.tipWei),
  }
  if (fees.maxFeeWei > feeCapWei) return null
  return signed(account, { chainId, nonce, to, value, data, gas }, fees)
}

type Unpriced = {
  readonly chainId: number
  readonly nonce: number
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
  readonly gas: bigint
}

async function signed(account: PrivateKeyAccount, unpriced: Unpriced, { maxFeeWei, tipWei }: Fees): Promise<Signed> {
  const maxPriorityFeePerGas = tipWei < maxFeeWei ? tipWei : maxFeeWei
  const raw = await account.signTransaction({
    type: 'eip1559',
    ...unpriced,
    maxFeePerGas: maxFeeWei,
    maxPriorityFeePerGas,
  })
  return { raw, hash: keccak256(raw), gasMax: unpriced.gas * maxFeeWei }
}

function eighthMore(wei: bigint): bigint {
  return (wei * 9n + 7n) / 8n + 1n
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
