// How many connections there may be, over real sockets: idle ones shut nobody out, and those with a request under way are
// never closed for a newcomer.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { limitConnections } from '../../../src/http/connections/connections.ts'
import { openWorld, READY } from '../../world.ts'

const MAX = 40
const world = await openWorld({ workers: 'resting' })
const doors = { ...world.config.doors, connectionsMax: MAX }
const small = await openWorld({ workers: 'resting', config: { doors } })
const url = new URL(await small.listen())
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await small.stop()
  await world.stop()
})

async function dial(port = Number(url.port), localAddress = '127.0.0.1'): Promise<Socket & { heard: string }> {
  const socket = Object.assign(connect({ port, host: '127.0.0.1', localAddress }), { heard: '' })
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (socket.heard += chunk.toString()))
  await once(socket, 'connect')
  return socket
}

const isClosed = (socket: Socket) => socket.destroyed || socket.readableEnded
const closedAmong = (held: readonly Socket[]) => held.filter(isClosed)
/** A request to create a contract that is under way until the rest of its body comes. */
async function busyWith(body: string): Promise<Socket & { heard: string }> {
  const socket = await dial()
  const head = ['POST /contracts/transfer HTTP/1.1', `Host: ${url.host}`, `X-Api-Key: ${small.caller.apiKey}`]
  const lines = [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue']
  socket.write([...lines, '', body.slice(0, 10)].join('\r\n'))
  await vi.waitFor(() => expect(socket.heard).toContain('100 Continue'), 30_000)
  return socket
}

/** One request on a connection of its own. */
const asked = () => fetch(new URL('/healthz', url), { headers: { connection: 'close' } })

describe('connections in all', () => {
  test('the oldest idle one makes room: 2,000 idle sockets shut nobody out', { timeout: 180_000 }, async () => {
    const idle: Socket[] = []
    for (let i = 0; i < 2000; i++) idle.push(await dial())
    for (let i = 0; i < 5; i++) expect((await asked()).status).toBe(200)
    await vi.waitFor(() => expect(closedAmong(idle).length).toBeGreaterThanOrEqual(2000 - MAX), 30_000)
    // The oldest went first.
    expect(idle.findIndex((socket) => !isClosed(socket))).toBe(closedAmong(idle).length)
  })

  test('one with a request under way is never closed for a newcomer', async () => {
    const body = JSON.stringify(READY)
    const busy = await busyWith(body)
    for (let i = 0; i < 3 * MAX; i++) await dial()
    expect((await asked()).status).toBe(200)
    busy.write(body.slice(10))
    await vi.waitFor(() => expect(busy.heard).toContain('HTTP/1.1 200'), 30_000)
  })

  test('where all are busy a newcomer is closed, and they are not', async () => {
    const busy: Socket[] = []
    for (let i = 0; i < MAX; i++) busy.push(await busyWith(JSON.stringify(READY)))
    const late = await dial()
    await vi.waitFor(() => expect(isClosed(late)).toBe(true), 30_000)
    expect(closedAmong(busy)).toEqual([])
  })
})

describe('connections from one address', () => {
  const listening = async (isExempt: (address: string) => boolean): Promise<[Server, number]> => {
    const server = createServer((_, response) => response.end('ok'))
    limitConnections(server, { max: 100, perAddress: 3, isExempt })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return [server, (server.address() as AddressInfo).port]
  }

  test('one too many closes the oldest idle one of that address, and no other', async () => {
    const [server, port] = await listening(() => false)
    const neighbour = await dial(port, '127.0.0.2')
    const own: Socket[] = []
    for (let i = 0; i < 8; i++) own.push(await dial(port))
    await vi.waitFor(() => expect(closedAmong(own)).toEqual(own.slice(0, 5)), 30_000)
    expect(isClosed(neighbour)).toBe(false)
    const answered = await dial(port, '127.0.0.2')
    answered.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await vi.waitFor(() => expect(answered.heard).toContain('200 OK'), 30_000)
    server.close()
  })

  test('are not counted where the address speaks for many', async () => {
    const [server, port] = await listening((address) => address === '127.0.0.1')
    const own: Socket[] = []
    for (let i = 0; i < 8; i++) own.push(await dial(port))
    const last = own.at(-1)
    last?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await vi.waitFor(() => expect((last as Socket & { heard: string }).heard).toContain('200 OK'), 30_000)
    expect(closedAmong(own)).toEqual([])
    server.close()
  })
})
