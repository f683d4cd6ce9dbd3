// Nobody reaches the inside of the network through a URL of theirs: the corpus against real listeners, which count every
// connection; and controls that show that the same listeners are reached where the operator allows it.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddressGuard, openAddressGuard } from '../../src/platform/addresses.ts'
import { type Outbound, openOutbound } from '../../src/platform/outbound.ts'
import { inwardProbes, misspelledProbes, type Probe } from './ssrf-corpus.ts'

const REFUSED = { kind: 'not_sent', reason: 'address_refused' }
const opened: { close: () => unknown }[] = []
const connections = new Map<number, number>()
const connectionsTo = (ofPort: number) => connections.get(ofPort) ?? 0
const canaryHits = () => connectionsTo(port) + connectionsTo(443) + connectionsTo(8443)
/** The port of the canaries on 127.0.0.1 and, where this machine has it, on ::1. */
let port = 0
let hasIpv6 = false
let has8443 = false

beforeAll(async () => {
  const answering: RequestListener = (_, response) => response.end('the inside')
  port = await listening(answering, '127.0.0.1', 0)
  hasIpv6 = (await listening(answering, '::1', port)) > 0
  // The ports that the public may be called on, where nobody else has them.
  has8443 = (await listening(answering, '127.0.0.1', 8443)) > 0
  for (const [host, other] of [
    ['127.0.0.1', 443],
    ['::1', 443],
    ['::1', 8443],
  ] as const)
    await listening(answering, host, other)
})
afterAll(async () => {
  for (const part of opened) await part.close()
})

function closing(server: Server): void {
  server.close()
  server.closeAllConnections()
}

/** The port, or 0 where there is none to have. */
async function listening(listener: RequestListener, host: string, wanted: number): Promise<number> {
  const server: Server = createServer(listener).on('connection', ({ localPort = 0 }) =>
    connections.set(localPort, connectionsTo(localPort) + 1),
  )
  const isUp = await new Promise<boolean>((resolve) =>
    server.once('error', () => resolve(false)).listen(wanted, host, () => resolve(true)),
  )
  if (!isUp) return 0
  opened.push({ close: () => closing(server) })
  return (server.address() as AddressInfo).port
}

function opening(guard: AddressGuard): Outbound {
  const outbound = openOutbound({ guard })
  opened.push(outbound)
  return outbound
}

/** A guard whose names resolve as a test says, and who tells how often it was asked. */
function answering(allow: string[], answer: (hostname: string, times: number) => readonly string[]) {
  const asked: string[] = []
  const lookup = async (hostname: string) => answer(hostname, asked.push(hostname))
  return { asked, guard: openAddressGuard({ allow, lookup }) }
}

const ask = (outbound: Outbound, url: string, method: 'GET' | 'POST' = 'POST') =>
  outbound.request({ method, url, headers: {}, body: method === 'GET' ? null : '{}', timeoutMs: 5_000 })

/** Sends every probe, and names those that were not refused. */
async function notRefused(probes: readonly Probe[], allow: string[], change: Partial<AddressGuard> = {}) {
  const found: unknown[] = []
  for (const { url, answers } of probes) {
    const outbound = openOutbound({ guard: { ...answering(allow, () => answers ?? ['looked up']).guard, ...change } })
    const reply = await ask(outbound, url)
    if (JSON.stringify(reply) !== JSON.stringify(REFUSED)) found.push({ url, answers, reply })
    await outbound.close()
  }
  return found
}

test('no URL of the corpus reaches a canary, and every one is refused in the same words', async () => {
  const probes = [...inwardProbes(port), ...misspelledProbes(port)]
  expect(new Set(probes.map((probe) => JSON.stringify(probe))).size).toBeGreaterThanOrEqual(250)
  expect(await notRefused(probes, [])).toEqual([])
  expect(await notRefused(probes, ['10.9.8.0/24'])).toEqual([])
  expect(canaryHits()).toBe(0)
})

test('the check at the connection needs no help from the one at registration', async () => {
  expect(await notRefused(inwardProbes(port), [], { faultOfUrl: () => null })).toEqual([])
  expect(await notRefused(inwardProbes(port), ['10.9.8.0/24'], { faultOfUrl: () => null })).toEqual([])
  expect(canaryHits()).toBe(0)
})

test("the machine's own names are looked up like any other", async () => {
  const outbound = opening(openAddressGuard({ allow: [] }))
  const allowing = opening(openAddressGuard({ allow: ['10.9.8.0/24'] }))
  expect(await ask(outbound, 'https://localhost:8443/')).toEqual(REFUSED)
  expect(await ask(outbound, 'https://LOCALHOST/')).toEqual(REFUSED)
  expect(await ask(allowing, `http://localhost:${port}/`)).toEqual(REFUSED)
  expect(await ask(allowing, `http://nobody.invalid:${port}/`)).toEqual({
    kind: 'not_sent',
    reason: expect.stringMatching(/^E/),
  })
  expect(canaryHits()).toBe(0)
})

