// What a receiver of webhooks may do with a request: answer it, or misbehave in one of the ways that are seen outside.
// Knows one request and its reply; whose it is and how often it came is the books' business.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

export type Behaviour =
  /** 200 with an empty JSON object, once the whole request is there. */
  | { readonly kind: 'ok' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** As ok, so much later. */
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset'; readonly when: 'at once' | 'after reading' | 'while answering' }
  /** 200, then one byte a second. */
  | { readonly kind: 'drip' }
  /** 200 with so many bytes of body. */
  | { readonly kind: 'flood'; readonly bytes: number }
  /** 200 with a MiB that unpacks to a GiB. */
  | { readonly kind: 'bomb' }
  /** 200 with a page in place of JSON. */
  | { readonly kind: 'page' }
  /** 200 with headers that are allowed and odd: repeated, empty, long, claiming what is not so. */
  | { readonly kind: 'odd headers' }
  /** 200 with bytes that no header may have. */
  | { readonly kind: 'junk headers' }
  /** 200 with more headers than anybody wants. */
  | { readonly kind: 'endless headers' }
  /** Bytes that are no HTTP. */
  | { readonly kind: 'garbage' }
  /** Ends the connection without an answer. */
  | { readonly kind: 'close' }

const JSON_TYPE = { 'content-type': 'application/json' }
const CHUNK = Buffer.alloc(65_536, 0x20)
const DRIP_BYTES = 600

/** Does so with a request. `whole` resolves when its body has been read. */
export async function behave(
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  whole: Promise<void>,
): Promise<void> {
  const { socket } = request
  if (behaviour.kind === 'reset' && behaviour.when === 'at once') return void socket.resetAndDestroy()
  await whole
  switch (behaviour.kind) {
    case 'ok':
      return answer(response)
    case 'status':
      return void response.writeHead(behaviour.status, { ...JSON_TYPE, ...behaviour.headers }).end(bodyOf(behaviour))
    case 'slow':
      return void setTimeout(() => answer(response), behaviour.ms)
    case 'hang':
      return
    case 'reset':
      if (behaviour.when === 'after reading') return void socket.resetAndDestroy()
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' })
      return void response.write('{"received":', () => socket.resetAndDestroy())
    case 'drip':
      return drip(response)
    case 'flood':
      response.writeHead(200, { ...JSON_TYPE, 'content-length': String(behaviour.bytes) })
      return flood(response, behaviour.bytes)
    case 'bomb':
      return void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb())
    case 'page':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
    case 'odd headers':
    case 'junk headers':
    case 'endless headers':
    case 'garbage':
    case 'close':
      return raw(behaviour.kind, socket)
  }
}

function answer(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE).end('{}')
}

const bodyOf = ({ status }: { readonly status: number }) => (status === 204 || status === 304 ? undefined : '{}')

function drip(response: ServerResponse): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': String(DRIP_BYTES) })
  const timer = setInterval(() => response.write(' '), 1000)
  response.write(' ')
  response.once('close', () => clearInterval(timer))
}

/** As fast as the other side takes it. */
function flood(response: ServerResponse, bytes: number): void {
  let left = bytes
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK
      left -= chunk.length
      if (!response.write(chunk)) return void response.once('drain', pour)
    }
    if (!response.destroyed) response.end()
  }
  pour()
}

let packed: Buffer | null = null

/** A GiB of nothing: gzip allows members one after the other. */
function bomb(): Buffer {
  if (packed === null) {
    const member = gzipSync(Buffer.alloc(1 << 26))
    packed = Buffer.concat(Array.from({ length: 16 }, () => member))
  }
  return packed
}

/** Does beforehand what would keep all requests waiting while it is done. */
export function prepare({ kind }: Behaviour): void {
  if (kind === 'bomb') bomb()
}

const LINES = {
  'odd headers': [
    'HTTP/1.1 200 Whatever you say',
    'Content-Type: application/json; charset=klingon',
    'Content-Length: 2',
    'X-Empty:',
    `X-Long: ${'a'.repeat(4000)}`,
    'Set-Cookie: a=b',
    'Set-Cookie: a=c',
    'webhook-id: evt_not_yours',
    'Retry-After: next tuesday',
    'Location: http://127.0.0.1:1/',
    '',
    '{}',
  ],
  'junk headers': ['HTTP/1.1 200 OK', 'Content-Length: 2', 'no colon here', 'X\u0000Y: \u0001', ': empty', '', '{}'],
  'endless headers': [
    'HTTP/1.1 200 OK',
    ...Array.from({ length: 4000 }, (_, i) => `X-${i}: ${'b'.repeat(60)}`),
    'Content-Length: 2',
    '',
    '{}',
  ],
  garbage: ['\u0016\u0003\u0001 SSH-2.0-OpenSSH_9.9', '<<<>>>', '220 mail.example.com ESMTP'],
  close: [],
} as const

function raw(kind: keyof typeof LINES, socket: IncomingMessage['socket']): void {
  socket.end(Buffer.from(LINES[kind].join('\r\n'), 'latin1'))
}
