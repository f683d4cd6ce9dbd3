// A gateway that works on while another one starts with other channels: contracts name versions that it has never read. It decides
// by what the version says, as the other one would, and never by a guess.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { UnknownVersion } from '../../src/domain/channel/channel.ts'
import type { ChannelConfig } from '../../src/domain/channel/config.ts'
import { byBook } from '../../src/engine/execute.ts'
import { chainWatches } from '../../src/main/channels/crypto-channels.ts'
import { openLog } from '../../src/platform/log.ts'
import { openOutbound } from '../../src/platform/outbound.ts'
import { CONFIRMATIONS, linkOf, openCryptoStage } from '../http/crypto/crypto-payments-stage.ts'
import { contractIn, type PaymentBody } from '../http/payments/payments-stage.ts'
import { CONFIRMED, eventOf, makeProvider, tell } from '../http/payments/receiver-world.ts'
import { type Caller, openWorld, type World } from '../world.ts'
import { callerOf } from '../world-caller.ts'

const THREE_DAYS = 259_200
const PAYMENTS = '/contracts/payment'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** The same channels, dearer; what comes in by them adds up, and settles after three days. */
function changed(channels: readonly ChannelConfig[]): ChannelConfig[] {
  return channels.map((channel) => {
    const { id, currencies, collect } = channel
    if (id === 'wallet') return channel
    const dearer = Object.fromEntries(Object.keys(currencies).map((each) => [each, { fees: { fixed: 25 } }]))
    const slower = collect && { ...collect, settle_after_seconds: THREE_DAYS, accumulates: true }
    return { ...channel, currencies: dearer, ...(slower ? { collect: slower } : {}) }
  })
}

/** The account at a gateway that starts later on the same database, with its own channels. */
async function later(world: World): Promise<Caller> {
  const neighbour = await world.beside({ channels: changed(world.config.channels) })
  ends.push(neighbour.stop)
  const { account, keyId, apiKey: text } = world.caller
  return callerOf(neighbour, account, { keyId, text })
}

/** One gateway and a later one. The workers of both rest: nothing but the requests themselves tells the first of the versions. */
async function openBoth() {
  const world = await openWorld({ workers: 'resting' })
  ends.push(world.stop, world.ledgerHolds)
  return { world, older: world.caller, newer: await later(world) }
}

const opened = async (caller: Caller, payment: object) =>
  contractIn(await caller.ask('POST', PAYMENTS, { body: { amount: 100, currency: 'PHP', payment } }))
const seen = async (caller: Caller, id: string) => contractIn(await caller.ask('GET', `${PAYMENTS}/${id}`))

/** After how many seconds what was paid is settled. */
const settlesAfter = ({ paid_at: paid, settles_at: settles }: PaymentBody) =>
  (Date.parse(settles ?? '') - Date.parse(paid ?? '')) / 1000

/** The rail tells the gateway that was there first. */
async function told(world: World, reference: string | undefined, amounts: readonly number[]): Promise<void> {
  const provider = await makeProvider(world, world.caller)
  for (const amount of amounts)
    expect(await tell(world, provider, eventOf({ reference, amount, channel: 'gcash' }))).toEqual(CONFIRMED)
}

test('a transfer is paid at the price of the version that issued it', async () => {
  const { older, newer } = await openBoth()
  const issued = await newer.issued()
  expect(issued.preview.amount).toBe(125)
  const before = await older.balance('PHP')
  const paid = await older.pay(issued.id)
  expect(paid).toMatchObject({ status: 'paid', preview: issued.preview, channel: issued.channel })
  expect(await older.balance('PHP')).toBe(before - 125)
  // What it offers itself is what it was started with.
  expect((await older.issued()).preview.amount).toBe(110.5)
})

test('what is drafted beside is issued here at the price that was shown', async () => {
  const { older, newer } = await openBoth()
  const draft = await newer.draft()
  expect((await older.issue(draft.id)).preview.amount).toBe((await newer.get(draft.id)).preview.amount)
})

test('money settles when the version says, whoever is told of it', async () => {
  const { world, older, newer } = await openBoth()
  const { id, attempts } = await opened(newer, { type: 'gcash', gcash: {} })
  await told(world, attempts[0]?.reference, [attempts[0]?.amount ?? 0])
  const paid = await seen(older, id)
  expect(paid.status).toBe('paid')
  expect(settlesAfter(paid)).toBe(THREE_DAYS)
})