test('a name that changes its answer is judged by the one that is connected to', async () => {
  const receiver = await listening((_, response) => response.setHeader('connection', 'close').end(), '127.0.0.1', 0)
  await listening((_, response) => response.end('the inside'), '::1', receiver)
  // Answers in turn: the allowed receiver, and the inside.
  const { asked, guard } = answering(['127.0.0.1'], (_, times) => (times % 2 === 1 ? ['127.0.0.1'] : ['::1']))
  const outbound = opening(guard)
  for (let round = 1; round <= 10; round++) {
    expect(await ask(outbound, `http://rebind.example:${receiver}/`)).toMatchObject({ status: 200 })
    expect(await ask(outbound, `http://rebind.example:${receiver}/`)).toEqual(REFUSED)
  }
  expect({ asked: asked.length, connections: connectionsTo(receiver) }).toEqual({ asked: 20, connections: 10 })
})

test('a connection that turns out to lead elsewhere is let go before a byte is written', async () => {
  const heard: string[] = []
  const elsewhere = await listening((request) => heard.push(String(request.url)), '127.0.0.1', 0)
  let judged = 0
  const { guard } = answering(['127.0.0.1'], () => ['127.0.0.1'])
  const outbound = opening({ ...guard, admits: () => (judged += 1) === 1 })
  expect(await ask(outbound, `http://moved.example:${elsewhere}/`)).toEqual(REFUSED)
  expect({ judged, heard }).toEqual({ judged: 2, heard: [] })
})

test('what is admitted on one port of a name is not thereby admitted on another', async () => {
  const other = await listening((_, response) => response.end(), '127.0.0.1', 0)
  const { guard } = answering(['127.0.0.1'], () => ['127.0.0.1'])
  const before = canaryHits()
  const outbound = opening({ ...guard, admits: (_, at, protocol) => at === other && protocol === 'http:' })
  expect(await ask(outbound, `http://receiver.example:${other}/`)).toMatchObject({ status: 200 })
  expect(await ask(outbound, `https://receiver.example:${other}/`)).toEqual(REFUSED)
  expect(await ask(outbound, `http://receiver.example:${port}/`)).toEqual(REFUSED)
  expect([connectionsTo(other), canaryHits() - before]).toEqual([1, 0])
})

test('a redirect to the inside is an answer, and is not followed', async () => {
  let heard = 0
  const inside = [
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `//localhost:${port}/`,
    'http://169.254.169.254/',
  ]
  const receiver = await listening(
    (request, response) => {
      heard += 1
      const [, status, at] = String(request.url).split('/')
      const location = inside[Number(at)] ?? ''
      response
        .writeHead(Number(status), { location, refresh: `0; url=${location}`, 'content-location': location })
        .end()
    },
    '127.0.0.1',
    0,
  )
  const outbound = opening(openAddressGuard({ allow: ['127.0.0.1', '::1'] }))
  let sent = 0
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308])
    for (const at of inside.keys())
      for (const method of ['GET', 'POST'] as const) {
        const reply = await ask(outbound, `http://127.0.0.1:${receiver}/${status}/${at}`, method)
        expect(reply).toMatchObject({ kind: 'response', status, headers: { location: inside[at] } })
        sent += 1
      }
  expect({ heard, canaryHits: canaryHits() }).toEqual({ heard: sent, canaryHits: 0 })
})

test('where the operator allows it the same canaries are reached', async () => {
  const { asked, guard } = answering(['127.0.0.0/8', '::1'], () => ['127.0.0.1'])
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', ...(hasIpv6 ? ['[::1]'] : [])]
  for (const host of hosts) {
    const before = canaryHits()
    expect(await ask(opening(guard), `http://${host}:${port}/`)).toMatchObject({ kind: 'response', status: 200 })
    expect([host, canaryHits() - before]).toEqual([host, 1])
  }
  expect(asked).toEqual([])
  // Spoken to in plain text, a canary of the public ports ends the handshake: reached all the same.
  const reply = await ask(opening(guard), 'https://127.0.0.1:8443/')
  expect([reply.kind, connectionsTo(8443)]).toEqual(['not_sent', has8443 ? 1 : 0])
})

test('a good connection is used again, and its name is looked up once', async () => {
  const receiver = await listening((_, response) => response.end(), '127.0.0.1', 0)
  const { asked, guard } = answering(['127.0.0.1'], () => ['127.0.0.1'])
  const outbound = openOutbound({ guard, connectionsPerOrigin: 1 })
  opened.push(outbound)
  for (let times = 0; times < 5; times++)
    expect(await ask(outbound, `http://receiver.example:${receiver}/`)).toMatchObject({ status: 200 })
  expect({ asked, connections: connectionsTo(receiver) }).toEqual({ asked: ['receiver.example'], connections: 1 })
})

test('the receiver is spoken to by its name, though its address was looked up before', async () => {
  const named: string[] = []
  const plain = await listening((request, response) => response.end(request.headers.host), '127.0.0.1', 0)
  const tls = createTlsServer({
    SNICallback: (name, callback) => {
      named.push(name)
      callback(new Error('no certificate'))
    },
  }).on('tlsClientError', () => {})
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  opened.push(tls)
  const outbound = opening(answering(['127.0.0.1'], () => ['127.0.0.1']).guard)
  const reply = await ask(outbound, `http://receiver.example:${plain}/`)
  expect(reply).toMatchObject({ kind: 'response', body: Buffer.from(`receiver.example:${plain}`) })
  const { port: tlsPort } = tls.address() as AddressInfo
  expect(await ask(outbound, `https://receiver.example:${tlsPort}/`)).toMatchObject({ kind: 'not_sent' })
  expect(named).toEqual(['receiver.example'])
})
