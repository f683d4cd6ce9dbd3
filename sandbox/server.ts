// The sandbox provider: a rail that plays every outcome, in its own process with its own books.
// It knows nothing about the gateway, and is reached over HTTP only.
import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Books, openBooks } from './books/books.ts'
import { startDeliveries } from './events/deliveries.ts'
import { paymentOutbox } from './events/payment-events.ts'
import { callbackOutbox } from './events/rail-events.ts'
import { type Credentials, credentialsFrom, PUBLIC_CREDENTIALS } from './credentials.ts'
import { proofOf, refusalAtTheDoor } from './guard.ts'
import { FolderInUse, takeFolder } from './books/lock.ts'
import { FAILURE_CODES, PAYOUT_CODES } from './rails/rails.ts'
import { problem, type Reply } from './replies.ts'
import { bodyBytesMax, headOf, outageReply, type Provider, route } from './routes.ts'

const HOLD_MS = 60_000

type Sandbox = {
  readonly url: string
  /** Resolves with the reason once its books cannot be written any more. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}
type Settings = {
  readonly port: number
  readonly dataDir: string
  readonly credentials?: Credentials
  /** What opens the doors that control it; null opens them to all, for a test that has it in its own process. */
  readonly token?: string | null
}

/**
 * Starts the provider on 127.0.0.1. Port 0 takes any free one. The folder is made when it is not there; one that another
 * provider keeps is refused with {@link FolderInUse}.
 */
export async function startSandbox(settings: Settings): Promise<Sandbox> {
  const { port, dataDir, credentials = PUBLIC_CREDENTIALS, token = null } = settings
  let provider: Provider | null = null
  const server = createServer((request, response) => void serve(provider, token, request, response))
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  // The port first: of two providers started on one port, the second must not touch the journal.
  await listen(server, port)
  let books: Books
  let giveBack = () => {}
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    giveBack = takeFolder(dataDir)
    books = await openBooks(dataDir)
  } catch (fault) {
    giveBack()
    server.close()
    throw fault
  }
  provider = { books, credentials }
  const deliveries = [
    startDeliveries(callbackOutbox(books, PAYOUT_CODES)),
    startDeliveries(paymentOutbox(books, FAILURE_CODES)),
  ]
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed: books.failed,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      for (const each of deliveries) await each.close()
      await books.close()
      giveBack()
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
async function serve(
  provider: Provider | null,
  token: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const reply = await replyTo(provider, token, request)
    await provider?.books.durable()
    send(response, reply)
  } catch (fault) {
    if (response.destroyed) return
    console.error(fault)
    send(response, problem(500, 'internal_error', 'Something broke here.'))
  }
}

async function replyTo(provider: Provider | null, token: string | null, request: IncomingMessage): Promise<Reply> {
  const head = headOf(request)
  const refusal = refusalAtTheDoor(token, head) ?? (head.path[0] === 'proof' ? proofOf(token, head) : null)
  if (refusal) {
    // Read and dropped, so that the connection may be used again.
    request.resume()
    return refusal
  }
  const outage = provider && outageReply(provider.books, head)
  if (outage?.wire === 'refuse') return outage
  const bytesMax = bodyBytesMax(head)
  const body = await bodyOf(request, bytesMax)
  if (outage) return outage
  if (!provider) return problem(503, 'starting', 'The provider is starting.')
  if (body === null) return problem(413, 'too_large', `A body has at most ${bytesMax} bytes.`)
  return route(provider, { ...head, body })
}

/** The body as it was sent; null when it is longer than the provider reads. */
async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
  }
  return bytes <= bytesMax ? Buffer.concat(chunks) : null
}

function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply.wire === 'object') {
    const timer = setTimeout(() => write(response, reply), reply.wire.slowMs)
    response.once('close', () => clearTimeout(timer))
    return
  }
  switch (reply.wire) {
    case 'answer':
      return write(response, reply)
    case 'hang_after':
    case 'hang_before':
      return hold(response)
    case 'reset_after':
    case 'refuse':
      response.socket?.resetAndDestroy()
      return
    case 'error_after':
    case 'error_before':
      return write(response, problem(500, 'internal_error', 'A fault that the scenario asked for.'))
    case 'garbage':
      // A proxy that broke off in the middle and still answers 200.
      return write(response, { ...reply, text: reply.text.slice(0, reply.text.length / 2) })
  }
}

/** Sends nothing until the caller gives up, or for longer than any caller waits. */
function hold(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), HOLD_MS)
  response.once('close', () => clearTimeout(timer))
}

function write(response: ServerResponse, { status, type, headers, text }: Reply): void {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** Ended with where another provider keeps the folder's books, or has the port. */
const IN_USE = 3

/**
 * The process: prints `{"url"}` when it is ready; SIGTERM, SIGINT and, with --with-parent, a lost parent stop it. What opens
 * its control is given by the environment (SANDBOX_TOKEN), or made and printed beside the address.
 */
async function main(): Promise<void> {
  // Books, their lock and files beside them are for this user alone.
  process.umask(0o077)
  const { values } = parseArgs({
    options: { port: { type: 'string' }, data: { type: 'string' }, 'with-parent': { type: 'boolean' } },
  })
  const port = values.port ?? process.env['SANDBOX_PORT'] ?? '0'
  const dataDir = values.data ?? process.env['SANDBOX_DATA_DIR']
  if (!/^\d{1,5}$/.test(port) || dataDir === undefined) {
    console.error('usage: server.js --port PORT --data FOLDER [--with-parent]')
    process.exit(2)
  }
  const given = process.env['SANDBOX_TOKEN']
  const token = given || randomBytes(24).toString('base64url')
  const credentials = credentialsFrom(process.env)
  const sandbox = await startSandbox({ port: Number(port), dataDir, credentials, token }).catch((fault: unknown) => {
    const isTaken = (fault as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!(fault instanceof FolderInUse) && !isTaken) throw fault
    // A gateway that starts beside another one tries again, or shares; then this needs no message.
    const why = isTaken ? `Port ${port} is taken.` : `${(fault as Error).message} End it first, or use another folder.`
    if (!values['with-parent']) console.error(why)
    process.exit(IN_USE)
  })
  const stop = () =>
    void sandbox.close().then(
      () => process.exit(0),
      (fault: unknown) => {
        console.error(fault)
        process.exit(1)
      },
    )
  // Whoever started it starts it again, and it reads what is on the disk: until then it would answer 500 for ever.
  void sandbox.failed.then((fault) => {
    console.error(fault)
    process.exit(1)
  })
  process.once('SIGTERM', stop).once('SIGINT', stop)
  if (values['with-parent']) onParentLost(stop)
  console.log(JSON.stringify({ url: sandbox.url, ...(given ? {} : { token }) }))
}

function onParentLost(stop: () => void): void {
  if (process.connected) process.once('disconnect', stop)
  else process.stdin.once('end', stop).once('error', stop).resume()
}

const entry = process.argv[1]
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main()
