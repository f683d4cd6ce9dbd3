// A day on which an older copy of the database comes back: a real gateway under load is copied at a random moment, goes on, loses
// its disk, and has the copy again. Two operators recover it, the clients ask again, and then everybody's books are compared
// (day-books.ts). One runner for the test and for `npm run restored-days`.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { askForAll, type Caller, openCaller, type Reply } from '../caller.ts'
import { type Dice, diceOf } from '../dice.ts'
import { type GatewayProcess, lastLines, openGatewayProcess, ownerConnection } from '../gateway-process.ts'
import { advanceProvider, controlOf } from '../match.ts'
import { rowsShown } from './bulk-books.ts'
import { type ChainDay, openChainDay } from './chain-day.ts'
import { type DayBooks, findingsOf, type Line } from './day-books.ts'
import { chainIntents, type Intent, pursue } from './intents.ts'
import { type Listener, listen, ordersOf, paidAt, refundsOf, type Told } from './ledgers.ts'
import { contractsOf, paymentsOf, unmatchedEvents } from './lists.ts'
import { CLIENTS, startLoad } from './load.ts'
import { openPayers, type Payers } from './payers.ts'
import { paymentFindings } from './payment-books.ts'
import { openShown, type Shown } from './shown.ts'

export type DayFigures = {
  readonly seed: number
  readonly intents: number
  /** Orders that the provider took after the copy, which the books had forgotten. */
  readonly forgotten: number
  readonly executed: number
  readonly lines: Readonly<Record<string, number>>
  readonly seconds: number
  readonly findings: readonly string[]
}

const ENDED_WITHIN_MS = 300_000
/** How often somebody looks whether it is so far: each look reads the provider's whole journal. */
const LOOK_MS = 250
/**
 * What fits no contract is given back some seconds after it was booked, and an order that bounces comes back five seconds after it
 * arrived: so many looks, a second apart, find nothing on its way before it is believed.
 */
const QUIET_LOOKS = 8
const DAY_SECONDS = 90_000
const RAIL = {
  service: 'payment',
  name: 'Rail',
  description: 'Pays out through the provider.',
  covered: true,
  currencies: { PHP: {} },
  recipient: [{ field: 'name', mend: 'Give a name.' }],
} as const
/** Two rails with a list of orders, of which one waits before it sends; and all that are shipped, without waiting for cut-offs. */
const CHANNELS = [
  { ...RAIL, id: 'sandbox', undo_seconds: 0 },
  { ...RAIL, id: 'second', connector: 'sandbox', undo_seconds: 3 },
  ...SHIPPED_CHANNELS.filter(({ id }) => id !== 'sandbox').map(({ windows: _, collect, ...channel }) => ({
    ...channel,
    undo_seconds: Math.min(channel.undo_seconds ?? 0, 1),
    ...(collect ? { collect: { ...collect, refunds: ['gcash', 'maya', 'card'].includes(collect.kind) } } : {}),
  })),
]

type Day = {
  readonly gateway: GatewayProcess
  readonly dice: Dice
  readonly listener: Listener
  readonly shown: Shown
  readonly intents: Intent[]
  readonly findings: string[]
  readonly callers: readonly Caller[]
  readonly payers: Payers
  readonly chain: ChainDay
}

/** The gateways of the days that are played now. */
const running = new Set<Pick<GatewayProcess, 'remove'>>()

/** Ends all days before their time, and leaves nothing of them behind. */
export async function removeDays(): Promise<void> {
  await Promise.all([...running].map((day) => day.remove()))
}

