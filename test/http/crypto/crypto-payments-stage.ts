// A gateway that money comes in to on a chain, with a payer who knows no more than the link that is shown. Its workers run in
// a gateway of their own beside the one that is asked, on the same database, so that they can be stopped and started.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
// @ts-expect-error: the package has no types
import { parse } from 'eth-url-parser'
import type { Hex } from 'viem'
import { generatePrivateKey, HDKey, hdKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import type { AssetConfig, ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { Config } from '../../../src/main/config/config.ts'
import { chainWatches } from '../../../src/main/channels/crypto-channels.ts'
import { buildGateway, type Gateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { type Chain, startChain } from '../../rig/chain.ts'
import type { Json } from '../../sandbox/rails.ts'
import { openWorld, type World, type WorldOptions } from '../../world.ts'
import { contractIn, type PaymentBody } from '../payments/payments-stage.ts'

export const CONFIRMATIONS = 3
const COIN = 10n ** 18n
const UNITS = 1_000_000n

type AssetName = 'ETH' | 'TUSD'

/** What a payer reads in the link that is shown. */
type Link = { readonly asset: 'coin' | 'token'; readonly address: Hex; readonly units: bigint }

export type CryptoStage = {
  readonly world: World
  readonly chain: Chain
  /** The first addresses of the account, as a wallet derives them that has the seed. */
  readonly addresses: () => readonly string[]
  /** A contract over 100 PHP that is to be paid in the asset, with its address. */
  readonly open: (asset: AssetName, crypto?: Json, fields?: Json) => Promise<PaymentBody>
  readonly choose: (payment: PaymentBody, asset: AssetName, crypto?: Json) => Promise<PaymentBody>
  readonly cancel: (id: string) => Promise<PaymentBody>
  /** The same, waited for: where a worker has just taken the contract, its cancellation is pending first. */
  readonly cancelled: (id: string) => Promise<void>
  readonly get: (id: string) => Promise<PaymentBody>
  /** Pays so much of what the link asks, and leaves it to be mined. */
  readonly pay: (payment: PaymentBody, units?: (due: bigint) => bigint) => Promise<Hex>
  readonly mine: (blocks: number) => Promise<void>
  /** Waits until the contract is so, while the chain is looked at and nobody waits for a clock. */
  readonly until: (id: string, isSo: (payment: PaymentBody) => boolean) => Promise<PaymentBody>
  /** Lets blocks come until it is so. */
  readonly minedUntil: (id: string, isSo: (payment: PaymentBody) => boolean) => Promise<PaymentBody>
  /** The chain is looked at as often as a payment could need to be booked twice. */
  readonly settled: () => Promise<void>
  readonly stopWorkers: () => Promise<void>
  readonly startWorkers: () => Promise<void>
  readonly close: () => Promise<void>
}

/** One that only receives has no private key at all. */
export async function openCryptoStage(
  kind: 'receives' | 'receives and pays out',
  on: Pick<WorldOptions, 'lanesElsewhere'> = {},
): Promise<CryptoStage> {
  const chain = await startChain()
  const root = HDKey.fromMasterSeed(randomBytes(32))
  const key = kind === 'receives' ? null : generatePrivateKey()
  if (key !== null) await chain.fund(privateKeyToAddress(key), 100n * COIN, 1_000_000n * UNITS)
  const xpub = root.derive("m/44'/60'/0'").publicExtendedKey
  const sending = { replaceAfterSeconds: 3600, feeCapGwei: 500 }
  const crypto = { rpcUrl: chain.url, mode: 'test' as const, key, xpub, confirmations: CONFIRMATIONS, ...sending }
  const channels = channelsOn(chain, key === null ? {} : { PHP: {} })
  await chain.mine(CONFIRMATIONS)
  const world = await openWorld({ ...on, workers: 'resting', config: { channels, crypto } })
  const workers = workersFor(world)
  await workers.start()
  await workers.look()
  let last: Promise<Hex> = Promise.resolve('0x')
  const get: CryptoStage['get'] = async (id) => contractIn(await world.caller.ask('GET', `/contracts/payment/${id}`))
  const looks = async (id: string, isSo: (payment: PaymentBody) => boolean, meanwhile: () => Promise<unknown>) => {
    for (const end = Date.now() + WITHIN_MS; ; await sleep(PAUSE_MS)) {
      const payment = await get(id)
      if (isSo(payment)) return payment
      if (Date.now() > end) throw new Error(`it did not come to that: ${JSON.stringify(payment, null, 1)}`)
      await meanwhile()
    }
  }
  const look = async () => {
    await workers.look()
    await world.sql(
      `update jobs set due_at = now() where due_at > now() and status in ('queued', 'unknown', 'accepted')`,
    )
  }
  const cancel: CryptoStage['cancel'] = async (id) =>
    contractIn(await world.caller.ask('DELETE', `/contracts/payment/${id}`, { body: { reason: 'changed my mind' } }))
  const methodOf = (asset: AssetName, more: Json) => ({
    type: 'crypto',
    crypto: { asset, network: `eip155:${chain.chainId}`, ...more },
  })
  return {
    world,
    chain,
    addresses: () => Array.from({ length: 60 }, (_, addressIndex) => hdKeyToAccount(root, { addressIndex }).address),
    open: async (asset, crypto = {}, fields = {}) => {
      const body = { amount: 100, currency: 'PHP', payment: methodOf(asset, crypto), ...fields }
      return contractIn(await world.caller.ask('POST', '/contracts/payment', { body }))
    },
    choose: async ({ id }, asset, crypto = {}) =>
      contractIn(await world.caller.ask('PUT', `/contracts/payment/${id}/pay`, { body: methodOf(asset, crypto) })),
    cancel,
    cancelled: async (id) => {
      await cancel(id)
      await looks(id, ({ status }) => status === 'cancelled', look)
    },
    get,
    pay: (payment, units = (due) => due) => {
      const { asset, address, units: due } = linkOf(payment)
      // All come from one account, whose transactions are numbered.
      last = last.then(() => chain.pay(asset, address, units(due)))
      return last
    },
    mine: (blocks) => chain.mine(blocks),
    until: (id, isSo) => looks(id, isSo, look),
    minedUntil: (id, isSo) =>
      looks(id, isSo, async () => {
        await chain.mine()
        await look()
      }),
    settled: async () => {
      await chain.mine(2 * CONFIRMATIONS)
      for (let looks = 0; looks < 4; looks++) await look()
    },
    stopWorkers: workers.stop,
    startWorkers: workers.start,
    close: async () => {
      await workers.stop()
      await world.ledgerHolds()
      await world.stop()
      await chain.close()
    },
  }
}

const WITHIN_MS = 12_000
const PAUSE_MS = 30

/** The gateway whose workers tend, send and watch, and looks at the chain whenever a test asks. */
function workersFor({ config, database, sandboxUrl }: World) {
  let running: {
    readonly gateway: Gateway
    readonly look: () => Promise<void>
    readonly end: () => Promise<void>
  } | null = null
  return {
    start: async () => {
      const gateway = await buildGateway(config, database, { url: sandboxUrl, token: null }, openLog('fatal'))
      gateway.startWorkers()
      running = { gateway, ...(await watching(config, gateway)) }
    },
    look: async () => running?.look(),
    stop: async () => {
      const ended = running
      running = null
      await ended?.gateway.stop()
      await ended?.end()
    },
  }
}

async function watching(config: Config, { deps }: Gateway) {
  const outbound = openOutbound()
  const { execute, reader } = deps
  const rounds = await chainWatches({ config, outbound, execute, reader, session: reader, log: openLog('fatal') })
  const look = async () => {
    for (const round of rounds) while ((await round()) > 0);
  }
  return { look, end: () => outbound.close() }
}

/** The link as the payer's own program reads it. */
export function linkOf({ next_action: action }: PaymentBody): Link {
  const { target_address, function_name, parameters } = parse(action?.uri) as {
    target_address: Hex
    function_name?: string
    parameters: Record<string, string>
  }
  if (function_name === undefined)
    return { asset: 'coin', address: target_address, units: BigInt(parameters['value'] ?? '0') }
  return { asset: 'token', address: parameters['address'] as Hex, units: BigInt(parameters['uint256'] ?? '0') }
}

/** A coin and a token, and each with a price that holds for a moment only. */
function channelsOn({ chainId, token }: Chain, paysOut: ChannelConfig['currencies']): ChannelConfig[] {
  const network = `eip155:${chainId}`
  const coin = { network, asset: 'ETH', decimals: 18, rates: { PHP: '112800.50' }, quote_seconds: 600 }
  const dollars = { network, asset: 'TUSD', token, decimals: 6, rates: { PHP: '56.40' }, quote_seconds: 600 }
  return [
    channelOf('coin', coin, paysOut),
    channelOf('token', dollars, paysOut),
    channelOf('soon', { ...dollars, quote_seconds: 6 }, paysOut),
    channelOf('brief', { ...dollars, quote_seconds: 2 }, paysOut),
    channelOf('brief_coin', { ...coin, quote_seconds: 5 }, paysOut),
  ]
}

function channelOf(id: string, asset: AssetConfig, currencies: ChannelConfig['currencies']): ChannelConfig {
  return {
    id,
    service: 'crypto',
    name: id,
    description: `On a chain, in ${asset.asset}.`,
    connector: 'crypto',
    mode: 'test',
    covered: true,
    undo_seconds: 0,
    asset,
    collect: {
      kind: 'crypto',
      covered: false,
      settle_after_seconds: 0,
      currencies: { PHP: { min: 1, max: 500_000, fees: { pct: 1 } } },
    },
    currencies,
    recipient: [{ field: 'wallet', check: 'evm_address', mend: 'Give the address: 0x and 40 hexadecimal digits.' }],
  }
}

export const newAddress = () => privateKeyToAddress(generatePrivateKey())
