// The sandbox provider: a rail that plays every outcome, in its own process with its own books.
// It knows nothing about the gateway, and is reached over HTTP only.
import { realpathSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Books, openBooks } from './books.ts'
import { problem, type Reply, route } from './routes.ts'

const BODY_BYTES_MAX = 65_536
const HOLD_MS = 60_000

type Sandbox = { readonly url: string; close(): Promise<void> }

/** Starts the provider on 127.0.0.1. Port 0 takes any free one. The folder is made when it is not there. */
export async function startSandbox(settings: { port: number; dataDir: string }): Promise<Sandbox> {
  let books: Books | null = null
  const server = createServer((request, response) => void serve(books, request, response))
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  // The port first: of two providers started on one port, the second must not touch the journal.
  await listen(server, settings.port)
  try {
    books = await openBooks(settings.dataDir)
  } catch (fault) {
    server.close()
    throw fault
  }
  const opened = books
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await opened.close()
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
}

/** One request: read, decide, wait for the disk, then answer or play the fault. */
async function serve(books: Books | null, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await bodyOf(request)
    const reply = replyTo(books, request, body)
    await books?.durable()
    send(response, reply)
  } catch (fault) {
    if (response.destroyed) return
    console.error(fault)
    send(response, problem(500, 'internal_error', 'Something broke here.'))
  }
}

function replyTo(books: Books | null, request: IncomingMessage, body: string | null): Reply {
  if (!books) return problem(503, 'starting', 'The provider is starting.')
  if (body === null) return problem(413, 'too_large', `A body has at most ${BODY_BYTES_MAX} bytes.`)
  const { method = '', url: target = '/', headers } = request
  return route(books, { method, target, idempotencyKey: headers['idempotency-key'], body })
}

/** The body as it was sent; null when it is longer than the provider reads. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks).toString('utf8') : null
}

function send(response: ServerResponse, reply: Reply): void {
  switch (reply.wire) {
    case 'hang_after':
    case 'hang_before':
      return hold(response)
    case 'reset_after':
      response.socket?.resetAndDestroy()
      return
    case 'error_after':
    case 'error_before':
      return send(response, problem(500, 'internal_error', 'A fault that the scenario asked for.'))
    case 'answer':
    case undefined:
      writeJson(response, reply)
  }
}

/** Says nothing until the caller gives up, or for as long as anybody would wait. */
function hold(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), HOLD_MS)
  response.once('close', () => clearTimeout(timer))
}

function writeJson(response: ServerResponse, reply: Reply): void {
  const text = JSON.stringify(reply.body)
  response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** The process: prints `{"url"}` when it is ready; SIGTERM, SIGINT and, with --with-parent, a lost parent stop it. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, data: { type: 'string' }, 'with-parent': { type: 'boolean' } },
  })
  const port = values.port ?? process.env['SANDBOX_PORT'] ?? '0'
  const dataDir = values.data ?? process.env['SANDBOX_DATA_DIR']
  if (!/^\d{1,5}$/.test(port) || dataDir === undefined) {
    console.error('usage: server.js --port PORT --data FOLDER [--with-parent]')
    process.exit(2)
  }
  const sandbox = await startSandbox({ port: Number(port), dataDir })
  const stop = () =>
    void sandbox.close().then(
      () => process.exit(0),
      (fault: unknown) => {
        console.error(fault)
        process.exit(1)
      },
    )
  process.once('SIGTERM', stop).once('SIGINT', stop)
  if (values['with-parent']) onParentLost(stop)
  console.log(JSON.stringify({ url: sandbox.url }))
}

function onParentLost(stop: () => void): void {
  if (process.connected) process.once('disconnect', stop)
  else process.stdin.once('end', stop).once('error', stop).resume()
}

const entry = process.argv[1]
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main()