/** Throws only where the gateway could not be run at all. */
export async function runDay(seed: number): Promise<DayFigures> {
  const from = performance.now()
  const chain = await openChainDay()
  const settings = { GATEWAY_CALL_TIMEOUT_MS: '800', GATEWAY_LEASE_MS: '2500', ...chain.settings }
  const gateway = await openGatewayProcess({ channels: [...CHANNELS, ...chain.channels] }, settings)
  const played = { remove: () => gateway.remove().then(chain.close) }
  running.add(played)
  const listener = await listen()
  let callers: Caller[] = []
  try {
    await start(gateway)
    const shown = openShown()
    callers = callersOf(gateway).map((caller) => shown.over(caller))
    const payers = await payersOf(gateway, callers)
    const known = { gateway, listener, shown, callers, payers, chain }
    const day: Day = { ...known, dice: diceOf(seed), intents: [], findings: [] }
    await subscribe(day)
    const forgotten = await lost(day)
    const lines = await recovered(day)
    await again(day)
    await healed(day, lines)
    await resolved(day, lines)
    const books = await booksOf(day, lines)
    const verified = await gateway.besideInThread('verify', '--json')
    if (verified.status !== 0) day.findings.push(`gateway verify ended with ${verified.status}: ${verified.stdout}`)
    const onChain = await chain.findings(chainIntents(day.intents), books)
    const found = [...day.findings, ...findingsOf(books), ...onChain]
    const findings = found.length === 0 ? [] : [...found, `the gateway’s log ends with:\n${lastLines(gateway.logPath)}`]
    return { seed, ...figuresOf(books), forgotten, seconds: (performance.now() - from) / 1000, findings }
  } finally {
    await Promise.all(callers.map((caller) => caller.close()))
    listener.close()
    await played.remove()
    running.delete(played)
  }
}

async function start(gateway: GatewayProcess): Promise<void> {
  gateway.launch()
  await gateway.ready()
}

/** A caller for each tenant, over the same key for the whole day. */
function callersOf({ url, dev }: GatewayProcess): Caller[] {
  const { api_key: own, other_account: other } = dev()
  return [own, other.api_key].map((key) => openCaller(url, key, CLIENTS))
}

/** Payers at the provider, wherever it is, and one who pays out of the other tenant's wallet. */
async function payersOf({ url, dev }: GatewayProcess, [, other]: readonly Caller[]): Promise<Payers> {
  const listed = await other?.ask('GET', '/wallets')
  const wallets = (listed?.data['wallets'] ?? []) as readonly { readonly id: string; readonly currency: string }[]
  const walletId = wallets.find(({ currency }) => currency === 'PHP')?.id ?? ''
  const payingKey = dev().other_account.api_key
  // A batch of PESONet is settled at once.
  const body = JSON.stringify({ rail: 'pesonet', settle_after_seconds: 1 })
  await fetch(`${dev().sandbox_url}/scenarios`, { method: 'POST', headers: controlOf(dev()), body })
  return openPayers({ gatewayUrl: url, providerUrl: () => dev().sandbox_url, payingKey, walletId })
}

async function subscribe({ callers, listener }: Day): Promise<void> {
  for (const [tenant, { ask }] of callers.entries()) {
    const made = await ask('POST', '/webhook-endpoints', { url: `${listener.url}/${tenant}` })
    if (made.status !== 200) throw new Error(`no webhook endpoint: ${made.status} ${made.code}`)
  }
}

/** Load, a copy in its midst, more load, and the copy instead of the database. How many orders came in between. */
async function lost(day: Day): Promise<number> {
  const { gateway, dice } = day
  const database = join(gateway.dataDir, 'postgres')
  const copy = join(gateway.dataDir, '..', 'copy')
  const load = startLoad(day)
  await ordered(gateway, dice.whole(10, 50))
  await fall(gateway)
  cpSync(database, copy, { recursive: true, preserveTimestamps: true })
  const copied = ordersOf(gateway.dataDir).length
  await start(gateway)
  load.makeRoom()
  await ordered(gateway, copied + dice.whole(10, 60))
  await load.stop()
  await fall(gateway)
  const forgotten = ordersOf(gateway.dataDir).length - copied
  rmSync(database, { recursive: true })
  renameSync(copy, database)
  await start(gateway)
  return forgotten
}

/** Waits until the provider has so many orders. */
async function ordered(gateway: GatewayProcess, count: number): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS
  while (ordersOf(gateway.dataDir).length < count) {
    if (performance.now() > until) throw new Error('the provider gets no orders')
    await sleep(LOOK_MS)
  }
}

/** The gateway dies as it stands, and its database with it. */
async function fall(gateway: GatewayProcess): Promise<void> {
  await gateway.kill('gateway')
  while (existsSync(join(gateway.dataDir, 'postgres', 'postmaster.pid'))) await sleep(20)
}

