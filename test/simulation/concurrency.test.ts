// Many at once on one contract, one wallet and one key: exactly the affordable number succeed, nothing happens twice,
// nobody meets a fault. Each through one gateway, and through two on one database with half of the requests each.
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelConfig } from '../../src/domain/channel-config.ts'
import { askForAll, type Caller, type Contract, openCaller, type Reply } from '../rig/caller.ts'
import { diceOf, newSeed } from '../rig/dice.ts'
import { type Account, type Inside, openInside } from '../rig/inside.ts'
import { randomOperations } from '../rig/random-operations.ts'

const MANY = 200
const CONNECTIONS = 64

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

let inside: Inside
const urls: string[] = []

beforeAll(async () => {
  inside = await openInside(2, [PATIENT], 'workers at work')
  for (const { app } of inside.gateways) {
    await app.listen({ host: '127.0.0.1', port: 0 })
    urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  }
})
afterAll(async () => {
  expect(await inside.unsound()).toEqual([])
  await inside.close()
})

type Ask = Caller['ask']

/** An account that asks its gateways in turn. */
async function openAccount(gateways: number, php: bigint): Promise<{ account: Account; ask: Ask; close: () => Promise<void> }> {
  const account = await inside.account({ PHP: php })
  const callers = urls.slice(0, gateways).map((url) => openCaller(url, account.apiKey, CONNECTIONS / gateways))
  let turn = 0
  const ask: Ask = (...request) => callers[turn++ % callers.length]!.ask(...request)
  return { account, ask, close: async () => void (await Promise.all(callers.map((caller) => caller.close()))) }
}

async function issued(ask: Ask, amount: number): Promise<string> {
  const { contract } = await ask('POST', '/contracts/transfer', { amount, currency: 'PHP', channel: 'sandbox' })
  const reply = await ask('PUT', `/contracts/transfer/${contract!.id}/issue`)
  expect(reply.status).toBe(200)
  return contract!.id
}

const atOnce = (ask: (index: number) => Promise<Reply>) => Promise.all(Array.from({ length: MANY }, (_, index) => ask(index)))
const counted = (replies: readonly Reply[]) => replies.reduce<Record<string, number>>((all, { status, code }) => ({ ...all, [code ?? status]: (all[code ?? status] ?? 0) + 1 }), {})
const lines = (contract: Contract, type: string) => contract.activities.filter((activity) => activity.type === type).length

async function moneyOf(ask: Ask): Promise<{ available: number; held: number; debits: number; refunds: number }> {
  const [wallet] = await askForAll<{ id: string; available: number; held: number }>({ ask }, '/wallets', 'wallets')
  const entries = await askForAll<{ debit: string; credit: string; contract_id: string | null }>({ ask }, `/wallets/${wallet!.id}/entries`, 'entries')
  const ofContracts = entries.filter(({ contract_id }) => contract_id !== null)
  return {
    available: wallet!.available,
    held: wallet!.held,
    debits: ofContracts.filter(({ debit }) => debit === 'available').length,
    refunds: ofContracts.filter(({ credit }) => credit === 'available').length,
  }
}

