// JSON-RPC with a node of a chain, over the gateway's one HTTP client: no hidden retry, no batch, one deadline over all calls
// of a session. viem encodes and signs; its client stays out: it takes an answer to another call, numbers of more than 256
// bits and receipts of other transactions, and a node that lies would then move money. Ours takes what is plainly formed.
import { fieldsOf } from '../rail.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { type Outbound, REPLY_TOO_LARGE } from '../../platform/outbound.ts'

export type RpcReply =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The node's own refusal. `message` is for operators; nothing is decided by it. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  /** Anything else: the node may have done it or not. `isTooLarge`: it answered with more than is read, and would again. */
  | { readonly kind: 'no_answer'; readonly reason: string; readonly isTooLarge?: true }

export type Rpc = (method: string, params: readonly unknown[]) => Promise<RpcReply>

/** The node gave no usable answer. It proves nothing about any transaction. */
export class RpcDoubt extends Error {
  override readonly name = 'RpcDoubt'
  /** The code with which the node itself says that it does not answer this call; null where it said nothing. */
  readonly refusedWith: number | null

  constructor(message: string, refusedWith: number | null = null) {
    super(message)
    this.refusedWith = refusedWith
  }
}

/** The result, or what the node could not answer, as text. A fault that is not the node's is ours, and is thrown. */
export async function orDoubt<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work
  } catch (fault) {
    if (fault instanceof RpcDoubt) return fault.message
    throw fault
  }
}

export type RpcSettings = {
  readonly outbound: Outbound
  /** May hold a secret, and so is never part of a reason. */
  readonly url: string
  /** For all calls of one session together. */
  readonly timeoutMs: number
}

const MESSAGE_CHARACTERS_MAX = 160
const HEADERS = { accept: 'application/json', 'content-type': 'application/json' }

/** Opens a session: its calls share one deadline from now on. */
export function openRpc({ outbound, url, timeoutMs }: RpcSettings): Rpc {
  const endsAt = performance.now() + timeoutMs
  let lastId = 0
  return async (method, params) => {
    const leftMs = Math.floor(endsAt - performance.now())
    if (leftMs <= 0) return { kind: 'no_answer', reason: `no time left for ${method}` }
    const id = ++lastId
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const reply = await outbound.request({ method: 'POST', url, headers: HEADERS, body, timeoutMs: leftMs })
    if (reply.kind !== 'response') return unanswered(method, reply.reason)
    // Some nodes refuse with another status than 200; the form of the body distinguishes a refusal from a proxy's page.
    return (
      replyFrom(reply.body, id) ?? { kind: 'no_answer', reason: `${method}: answer ${reply.status} is no JSON-RPC` }
    )
  }
}

function unanswered(method: string, reason: string): RpcReply {
  if (reason !== REPLY_TOO_LARGE) return { kind: 'no_answer', reason: `${method}: ${reason}` }
  return { kind: 'no_answer', reason: `${method}: the answer is larger than is read`, isTooLarge: true }
}

// With which jsonrpsee, a server that several nodes are made with, refuses an answer over the cap of its own.
const OVERSIZED_RESPONSE_CODE = -32008

export function isTooLarge(reply: RpcReply): boolean {
  if (reply.kind === 'refused') return reply.code === OVERSIZED_RESPONSE_CODE
  return reply.kind === 'no_answer' && reply.isTooLarge === true
}

function replyFrom(bytes: Buffer, id: number): RpcReply | null {
  const body = fieldsOf(parsed(bytes))
  if (body === null || body['jsonrpc'] !== '2.0' || body['id'] !== id) return null
  const error = fieldsOf(body['error'])
  if (error !== null) {
    if (typeof error['code'] !== 'number') return null
    const message = typeof error['message'] === 'string' ? error['message'] : ''
    return { kind: 'refused', code: error['code'], message: printable(message) }
  }
  return 'result' in body ? { kind: 'result', result: body['result'] } : null
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, MESSAGE_CHARACTERS_MAX)
}

/** The bytes as JSON; null where they are none. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** Calls the node and reads the answer; throws {@link RpcDoubt} for everything but a plain one. */
export async function ask<T>(
  rpc: Rpc,
  method: string,
  params: readonly unknown[],
  read: (result: unknown) => T | undefined,
): Promise<T> {
  return valueOf(await rpc(method, params), method, read)
}

/** The same, where an answer that is larger than is read says so: less is then asked for. */
export async function askUnlessTooLarge<T>(
  rpc: Rpc,
  method: string,
  params: readonly unknown[],
  read: (result: unknown) => T | undefined,
): Promise<T | 'too large'> {
  const reply = await rpc(method, params)
  return isTooLarge(reply) ? 'too large' : valueOf(reply, method, read)
}

function valueOf<T>(reply: RpcReply, method: string, read: (result: unknown) => T | undefined): T {
  if (reply.kind === 'no_answer') throw new RpcDoubt(reply.reason)
  if (reply.kind === 'refused') throw new RpcDoubt(`${method}: refused with ${reply.code} ${reply.message}`, reply.code)
  const value = read(reply.result)
  if (value === undefined) throw new RpcDoubt(`${method}: the answer makes no sense`)
  return value
}

/** Every item read, or nothing at all: one that makes no sense spoils the answer. */
export function all<T>(values: unknown, read: (value: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(values)) return undefined
  const items = values.map(read)
  return items.every((item): item is NonNullable<typeof item> => item !== undefined) ? items : undefined
}

const QUANTITY = /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/

/** A whole number below 2^256, as JSON-RPC of Ethereum writes it. */
export function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined
}

/** An EVM word of 32 bytes, read as a number: what a contract's view returns. */
export function word(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? BigInt(value) : undefined
}

/** A hash of 32 bytes, in lower case. */
export function hash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** A nonce or another count that fits a number. */
export function count(value: unknown): number | undefined {
  const whole = quantity(value)
  return whole !== undefined && whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : undefined
}