/** Nothing moves before two operators have compared and resumed; the lines of the report. */
async function recovered({ gateway, intents, callers, payers, findings }: Day): Promise<readonly Line[]> {
  const ready = await fetch(`${gateway.url}/readyz`)
  if (ready.headers.get('gateway-state') !== 'recovery') findings.push('an older database was not noticed')
  const before = ordersOf(gateway.dataDir).length
  const single = intents.filter(({ means }) => means === 'transfer' || means === 'payment')
  for (const intent of single.slice(-3)) {
    const answer = await pursue(callers, payers, intent, false).catch(() => null)
    if (answer?.code !== 'in_recovery' && answer?.code !== 'restored_request')
      findings.push(`in recovery an intent was answered ${answer?.status} ${answer?.code}`)
  }
  await payers.catchUp('in recovery')
  await advanceProvider(gateway.dev(), 10)
  // Beside, so that receivers answer meanwhile.
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await gateway.besideInThread('recovery', ...words)
    // A report with lines for people ends with 1.
    if (status !== 0 && stdout === '') findings.push(`gateway recovery ${words[0]} ended with ${status}: ${stderr}`)
    return stdout
  }
  const { lines } = JSON.parse(await run('compare', '--operator', 'ana', '--json')) as {
    readonly lines: readonly Line[]
  }
  if (ordersOf(gateway.dataDir).length !== before) findings.push('something was sent in recovery')
  for (const operator of ['ana', 'ben'])
    await run('resume', '--operator', operator, '--evidence', 'compared, ticket 4711')
  return lines
}

