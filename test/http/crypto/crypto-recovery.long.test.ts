// An older copy of the database comes back while the chain has gone on: what left in the lost time is found by what its
// transactions say, and by the chain's own balances nobody is paid twice, whatever the clients repeat.
import { cpSync, renameSync, rmSync } from 'node:fs'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, HDKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkOf } from './crypto-payments-stage.ts'
import type { PaymentBody } from '../payments/payments-stage.ts'
import { type Caller, openCaller, type Reply } from '../../rig/caller.ts'
import { type Chain, startChain } from '../../rig/chain.ts'
import { type GatewayProcess, openGatewayProcess } from '../../rig/gateway-process.ts'

const CONFIRMATIONS = 2
const UNITS = { coin: 10n ** 18n, token: 10n ** 6n }
type Asset = keyof typeof UNITS

let chain: Chain
let gateway: GatewayProcess
let caller: Caller
const signingKey = generatePrivateKey()
let blocks: NodeJS.Timeout | undefined
beforeAll(async () => {
  chain = await startChain()
  await chain.fund(privateKeyToAddress(signingKey), 10n ** 24n, 10n ** 14n)
  await chain.mine(CONFIRMATIONS)
  const settings = {
    GATEWAY_CRYPTO_RPC_URL: chain.url,
    GATEWAY_CRYPTO_MODE: 'test',
    GATEWAY_CRYPTO_KEY: signingKey,
    GATEWAY_CRYPTO_XPUB: HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey,
    GATEWAY_CRYPTO_CONFIRMATIONS: String(CONFIRMATIONS),
  }
  gateway = await openGatewayProcess({ channels: [channelFor('coin'), channelFor('token')] }, settings)
})
afterAll(async () => {
  clearInterval(blocks)
  await caller?.close()
  await gateway.remove()
  await chain.close()
})

function channelFor(id: Asset): object {
  const asset = { network: `eip155:${chain.chainId}`, rates: { PHP: '1' }, quote_seconds: 600 }
  const own = id === 'token' ? { asset: 'TUSD', decimals: 6, token: chain.token } : { asset: 'ETH', decimals: 18 }
  return {
    id,
    service: 'crypto',
    connector: 'crypto',
    name: id,
    description: `In ${id}s.`,
    mode: 'test',
    covered: true,
    undo_seconds: 0,
    currencies: { PHP: {} },
    asset: { ...asset, ...own },
    collect: { kind: 'crypto', covered: false, settle_after_seconds: 0, currencies: { PHP: { min: 1, max: 500_000 } } },
    recipient: [{ field: 'wallet', check: 'evm_address', mend: 'Give the address.' }],
  }
}

/** What somebody wants paid, and asks for under the same keys however often. */
type Intent = { readonly asset: Asset; readonly to: Hex; readonly key: string }

const intent = (asset: Asset): Intent => ({
  asset,
  to: privateKeyToAddress(generatePrivateKey()),
  key: randomUUID(),
})
const AMOUNT = 10

/** Made, issued and paid, under keys of their own; the last answer, or the one that refuses. */
async function pursue({ asset, to, key }: Intent): Promise<Reply> {
  const body = { amount: AMOUNT, currency: 'PHP', channel: asset, recipient: { wallet: to } }
  const made = await caller.ask('POST', '/contracts/transfer', body, `${key} make`)
  if (made.contract === null) return made
  const path = `/contracts/transfer/${made.contract.id}`
  await caller.ask('PUT', `${path}/issue`, undefined, `${key} issue`)
  return caller.ask('PUT', `${path}/pay`, undefined, `${key} pay`)
}
const transferOf = async (id: string) => (await caller.ask('GET', `/contracts/transfer/${id}`)).contract
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await transferOf(id))?.transfer.status, { timeout: 90_000 }).toBe(status)
const received = ({ asset, to }: Intent) => (asset === 'coin' ? chain.balance(to) : chain.units(to))
const due = ({ asset }: Intent) => BigInt(AMOUNT) * UNITS[asset]
const signed = () => chain.nonce(privateKeyToAddress(signingKey))

async function openedPayment(): Promise<PaymentBody> {
  const crypto = { asset: 'TUSD', network: `eip155:${chain.chainId}` }
  const body = { amount: 100, currency: 'PHP', payment: { type: 'crypto', crypto } }
  const { data } = await caller.ask('POST', '/contracts/payment', body)
  return data['contract'] as PaymentBody
}
const paymentOf = async ({ id }: PaymentBody) =>
  (await caller.ask('GET', `/contracts/payment/${id}`)).data['contract'] as PaymentBody
