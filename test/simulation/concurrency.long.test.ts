// Many at once on one contract, one wallet and one key: exactly the affordable number succeed, nothing happens twice,
// nobody meets a fault. Each through one gateway, and through two on one database with half of the requests each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import type { ChannelConfig } from '../../src/domain/channel/config.ts'
import { buildGateway, type Gateway } from '../../src/main/assemble.ts'
import { openLog } from '../../src/platform/log.ts'
import { unsoundness } from '../rig/books.ts'
import { askForAll, type Caller, type Contract, openCaller, type Reply } from '../rig/caller.ts'
import { diceOf, newSeed } from '../rig/dice.ts'
import { randomOperations } from '../rig/random-operations.ts'
import { openWorld, type World } from '../world.ts'

const MANY = 200
const CONNECTIONS = 64
const OPERATIONS = 2000

/** Free of charge; what is paid waits an hour before it is sent, so that a cancel surely refunds. */
const PATIENT: ChannelConfig = {
  id: 'sandbox',
  service: 'payment',
  name: 'Patient',
  description: 'Waits an hour.',
  covered: true,
  undo_seconds: 3600,
  currencies: { PHP: {} },
  recipient: [],
}

let world: World
let neighbour: Gateway
let urls: string[]

beforeAll(async () => {
  const channels = [...SHIPPED_CHANNELS.filter(({ id }) => id !== PATIENT.id), PATIENT]
  world = await openWorld({ config: { channels } })
  neighbour = await buildGateway(world.config, world.database, { url: '', token: null }, openLog('fatal'))
  urls = [await world.listen(), await neighbour.app.listen({ host: '127.0.0.1', port: 0 })]
})
afterAll(async () => {
  await neighbour.stop()
  await world.stop()
})

type Ask = Caller['ask']
type Account = { readonly ask: Ask; readonly walletId: string; readonly close: () => Promise<void> }

/** An account that asks its gateways in turn, over as many connections in all. `php` in minor units. */
async function openAccount(gateways: number, php: bigint): Promise<Account> {
  const { account, apiKey } = await world.newCaller({ funds: php === 0n ? {} : { PHP: php } })
  const callers = urls.slice(0, gateways).map((url) => openCaller(url, apiKey, CONNECTIONS / gateways))
  let turn = 0
  return {
    ask: (...request) => callers[turn++ % callers.length]!.ask(...request),
    walletId: account.wallets.find(({ currency }) => currency === 'PHP')!.id,
    close: async () => void (await Promise.all(callers.map((caller) => caller.close()))),
  }
}

async function issued(ask: Ask, amount: number): Promise<string> {
  const { contract } = await ask('POST', '/contracts/transfer', { amount, currency: 'PHP', channel: 'sandbox' })
  const reply = await ask('PUT', `/contracts/transfer/${contract!.id}/issue`)
  expect(reply.status).toBe(200)
  return contract!.id
}

const atOnce = (ask: (index: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: MANY }, (_, index) => ask(index)))
const counted = (replies: readonly Reply[]) =>
  replies.reduce<Record<string, number>>(
    (all, { status, code }) => ({ ...all, [code ?? status]: (all[code ?? status] ?? 0) + 1 }),
    {},
  )
const lines = (contract: Contract, type: string) =>
  contract.activities.filter((activity) => activity.type === type).length

type Money = { readonly available: number; readonly held: number; readonly debits: number; readonly refunds: number }

/** The PHP wallet, and how often contracts took from it and gave back. */
async function moneyOf({ ask, walletId }: Account): Promise<Money> {
  const { data } = await ask('GET', `/wallets/${walletId}`)
  const { available, held } = data['wallet'] as { available: number; held: number }
  type Entry = { readonly debit: string; readonly credit: string; readonly contract_id: string | null }
  const entries = await askForAll<Entry>({ ask }, `/wallets/${walletId}/entries`, 'entries')
  const ofContracts = entries.filter(({ contract_id }) => contract_id !== null)
  return {
    available,
    held,
    debits: ofContracts.filter(({ debit }) => debit === 'available').length,
    refunds: ofContracts.filter(({ credit }) => credit === 'available').length,
  }
}