/** The clients ask for all of it again. */
async function again({ intents, callers, payers, gateway, findings }: Day): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS
  while ((await fetch(`${gateway.url}/readyz`)).headers.has('gateway-state')) {
    if (performance.now() > until) throw new Error('the recovery does not end')
    await sleep(50)
  }
  const left = [...intents]
  const client = async () => {
    for (let intent = left.shift(); intent; intent = left.shift()) {
      intent.isDone = false
      let answer: Reply | null = null
      for (let tries = 0; tries < 20 && !intent.isDone; tries++) {
        answer = await pursue(callers, payers, intent, false).catch(() => null)
        if (!intent.isDone) await sleep(200)
      }
      if (!intent.isDone) findings.push(`intent ${intent.number} was answered ${answer?.status} ${answer?.code}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await payers.catchUp('afterwards')
}

/** Time goes by, and every wait is over, until nothing is on its way but what waits for a person. */
async function healed(day: Day, lines: readonly Line[]): Promise<void> {
  await sleep(4000)
  await advanceProvider(day.gateway.dev(), DAY_SECONDS)
  const client = new pg.Client(ownerConnection(day.gateway.dataDir))
  // A day that is ended before its time takes its database away.
  client.on('error', () => undefined)
  await client.connect()
  try {
    let quiet = 0
    for (const until = performance.now() + ENDED_WITHIN_MS; ; await sleep(1000)) {
      // What the gateway is at right now is left to it: two that wait for each other's rows would end one of them.
      await client.query(
        `update jobs set due_at = least(due_at, now() + interval '1 second')
          where ctid in (select ctid from jobs
                          where due_at is not null
                            and (kind = 'collection' or status in ('queued', 'submitting', 'unknown', 'accepted'))
                            for update skip locked)`,
      )
      const { rows: open } = await client.query<{ contract_id: string; status: string }>(
        `select contract_id, status from jobs
          where kind = 'payout' and status in ('queued', 'submitting', 'unknown', 'accepted') and due_at is not null
         union all select id, status from commands where ended_at is null
         union all select id, 'scheduled' from schedules where next_at is not null`,
      )
      const isLate = performance.now() > until
      if (open.length > 0 && !isLate) continue
      // All lists of everybody: read when the gateway's own work is done, and not before.
      const bounced = [...(await bouncedOpen(day)), ...(await unbooked(day, lines))]
      quiet = open.length === 0 && bounced.length === 0 ? quiet + 1 : 0
      if (quiet === QUIET_LOOKS) return
      if (isLate) {
        const left = open.map((row) => `${row.contract_id} ${row.status}`)
        day.findings.push(`still on their way: ${[...left, ...bounced].join(', ')}`)
        return
      }
    }
  } finally {
    await client.end()
  }
}

/** What the provider gave back, and the books have as arrived. */
async function bouncedOpen(day: Day): Promise<string[]> {
  const returned = new Set(
    ordersOf(day.gateway.dataDir).flatMap(({ status, reference }) => (status === 'returned' ? [reference] : [])),
  )
  const contracts = await contractsOf(day.callers)
  return contracts.flatMap(({ id, status, transfer }) =>
    status === 'completed' && returned.has(transfer.reference ?? '') ? [`${id} bounced`] : [],
  )
}

/** What payers paid, and the books neither have nor named. */
async function unbooked({ gateway, callers, intents }: Day, lines: readonly Line[]): Promise<string[]> {
  const unmatched = await unmatchedEvents(gateway.dataDir)
  const payments = await paymentsOf(callers)
  const none = { given: [], orders: [], contracts: [] }
  return paymentFindings({ ...none, intents, payments, unmatched, lines, paidIn: paidAt(gateway.dataDir) }).filter(
    (each) => each.startsWith('payers'),
  )
}

/** What was adopted on the provider's terms ends by a person's word, as the provider's book has it. */
async function resolved(day: Day, lines: readonly Line[]): Promise<void> {
  const { gateway, findings, chain, intents } = day
  const onChain = await chain.paidBy(chainIntents(intents))
  const all = [...ordersOf(gateway.dataDir), ...refundsOf(gateway.dataDir)]
  const orders = new Map(all.map((order) => [order.reference, order]))
  // What the provider tells by itself has ended some of them.
  const waiting = new Set((await contractsOf(day.callers)).flatMap(({ id, status }) => (status === 'paid' ? [id] : [])))
  const reviewed = lines.filter((line) => line.kind === 'in_review' && waiting.has(line.contract_id ?? ''))
  for (const { reference, contract_id: id } of reviewed) {
    const isPaid = orders.get(reference)?.status === 'completed' || onChain.has(id ?? '')
    const outcome = isPaid ? 'delivered' : 'failed'
    const words = ['--as', outcome, '--evidence', 'the other side’s book', '--operator', 'ana', '--yes']
    const { status, stdout, stderr } = await gateway.besideInThread('transfers', 'resolve', id ?? '', ...words)
    if (status !== 0) findings.push(`transfers resolve ${id} ended with ${status}: ${stdout} ${stderr}`)
  }
}

/** Everybody's books, when the receivers have heard all that there is to tell. */
async function booksOf(day: Day, lines: readonly Line[]): Promise<DayBooks> {
  const { gateway, callers, listener, intents, shown } = day
  const contracts = await contractsOf(day.callers)
  const payments = await paymentsOf(day.callers)
  const bulk = intents.filter((intent) => intent.means === 'file' || intent.means === 'schedule')
  const rows = await rowsShown(callers, bulk)
  const until = performance.now() + ENDED_WITHIN_MS
  for (const [tenant, caller] of callers.entries()) {
    const feed = await askForAll<Pick<Told, 'id' | 'type'>>(caller, '/events', 'events')
    // Members and keys were made before anybody subscribed.
    const events = feed.filter(({ type }) => type.startsWith('contract.') || type === 'gateway.restored')
    const untold = () => {
      const told = new Set(listener.told(`/${tenant}`).map(({ id }) => id))
      return events.filter(({ id }) => !told.has(id))
    }
    while (untold().length > 0 && performance.now() < until) await sleep(200)
    for (const { id } of untold()) day.findings.push(`${id} was never told to its receiver`)
  }
  const told = callers.map((_, tenant) => listener.told(`/${tenant}`))
  const { dataDir } = gateway
  const unmatched = await unmatchedEvents(day.gateway.dataDir)
  const theirs = { orders: ordersOf(dataDir), given: refundsOf(dataDir), paidIn: paidAt(dataDir) }
  const contradictions = [...listener.contradictions, ...shown.contradictions]
  return { intents, contracts, payments, rows, unmatched, ...theirs, lines, told, contradictions }
}

function figuresOf({ intents, orders, lines }: DayBooks) {
  const kinds: Record<string, number> = {}
  for (const { kind } of lines) kinds[kind] = (kinds[kind] ?? 0) + 1
  const executed = orders.filter(({ executions }) => executions > 0).length
  return { intents: intents.length, executed, lines: kinds }
}

/** The figures as a person reads them. */
export function dayReport({ seed, intents, forgotten, executed, lines, seconds, findings }: DayFigures): string {
  return [
    `day of seed ${seed}: ${intents} intents, ${executed} orders executed, ${forgotten} orders forgotten, in ${seconds.toFixed(1)} s`,
    `  lines of the recovery: ${JSON.stringify(lines)}; findings: ${findings.length}`,
    ...findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}
