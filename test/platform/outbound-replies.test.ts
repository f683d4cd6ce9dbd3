// What the client makes of replies: headers, caps, packed bodies, and receivers that misbehave in every way known. None of
// them makes it throw, none holds it past the deadline, none fills its memory.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openOutbound } from '../../src/platform/outbound.ts'
import { selfSigned } from '../rig/receiver/self-signed.ts'

const KIB = 1024
const outbound = openOutbound()
const closings: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})
afterAll(() => outbound.close())

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  closings.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

async function servedBy(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}/`
}

/** A receiver that answers a request with bytes of its own, whole HTTP or not. */
async function rawlyServedBy(answer: (socket: Socket) => unknown): Promise<string> {
  const server = createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => answer(socket)))
  return `http://127.0.0.1:${await listening(server)}/`
}

/** Writes the same bytes for as long as somebody reads them. */
function pouring(head: string, piece: string | Buffer, count = () => {}) {
  return (socket: Socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(piece)) count()
    }
    socket.on('drain', pour).resume().write(head)
    pour()
  }
}

// Where the deadline is not the story, no machine is too busy to stay within it.
const post = (url: string, bodyBytesMax: number, headers: Record<string, string> = {}, timeoutMs = 60_000) =>
  outbound.request({ method: 'POST', url, headers, body: '{"amount":1}', timeoutMs, bodyBytesMax })

test('headers come in lower case, repeated ones joined, however odd their names', async () => {
  const names = ['Retry-After: 7', 'X-Two: a', 'x-two: b', 'Set-Cookie: c=1', 'Set-Cookie: d=2', 'Empty:']
  const odd = ['__proto__: p', 'constructor: q', 'constructor: r', 'toString: s', 'Hi-Bytes: \u00e9\u00ff']
  const head = ['HTTP/1.1 429 Slow', ...names, ...odd, 'Content-Length: 2', '', 'no'].join('\r\n')
  const reply = await post(await rawlyServedBy((socket) => socket.end(Buffer.from(head, 'latin1'))), KIB)
  expect(reply).toMatchObject({ kind: 'response', status: 429, body: Buffer.from('no'), truncated: false })
  expect(Object.entries('headers' in reply ? reply.headers : {})).toEqual([
    ['retry-after', '7'],
    ['x-two', 'a, b'],
    ['set-cookie', 'c=1, d=2'],
    ['empty', ''],
    ['__proto__', 'p'],
    ['constructor', 'q, r'],
    ['tostring', 's'],
    ['hi-bytes', '\u00e9\u00ff'],
    ['content-length', '2'],
  ])
})

test('a reply is asked for unpacked, unless the caller says otherwise', async () => {
  const url = await servedBy((request, response) => response.end(String(request.headers['accept-encoding'])))
  expect(await post(url, KIB)).toMatchObject({ body: Buffer.from('identity') })
  expect(await post(url, KIB, { 'Accept-Encoding': 'br' })).toMatchObject({ body: Buffer.from('br') })
})

test('a packed reply stays packed, a bomb among them', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * KIB * KIB))
  const url = await servedBy((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  const reply = await post(url, 64 * KIB)
  expect(reply).toMatchObject({ kind: 'response', truncated: false, headers: { 'content-encoding': 'gzip' } })
  expect('body' in reply && gunzipSync(reply.body).length).toBe(32 * KIB * KIB)
})

test.each([
  ['nothing', 0, 1_000, 0, false],
  ['less than the cap', 999, 1_000, 999, false],
  ['as much as the cap', 1_000, 1_000, 1_000, false],
  ['one byte more', 1_001, 1_000, 1_000, true],
  ['many packets, all of them', 700 * KIB, 700 * KIB, 700 * KIB, false],
  ['many packets and a byte', 700 * KIB + 1, 700 * KIB, 700 * KIB, true],
  ['something where nothing is read', 5, 0, 0, true],
])('of a body of a size only so much is read: %s', async (_, bytes, bodyBytesMax, read, truncated) => {
  const body = Buffer.from(Array.from({ length: bytes }, (__, at) => (at * 31 + (at >> 8)) & 255))
  const whole = await servedBy((__, response) => response.end(body))
  const inChunks = await servedBy((__, response) => {
    for (let at = 0; at < bytes; at += 7_001) response.write(body.subarray(at, at + 7_001))
    response.end()
  })
  for (const url of [whole, inChunks]) {
    const reply = await post(url, bodyBytesMax)
    expect(reply).toMatchObject({ kind: 'response', status: 200, truncated })
    expect('body' in reply && reply.body.equals(body.subarray(0, read))).toBe(true)
  }
})

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

