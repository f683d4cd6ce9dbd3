// A receiver of webhooks as a process: it does with each path what it is told to, and keeps books on every request.
// It is driven over a control port and ends with its parent. Knows nothing about the gateway.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Behaviour, behave, prepare } from './receiver-behaviours.ts'
import { selfSigned } from './self-signed.ts'

/** One request as it came. */
export type Arrival = {
  /** Counts from 1 over all paths, in the order of arrival. */
  readonly turn: number
  readonly path: string
  readonly method: string
  /** The headers webhook-id and webhook-attempt; empty and 0 where there were none. */
  readonly id: string
  readonly attempt: number
  /** When its head was there, in milliseconds since 1970, with fractions. */
  readonly atMs: number
  /** How long the body was; null as long as it is not there. */
  bytes: number | null
  /** What was written to answer it, when the exchange had ended. */
  sentBytes: number | null
  /** How many requests on this path were open at that moment, with this one. */
  readonly open: number
  /** Only while the receiver keeps everything. */
  headers?: IncomingMessage['headers']
  body?: string
}

/** What the control port is told. */
export type Order =
  | { readonly kind: 'behave'; readonly path: string; readonly behaviour: Behaviour }
  /** Every path that has no order of its own. */
  | { readonly kind: 'behave else'; readonly behaviour: Behaviour }
  /** All paths are ok from now on. */
  | { readonly kind: 'heal' }
  | { readonly kind: 'keep everything' }
  | { readonly kind: 'forget' }
  | { readonly kind: 'close port' }
  | { readonly kind: 'open port' }

export type Ports = { readonly port: number; readonly tlsPort: number; readonly controlPort: number }

const HOST = '127.0.0.1'
const OK: Behaviour = { kind: 'ok' }

let arrivals: Arrival[] = []
let turn = 0
let keepsAll = false
let otherwise: Behaviour = OK
const behaviours = new Map<string, Behaviour>()
const openOn = new Map<string, number>()

const receive: RequestListener = (request, response) => {
  const path = request.url ?? '/'
  const open = (openOn.get(path) ?? 0) + 1
  openOn.set(path, open)
  const { socket, headers } = request
  const arrival: Arrival = {
    turn: ++turn,
    path,
    method: request.method ?? '',
    id: String(headers['webhook-id'] ?? ''),
    attempt: Number(headers['webhook-attempt'] ?? 0),
    atMs: performance.timeOrigin + performance.now(),
    bytes: null,
    sentBytes: null,
    open,
  }
  if (keepsAll) arrival.headers = headers
  arrivals.push(arrival)
  const writtenBefore = socket.bytesWritten
  response.once('close', () => {
    openOn.set(path, (openOn.get(path) ?? 1) - 1)
    arrival.sentBytes = socket.bytesWritten - writtenBefore
  })
  void behave(behaviours.get(path) ?? otherwise, request, response, read(request, arrival))
}

function read(request: IncomingMessage, arrival: Arrival): Promise<void> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (keepsAll) chunks.push(chunk)
    })
    request.once('end', () => {
      arrival.bytes = bytes
      if (keepsAll) arrival.body = Buffer.concat(chunks).toString('utf8')
      resolve()
    })
  })
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port))
  })
}

const patient = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 }
const server = createServer(patient, receive)
const tlsServer = createTlsServer({ ...patient, ...selfSigned('localhost') }, receive)
// A client that does not like the certificate hangs up.
tlsServer.on('tlsClientError', () => undefined)

async function closePort(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'behave':
      prepare(order.behaviour)
      return void behaviours.set(order.path, order.behaviour)
    case 'behave else':
      otherwise = order.behaviour
      return
    case 'heal':
      otherwise = OK
      return behaviours.clear()
    case 'keep everything':
      keepsAll = true
      return
    case 'forget':
      arrivals = []
      return
    case 'close port':
      return closePort()
    case 'open port':
      await listening(server, ports.port)
  }
}

const control = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const say = (value: unknown) => void response.end(JSON.stringify(value))
    if (request.method === 'GET') return say(booksFrom(new URL(request.url ?? '/', 'http://control')))
    obey(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Order).then(
      () => say({}),
      (fault: unknown) => void response.writeHead(500).end(String(fault)),
    )
  })
})

/** `/count` or `/arrivals`, each for all paths or for one `?path=`. */
function booksFrom(url: URL): unknown {
  const path = url.searchParams.get('path')
  const wanted = path === null ? arrivals : arrivals.filter((arrival) => arrival.path === path)
  return url.pathname === '/count' ? wanted.length : wanted
}

const ports: Ports = {
  port: await listening(server, 0),
  tlsPort: await listening(tlsServer, 0),
  controlPort: await listening(control, 0),
}
process.once('disconnect', () => process.exit(0))
process.send?.(ports)
