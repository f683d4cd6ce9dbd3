// Where the money of the played sagas goes: the provider's rails, or a chain. Each knows its channels, how time goes by
// there, and what it can tell of the money, by books that are not the gateway's.
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import type { Attempt } from '../../../src/domain/transfer/transfer.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import type { Config } from '../../../src/main/config/config.ts'
import type { Chain } from '../chain.ts'

export type Ground = {
  readonly channels: readonly ChannelConfig[]
  readonly currency: 'PHP' | 'USD'
  readonly callTimeoutMs: number
  readonly leaseMs: number
  /** What the gateway in the test's own process needs beside, and the same for a process. */
  readonly config: Partial<Config>
  readonly settings: Readonly<Record<string, string>>
  /** Some time goes by there. */
  readonly later: (providerUrl: string) => Promise<void>
  /** Recipients of their own, so that their balances tell; null where the account chooses what happens. */
  readonly newRecipient: () => string | null
  /** What the books there say otherwise than ours, in words. */
  readonly mismatches: (providerUrl: string, moved: readonly Moved[]) => Promise<string[]>
}

/** A contract at its end, with its newest attempt. */
export type Moved = { readonly name: string; readonly wallet: string; readonly attempt: Attempt }

/** Major units, in each currency. */
export const AMOUNT = 100

const RAIL = { service: 'payment', covered: true, undo_seconds: 0 } as const
const PHP = { currencies: { PHP: {} }, recipient: [] } as const
const ADDRESS = { field: 'wallet', check: 'evm_address', mend: 'Give an address.' } as const

/** The rails of the sandbox provider, and the wallets of the gateway itself. */
export const RAILS_GROUND: Ground = {
  channels: [
    ...SHIPPED_CHANNELS.filter(({ id }) => id === 'wallet'),
    { ...RAIL, ...PHP, id: 'sandbox', name: 'First', description: 'The first rail.' },
    { ...RAIL, ...PHP, id: 'second', connector: 'sandbox', name: 'Second', description: 'The same provider again.' },
    {
      ...RAIL,
      ...PHP,
      id: 'files',
      connector: 'pesonet',
      name: 'Files',
      description: 'Sends what is due as one file.',
    },
  ],
  currency: 'PHP',
  callTimeoutMs: 500,
  leaseMs: 1100,
  config: {},
  settings: {},
  later: async (providerUrl) => {
    const body = JSON.stringify({ advance_seconds: 100 })
    const reply = await fetch(`${providerUrl}/clock`, { method: 'POST', body })
    if (!reply.ok) throw new Error(`the provider's clock: ${reply.status}`)
  },
  newRecipient: () => null,
  mismatches: railMisfits,
}

const UNITS = BigInt(AMOUNT) * 10n ** 6n
const CONFIRMATIONS = 2

/** A token on the chain, from a sender of its own that has enough. */
export async function chainGround(chain: Chain): Promise<Ground> {
  const key = generatePrivateKey()
  const sender = privateKeyToAddress(key)
  await chain.fund(sender, 10n ** 20n, 10n ** 12n)
  const network = `eip155:${chain.chainId}`
  const asset = { network, asset: 'TUSD', token: chain.token, decimals: 6, rates: { USD: '1' }, quote_seconds: 3600 }
  const token = { id: 'chain', connector: 'crypto', name: 'Chain', description: 'Pays out in a token.', asset }
  const crypto = {
    rpcUrl: chain.url,
    mode: 'test' as const,
    key,
    xpub: null,
    confirmations: CONFIRMATIONS,
    replaceAfterSeconds: 3600,
    feeCapGwei: 200,
  }
  return {
    channels: [{ ...RAIL, ...token, currencies: { USD: {} }, recipient: [ADDRESS] }],
    currency: 'USD',
    callTimeoutMs: 1500,
    leaseMs: 3100,
    config: { crypto },
    settings: {
      GATEWAY_CRYPTO_RPC_URL: chain.url,
      GATEWAY_CRYPTO_MODE: 'test',
      GATEWAY_CRYPTO_KEY: key,
      GATEWAY_CRYPTO_CONFIRMATIONS: String(CONFIRMATIONS),
    },
    later: () => chain.mine(CONFIRMATIONS + 1),
    newRecipient: () => privateKeyToAddress(generatePrivateKey()),
    mismatches: async (_, moved) => {
      const got = await Promise.all(moved.map(({ wallet }) => chain.units(wallet as `0x${string}`)))
      const wrong = moved.flatMap(({ name, attempt }, i) =>
        got[i] === (attempt.status === 'delivered' ? UNITS : 0n)
          ? []
          : [`${name}: the attempt is ${attempt.status}, and on the chain the recipient has ${got[i]}`],
      )
      const sent = await chain.nonce(sender)
      return sent === moved.length ? wrong : [...wrong, `the sender sent ${sent} for ${moved.length} contracts`]
    },
  }
}

type Order = {
  readonly reference: string
  readonly amount: string
  readonly executions: number
  readonly status: string
}

async function railMisfits(providerUrl: string, moved: readonly Moved[]): Promise<string[]> {
  const found: string[] = []
  const orders = [...(await ordersOf(providerUrl, 'sandbox')), ...(await ordersOf(providerUrl, 'pesonet'))]
  const byReference = new Map(orders.map((order) => [order.reference, order]))
  const known = new Set<string>()
  for (const { name, attempt } of moved) {
    const { status, reference, channelId, contractId, number } = attempt
    for (let each = 1; each <= number; each++) known.add(attemptReference(contractId, each))
    const order = byReference.get(reference)
    const kept = order && order.status !== 'returned' ? order.executions : 0
    const should = status === 'delivered' && channelId !== 'wallet' ? 1 : 0
    if (kept !== should) found.push(`${name}: ${reference} is ${status}, and the provider kept it ${kept} times`)
    if (order && Number(order.amount) !== AMOUNT) found.push(`${name}: the provider moved ${order.amount}`)
    // An attempt that another one has followed moved nothing.
    for (let each = 1; each < number; each++)
      if ((byReference.get(attemptReference(contractId, each))?.executions ?? 0) > 0)
        found.push(`${name}: attempt ${each} of ${number} was executed`)
  }
  for (const { reference, executions } of orders) {
    if (executions > 1) found.push(`${reference} was executed ${executions} times`)
    if (!known.has(reference)) found.push(`the provider has ${reference}, which no contract has`)
  }
  return found
}

async function ordersOf(providerUrl: string, rail: string): Promise<readonly Order[]> {
  const answer = (await (await fetch(`${providerUrl}/${rail}/books`)).json()) as Record<string, readonly Order[]>
  const orders = answer['orders'] ?? answer['transfers']
  if (!orders) throw new Error(`the provider's books of ${rail} are not what was expected`)
  return orders
}
