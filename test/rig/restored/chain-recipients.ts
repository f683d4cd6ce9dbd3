// Whom intents pay on a chain, and by which channels.
import { createHash } from 'node:crypto'

export const CHAIN_CHANNELS = ['token', 'coin'] as const
export type ChainChannel = (typeof CHAIN_CHANNELS)[number]

export const isOnChain = (channel: string | undefined): channel is ChainChannel =>
  CHAIN_CHANNELS.some((each) => each === channel)

/** The address of an intent's recipient. */
export const recipientOf = ({ number }: { readonly number: number }): `0x${string}` =>
  `0x${createHash('sha256').update(`recipient of intent ${number}`).digest('hex').slice(0, 40)}`