test.each<[string, string, string | Buffer]>([
  ['of known length', `${OK}Content-Length: ${2 ** 30}\r\n\r\n`, Buffer.alloc(64 * KIB)],
  ['until the end of the connection', `${OK}\r\n`, Buffer.alloc(64 * KIB)],
  ['in chunks', CHUNKED, `10000\r\n${'x'.repeat(64 * KIB)}\r\n`],
  ['in chunks of one byte', CHUNKED, '1\r\nx\r\n'.repeat(10_000)],
])('a body without end is let go at the cap: %s', async (_, head, piece) => {
  let pieces = 0
  const ended: Promise<unknown>[] = []
  const url = await rawlyServedBy((socket) => {
    ended.push(new Promise((resolve) => socket.once('close', resolve)))
    pouring(head, piece, () => (pieces += 1))(socket)
  })
  const before = process.memoryUsage().rss
  const replies = await Promise.all(Array.from({ length: 32 }, () => post(url, 64 * KIB)))
  for (const reply of replies) {
    expect(reply).toMatchObject({ kind: 'response', status: 200, truncated: true })
    expect('body' in reply && reply.body.length).toBe(64 * KIB)
  }
  // The receiver's end notices too, after little more than what the sockets hold.
  await Promise.all(ended)
  expect(ended.length).toBe(32)
  expect((pieces * piece.length) / 32).toBeLessThan(16 * KIB * KIB)
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * KIB * KIB)
})

test.each<[string, string, string]>([
  ['interim answers', '', 'HTTP/1.1 103 Early\r\nx: y\r\n\r\n'.repeat(1_000)],
  ['a status line', 'HTTP/1.1 200 ', 'O'.repeat(64 * KIB)],
  ['a header', `${OK}x: `, 'y'.repeat(64 * KIB)],
  ['headers', OK, 'x: y\r\n'.repeat(10_000)],
  ['an extension of a chunk', `${CHUNKED}1;x=`, 'y'.repeat(64 * KIB)],
  ['trailers', `${CHUNKED}0\r\n`, 'x: y\r\n'.repeat(10_000)],
])('what comes without end and is no body: %s', async (_, head, piece) => {
  const url = await rawlyServedBy(pouring(head, piece))
  const before = process.memoryUsage().rss
  // What ends it is the deadline, or the client's own bound of a head; the other side never does.
  const replies = await Promise.all(Array.from({ length: 8 }, () => post(url, 64 * KIB, {}, 700)))
  expect(replies.map(({ kind }) => kind)).toEqual(replies.map(() => 'no_answer'))
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * KIB * KIB)
})

test.each<[string, string]>([
  ['no bytes', ''],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a TLS record', '\u0016\u0003\u0001\u0000\u0005hello'],
  ['zeros', '\0'.repeat(1_000)],
  ['another version', 'HTTP/3.7 200 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
  ['a length that is none', `${OK}Content-Length: 0x10\r\n\r\n`],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  ['a length and chunks', `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a chunk size that is none', `${CHUNKED}zz\r\nx\r\n0\r\n\r\n`],
  ['a chunk size beyond counting', `${CHUNKED}fffffffffffffffffff\r\nx\r\n`],
  ['a header without a name', `${OK}: x\r\n\r\n`],
  ['a header with a zero byte', `${OK}x: a\0b\r\n\r\n`],
  ['less than it says', `${OK}Content-Length: 10\r\n\r\nabc`],
  ['chunks without their end', `${CHUNKED}3\r\nabc\r\n`],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a request to go on, and no more', 'HTTP/1.1 100 Continue\r\n\r\n'],
])('an answer that is none leaves it in doubt: %s', async (_, bytes) => {
  const url = await rawlyServedBy((socket) => socket.end(Buffer.from(bytes, 'latin1')))
  expect(await post(url, KIB)).toEqual({ kind: 'no_answer', reason: expect.stringMatching(/^[A-Za-z_]+$/) })
})

test('what follows an answer on its connection is nobody’s answer', async () => {
  const answer = `${OK}Content-Length: 2\r\n\r\n`
  const url = await rawlyServedBy((socket) => socket.write(`${answer}ok${answer}no`))
  for (let times = 0; times < 3; times++) expect(await post(url, KIB)).toMatchObject({ body: Buffer.from('ok') })
})

test('a certificate that nobody vouches for is sent nothing', async () => {
  let heard = 0
  const server = createTlsServer(selfSigned('127.0.0.1'), (_, response) => response.end(String((heard += 1))))
  const url = `https://127.0.0.1:${await listening(server)}/`
  expect(await post(url, KIB)).toEqual({ kind: 'not_sent', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(heard).toBe(0)
})