describe.each([1, 2])('through %i gateways', (gateways) => {
  test(`${MANY} pays of one contract are one debit`, async () => {
    const { ask, close } = await openAccount(gateways, 100_000n)
    const id = await issued(ask, 100)
    const replies = await atOnce(() => ask('PUT', `/contracts/transfer/${id}/pay`))
    expect(counted(replies)).toEqual({ 200: MANY })
    expect(new Set(replies.map(({ contract }) => contract!.version)).size).toBe(1)
    expect(await moneyOf(ask)).toEqual({ available: 900, held: 100, debits: 1, refunds: 0 })
    await close()
  })

  test(`of ${MANY} pays from a wallet that affords 50, exactly 50 succeed`, async () => {
    const { ask, close } = await openAccount(gateways, 50_000n)
    const ids = await Promise.all(Array.from({ length: MANY }, () => issued(ask, 10)))
    const replies = await atOnce((index) => ask('PUT', `/contracts/transfer/${ids[index]}/pay`))
    expect(counted(replies)).toEqual({ 200: 50, insufficient_funds: MANY - 50 })
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(MANY - 50)
    expect(await moneyOf(ask)).toEqual({ available: 0, held: 500, debits: 50, refunds: 0 })
    await close()
  })

  test(`${MANY} cancels of one paid contract are one refund`, async () => {
    const { ask, close } = await openAccount(gateways, 100_000n)
    const id = await issued(ask, 100)
    await ask('PUT', `/contracts/transfer/${id}/pay`)
    const replies = await atOnce(() => ask('DELETE', `/contracts/transfer/${id}`, { reason: 'twice' }))
    expect(counted(replies)).toEqual({ 200: MANY })
    const { contract } = await ask('GET', `/contracts/transfer/${id}`)
    expect([contract!.status, lines(contract!, 'refunded'), lines(contract!, 'cancelled')]).toEqual(['cancelled', 1, 1])
    expect(await moneyOf(ask)).toEqual({ available: 1000, held: 0, debits: 1, refunds: 1 })
    await close()
  })

  test(`${MANY} pays and ${MANY} cancels of one contract end in one of two ways`, async () => {
    const { ask, close } = await openAccount(gateways, 100_000n)
    const id = await issued(ask, 100)
    const pays = atOnce(() => ask('PUT', `/contracts/transfer/${id}/pay`))
    const cancels = atOnce(() => ask('DELETE', `/contracts/transfer/${id}`))
    expect(Object.keys(counted(await cancels))).toEqual(['200'])
    expect((await pays).filter(({ status, code }) => status !== 200 && code !== 'contract_cancelled')).toEqual([])
    const { available, held, debits, refunds } = await moneyOf(ask)
    expect([available, held, debits - refunds]).toEqual([1000, 0, 0])
    expect(debits).toBeLessThanOrEqual(1)
    await close()
  })

  test(`${MANY} creates with one key are one contract`, async () => {
    const { ask, close } = await openAccount(gateways, 0n)
    const body = { amount: 5, currency: 'PHP', deliverable: { reference_id: 'once' } }
    const replies = await atOnce(() => ask('POST', '/contracts/transfer', body, 'one key'))
    expect(counted(replies)).toEqual({ 200: MANY })
    expect(new Set(replies.map(({ contract }) => contract!.id)).size).toBe(1)
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await askForAll({ ask }, '/contracts/transfer', 'contracts')).toHaveLength(1)
    const other = await ask('POST', '/contracts/transfer', { ...body, amount: 6 }, 'one key')
    expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused'])
    await close()
  })

  test('5,000 random operations on 20 contracts: no fault, no deadlock', { timeout: 120_000 }, async () => {
    const seed = newSeed()
    const [payer, receiver] = [await openAccount(gateways, 400_000n), await openAccount(gateways, 0n)]
    const from = performance.now()
    const figures = await randomOperations(payer.ask, diceOf(seed), receiver.account.walletOf('PHP'), { operations: 5000, atOnce: CONNECTIONS, contracts: 20 })
    const perSecond = Math.round(5000 / ((performance.now() - from) / 1000))
    console.log(`${gateways} gateways, seed ${seed}: 5,000 operations, ${perSecond}/s, answers ${JSON.stringify(figures.statuses)}`)
    expect(figures.faults).toEqual([])
    expect(figures.completed).toBeGreaterThan(50)
    await expect.poll(async () => (await payer.ask('GET', '/contracts/transfer?status=paid')).data['contracts'], { timeout: 10_000 }).toEqual([])
    const [spent, received] = [await moneyOf(payer.ask), await moneyOf(receiver.ask)]
    // What left one account came to the other: nothing is under way any more, and there is no fee.
    expect(Math.round((spent.available + spent.held + received.available) * 100)).toBe(400_000)
    expect(spent.held).toBe(0)
    await Promise.all([payer.close(), receiver.close()])
  })
})
