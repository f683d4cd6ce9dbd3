// The client for the world outside: which doubts are "not sent", and which are not, against real sockets.
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openAddressGuard } from '../../src/platform/addresses.ts'
import { openOutbound, REPLY_TOO_LARGE } from '../../src/platform/outbound.ts'

const outbound = openOutbound()
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterAll(() => outbound.close())

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

async function servedBy(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}/`
}

// Where the deadline is not the story, no machine is too busy to stay within it.
const PATIENT_MS = 60_000
const post = (url: string, timeoutMs = PATIENT_MS) =>
  outbound.request({ method: 'POST', url, headers: { 'x-probe': 'yes' }, body: '{"amount":1}', timeoutMs })

test('a reply is its status and its bytes, and the request came as it was given', async () => {
  const url = await servedBy((request, response) => {
    request.on('data', (body: Buffer) =>
      response.writeHead(418).end(`${String(request.headers['x-probe'])} ${String(body)}`),
    )
  })
  expect(await post(url)).toEqual({
    kind: 'response',
    status: 418,
    headers: expect.objectContaining({ connection: 'keep-alive' }),
    body: Buffer.from('yes {"amount":1}'),
    truncated: false,
  })
})

test('a redirect is a reply, and is not followed', async () => {
  let requests = 0
  const url = await servedBy((_, response) => {
    requests += 1
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await post(url)).toMatchObject({ kind: 'response', status: 307 })
  expect(requests).toBe(1)
})

test('nothing was sent where no connection came about', async () => {
  const gone = createServer()
  const port = await listening(gone)
  await new Promise((resolve) => gone.close(resolve))
  servers.pop()
  const plain = (await servedBy((_, response) => response.end())).replace('http:', 'https:')
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'not_sent', reason: 'ECONNREFUSED' })
  expect(await post('http://nobody.invalid/')).toMatchObject({ kind: 'not_sent' })
  expect(await post(plain)).toMatchObject({ kind: 'not_sent' })
})

test('a TLS handshake that never ends was sent nothing; a shorter deadline leaves it in doubt', async () => {
  const port = await listening(createTcpServer((socket) => void socket.on('error', () => {}).resume()))
  const url = `https://127.0.0.1:${port}/`
  const ended: unknown[] = []
  await Promise.all([PATIENT_MS, 300].map(async (timeoutMs) => ended.push(await post(url, timeoutMs))))
  // In this order: the shorter deadline does not wait for the connector's own.
  expect(ended).toEqual([
    { kind: 'no_answer', reason: 'timeout' },
    { kind: 'not_sent', reason: 'UND_ERR_CONNECT_TIMEOUT' },
  ])
})

test('a request that waited for a connection past its deadline is never written afterwards', async () => {
  const heard: string[] = []
  const url = await servedBy((request, response) => {
    heard.push(request.url ?? '')
    setTimeout(() => response.end(), 400)
  })
  // As many as there are connections, and one more that has to wait for one of them.
  const first = Array.from({ length: 64 }, () => post(url))
  expect(await post(`${url}late`, 200)).toEqual({ kind: 'no_answer', reason: 'timeout' })
  expect(await Promise.all(first)).toHaveLength(64)
  expect(await post(`${url}after`)).toMatchObject({ kind: 'response' })
  expect(heard).not.toContain('/late')
  expect(heard).toHaveLength(65)
})

test.each<[string, RequestListener]>([
  ['silence', () => {}],
  ['a head and then silence', (_, response) => void response.writeHead(200).write('{')],
  ['a drop a second time, for ever', (_, response) => void setInterval(() => response.write(' '), 50).unref()],
])('the deadline covers the whole exchange: %s', async (_, listener) => {
  // Nothing else would ever end it.
  expect(await post(await servedBy(listener), 300)).toEqual({ kind: 'no_answer', reason: 'timeout' })
})

