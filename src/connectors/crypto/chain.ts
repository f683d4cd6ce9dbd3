// What the chain holds, read strictly: its head, accounts at one block, receipts on the canonical chain; and the one
// thing sent to it, a signed transaction. It must not know orders or the book.
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { encodeFunctionData, erc20Abi, numberToHex, pad } from 'viem'
import { fieldsOf } from '../rail.ts'
import { ask, count, hash, quantity, type Rpc, type RpcReply, RpcDoubt, word } from './rpc.ts'

export type Head = { readonly number: bigint; readonly baseFeeWei: bigint }

/** The newest block of the right chain; a node of another chain is as good as none. */
export async function readLatest<T>(rpc: Rpc, chainId: number, read: (block: unknown) => T | undefined): Promise<T> {
  const [id, block] = await Promise.all([
    ask(rpc, 'eth_chainId', [], count),
    ask(rpc, 'eth_getBlockByNumber', ['latest', false], read),
  ])
  if (id !== chainId) throw new RpcDoubt(`the node serves chain ${id}, not ${chainId}`)
  return block
}

export function readHead(rpc: Rpc, chainId: number): Promise<Head> {
  return readLatest(rpc, chainId, headFrom)
}

function headFrom(result: unknown): Head | undefined {
  const block = fieldsOf(result)
  const number = quantity(block?.['number'])
  // A chain without a base fee is from before EIP-1559: its transactions would need another form.
  const baseFeeWei = quantity(block?.['baseFeePerGas'])
  return number === undefined || baseFeeWei === undefined ? undefined : { number, baseFeeWei }
}

/** How many transactions of the address are mined up to the block: the next nonce that the chain takes. */
export function readNonce(rpc: Rpc, address: Hex, block: bigint): Promise<number> {
  return ask(rpc, 'eth_getTransactionCount', [address, numberToHex(block)], count)
}

/** The address's coins at the block, in wei. */
export function readBalance(rpc: Rpc, address: Hex, block: bigint): Promise<bigint> {
  return ask(rpc, 'eth_getBalance', [address, numberToHex(block)], quantity)
}

/** The address's units of the token at the block. */
export function readTokenBalance(rpc: Rpc, token: Hex, address: Hex, block: bigint): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })
  return ask(rpc, 'eth_call', [{ to: token, data }, numberToHex(block)], word)
}

/** The token's own number of decimals. */
export function readTokenDecimals(rpc: Rpc, token: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
  return ask(rpc, 'eth_call', [{ to: token, data }, 'latest'], word)
}

/** What is behind an address at the newest block: code, or nothing but a key. */
export function readHasCode(rpc: Rpc, address: Hex): Promise<boolean> {
  return ask(rpc, 'eth_getCode', [address, 'latest'], (code) =>
    typeof code === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(code) ? code !== '0x' : undefined,
  )
}

export function readTipWei(rpc: Rpc): Promise<bigint> {
  return ask(rpc, 'eth_maxPriorityFeePerGas', [], quantity)
}

/** A call of the sender, as it would be signed. */
export type Call = { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly data: Hex }

// The code of EIP-1474's heirs for a call that was run and reverted. Other codes are a node's own trouble.
export const REVERTED_CODE = 3

/** The gas that the call takes at the block, or that it would revert there, or why the node does not say. */
export async function tryOut(
  rpc: Rpc,
  call: Call,
  block: bigint,
): Promise<{ readonly gas: bigint } | { readonly refused: string } | 'reverts'> {
  const reply = await rpc('eth_estimateGas', [{ ...call, value: numberToHex(call.value) }, numberToHex(block)])
  if (reply.kind === 'refused' && reply.code === REVERTED_CODE) return 'reverts'
  if (reply.kind === 'refused') return { refused: `eth_estimateGas: refused with ${reply.code} ${reply.message}` }
  return { gas: await ask(async () => reply, 'eth_estimateGas', [], quantity) }
}

export type Log = { readonly address: Hex; readonly topics: readonly unknown[]; readonly data: unknown }

export type Receipt = {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly hasSucceeded: boolean
  readonly logs: readonly Log[]
}

/** The receipt of a transaction, where it is in a block of the canonical chain; else null. */
export async function readReceipt(rpc: Rpc, transaction: Hex): Promise<Receipt | null> {
  const receipt = await ask(rpc, 'eth_getTransactionReceipt', [transaction], (result) =>
    result === null ? null : receiptFrom(result, transaction),
  )
  if (receipt === null) return null
  const canonical = await ask(rpc, 'eth_getBlockByNumber', [numberToHex(receipt.block), false], (result) =>
    result === null ? null : hash(fieldsOf(result)?.['hash']),
  )
  return canonical === receipt.blockHash ? receipt : null
}

/** A receipt of this very transaction. */
export function receiptFrom(result: unknown, transaction: Hex): Receipt | undefined {
  const fields = fieldsOf(result)
  if (fields === null || hash(fields['transactionHash']) !== transaction) return undefined
  const block = quantity(fields['blockNumber'])
  const blockHash = hash(fields['blockHash'])
  const status = quantity(fields['status'])
  const logs = Array.isArray(fields['logs']) ? fields['logs'].map(logFrom) : [undefined]
  if (block === undefined || blockHash === undefined || (status !== 0n && status !== 1n)) return undefined
  if (!logs.every((log) => log !== undefined)) return undefined
  return { hash: transaction, block, blockHash, hasSucceeded: status === 1n, logs }
}

function logFrom(value: unknown): Log | undefined {
  const fields = fieldsOf(value)
  const address = fields?.['address']
  const topics = fields?.['topics']
  if (typeof address !== 'string' || !Array.isArray(topics)) return undefined
  return { address: address.toLowerCase() as Hex, topics, data: fields?.['data'] }
}

// keccak-256 of "Transfer(address,address,uint256)" (ERC-20).
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Whether the token's own log in the receipt shows that it moved exactly this. */
export function hasMovedToken(receipt: Receipt, token: Hex, from: Hex, to: Hex, units: bigint): boolean {
  const wanted = [TRANSFER_TOPIC, pad(from), pad(to)].map((topic) => hash(topic))
  return receipt.logs.some(
    ({ address, topics, data }) =>
      address === token.toLowerCase() &&
      topics.length === wanted.length &&
      topics.every((topic, place) => hash(topic) === wanted[place]) &&
      word(data) === units,
  )
}

/** Whether the node has the transaction, mined or waiting. */
export async function isKnown(rpc: Rpc, transaction: Hex): Promise<boolean> {
  return ask(rpc, 'eth_getTransactionByHash', [transaction], (result) => {
    if (result === null) return false
    return hash(fieldsOf(result)?.['hash']) === transaction ? true : undefined
  })
}

/** Hands a signed transaction to the node. Only its very hash as the answer proves that the node took it. */
export async function broadcast(
  rpc: Rpc,
  raw: Hex,
  transaction: Hex,
): Promise<'taken' | Exclude<RpcReply, { kind: 'result' }>> {
  const reply = await rpc('eth_sendRawTransaction', [raw])
  if (reply.kind !== 'result') return reply
  return hash(reply.result) === transaction
    ? 'taken'
    : { kind: 'no_answer', reason: 'the node names another transaction' }
}
