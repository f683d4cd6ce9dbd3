// What a transfer says behind its call of the order that it pays: reference, channel and amount, where contracts and wallets read
// nothing. Only the key that signed it can read it, and it says the same every time. So the chain is a list of the gateway's orders.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import { attemptReference, contractOfReference } from '../../domain/contract/ids.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'

export type Memo = {
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether the order was of this channel. */
  readonly isOf: (channelId: string) => boolean
}

export type Memos = {
  /** For the transaction with this nonce. Nothing for a reference that is no attempt's. */
  readonly write: (order: Pick<SendOrder, 'reference' | 'channelId' | 'amountMinor' | 'currency'>, nonce: number) => Hex
  /** What the end of a transaction's data says; null where it is no memo of the key for this nonce. */
  readonly read: (data: Hex, nonce: number) => Memo | null
}

const TAG_BYTES = 8
const PLAIN_BYTES = 32
export const MEMO_BYTES = TAG_BYTES + PLAIN_BYTES
/** As long as any, and as dear: what a transfer with a memo takes is tried out with it. */
export const DEAREST_MEMO: Hex = `0x${'ff'.repeat(MEMO_BYTES)}`

const CHANNEL_BYTES = 3
const NUMBER_AT = 16
const CHANNEL_AT = NUMBER_AT + 2
const CURRENCY_AT = CHANNEL_AT + CHANNEL_BYTES
const AMOUNT_AT = CURRENCY_AT + 3

/** The tag is made of the words and covers them (RFC 5297's order): no two memos are covered alike, and none can be made up. */
export function openMemos(key: Hex, chainId: number): Memos {
  const secret = createHmac('sha256', Buffer.from(key.slice(2), 'hex'))
    .update('memos of the gateway')
    .digest()
  const digest = (...parts: readonly (string | Buffer)[]) => {
    const hmac = createHmac('sha256', secret)
    for (const part of parts) hmac.update(part)
    return hmac.digest()
  }
  const tagOf = (plain: Buffer, nonce: number) => digest(`tag ${chainId} ${nonce} `, plain).subarray(0, TAG_BYTES)
  const masked = (tag: Buffer, bytes: Buffer) => {
    const mask = digest('mask ', tag)
    return Buffer.from(bytes.map((byte, place) => byte ^ (mask[place] ?? 0)))
  }
  return {
    write: (order, nonce) => {
      const plain = plainOf(order)
      if (plain === null) return '0x'
      const tag = tagOf(plain, nonce)
      return `0x${Buffer.concat([tag, masked(tag, plain)]).toString('hex')}`
    },
    read: (data, nonce) => {
      const bytes = Buffer.from(data.slice(2), 'hex').subarray(-MEMO_BYTES)
      if (bytes.length < MEMO_BYTES) return null
      const tag = bytes.subarray(0, TAG_BYTES)
      const plain = masked(tag, bytes.subarray(TAG_BYTES))
      return timingSafeEqual(tag, tagOf(plain, nonce)) ? memoOf(plain) : null
    },
  }
}

function plainOf({
  reference,
  channelId,
  amountMinor,
  currency,
}: Pick<SendOrder, 'reference' | 'channelId' | 'amountMinor' | 'currency'>): Buffer | null {
  const named = contractOfReference(reference)
  if (!named) return null
  const plain = Buffer.alloc(PLAIN_BYTES)
  plain.write(named.contractId.replaceAll('-', ''), 'hex')
  plain.writeUInt16BE(named.number, NUMBER_AT)
  markOf(channelId).copy(plain, CHANNEL_AT)
  plain.write(currency, CURRENCY_AT, 'latin1')
  plain.writeBigUInt64BE(amountMinor, AMOUNT_AT)
  return plain
}

function memoOf(plain: Buffer): Memo {
  const hex = plain.toString('hex', 0, NUMBER_AT)
  return {
    reference: attemptReference(hex, plain.readUInt16BE(NUMBER_AT)),
    currency: plain.toString('latin1', CURRENCY_AT, AMOUNT_AT),
    amountMinor: plain.readBigUInt64BE(AMOUNT_AT),
    isOf: (channelId) => markOf(channelId).equals(plain.subarray(CHANNEL_AT, CURRENCY_AT)),
  }
}

/** As much of a channel's name as tells it from the few others of its chain. */
const markOf = (channelId: string) => createHash('sha256').update(channelId).digest().subarray(0, CHANNEL_BYTES)
