// A standby is promoted under a gateway at work. Where it has all that was acknowledged, the gateway goes on by itself; where it
// lacks something, the gateway is in recovery without being started again; and a server that was replaced is not written.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Caller, openCaller } from '../rig/caller.ts'
import type { GatewayChild } from '../rig/gateway-child.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'
import { openPair, type Pair, type Replication, sql } from '../rig/standby/pair.ts'

const WITHIN = { timeout: 60_000, interval: 100 }
const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

type Stage = { readonly pair: Pair; readonly gateway: GatewayProcess; readonly ask: Caller['ask'] }

function newFolder(): string {
  const folder = mkdtempSync('/tmp/gateway-pair-')
  chmodSync(folder, 0o755)
  return folder
}

async function newPair(replication: Replication): Promise<Pair> {
  const pair = await openPair(newFolder(), replication)
  undo.push(pair.remove)
  return pair
}

async function stage(replication: Replication): Promise<Stage> {
  const pair = await newPair(replication)
  return { pair, ...(await atWork({ DATABASE_URL: pair.url })) }
}

/** All lanes are on the pair, a second server of an installation whose home is another one. */
async function stageElsewhere(replication: Replication): Promise<Stage & { readonly home: Pair }> {
  const [home, pair] = [await newPair('asynchronous'), await newPair(replication)]
  const path = join(newFolder(), 'lanes.json')
  const servers = [{ name: 'east', lanes: '0-255', database_url: pair.url }]
  writeFileSync(path, JSON.stringify({ servers }), { mode: 0o600 })
  return { home, pair, ...(await atWork({ DATABASE_URL: home.url, GATEWAY_LANES_FILE: path })) }
}

async function atWork(settings: Readonly<Record<string, string>>): Promise<Omit<Stage, 'pair'>> {
  const gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn', ...settings })
  undo.push(gateway.remove)
  gateway.launch()
  await gateway.ready()
  const { ask, close } = openCaller(gateway.url, gateway.dev().api_key, 1)
  undo.push(close)
  return { gateway, ask }
}

async function ready({ url }: Pick<GatewayChild, 'url'>) {
  const reply = await fetch(`${url}/readyz`).catch(() => null)
  if (reply === null) return { status: 0, state: null }
  return { status: reply.status, state: reply.headers.get('gateway-state') }
}

const DRAFT = { amount: 1, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Reyes', wallet: '001234567890' } }

/** The server that is written dies, its standby is promoted, and the gateway goes on with all that it knew. */
async function goesOnAtPromotion({ pair, gateway, ask }: Stage): Promise<void> {
  const before = await ask('POST', '/contracts/transfer', DRAFT)
  expect(before.status).toBe(200)
  pair.killPrimary()
  await pair.promote()
  // What /readyz says may be from a moment before.
  const known = async () => (await ask('GET', `/contracts/transfer/${before.contract?.id}`)).status
  await expect.poll(known, WITHIN).toBe(200)
  await expect.poll(() => ready(gateway), WITHIN).toEqual({ status: 200, state: null })
  expect((await ask('POST', '/contracts/transfer', DRAFT)).status).toBe(200)
}

/** The same with a standby that lacks what was acknowledged last: the gateway is in recovery. */
async function recoversAtPromotion({ pair, gateway, ask }: Stage): Promise<void> {
  await pair.partStandby()
  const lost = await ask('POST', '/contracts/transfer', DRAFT)
  expect(lost.status).toBe(200)
  pair.killPrimary()
  await pair.promote()
  await expect.poll(() => ready(gateway), WITHIN).toEqual({ status: 200, state: 'recovery' })
}

test('with a synchronous standby nothing is lost, and the gateway goes on by itself', {
  timeout: 240_000,
}, async () => {
  const on = await stage('synchronous')
  const { pair, gateway } = on
  const pid = gateway.pid('gateway')
  await goesOnAtPromotion(on)
  expect(gateway.pid('gateway')).toBe(pid)
  expect(await sql(pair.owner(), 'select number from epochs')).toEqual([{ number: 1 }])
  expect(await sql(pair.owner(), 'select timeline from promotions')).toEqual([{ timeline: 2 }])
})

test('a gateway that had stopped in order before goes on as well; one that did not cannot tell', {
  timeout: 240_000,
}, async () => {
  const { pair, gateway, ask } = await stage('synchronous')
  expect((await ask('POST', '/contracts/transfer', DRAFT)).status).toBe(200)
  expect(await gateway.stop()).toBe(0)
  // Each has a note of its own, as pods have; here they share the place, one after the other.
  const path = join(gateway.dataDir, readdirSync(gateway.dataDir).find((name) => name.startsWith('mark-')) ?? '')
  const note = readFileSync(path, 'utf8')
  const other = await gateway.addGateway()
  other.launch()
  await other.ready()
  pair.killPrimary()
  await pair.promote()
  await expect.poll(() => sql(pair.owner(), 'select timeline from promotions'), WITHIN).toEqual([{ timeline: 2 }])
  await expect.poll(() => ready(other), WITHIN).toEqual({ status: 200, state: null })
  await other.end('SIGTERM')
  const startedWith = async (text: string) => {
    writeFileSync(path, text)
    gateway.launch()
    await gateway.ready()
    return ready(gateway)
  }
  expect(await startedWith(note)).toEqual({ status: 200, state: null })
  await gateway.stop()
  expect(note).toContain('"isStopped":true')
  expect(await startedWith(note.replace('"isStopped":true', '"isStopped":false'))).toEqual({
    status: 200,
    state: 'recovery',
  })
})

test('where an acknowledged write is missing, it is in recovery, and was not started again', {
  timeout: 240_000,
}, async () => {
  const on = await stage('asynchronous')
  const { pair, gateway } = on
  const pid = gateway.pid('gateway')
  await recoversAtPromotion(on)
  expect(gateway.pid('gateway')).toBe(pid)
  expect(await sql(pair.owner(), 'select number, reason, resumed_at from epochs order by number')).toMatchObject([
    { number: 1 },
    { number: 2, reason: 'other_timeline', resumed_at: null },
  ])
})

test('a standby that is promoted while the other server lives is not noticed, and then looked at', {
  timeout: 240_000,
}, async () => {
  const { pair, gateway, ask } = await stage('asynchronous')
  const old = pair.owner()
  await pair.promote()
  // The server that is named first is still written, and nobody can tell it that it was replaced.
  expect((await ask('POST', '/contracts/transfer', DRAFT)).status).toBe(200)
  expect(await sql(old, 'select timeline from promotions')).toEqual([])
  pair.killReplaced()
  await expect.poll(() => ready(gateway), WITHIN).toEqual({ status: 200, state: 'recovery' })
})

test('a second server with all lanes: what its standby has is gone on with', { timeout: 240_000 }, async () => {
  const on = await stageElsewhere('synchronous')
  const { home, pair } = on
  await goesOnAtPromotion(on)
  expect(await sql(home.owner(), 'select number from epochs')).toEqual([{ number: 1 }])
  expect(await sql(pair.owner(), 'select timeline from promotions')).toEqual([{ timeline: 2 }])
})

test('a second server with all lanes: what its standby lacks begins a recovery of all', {
  timeout: 240_000,
}, async () => {
  const on = await stageElsewhere('asynchronous')
  const { home, pair } = on
  await recoversAtPromotion(on)
  const begun = 'select number, reason, resumed_at from epochs where number > 1'
  for (const server of [home, pair])
    expect(await sql(server.owner(), begun)).toEqual([{ number: 2, reason: 'other_timeline', resumed_at: null }])
})
