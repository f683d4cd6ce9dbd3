// The tools over streamable HTTP, on this machine alone. The process has no key: each request brings its own, and a session is
// that key's which opened it. A page in a browser cannot come in: Host and Origin are looked at (DNS rebinding). Replies are
// JSON; there is no stream, so nothing stays open.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { type McpSession, openMcpSession, type SessionSettings } from './session.ts'

type Open = {
  readonly keyHash: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly session: McpSession
  lastUsedMs: number
}

export type HttpDoor = { readonly url: string; readonly close: () => Promise<void> }

const SESSIONS_MAX = 64
const BODY_BYTES_MAX = 262_144
const IDLE_MS = 30 * 60_000
const SWEEP_MS = 60_000
const CONNECTIONS_MAX = 128
const REQUEST_MS = 30_000

/** Listens on a loopback address; `port` 0 takes any. */
export async function openHttpDoor(
  { host, port }: { readonly host: string; readonly port: number },
  settings: SessionSettings,
): Promise<HttpDoor> {
  const sessions = new Map<string, Open>()
  const server = createServer((request, reply) => {
    answer(request, { server, sessions, settings })
      .catch(() => problem(500, 'The request could not be answered.'))
      .then((response) => send(reply, response))
      .catch(() => reply.destroy())
  })
  server.requestTimeout = REQUEST_MS
  server.headersTimeout = REQUEST_MS
  server.maxConnections = CONNECTIONS_MAX
  server.listen(port, host)
  await once(server, 'listening')
  const sweeping = setInterval(() => sweep(sessions, settings.nowMs()), SWEEP_MS).unref()
  return {
    url: `http://${authorities(server)[0]}/mcp`,
    close: async () => {
      clearInterval(sweeping)
      for (const { transport } of sessions.values()) await transport.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

type Inside = {
  readonly server: Server
  readonly sessions: Map<string, Open>
  readonly settings: SessionSettings
}

async function answer(request: IncomingMessage, inside: Inside): Promise<Response> {
  const { host = '', origin } = request.headers
  const own = authorities(inside.server)
  if (!own.includes(host)) return problem(403, `Host ${JSON.stringify(host)} is not this server.`)
  if (origin !== undefined && !own.some((each) => origin === `http://${each}`))
    return problem(403, 'Pages of other origins may not call this server.')
  if (request.url !== '/mcp') return problem(404, 'There is only /mcp.')
  if (request.method !== 'POST' && request.method !== 'DELETE')
    return problem(405, 'Only POST and DELETE are answered; there is no stream.', { allow: 'POST, DELETE' })
  const apiKey = keyOf(request)
  if (apiKey === null)
    return problem(401, 'Send one API key, as X-Api-Key or as Authorization: Bearer.', { 'www-authenticate': 'Bearer' })
  return withKey(request, apiKey, inside)
}

async function withKey(request: IncomingMessage, apiKey: string, inside: Inside): Promise<Response> {
  const isMessage = request.method === 'POST'
  const body = isMessage ? await bodyOf(request) : ''
  if (body === null) return problem(413, `A message has at most ${BODY_BYTES_MAX} bytes.`)
  const parsed = isMessage ? parsedOf(body) : undefined
  if (parsed === 'no message') return problem(400, 'The body is no JSON-RPC message.', {}, -32700)
  const { sessions, settings } = inside
  const id = request.headers['mcp-session-id']
  const open = id === undefined ? await opened(apiKey, parsed, inside) : sessions.get(String(id))
  // That a session is another key's is not told apart from that there is none.
  if (open === undefined || (!(open instanceof Response) && open.keyHash !== hashOf(apiKey)))
    return problem(404, 'There is no such session. Open one: initialize.', {}, -32001)
  if (open instanceof Response) return open
  open.lastUsedMs = settings.nowMs()
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  const asked = new Request(`http://${request.headers.host}/mcp`, { method: request.method ?? '', headers })
  return open.transport.handleRequest(asked, { parsedBody: parsed })
}

/** A session of the key, or why there is none. */
async function opened(apiKey: string, message: unknown, { sessions, settings }: Inside): Promise<Open | Response> {
  if ((message as { method?: unknown } | undefined)?.method !== 'initialize')
    return problem(400, 'The first message of a session is initialize; the others name it (Mcp-Session-Id).')
  sweep(sessions, settings.nowMs())
  if (sessions.size >= SESSIONS_MAX) return problem(503, 'Too many sessions are open. End one, or come later.')
  const session = await openMcpSession(apiKey, settings)
  if ('refused' in session) return problem(session.status, session.refused)
  const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, open),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  const open: Open = { keyHash: hashOf(apiKey), transport, session, lastUsedMs: settings.nowMs() }
  await session.server.connect(transport as never)
  return open
}

function sweep(sessions: Map<string, Open>, nowMs: number): void {
  for (const [id, { lastUsedMs, transport }] of sessions) {
    if (nowMs - lastUsedMs < IDLE_MS) continue
    sessions.delete(id)
    void transport.close()
  }
}

/** The names under which this very server may be called. */
function authorities(server: Server): string[] {
  const { address, port, family } = server.address() as AddressInfo
  const own = family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`
  return [own, `localhost:${port}`]
}

function keyOf({ headers }: IncomingMessage): string | null {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const sent = [headers['x-api-key'], bearer].filter((each) => typeof each === 'string' && each !== '')
  const [key] = sent
  return sent.length > 0 && new Set(sent).size === 1 && typeof key === 'string' ? key : null
}

const hashOf = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex')

/** Null where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_BYTES_MAX) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** One message; a list of them is of an older protocol, and one request could ask for any number of calls. */
function parsedOf(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : 'no message'
  } catch {
    return 'no message'
  }
}

function problem(status: number, message: string, headers: Readonly<Record<string, string>> = {}, code = -32000) {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
}

async function send(reply: ServerResponse, response: Response): Promise<void> {
  // What is left of a body that was too long is not read.
  if (response.status === 413) reply.setHeader('connection', 'close')
  reply.writeHead(response.status, { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
  reply.end(await response.text())
}