test('parts add up where the version says so', async () => {
  const { world, older, newer } = await openBoth()
  const { id, attempts } = await opened(newer, { type: 'gcash', gcash: {} })
  const due = attempts[0]?.amount ?? 0
  await told(world, attempts[0]?.reference, [30])
  const part = await seen(older, id)
  expect([part.status, part.amount_in_suspense, part.attempts[0]?.status]).toEqual(['issued', 30, 'pending'])
  await told(world, attempts[0]?.reference, [due - 30])
  const paid = await seen(older, id)
  expect([paid.status, paid.amount_received, paid.amount_in_suspense]).toEqual(['paid', due, 0])
  expect(settlesAfter(paid)).toBe(THREE_DAYS)
})

test('a payer who is on a page of this gateway may choose again by the version that fixed the channel', async () => {
  const { older, newer } = await openBoth()
  const fixed = { amount: 100, currency: 'PHP', channel: 'gcash' }
  const { id } = contractIn(await newer.ask('POST', PAYMENTS, { body: fixed }))
  const chosen = await older.ask('PUT', `${PAYMENTS}/${id}/pay`, { body: { type: 'gcash', gcash: {} } })
  expect(contractIn(chosen).attempts).toHaveLength(1)
})

test('parts of an asset on a chain add up, and settle when the version says', async () => {
  const at = await openCryptoStage('receives')
  ends.push(at.close)
  await at.stopWorkers()
  const newer = await later(at.world)
  const outbound = openOutbound()
  ends.push(outbound.close)
  // The chain is watched by the gateway that was there first.
  const { config, gateway } = at.world
  const { execute, reader } = gateway.deps
  const rounds = await chainWatches({ config, outbound, execute, reader, session: reader, log: openLog('fatal') })
  const watch = async () => {
    await at.mine(CONFIRMATIONS)
    for (const round of rounds) while ((await round()) > 0);
  }
  const crypto = { asset: 'TUSD', network: `eip155:${at.chain.chainId}` }
  const payment = await opened(newer, { type: 'crypto', crypto })
  const { units } = linkOf(payment)
  await at.pay(payment, () => units / 4n)
  await watch()
  const part = await seen(at.world.caller, payment.id)
  expect([part.status, Math.round(part.amount_in_suspense), part.attempts[0]?.status]).toEqual([
    'issued',
    25,
    'pending',
  ])
  await at.pay(payment, () => units - units / 4n)
  await watch()
  const paid = await seen(at.world.caller, payment.id)
  expect([paid.status, paid.amount_received, paid.amount_in_suspense]).toEqual(['paid', payment.attempts[0]?.amount, 0])
  expect(settlesAfter(paid)).toBe(THREE_DAYS)
})

test('what only shows a contract knows its version at the next look', async () => {
  const { world, older, newer } = await openBoth()
  const issued = await newer.issued()
  await world.gateway.deps.channels.look()
  expect((await older.get(issued.id)).channel).toEqual(issued.channel)
})

test('a gateway at work looks by itself', async () => {
  const world = await openWorld()
  ends.push(world.stop)
  const newer = await later(world)
  const issued = await newer.issued()
  for (const until = Date.now() + 5000; Date.now() < until; await sleep(50))
    if ((await world.caller.get(issued.id)).channel !== null) break
  expect((await world.caller.get(issued.id)).channel).toEqual(issued.channel)
})

test('a version that nobody wrote is looked for once, and is a fault', async () => {
  const { world, older } = await openBoth()
  const issued = await older.issued()
  await world.sql(
    `update contract_versions set document = jsonb_set(document::jsonb, '{channel,1}', '99')::json where contract_id = $1`,
    [issued.id],
  )
  const { status } = await older.ask('PUT', `/contracts/transfer/${issued.id}/pay`)
  expect(status).toBe(500)
  let [runs, reads] = [0, 0]
  const readAgain = async () => void reads++
  const run = async () => {
    runs++
    throw new UnknownVersion('never written')
  }
  await expect(byBook({ readAgain }, run)).rejects.toThrow(UnknownVersion)
  expect([runs, reads]).toEqual([2, 1])
})
