// A gateway as a process is asked to stop under load: readiness goes first, every request that it took is answered in our own
// words, no connection is cut under a request, and what was answered with 200 is in the books. Also when the database hangs.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { DevFile } from '../../../src/main/development.ts'
import { compileGateway } from '../../rig/built.ts'
import { type BesideProcess, startBeside } from '../../rig/gateway-beside.ts'
import { openGatewayProcess } from '../../rig/gateway-process.ts'
import { READY } from '../../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-drain-'))
let program: string
let database: pg.ClientConfig
let owner: pg.Client
/** What the first start wrote: later ones find the accounts and make none. */
let dev: DevFile

const started = async (name: string, settings: Record<string, string>): Promise<BesideProcess> => {
  const gateway = await startBeside(program, folder, name, database, settings)
  dev ??= JSON.parse(readFileSync(join(folder, name, 'dev.json'), 'utf8')) as DevFile
  return gateway
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  program = compileGateway(folder)
  database = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  owner = new pg.Client(database)
  await owner.connect()
}, 120_000)
afterAll(async () => {
  await owner?.end()
  rmSync(folder, { recursive: true, force: true })
})

type Heard = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly text: string }
/** What came of one request: an answer, or the code of the fault. */
type Came = Heard | { readonly fault: string }

function ask(url: string, agent: Agent | undefined, headers: Record<string, string>, body: string): Promise<Came> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers, ...(agent ? { agent } : {}) }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      answer.on('error', (fault: NodeJS.ErrnoException) => resolve({ fault: `in the answer: ${fault.code}` }))
    })
    sent.on('error', (fault: NodeJS.ErrnoException) => resolve({ fault: fault.code ?? fault.message }))
    sent.end(body)
  })
}

/** Callers that go on until they are told that the gateway stops, or nobody listens any more. Half of them keep their connection, half make one for each request. */
async function loadUntilStopped(gateway: BesideProcess, apiKey: string, callers: number): Promise<Came[]> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const came: Came[] = []
  const one = async (index: number) => {
    const keepAlive = index % 2 === 0
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    for (let goesOn = true; goesOn && came.length < 1_000_000; ) {
      const each = await ask(`${gateway.url}/contracts/transfer`, agent, headers, JSON.stringify(READY))
      came.push(each)
      goesOn = 'fault' in each ? each.fault !== 'ECONNREFUSED' : each.status === 200
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => one(index)))
  return came
}

const answersOf = (came: readonly Came[]) => came.filter((each): each is Heard => 'status' in each)
const faultsOf = (came: readonly Came[]) => came.flatMap((each) => ('fault' in each ? [each.fault] : []))

describe.each([
  ['served on for a second', '1'],
  ['stopped at once', '0'],
])('under load, %s', (_what, drain) => {
  test('nothing is reset, nothing is answered in other words than ours, nothing that was made is lost', {
    timeout: 120_000,
  }, async () => {
    const name = `drain-${drain}`
    const gateway = await started(name, {
      GATEWAY_DRAIN_SECONDS: drain,
      GATEWAY_RATE_LIMIT: '0',
    })
    const made = async () =>
      Number((await owner.query<{ count: string }>('select count(*) from contracts')).rows[0]?.count)
    const before = await made()
    const load = loadUntilStopped(gateway, dev.api_key, 32)
    await vi.waitFor(async () => expect((await made()) - before).toBeGreaterThan(200), 30_000)
    gateway.signal('SIGTERM')
    const came = await load
    expect(await gateway.ended).toBeNull()
    const answers = answersOf(came)
    // Not taken is not reset: nobody listens any more.
    expect(faultsOf(came).filter((fault) => fault !== 'ECONNREFUSED')).toEqual([])
    expect(answers.some(({ status }) => status === 503)).toBe(true)
    for (const { status, headers, text } of answers.filter((each) => each.status !== 200)) {
      expect(status).toBe(503)
      expect(headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
      const { error } = JSON.parse(text) as { error: Record<string, unknown> }
      expect(error).toMatchObject({
        type: 'api_error',
        code: 'shutting_down',
        request_id: expect.stringMatching(/^req_/),
      })
    }
    expect((await made()) - before).toBe(answers.filter(({ status }) => status === 200).length)
  })
})

test('readiness goes first: then requests are served, on connections that end with their answer', async () => {
  const gateway = await started('ready', { GATEWAY_DRAIN_SECONDS: '8' })
  const headers = { 'x-api-key': dev.api_key }
  const before = await fetch(`${gateway.url}/wallets`, { headers })
  expect(before.headers.get('connection')).toBe('keep-alive')
  gateway.signal('SIGTERM')
  await vi.waitFor(async () => {
    const ready = await fetch(`${gateway.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }])
  }, 30_000)
  const after = await fetch(`${gateway.url}/wallets`, { headers })
  expect([after.status, after.headers.get('connection')]).toEqual([200, 'close'])
  expect(await gateway.ended).toBeNull()
})

test('a second signal ends it at once', async () => {
  const gateway = await started('twice', { GATEWAY_DRAIN_SECONDS: '600' })
  gateway.signal('SIGTERM')
  await vi.waitFor(async () => expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503), 30_000)
  // The same one within a second is taken for the terminal's and its parent's.
  await vi.waitFor(
    () => {
      gateway.signal('SIGTERM')
      expect(gateway.isUp()).toBe(false)
    },
    { timeout: 30_000, interval: 200 },
  )
})

test('a database that hangs holds up no stop', { timeout: 120_000 }, async () => {
  const gateway = await openGatewayProcess({}, {})
  try {
    gateway.launch()
    await gateway.ready()
    const { pid, children } = serverOf(gateway.dataDir)
    for (const each of [pid, ...children]) process.kill(each, 'SIGSTOP')
    const { api_key: key } = gateway.dev()
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const asked = ask(`${gateway.url}/contracts/transfer`, undefined, headers, JSON.stringify(READY))
    const stopped = gateway.stop()
    await asked
    expect([0, 1]).toContain(await stopped)
    for (const each of [...children, pid]) process.kill(each, 'SIGKILL')
  } finally {
    await gateway.remove()
  }
})

/** The embedded server, and the processes that serve its connections. */
function serverOf(dataDir: string): { readonly pid: number; readonly children: number[] } {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n')
  const children = listed.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === pid)
  return { pid, children: children.map(([child]) => child ?? 0) }
}
