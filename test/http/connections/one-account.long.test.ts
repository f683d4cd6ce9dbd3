// Two gateways that write to one account all the time: each gets its turn, nobody is told to come back, and one that stands still
// in the middle of a batch costs the others seconds and no money.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { buildGateway, type Gateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { type Caller, openCaller } from '../../rig/caller.ts'
import { type GatewayProcess, openGatewayProcess } from '../../rig/gateway-process.ts'
import { openWorld, READY, type World } from '../../world.ts'

const CALLERS = 64
const FUNDS = { PHP: 100_000_000_00n }

let world: World | null = null
let neighbour: Gateway | null = null
let gateway: GatewayProcess | null = null
afterEach(async () => {
  await neighbour?.stop()
  await world?.stop()
  await gateway?.remove()
  neighbour = world = gateway = null
})

type Ask = Caller['ask']

/** Each caller pays one transfer after another at its own gateway, for so long. Which answers came how often, and what was paid. */
async function pay(asks: readonly Ask[], callers: number, forMs: number) {
  const answers: Record<string, number> = {}
  const paid: string[] = []
  const untilMs = performance.now() + forMs
  const told = async (asking: ReturnType<Ask>) => {
    const { status, code, contract } = await asking.catch(() => ({ status: 0, code: 'no answer', contract: null }))
    const answer = status === 200 ? '200' : `${status} ${code}`
    answers[answer] = (answers[answer] ?? 0) + 1
    return status === 200 ? contract : null
  }
  const one = async (ask: Ask) => {
    while (performance.now() < untilMs) {
      const id = (await told(ask('POST', '/contracts/transfer', READY)))?.id
      if (!id || !(await told(ask('PUT', `/contracts/transfer/${id}/issue`)))) continue
      if (await told(ask('PUT', `/contracts/transfer/${id}/pay`))) paid.push(id)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, nth) => one(asks[nth % asks.length] as Ask)))
  return { answers, paid }
}

test('both get their turns: all is answered, and the sums are right', { timeout: 120_000 }, async () => {
  world = await openWorld({ workers: 'resting' })
  neighbour = await buildGateway(world.config, world.database, { url: '', token: null }, openLog('fatal'))
  const urls = [await world.listen(), await neighbour.app.listen({ host: '127.0.0.1', port: 0 })]
  const { account, apiKey } = await world.newCaller({ funds: FUNDS })
  const callers = urls.map((url) => openCaller(url, apiKey, CALLERS / urls.length))
  const { answers, paid } = await pay(
    callers.map(({ ask }) => ask),
    CALLERS,
    5000,
  )
  await Promise.all(callers.map((caller) => caller.close()))
  expect(answers).toEqual({ 200: expect.any(Number) })
  // Three writes each, and none was done twice or got lost.
  expect(answers['200']).toBe(3 * paid.length)
  const rows = await world.sql<{ id: string }>('select id from contracts where account_id = $1', [account.accountId])
  expect(rows.map(({ id }) => id).toSorted()).toEqual(paid.toSorted())
  const [wallet] = await world.sql<{ held: string }>(
    `select held_minor as held from wallets where account_id = $1 and currency = 'PHP'`,
    [account.accountId],
  )
  expect(Number(wallet?.held)).toBe(paid.length * 110_50)
  // The neighbour did its part by its turns, and not by what was left to it.
  const batches = [world.gateway, neighbour].map(async (each) => {
    const figures = await each.figures()
    return Number(/^gateway_batch_size_sum (\d+)$/m.exec(figures)?.[1] ?? 0)
  })
  for (const commands of await Promise.all(batches)) expect(commands).toBeGreaterThan(answers['200']! / 10)
  await world.ledgerHolds()
})

test('one that stands still is waited for or told of, and nothing is lost', { timeout: 240_000 }, async () => {
  gateway = await openGatewayProcess({}, {})
  gateway.launch()
  await gateway.ready()
  const beside = await gateway.addGateway()
  beside.launch()
  await beside.ready()
  const { api_key: key } = gateway.dev()
  const callers = [gateway.url, beside.url].map((url) => openCaller(url, key, CALLERS / 2))
  const paying = callers.map(({ ask }) => pay([ask], CALLERS / 2, 12_000))
  // At whatever it does at that moment: with 32 callers that is most often a batch.
  for (let times = 0; times < 2; times += 1) {
    await sleep(2000)
    await gateway.freeze('gateway', 3000)
  }
  const [frozen, other] = await Promise.all(paying)
  await Promise.all(callers.map((caller) => caller.close()))
  // Who asked the one that stood still may have lost patience; the other one always says something.
  expect(Object.keys(other!.answers).filter((answer) => !/^(200|503 account_busy)$/.test(answer))).toEqual([])
  const odd = /^(200|503 (account_busy|database_unavailable)|0 no answer)$/
  expect(Object.keys(frozen!.answers).filter((answer) => !odd.test(answer))).toEqual([])
  const paid = [...frozen!.paid, ...other!.paid]
  const reader = openCaller(beside.url, key, 1)
  for (const id of paid.slice(-20)) {
    const { contract } = await reader.ask('GET', `/contracts/transfer/${id}`)
    expect(contract?.activities.filter(({ type }) => type === 'paid')).toHaveLength(1)
  }
  await reader.close()
  expect(paid.length).toBeGreaterThan(0)
  const verified = gateway.command('verify')
  expect(verified.status, verified.stderr).toBe(0)
})
