// A gateway process that is killed -9 at the first byte of its 200 to a provider's event: what it answered for must be in the
// books after the next start, once. Raw sockets, so that nothing is read ahead of the kill.
import { mkdtempSync, chmodSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import type { DevFile } from '../../../src/main/development.ts'
import { genuine } from '../../webhooks/receiver-corpus.ts'
import { unsoundness } from '../books.ts'
import { compileGateway } from '../built.ts'
import { type Caller, openCaller } from '../caller.ts'
import { type BesideProcess, startBeside } from '../gateway-beside.ts'
import { eventOf } from './payments-events.ts'

export type KillOptions = {
  readonly owner: pg.ClientConfig
  /** Ends when as many kills and as many answered events have come together. */
  readonly kills: number
  readonly answered: number
  readonly atOnce: number
}

export type KillFigures = {
  readonly kills: number
  readonly answered: number
  readonly unanswered: number
  readonly applied: number
  readonly toldAgain: number
  readonly seconds: number
  readonly findings: readonly string[]
}

type Told = { readonly contractId: string; readonly event: ReturnType<typeof eventOf>; isAnswered: boolean }

const AMOUNT_MINOR = 12_345n
const KILLS_MAX = 2000
const ANSWER_WITHIN_MS = 20_000

export async function runEventKills({ owner, kills, answered, atOnce }: KillOptions): Promise<KillFigures> {
  const from = performance.now()
  const folder = mkdtempSync('/tmp/gateway-kills-')
  chmodSync(folder, 0o755)
  const program = compileGateway(folder)
  const settings = { GATEWAY_RATE_LIMIT: '0' }
  const all: Told[] = []
  let killed = 0
  let gateway = await startBeside(program, folder, 'start_0', owner, settings)
  const dev = JSON.parse(readFileSync(join(folder, 'start_0', 'dev.json'), 'utf8')) as DevFile
  try {
    for (; killed < kills || count(all) < answered; killed++) {
      if (killed > KILLS_MAX) throw new Error('the gateway is killed and killed, and answers hardly anything')
      const told = await contractsFor(gateway.url, dev, atOnce, all.length)
      all.push(...told)
      // What an earlier process took without an answer is told again beside what is new.
      const again = all.filter((each) => !each.isAnswered).slice(0, 2 * atOnce)
      await tellAndKill(gateway, dev, again)
      gateway = await startBeside(program, folder, `start_${killed + 1}`, owner, settings)
    }
    const answeredBefore = count(all)
    const findings = await lost(
      owner,
      all.filter((each) => each.isAnswered),
    )
    const toldAgain = await tellAll(gateway.url, dev, all)
    findings.push(...(await lost(owner, all)), ...(await unsoundness(owner)))
    const unanswered = all.length - answeredBefore
    const seconds = (performance.now() - from) / 1000
    return { kills: killed, answered: answeredBefore, unanswered, applied: all.length, toldAgain, seconds, findings }
  } finally {
    gateway.signal('SIGKILL')
    await gateway.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

const count = (all: readonly Told[]) => all.filter((each) => each.isAnswered).length

/** New contracts, each with the event that pays it. */
async function contractsFor(url: string, dev: DevFile, howMany: number, from: number): Promise<Told[]> {
  const caller: Caller = openCaller(url, dev.api_key, howMany)
  try {
    return await Promise.all(
      Array.from({ length: howMany }, async (_, i) => {
        const { contract, code } = await caller.ask('POST', '/contracts/payment', { amount: 123.45, currency: 'PHP' })
        if (!contract) throw new Error(`no contract to pay: ${code}`)
        const ids = { eventId: `evt_${from + i}_${contract.id}`, objectId: `pi_${from + i}_${contract.id}` }
        const money = { amountMinor: AMOUNT_MINOR, currency: 'PHP', hasPayer: true, atRail: 'unknown' as const }
        const event = eventOf({ ...ids, ...money, says: 'succeeded', attempt: null, kind: 'gcash' }, contract.id)
        return { contractId: contract.id, event, isAnswered: false }
      }),
    )
  } finally {
    await caller.close()
  }
}

/** Tells all at once; the first byte of an answer is the end of the process. What it had written till then, it has answered. */
async function tellAndKill(gateway: BesideProcess, dev: DevFile, told: readonly Told[]): Promise<void> {
  const { hostname, port } = new URL(gateway.url)
  const answers = told.map(
    (each) =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), hostname)
        let text = ''
        socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy())
        socket.on('connect', () => socket.write(requestOf(dev, each)))
        socket.on('data', (bytes: Buffer) => {
          gateway.signal('SIGKILL')
          text += bytes.toString('latin1')
        })
        socket.on('error', () => undefined)
        socket.on('close', () => {
          const isOk = text.startsWith('HTTP/1.1 200 ')
          each.isAnswered ||= isOk
          if (isOk || text === '') resolve()
          else reject(new Error(`an event was answered with ${text.slice(0, 200)}`))
        })
      }),
  )
  await Promise.all(answers)
  gateway.signal('SIGKILL')
  await gateway.ended
}

function requestOf({ webhook_key: key, webhook_secret: secret }: DevFile, { event }: Told): Buffer {
  const body = Buffer.from(JSON.stringify(event))
  const headers = {
    ...genuine({ key, secret }, body),
    host: 'gateway',
    connection: 'close',
    'content-length': String(body.length),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

/** Tells every event once more, whether it was answered or not: none may count twice. */
async function tellAll(url: string, dev: DevFile, all: readonly Told[]): Promise<number> {
  for (const { event } of all) {
    const body = Buffer.from(JSON.stringify(event))
    const headers = genuine({ key: dev.webhook_key, secret: dev.webhook_secret }, body)
    const answer = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
    if (answer.status !== 200) throw new Error(`an event that was told again was answered with ${answer.status}`)
    await answer.text()
  }
  return all.length
}

/** Events that are not in the books, or whose money is not there exactly once. */
async function lost(owner: pg.ClientConfig, told: readonly Told[]): Promise<string[]> {
  const client = new pg.Client(owner)
  await client.connect()
  const { rows } = await client.query<{ id: string; status: string; entries: string; lines: string; state: string }>(
    `select e.id, e.status, c.status as state,
            (select sum(g.amount_minor) from ledger g where g.contract_id = e.contract_id and g.debit = 'clearing:gcash') as entries,
            (select count(*) from contract_versions h where h.contract_id = e.contract_id and h.event = 'contract.paid') as lines
       from payment_events e join contracts c on c.id = e.contract_id`,
  )
  await client.end()
  const kept = new Map(rows.map((row) => [row.id, row]))
  return told.flatMap(({ event }) => {
    const row = kept.get(event.id)
    if (!row) return [`event ${event.id} was answered and is not there`]
    const isOnce = row.status === 'applied' && row.entries === String(AMOUNT_MINOR) && row.lines === '1'
    return isOnce && ['paid', 'completed'].includes(row.state) ? [] : [`event ${event.id}: ${JSON.stringify(row)}`]
  })
}

/** The figures in one line, and what was found. */
export function eventKillReport({ kills, answered, unanswered, toldAgain, seconds, findings }: KillFigures): string {
  return [
    `event kills: ${kills} kills -9 at the first byte of a 200 in ${seconds.toFixed(1)} s; ${answered} events answered before, ${answered} of them in the books once; ${unanswered} not answered; ${toldAgain} told again, all in the books once; findings: ${findings.length}`,
    ...findings.slice(0, 40),
  ].join('\n')
}