describe.each([1, 2])('through %i gateways', (gateways) => {
  test(`${MANY} pays of one contract are one debit`, async () => {
    const account = await openAccount(gateways, 100_000n)
    const { ask } = account
    const id = await issued(ask, 100)
    const replies = await atOnce(() => ask('PUT', `/contracts/transfer/${id}/pay`))
    expect(counted(replies)).toEqual({ 200: MANY })
    expect(new Set(replies.map(({ contract }) => contract!.version)).size).toBe(1)
    expect(await moneyOf(account)).toEqual({ available: 900, held: 100, debits: 1, refunds: 0 })
    await account.close()
  })

  test(`of ${MANY} pays from a wallet that affords 50, exactly 50 succeed`, async () => {
    const account = await openAccount(gateways, 50_000n)
    const { ask } = account
    const ids = await Promise.all(Array.from({ length: MANY }, () => issued(ask, 10)))
    const replies = await atOnce((index) => ask('PUT', `/contracts/transfer/${ids[index]}/pay`))
    expect(counted(replies)).toEqual({ 200: 50, insufficient_funds: MANY - 50 })
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(MANY - 50)
    expect(await moneyOf(account)).toEqual({ available: 0, held: 500, debits: 50, refunds: 0 })
    await account.close()
  })

  test(`${MANY} cancels of one paid contract are one refund`, async () => {
    const account = await openAccount(gateways, 100_000n)
    const { ask } = account
    const id = await issued(ask, 100)
    await ask('PUT', `/contracts/transfer/${id}/pay`)
    const replies = await atOnce(() => ask('DELETE', `/contracts/transfer/${id}`, { reason: 'twice' }))
    expect(counted(replies)).toEqual({ 200: MANY })
    const { contract } = await ask('GET', `/contracts/transfer/${id}`)
    expect([contract!.status, lines(contract!, 'refunded'), lines(contract!, 'cancelled')]).toEqual(['cancelled', 1, 1])
    expect(await moneyOf(account)).toEqual({ available: 1000, held: 0, debits: 1, refunds: 1 })
    await account.close()
  })

  test(`${MANY} pays and ${MANY} cancels of one contract end in one of two ways`, async () => {
    const account = await openAccount(gateways, 100_000n)
    const { ask } = account
    const id = await issued(ask, 100)
    const pays = atOnce(() => ask('PUT', `/contracts/transfer/${id}/pay`))
    const cancels = atOnce(() => ask('DELETE', `/contracts/transfer/${id}`))
    expect(Object.keys(counted(await cancels))).toEqual(['200'])
    expect((await pays).filter(({ status, code }) => status !== 200 && code !== 'contract_cancelled')).toEqual([])
    const { available, held, debits, refunds } = await moneyOf(account)
    expect([available, held, debits - refunds]).toEqual([1000, 0, 0])
    expect(debits).toBeLessThanOrEqual(1)
    await account.close()
  })

  test(`${MANY} creates with one key are one contract`, async () => {
    const account = await openAccount(gateways, 0n)
    const { ask } = account
    const body = { amount: 5, currency: 'PHP', deliverable: { reference_id: 'once' } }
    const replies = await atOnce(() => ask('POST', '/contracts/transfer', body, 'one key'))
    expect(counted(replies)).toEqual({ 200: MANY })
    expect(new Set(replies.map(({ contract }) => contract!.id)).size).toBe(1)
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await askForAll({ ask }, '/contracts/transfer', 'contracts')).toHaveLength(1)
    const other = await ask('POST', '/contracts/transfer', { ...body, amount: 6 }, 'one key')
    expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused'])
    await account.close()
  })

  test(`${OPERATIONS} random operations on 20 contracts: no fault, no deadlock`, { timeout: 120_000 }, async () => {
    const seed = newSeed()
    const [payer, receiver] = [await openAccount(gateways, 400_000n), await openAccount(gateways, 0n)]
    const from = performance.now()
    const figures = await randomOperations(payer.ask, diceOf(seed), receiver.walletId, {
      operations: OPERATIONS,
      atOnce: CONNECTIONS,
      contracts: 20,
    })
    const perSecond = Math.round(OPERATIONS / ((performance.now() - from) / 1000))
    console.log(
      `${gateways} gateways, seed ${seed}: ${OPERATIONS} operations, ${perSecond}/s, answers ${JSON.stringify(figures.statuses)}`,
    )
    expect(figures.faults).toEqual([])
    expect(figures.completed).toBeGreaterThan(OPERATIONS / 200)
    await expect
      .poll(async () => (await payer.ask('GET', '/contracts/transfer?status=paid')).data['contracts'], {
        timeout: 30_000,
      })
      .toEqual([])
    const [spent, received] = [await moneyOf(payer), await moneyOf(receiver)]
    // What left one account came to the other: nothing is under way any more, and there is no fee.
    expect(Math.round((spent.available + spent.held + received.available) * 100)).toBe(400_000)
    expect(spent.held).toBe(0)
    await Promise.all([payer.close(), receiver.close()])
  })
})

test('afterwards the books hold', async () => {
  expect(await unsoundness(world.database.owner)).toEqual([])
  await world.ledgerHolds()
})
