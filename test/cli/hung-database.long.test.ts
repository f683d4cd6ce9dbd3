// A database that says nothing any more, or has no room left: everybody who asks is told so in time, the gateway can be
// stopped, one line a minute says why, and when it is over all goes on.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

const SPEAKS_WITHIN_MS = 60_000
const BODY = { amount: 1, currency: 'PHP', channel: 'sandbox' }

type Told = { readonly status: number; readonly code: string | null; readonly retryAfter: string | null }

/** One request over the wire; fails where nothing comes back in time. */
async function told({ url, dev }: GatewayProcess, method: 'GET' | 'POST', path: string): Promise<Told> {
  const headers = { 'x-api-key': dev().api_key, 'content-type': 'application/json' }
  const reply = await fetch(url + path, {
    method,
    headers,
    ...(method === 'POST' ? { body: JSON.stringify(BODY) } : {}),
    signal: AbortSignal.timeout(SPEAKS_WITHIN_MS),
  })
  const body = (await reply.json()) as { error?: { code: string } }
  return { status: reply.status, code: body.error?.code ?? null, retryAfter: reply.headers.get('retry-after') }
}

const AWAY = { status: 503, code: 'database_unavailable', retryAfter: '1' }
const LIST = '/contracts/transfer'

const linesAbout = ({ logPath }: GatewayProcess, words: RegExp) =>
  readFileSync(logPath, 'utf8')
    .split('\n')
    .filter((line) => words.test(line))

describe('a database that is frozen', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
    gateway.launch()
    await gateway.ready()
  })
  afterAll(async () => {
    signalAll('-CONT')
    await gateway.remove()
  })

  /** The server and all that serve its connections. */
  function signalAll(signal: '-STOP' | '-CONT'): void {
    const lock = readFileSync(join(gateway.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    const server = lock.split('\n')[0] ?? ''
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', server], { encoding: 'utf8' }).stdout.trim().split(/\s+/)
    spawnSync('kill', [signal, server, ...children])
  }

  test('every request is answered, and when it goes on, so does the gateway', { timeout: 180_000 }, async () => {
    expect(await told(gateway, 'POST', LIST)).toMatchObject({ status: 200 })
    signalAll('-STOP')
    const asked = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? told(gateway, 'POST', LIST) : told(gateway, 'GET', '/wallets'),
    )
    for (const each of await Promise.all(asked)) expect(each).toEqual(AWAY)
    expect(await told(gateway, 'GET', '/readyz')).toMatchObject({ status: 503 })
    expect(await told(gateway, 'GET', '/healthz')).toMatchObject({ status: 200 })
    expect(linesAbout(gateway, /"request_id"/).length).toBeLessThanOrEqual(4)
    expect(linesAbout(gateway, /"stack"/)).toEqual([])
    signalAll('-CONT')
    await expect.poll(() => told(gateway, 'POST', LIST), { timeout: 30_000 }).toMatchObject({ status: 200 })
    await expect.poll(() => told(gateway, 'GET', '/readyz'), { timeout: 30_000 }).toMatchObject({ status: 200 })
  })

  test('SIGTERM is heeded all the same', { timeout: 180_000 }, async () => {
    signalAll('-STOP')
    const late = told(gateway, 'POST', LIST).catch(() => null)
    await gateway.stop()
    expect(gateway.isUp()).toBe(false)
    await late
  })
})

// Only root may mount; elsewhere the run says that this was not tried.
describe.skipIf(process.getuid?.() !== 0)('a disk that is full', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn' }, '160m')
    gateway.launch()
    await gateway.ready()
  })
  afterAll(async () => {
    gateway.disk?.free()
    await gateway.stop()
    await gateway.remove()
  })

  test('writes are told so, it is not ready, and with room again all goes on', { timeout: 180_000 }, async ({
    skip,
  }) => {
    skip(gateway.disk === null, 'this machine gives no disk to mount')
    expect(await told(gateway, 'POST', LIST)).toMatchObject({ status: 200 })
    gateway.disk?.fill()
    const seen = new Set<number>()
    const refused = async () => {
      const each = await told(gateway, 'POST', LIST)
      seen.add(each.status)
      return each
    }
    // Until what was there already of files and log is used up.
    await expect.poll(refused, { timeout: 30_000, interval: 0 }).toEqual(AWAY)
    await expect.poll(() => told(gateway, 'GET', '/readyz'), { timeout: 30_000 }).toMatchObject({ status: 503 })
    gateway.disk?.free()
    await expect.poll(refused, { timeout: 30_000 }).toMatchObject({ status: 200 })
    await expect.poll(() => told(gateway, 'GET', '/readyz'), { timeout: 30_000 }).toMatchObject({ status: 200 })
    expect([...seen].toSorted()).toEqual([200, 503])
    expect(gateway.command('verify')).toMatchObject({ status: 0 })
  })
})