const arrives = (payment: PaymentBody) =>
  expect.poll(async () => (await paymentOf(payment)).status, { timeout: 90_000 }).toBe('completed')

async function start(): Promise<void> {
  gateway.launch()
  await gateway.ready()
  await caller?.close()
  caller = openCaller(gateway.url, gateway.dev().api_key, 2)
}

const known = intent('token')
const waiting = intent('coin')
/** Paid in the lost time: wholly forgotten, each of them. */
const lost = [intent('token'), intent('coin'), intent('token')]
let payment: PaymentBody
let lostPayment: PaymentBody
const ids = new Map<Intent, string>()

async function paid(wanted: Intent): Promise<void> {
  const { contract } = await pursue(wanted)
  if (contract === null) throw new Error('it was refused')
  ids.set(wanted, contract.id)
}
const idOf = (wanted: Intent) => ids.get(wanted) ?? ''

test('money leaves and comes in, a copy is made, and more of it follows', async () => {
  await start()
  await paid(known)
  await becomes(idOf(known), 'accepted')
  await chain.mine(CONFIRMATIONS)
  await becomes(idOf(known), 'delivered')
  await paid(waiting)
  await becomes(idOf(waiting), 'accepted')
  payment = await openedPayment()
  await gateway.stop()
  cpSync(join(gateway.dataDir, 'postgres'), join(gateway.dataDir, '..', 'copy'), {
    recursive: true,
    preserveTimestamps: true,
  })

  await start()
  blocks = setInterval(() => void chain.mine().catch(() => undefined), 500)
  for (const each of lost) await paid(each)
  lostPayment = await openedPayment()
  await chain.pay('token', linkOf(payment).address, linkOf(payment).units)
  for (const each of [waiting, ...lost.slice(1)]) await becomes(idOf(each), 'delivered')
  await arrives(payment)
  expect(await signed()).toBe(5)
  await gateway.stop()
  rmSync(join(gateway.dataDir, 'postgres'), { recursive: true })
  renameSync(join(gateway.dataDir, '..', 'copy'), join(gateway.dataDir, 'postgres'))
}, 300_000)

test('the chain names what the books have forgotten', async () => {
  await start()
  const { stdout } = gateway.command('recovery', 'compare', '--operator', 'ana', '--json')
  const { channels, lines } = JSON.parse(stdout) as { channels: object[]; lines: { contract_id: string }[] }
  for (const channel of ['coin', 'token'])
    expect(channels).toContainEqual(expect.objectContaining({ channel, state: 'complete' }))
  const named = new Set(lines.map(({ contract_id: id }) => id))
  expect(named).toEqual(new Set([waiting, ...lost].map(idOf)))
  expect(await signed()).toBe(5)
  for (const operator of ['ana', 'ben'])
    gateway.command('recovery', 'resume', '--operator', operator, '--evidence', 'compared, ticket 4711')
  const state = async () => (await fetch(`${gateway.url}/readyz`)).headers.get('gateway-state')
  await expect.poll(state, { timeout: 60_000 }).toBeNull()
}, 300_000)

test('and whoever asks again is not paid twice', async () => {
  for (const each of [known, waiting, ...lost]) {
    const again = await pursue(each)
    expect([again.contract?.id ?? again.olderId]).toEqual([idOf(each)])
  }
  const more = intent('token')
  await paid(more)
  await becomes(idOf(more), 'delivered')
  for (const each of [known, waiting, ...lost, more]) expect(await received(each)).toBe(due(each))
  expect(await signed()).toBe(6)
}, 300_000)

test('what came in to an address of the books is credited, and no address is given out again', async () => {
  await arrives(payment)
  const other = await openedPayment()
  const addresses = [payment, lostPayment, other].map((each) => linkOf(each).address)
  expect(new Set(addresses).size).toBe(3)
  await chain.pay('token', linkOf(other).address, linkOf(other).units)
  await arrives(other)
  const arrived = (await paymentOf(payment)).activities.filter(({ type }) => type.endsWith('completed'))
  expect(arrived).toHaveLength(1)
  expect(gateway.command('verify').status).toBe(0)
}, 300_000)
