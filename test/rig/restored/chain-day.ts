// A chain on the day of a restore: it goes on while the database comes back, and its balances are the other side's book. Each
// intent has a recipient of its own, so that what the recipient has tells how often it was paid.
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Chain, startChain } from '../chain.ts'
import { CHAIN_CHANNELS, type ChainChannel, recipientOf } from './chain-recipients.ts'
import type { Line, ShownContract } from './day-books.ts'
import type { Told } from './ledgers.ts'

/** As much of an intent as a chain knows of it. */
type Paying = {
  readonly number: number
  readonly channel: string
  readonly amount: number
  readonly ids: ReadonlySet<string>
}

export type ChainDay = {
  /** Channels and settings of the gateway. */
  readonly channels: readonly object[]
  readonly settings: Readonly<Record<string, string>>
  /** The contracts by which somebody was paid. */
  readonly paidBy: (intents: readonly Paying[]) => Promise<ReadonlySet<string>>
  /** What the chain says otherwise than the books, as sentences. */
  readonly findings: (intents: readonly Paying[], books: ChainBooks) => Promise<string[]>
  readonly close: () => Promise<void>
}

type ChainBooks = {
  readonly contracts: readonly ShownContract[]
  readonly lines: readonly Line[]
  readonly told: readonly (readonly Told[])[]
}

const BLOCK_EVERY_MS = 400
const CONFIRMATIONS = 2
const DECIMALS = { token: 6, coin: 18 } as const

export async function openChainDay(): Promise<ChainDay> {
  const chain = await startChain()
  const key = generatePrivateKey()
  const sender = privateKeyToAddress(key)
  await chain.fund(sender, 10n ** 24n, 10n ** 14n)
  await chain.mine(CONFIRMATIONS)
  let mining = Promise.resolve()
  const blocks = setInterval(() => {
    mining = mining.then(() => chain.mine()).catch(() => undefined)
  }, BLOCK_EVERY_MS)
  const gotBy = (intent: Paying) =>
    intent.channel === 'coin' ? chain.balance(recipientOf(intent)) : chain.units(recipientOf(intent))
  const paid = async (intents: readonly Paying[]) => {
    const all: { readonly intent: Paying; readonly got: bigint }[] = []
    for (const intent of intents) all.push({ intent, got: await gotBy(intent) })
    return all
  }
  return {
    channels: CHAIN_CHANNELS.map((id) => channelOn(chain, id)),
    settings: {
      GATEWAY_CRYPTO_RPC_URL: chain.url,
      GATEWAY_CRYPTO_MODE: 'test',
      GATEWAY_CRYPTO_KEY: key,
      GATEWAY_CRYPTO_CONFIRMATIONS: String(CONFIRMATIONS),
    },
    paidBy: async (intents) =>
      new Set((await paid(intents)).flatMap(({ intent, got }) => (got > 0n ? [...intent.ids] : []))),
    findings: async (intents, books) => {
      const all = await paid(intents)
      const receivers = all.filter(({ got }) => got > 0n).length
      const left = await chain.nonce(sender)
      const strange = left === receivers ? [] : [`${left} transactions left for ${receivers} recipients that were paid`]
      return [...strange, ...all.flatMap(({ intent, got }) => wrongWith(intent, got, books))]
    },
    close: async () => {
      clearInterval(blocks)
      await mining
      await chain.close()
    },
  }
}

function channelOn(chain: Chain, id: ChainChannel): object {
  const network = `eip155:${chain.chainId}`
  const own = id === 'token' ? { asset: 'TUSD', token: chain.token } : { asset: 'ETH' }
  return {
    id,
    service: 'crypto',
    connector: 'crypto',
    name: id,
    description: `Pays out in a ${id}.`,
    covered: true,
    undo_seconds: 0,
    currencies: { PHP: {} },
    asset: { network, decimals: DECIMALS[id], rates: { PHP: '1' }, quote_seconds: 3600, ...own },
    recipient: [
      { field: 'name', mend: 'Give a name.' },
      { field: 'wallet', check: 'evm_address', mend: 'Give an address.' },
    ],
  }
}

/** Paid once or not at all, as one contract of it has it; and what was told to be cancelled is named where it was that one. */
function wrongWith(intent: Paying, got: bigint, { contracts, lines, told }: ChainBooks): string[] {
  const { number, amount, ids, channel } = intent
  const due = BigInt(Math.round(amount * 100)) * 10n ** BigInt(DECIMALS[channel === 'coin' ? 'coin' : 'token'] - 2)
  const paid = contracts.flatMap(({ id, status }) => (ids.has(id) && status === 'completed' ? [id] : []))
  const wrong =
    paid.length <= 1 && got === BigInt(paid.length) * due
      ? []
      : [`intent ${number} was paid ${got} of ${due} on the chain, and ${paid.length} of its contracts are completed`]
  const named = new Set(lines.map((line) => line.contract_id))
  const cancelled = new Set(
    told.flat().flatMap(({ type, data }) => (type === 'contract.cancelled' ? [data.object.id] : [])),
  )
  const unnamed = paid.filter((id) => cancelled.has(id) && !named.has(id))
  return [
    ...wrong,
    ...unnamed.map((id) => `${id} was told to be cancelled, was paid on the chain, and no line names it`),
  ]
}
