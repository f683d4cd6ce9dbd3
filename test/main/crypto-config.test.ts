// What an operator writes to pay in crypto assets: the guide's own example is taken, and what cannot be right is refused
// before anything starts, with its mend and without the key.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { toHex } from 'viem'
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passOn } from '../../src/engine/crash-points.ts'
import type { ChannelConfig } from '../../src/domain/channel/config.ts'
import { quoteFrom } from '../../src/domain/money/quotes.ts'
import { type Config, readConfig } from '../../src/main/config/config.ts'
import { needChainLibrary } from '../../src/main/channels/chain-library.ts'
import { buildConnectors } from '../../src/main/channels/connectors.ts'
import { openOutbound, type Outbound } from '../../src/platform/outbound.ts'
import { openWorld, type World } from '../world.ts'

const GUIDE = readFileSync('docs/crypto.md', 'utf8')
const EXAMPLE = /```json\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? ''
const { channels: SHOWN } = JSON.parse(EXAMPLE) as { channels: [ChannelConfig, ChannelConfig] }
const [, USDC] = SHOWN
const KEY = generatePrivateKey()
const KNOWN = toHex(
  mnemonicToAccount('test test test test test test test test test test test junk').getHdKey().privateKey as Uint8Array,
)
// Nobody listens there: a node that is away keeps no gateway from starting.
const AWAY = 'http://127.0.0.1:9'
const AWAY_KEY = { key: KEY, rpcUrl: AWAY }
const LOCAL = 'eip155:31337'

let world: World
let outbound: Outbound
const folder = mkdtempSync(join(tmpdir(), 'gateway-crypto-config-'))
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  outbound = openOutbound()
})
afterAll(async () => {
  await outbound.close()
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

function read(file: string, env: Readonly<Record<string, string>> = {}): Config {
  const path = join(folder, 'gateway.json')
  writeFileSync(path, file)
  return readConfig({ GATEWAY_CONFIG: path, ...env })
}

/** The connectors of these channels, and what was logged about them. */
async function built(channels: readonly ChannelConfig[], crypto: Partial<Config['crypto']> = {}) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const config = {
    ...world.config,
    channels,
    crypto: { ...world.config.crypto, mode: 'live', ...AWAY_KEY, ...crypto },
  } as const
  const { deps } = world.gateway
  const credits = { execute: deps.execute, reader: deps.reader, findContract: deps.contracts.submit }
  const provider = { url: world.sandboxUrl }
  const parts = { config, provider, outbound, credits, session: deps.reader, crashPoint: passOn, log }
  return { connectors: await buildConnectors(parts), lines }
}

describe('the example of the guide', () => {
  test('is a whole configuration', async () => {
    const config = read(EXAMPLE, { GATEWAY_CRYPTO_KEY: KEY, GATEWAY_CRYPTO_RPC_URL: AWAY })
    expect(config.channels.slice(-2)).toEqual(SHOWN)
    expect(config.crypto).toMatchObject({ key: KEY, rpcUrl: AWAY, confirmations: 12, replaceAfterSeconds: 180 })
    const { connectors } = await built(SHOWN, config.crypto)
    expect(connectors.get('eth')?.describe()).toMatchObject({ acceptsReference: true, inquiryDelayMs: 10_000 })
  })

  test('names every setting of the environment, with the value that holds without it', () => {
    const { confirmations, replaceAfterSeconds, feeCapGwei } = read('{}').crypto
    const row = (name: string) => GUIDE.split('\n').find((line) => line.startsWith(`| \`GATEWAY_CRYPTO_${name}\``))
    expect(row('CONFIRMATIONS')).toContain(`; ${confirmations}.`)
    expect(row('REPLACE_AFTER_SECONDS')).toContain(`; ${replaceAfterSeconds}.`)
    expect(row('FEE_CAP_GWEI')).toContain(`; ${feeCapGwei}.`)
    expect([row('RPC_URL'), row('KEY')]).not.toContain(undefined)
  })
})

