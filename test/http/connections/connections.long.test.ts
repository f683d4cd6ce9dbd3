// Over real sockets: text that is no HTTP, clients that are slow or lie about lengths, and stopping with requests under
// way. Whoever misbehaves is answered and cut; everybody else is served.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld, READY } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const url = new URL(await world.listen())
afterAll(() => world.stop())

type Heard = { readonly status: number | null; readonly text: string; readonly tookMs: number }

async function dial(): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** All that comes until the server closes, or null for the status when nothing does. */
async function heard(socket: Socket): Promise<Heard> {
  const from = performance.now()
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  if (!socket.closed) await once(socket, 'close')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  return { status: status === undefined ? null : Number(status), text, tookMs: performance.now() - from }
}

async function sentAlone(bytes: string): Promise<Heard> {
  const socket = await dial()
  socket.write(bytes)
  return heard(socket)
}

const head = (lines: readonly string[]) =>
  ['POST /contracts/transfer HTTP/1.1', `Host: ${url.host}`, ...lines, '', ''].join('\r\n')
const KEY = `X-Api-Key: ${caller.apiKey}`
const JSON_TYPE = 'Content-Type: application/json'

describe('what is no HTTP is answered 400 in our words, and cut', () => {
  test.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['a TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost a\r\n\r\n'],
    ['two lengths', head([KEY, JSON_TYPE, 'Content-Length: 2', 'Content-Length: 5']) + '{}'],
    ['length and chunks', head([KEY, JSON_TYPE, 'Content-Length: 2', 'Transfer-Encoding: chunked']) + '0\r\n\r\n'],
    ['a length that is no number', head([KEY, JSON_TYPE, 'Content-Length: two']) + '{}'],
    ['a chunk without a size', head([KEY, JSON_TYPE, 'Transfer-Encoding: chunked']) + 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a header of 32 KiB', head([`X-Long: ${'x'.repeat(32_768)}`])],
  ])('%s', async (_what, bytes) => {
    const { status, text } = await sentAlone(bytes)
    expect(status).toBe(400)
    const { error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: Record<string, unknown> }
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      code: 'malformed_json',
      request_id: expect.stringMatching(/^req_/),
    })
    expect(text).toContain('Connection: close')
  })

  test('what comes after the body that was announced is a request of its own, and none', async () => {
    const body = JSON.stringify(READY)
    const { text } = await sentAlone(`${head([KEY, JSON_TYPE, `Content-Length: ${body.length}`])}${body}${body}`)
    expect(text.match(/HTTP\/1\.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 400')
  })
})

describe('a body in chunks', () => {
  test('is read like any other', async () => {
    const body = JSON.stringify(READY)
    const chunked = body
      .split('')
      .map((each) => `1\r\n${each}\r\n`)
      .join('')
    const { status, text } = await sentAlone(
      `${head([KEY, JSON_TYPE, 'Transfer-Encoding: chunked', 'Connection: close'])}${chunked}0\r\n\r\n`,
    )
    expect(status).toBe(200)
    expect(text).toContain('"amount":100')
  })

  test('that never ends is cut at the limit', async () => {
    const socket = await dial()
    socket.write(head([KEY, JSON_TYPE, 'Transfer-Encoding: chunked']))
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const answer = heard(socket)
    for (let i = 0; i < 64 && socket.writable; i++) socket.write(chunk)
    expect((await answer).status).toBe(413)
  })
})

describe('a slow client', () => {
  test('is cut, whether it drips its head, its body or nothing, while others are served', {
    timeout: 180_000,
  }, async () => {
    const dripping = async (start: string, drip: string): Promise<Heard> => {
      const socket = await dial()
      socket.write(start)
      const timer = setInterval(() => socket.writable && socket.write(drip), 500)
      return heard(socket).finally(() => clearInterval(timer))
    }
    const slow = [
      dripping(`POST /contracts/transfer HTTP/1.1\r\nHost: ${url.host}\r\n`, 'X-A: b\r\n'),
      dripping(head([KEY, JSON_TYPE, 'Content-Length: 1000']), ' '),
      dripping(head([KEY, JSON_TYPE, 'Transfer-Encoding: chunked']), '1\r\n \r\n'),
    ]
    let served = 0
    const isOver = Promise.all(slow).then(() => true)
    while (!(await Promise.race([isOver, sleep(250, false)]))) {
      const from = performance.now()
      const { status } = await fetch(new URL('/wallets', url), { headers: { 'x-api-key': caller.apiKey } })
      expect(status).toBe(200)
      expect(performance.now() - from).toBeLessThan(10_000)
      served++
    }
    for (const { status, tookMs } of await Promise.all(slow)) {
      expect(status).toBe(408)
      expect(tookMs).toBeLessThan(40_000)
    }
    expect(served).toBeGreaterThan(2)
  })
})

test('a client that goes away in the middle leaves nothing behind', async () => {
  const lone = await world.newCaller()
  const socket = await dial()
  const body = JSON.stringify(READY)
  socket.write(
    `${head([`X-Api-Key: ${lone.apiKey}`, JSON_TYPE, `Content-Length: ${body.length}`])}${body.slice(0, -5)}`,
  )
  await sleep(50)
  socket.destroy()
  await sleep(200)
  expect(await lone.all('/contracts/transfer', 'contracts')).toEqual([])
})

test('many requests on one connection are answered in their order', async () => {
  const paths = ['/healthz', '/wallets', '/nowhere', '/channels', '/healthz']
  const requests = paths.map((path, i) => {
    const close = i === paths.length - 1 ? 'Connection: close\r\n' : ''
    return `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n${KEY}\r\n${close}\r\n`
  })
  const { text } = await sentAlone(requests.join(''))
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    ['200', '200', '404', '200', '200'].map((status) => `HTTP/1.1 ${status}`),
  )
  const ids = text.match(/request-id: (\S+)/gi)
  expect(new Set(ids).size).toBe(paths.length)
})

test('stopping answers what it had taken and waits for no idle connection', async () => {
  const own = await openWorld({ workers: 'resting' })
  const address = await own.listen()
  const headers = { 'x-api-key': own.caller.apiKey, 'content-type': 'application/json' }
  const asked = Array.from({ length: 40 }, async () => {
    const answer = await fetch(`${address}/contracts/transfer`, {
      method: 'POST',
      headers,
      body: JSON.stringify(READY),
    })
    return { status: answer.status, text: await answer.text() }
  })
  const settling = Promise.allSettled(asked)
  await Promise.race(asked)
  const from = performance.now()
  await own.gateway.app.close()
  expect(performance.now() - from).toBeLessThan(30_000)
  // Made, or refused as stopping, or never connected: none that was made is without its answer.
  const answers = (await settling).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  const ids = answers
    .filter(({ status }) => status === 200)
    .map(({ text }) => (JSON.parse(text) as { data: { contract: { id: string } } }).data.contract.id)
  const rows = await own.sql<{ id: string }>('select id from contracts')
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed')
  await own.stop()
})
