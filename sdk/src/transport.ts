// One call over HTTP: sent with one idempotency key, tried again while nobody has decided anything, ended by a timeout or
// the caller. Knows no operation.
import { errorOf, GatewayError } from './errors.ts'
import { backoffMs, rest } from './rests.ts'

export type Settings = {
  /** Where the gateway is. Default: http://127.0.0.1:3000. */
  readonly url?: string | undefined
  /** The account's key. It has no place in a browser: use a token there. */
  readonly apiKey?: string | undefined
  /** An access token (`tokens.create`), or a payer's: what checkout_url ends with. */
  readonly token?: string | undefined
  /** How long one try may take. Default: 15,000. */
  readonly timeoutMs?: number | undefined
  /** How often a call is sent again that nobody has answered for good. Default: 3. */
  readonly retriesMax?: number | undefined
  /** Sent along with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch | undefined
}

/** Options of one call, in place of the client's. */
export type CallOptions = {
  /** The same key, the same deed, once: give one that outlives your process. By default each call makes its own. */
  readonly idempotencyKey?: string | undefined
  /** The version that the contract must still stand at, else the answer is precondition_failed. */
  readonly ifMatch?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly retriesMax?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Told of the reply: its status and headers, and which try it was. */
  readonly onReply?: ((reply: { status: number; headers: Headers; tries: number }) => void) | undefined
}

type QueryValue = string | number | boolean | Date | readonly (string | number)[] | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export type Call = CallOptions & {
  readonly method: string
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
}

export type Transport = {
  /** The gateway's address, without a slash at the end. */
  readonly url: string
  /** The JSON of a success. Throws {@link GatewayError}, or what the caller's signal was aborted with. */
  readonly call: (call: Call) => Promise<unknown>
  /** A success whose body is still to be read: a file, a stream. */
  readonly open: (call: Call) => Promise<Response>
}

const TIMEOUT_MS = 15_000
const RETRIES_MAX = 3
/** Who asks for more time than this gets an error, with retryAfterSeconds. */
const RETRY_AFTER_MAX_SECONDS = 60
const PRINTABLE = /^[\x21-\x7e]+$/

export function openTransport(settings: Settings, version: string): Transport {
  const url = addressOf(settings.url ?? 'http://127.0.0.1:3000')
  const headers = { 'service-version': version, ...credentialsOf(settings), ...settings.headers }
  const send = <T>(call: Call, read: Read<T>): Promise<T> =>
    trying({ ...settings, ...defined(call), headers: { ...headers, ...call.headers } }, url, read)
  return {
    url,
    call: (call) =>
      send(call, async (reply, release) => {
        const text = await reply.text()
        release()
        return jsonOf(call, url, reply, text)
      }),
    open: (call) => send(call, async (reply) => reply),
  }
}

const defined = (call: Call): Call =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined)) as Call

function addressOf(url: string): string {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url.replace(/\/+$/, '')
  throw new GatewayError(`url: ${url} is no address. Write one such as https://gateway.example.com.`, {
    code: 'invalid_settings',
    param: 'url',
  })
}

function credentialsOf({ apiKey, token }: Settings): Readonly<Record<string, string>> {
  for (const [param, value] of Object.entries({ apiKey, token }))
    if (value !== undefined && !PRINTABLE.test(value))
      throw new GatewayError(`${param} is empty, or has a character that no credential has, such as a line break.`, {
        code: 'invalid_settings',
        param,
      })
  return {
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

/** What is made of a success. Until it releases it, the caller's signal ends the reply. */
type Read<T> = (reply: Response, release: () => void) => Promise<T>

type Sending = Call & { readonly fetch?: typeof fetch | undefined; readonly headers: Readonly<Record<string, string>> }

/** Sends until there is an answer for good. What makes it the same request (its key, its bytes) is made once. */
async function trying<T>(sending: Sending, url: string, read: Read<T>): Promise<T> {
  const { signal, retriesMax = RETRIES_MAX } = sending
  const request = requestOf(sending)
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted()
    const outcome = await once(sending, url, request, tries, read).then(
      (value) => ({ value }),
      (fault: unknown) => ({ error: fault instanceof GatewayError ? fault : unanswered(url, fault) }),
    )
    if ('value' in outcome) return outcome.value
    signal?.throwIfAborted()
    const { error } = outcome
    const askedSeconds = error.retryAfterSeconds ?? 0
    if (!error.mayPass || tries > retriesMax || askedSeconds > RETRY_AFTER_MAX_SECONDS) throw error
    await rest(Math.max(askedSeconds * 1000, backoffMs(tries)), signal)
  }
}

function requestOf({ method, body, headers, idempotencyKey, ifMatch }: Sending): RequestInit {
  const isWrite = method !== 'GET' && method !== 'HEAD'
  return {
    method,
    // What is answered from elsewhere is no gateway's answer, and a key must not follow it there.
    redirect: 'manual',
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isWrite ? { 'idempotency-key': idempotencyKey ?? newKey() } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** A page that came over plain http has no randomUUID. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One try. The timeout is over once `read` is done; the caller's signal holds for a body that is read later, too. */
async function once<T>(
  { path, query = {}, method, signal, timeoutMs = TIMEOUT_MS, onReply, fetch: send = fetch }: Sending,
  url: string,
  request: RequestInit,
  tries: number,
  read: Read<T>,
): Promise<T> {
  const stop = new AbortController()
  const what = `${method} ${path}`
  const late = new GatewayError(`${what}: no answer within ${timeoutMs / 1000} s (timeoutMs).`, { code: 'timeout' })
  const timer = setTimeout(() => stop.abort(late), timeoutMs)
  const end = () => stop.abort(signal?.reason)
  const release = () => signal?.removeEventListener('abort', end)
  signal?.addEventListener('abort', end)
  try {
    const reply = await send(url + path + searchOf(query), { ...request, signal: stop.signal })
    onReply?.({ status: reply.status, headers: reply.headers, tries })
    if (reply.status === 200) return await read(reply, release)
    throw errorOf(what, url, reply, await reply.text())
  } catch (fault) {
    release()
    throw stop.signal.aborted ? stop.signal.reason : fault
  } finally {
    clearTimeout(timer)
  }
}

/** Lists with commas, moments as ISO 8601; what is undefined or null is left out. */
function searchOf(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const text = value instanceof Date ? value.toISOString() : [value].flat().join(',')
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`]
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function jsonOf({ method, path }: Call, url: string, reply: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw errorOf(`${method} ${path}`, url, reply, text)
  }
}

function unanswered(url: string, fault: unknown): GatewayError {
  const { message, cause } = fault as { message?: string; cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? message ?? String(fault)
  return new GatewayError(`No gateway answers at ${url} (${why}).`, { code: 'no_answer' }, fault)
}