test.each<[string, ChannelConfig, Partial<Config['crypto']>, RegExp]>([
  ['no key', USDC, { key: null }, /^channel usdc: it pays out, so it needs GATEWAY_CRYPTO_KEY/],
  ['no node', USDC, { rpcUrl: null }, /^channel usdc: .* GATEWAY_CRYPTO_RPC_URL$/],
  ['half a key', USDC, { key: '0xabc' }, /^channel usdc: GATEWAY_CRYPTO_KEY must be .* 64 hexadecimal digits$/],
  [
    'the key of a test chain for live money',
    USDC,
    { key: KNOWN },
    /GATEWAY_CRYPTO_KEY is the well-known test key of 0xf39F/,
  ],
  [
    'a chain of real money for trials',
    USDC,
    { mode: 'test' },
    /Ethereum moves real money: leave GATEWAY_CRYPTO_MODE out/,
  ],
  [
    'a chain of trials for real money',
    onChain(LOCAL),
    {},
    /coins of a local chain are worth nothing: set GATEWAY_CRYPTO_MODE=test/,
  ],
  ['no asset', without(USDC, 'asset'), {}, /^channel usdc: a crypto channel needs "asset"/],
  [
    'an asset for another rail',
    { ...USDC, connector: 'sandbox' },
    {},
    /^channel usdc: .*"connector" must be "crypto"$/,
  ],
  [
    'a connector of no name',
    { ...without(USDC, 'asset'), connector: 'evm' },
    {},
    /no connector is named evm\. There are/,
  ],
])('%s: refused with the mend', async (_what, channel, crypto, fault) => {
  const refused = built([channel], crypto)
  await expect(refused).rejects.toThrow(fault)
  await expect(refused).rejects.not.toThrow(crypto.key?.slice(2) ?? KEY)
})

function without(channel: ChannelConfig, member: 'asset'): ChannelConfig {
  const { [member]: _, ...rest } = channel
  return rest
}

/** The channel of the guide on another chain. */
function onChain(network: string): ChannelConfig {
  if (!USDC.asset) throw new Error('the guide shows a channel with an asset')
  return { ...USDC, asset: { ...USDC.asset, network } }
}

test('the key of a test chain is good enough where the chain is declared to be one', async () => {
  const { connectors } = await built([onChain(LOCAL)], { key: KNOWN, mode: 'test' })
  expect([...connectors.keys()]).toEqual(['usdc'])
})

test('a chain and its keys are of one mode in a database, whatever the configuration says later', async () => {
  const network = 'eip155:987654'
  const [key, own] = [generatePrivateKey(), generatePrivateKey()]
  await built([onChain(network)], { key, mode: 'test' })
  await expect(built([onChain(network)], { key: own })).rejects.toThrow(
    /eip155:987654 is for TEST contracts in this database, and is given for live ones now/,
  )
  const turned = built([onChain('eip155:987655')], { key })
  await expect(turned).rejects.toThrow(/the key of GATEWAY_CRYPTO_KEY is for TEST contracts in this database/)
  await expect(turned).rejects.not.toThrow(key.slice(2))
})

test('what is wrong with the file and the environment is told at once, without what may be secret', () => {
  const broken = { ...USDC, asset: { ...USDC.asset, rates: { PHP: '56.40' } } }
  const env = { GATEWAY_CRYPTO_RPC_URL: 'node.example/secret', GATEWAY_CRYPTO_CONFIRMATIONS: '0' }
  const faults = () => read(JSON.stringify({ channels: [broken] }), env)
  expect(faults).toThrow('GATEWAY_CONFIG: channel usdc: asset.rates must name USD')
  expect(faults).toThrow('GATEWAY_CRYPTO_RPC_URL must be a whole URL')
  expect(faults).toThrow('GATEWAY_CRYPTO_CONFIRMATIONS must be a whole number from 1 to 1000')
  expect(faults).not.toThrow('secret')
})

test('a payout that waits is logged with its reason, and a node that is away at the start, too', async () => {
  const { connectors, lines } = await built([USDC])
  expect(lines).toMatchObject([{ level: 50, channel: 'usdc', doubt: expect.stringContaining('eth_chainId') }])
  const quoted = { ...USDC.asset, token: USDC.asset?.token ?? null, rates: { PHP: '56.40' }, validForMs: 1000 }
  const order = {
    reference: 'a0000000000000000000000000000000001',
    amountMinor: 100_00n,
    amountDecimal: '100.00',
    currency: 'PHP',
    channelId: 'usdc',
    recipient: { wallet: '0x52908400098527886e0f7030069857d2e4169ee7' },
    description: null,
    quote: quoteFrom({ network: 'eip155:1', asset: 'USDC', decimals: 6, ...quoted }, 'PHP', 0),
    refundOf: null,
    pays: null,
    notAfter: null,
  }
  const outcome = await connectors.get('usdc')?.send(order)
  expect(outcome).toMatchObject({ kind: 'not_sent' })
  const said = { level: 40, channel: 'usdc', reference: order.reference, msg: 'a payout waits' }
  expect(lines.at(-1)).toMatchObject({ ...said, reason: expect.stringContaining('eth_') })
})

test('an installation without the library of chains says what to install, and hides no other fault', async () => {
  const missing = Object.assign(new Error("Cannot find package 'viem'"), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(needChainLibrary('usdc', () => Promise.reject(missing))).rejects.toThrow(
    /^channel usdc: a crypto channel needs the package viem, which is not installed\. Run: npm install viem@\d+\.\d+\.\d+$/,
  )
  const broken = new Error('half a download')
  await expect(needChainLibrary('usdc', () => Promise.reject(broken))).rejects.toBe(broken)
})