test.each<[string, RequestListener]>([
  ['closed without an answer', (request) => void request.socket.destroy()],
  ['reset', (request) => void request.socket.resetAndDestroy()],
  [
    'cut off in the body',
    (request, response) => void response.writeHead(200).write('{', () => request.socket.destroy()),
  ],
  ['no HTTP', (request) => void request.socket.end('hello\r\n\r\n')],
])('sent, and then %s: no answer, and no second try', async (_, listener) => {
  let requests = 0
  const url = await servedBy((request, response) => {
    requests += 1
    listener(request, response)
  })
  expect(await post(url)).toMatchObject({ kind: 'no_answer' })
  expect(requests).toBe(1)
})

test('a connection that dies under the second request is a doubt, not a second try', async () => {
  let requests = 0
  const url = await servedBy((request, response) => {
    requests += 1
    if (requests === 1) response.end('first')
    else request.socket.resetAndDestroy()
  })
  expect(await post(url)).toMatchObject({ kind: 'response' })
  expect(await post(url)).toMatchObject({ kind: 'no_answer' })
  expect(requests).toBe(2)
})

test('a proxy of the environment is not asked', async () => {
  let heard = 0
  const proxy = await servedBy((_, response) => void response.end(String((heard += 1))))
  const url = await servedBy((_, response) => response.end('itself'))
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
  for (const name of names) process.env[name] = proxy
  const own = openOutbound()
  const ask = { method: 'GET', url, headers: {}, body: null, timeoutMs: PATIENT_MS } as const
  expect(await own.request(ask)).toMatchObject({ body: Buffer.from('itself') })
  await own.close()
  for (const name of names) delete process.env[name]
  expect(heard).toBe(0)
})

test('a client holds as many connections to one origin as it was told', async () => {
  let open = 0
  let most = 0
  const url = await servedBy((_, response) => {
    most = Math.max(most, (open += 1))
    setTimeout(() => response.end(String((open -= 1))), 20)
  })
  const own = openOutbound({ connectionsPerOrigin: 2 })
  const ask = { method: 'GET', url, headers: {}, body: null, timeoutMs: PATIENT_MS } as const
  const replies = await Promise.all(Array.from({ length: 10 }, () => own.request(ask)))
  await own.close()
  expect([replies.filter(({ kind }) => kind === 'response').length, most]).toEqual([10, 2])
})

test('the deadline covers looking the name up', async () => {
  const guard = openAddressGuard({ allow: ['127.0.0.1'], lookup: () => new Promise(() => {}) })
  const own = openOutbound({ guard })
  const ask = { method: 'GET', url: 'http://slow.example/', headers: {}, body: null, timeoutMs: 200 } as const
  expect(await own.request(ask)).toEqual({ kind: 'no_answer', reason: 'timeout' })
  await own.close()
})

test.each([
  ['fails', () => Promise.reject(Object.assign(new Error('at 10.0.0.1'), { code: 'EAI_AGAIN' })), 'EAI_AGAIN'],
  ['fails without a code', () => Promise.reject(new Error('at 10.0.0.1')), 'Error'],
  ['has no address', () => Promise.resolve([]), 'ENOTFOUND'],
])('a name that %s was sent nothing', async (_, lookup, reason) => {
  const own = openOutbound({ guard: openAddressGuard({ allow: ['127.0.0.1'], lookup }) })
  const ask = { method: 'GET', url: 'http://nobody.example/', headers: {}, body: null, timeoutMs: PATIENT_MS } as const
  expect(await own.request(ask)).toEqual({ kind: 'not_sent', reason })
  await own.close()
})

test('more than a megabyte is not read', async () => {
  const answering = (bytes: number) => servedBy((_, response) => response.end(Buffer.alloc(bytes)))
  expect(await post(await answering(1 << 20))).toMatchObject({ kind: 'response' })
  expect(await post(await answering((1 << 20) + 1))).toEqual({ kind: 'no_answer', reason: REPLY_TOO_LARGE })
})

test('a closed client ends what is under way in doubt', async () => {
  const own = openOutbound()
  const url = await servedBy(() => {})
  const ask = { method: 'GET', url, headers: {}, body: null, timeoutMs: PATIENT_MS } as const
  const underWay = own.request(ask)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await own.close()
  expect(await underWay).toMatchObject({ kind: 'no_answer' })
  await expect(own.request({ ...ask, url: 'nowhere' })).rejects.toThrow('URL')
})
