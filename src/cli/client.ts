// The gateway as a command sees it: over HTTP, with a key. Knows no command.
import { once } from 'node:events'
import { CommandFailed } from './failures.ts'
import type { Place } from './place.ts'
import { noAnswer, notOurs } from './unreachable.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  /** The version that the contract must stand at. */
  readonly ifMatch?: number | undefined
}

type Beside = Pick<Call, 'idempotencyKey' | 'ifMatch'>

export const get = (path: string, query: NonNullable<Call['query']> = {}): Call => ({ method: 'GET', path, query })

const withBody =
  (method: Call['method']) =>
  (path: string, body?: object, beside: Beside = {}): Call => ({ method, path, body, ...beside })

export const post = withBody('POST')
export const put = withBody('PUT')
export const patch = withBody('PATCH')
export const remove = withBody('DELETE')

/** The error of a reply (spec 7, docs/design/areas.md). */
export type ApiError = {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly contract_id?: string
  readonly request_id?: string
  readonly errors?: readonly { readonly code: string; readonly param: string | null; readonly message: string }[]
}

const TIMEOUT_MS = 15_000

/** One call; the `data` of its envelope. Throws {@link CommandFailed} with what the gateway said. */
export async function call<T>(
  { baseUrl, apiKey, token }: Place,
  { method, path, query = {}, body, idempotencyKey, ifMatch }: Call,
): Promise<T> {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const headers: Record<string, string> = apiKey === '' ? {} : { 'x-api-key': apiKey }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
  const { status, text } = await exchange(url, sent).catch((fault: unknown) => {
    throw noAnswer(baseUrl, fault)
  })
  const parsed = parse(text)
  if (status === 200 && parsed?.data !== undefined) return parsed.data as T
  throw failureOf(`${method} ${url.pathname}`, baseUrl, status, text)
}

/** A file as it comes, however long, to where it is to go. Throws as {@link call} does where there is none. */
export async function download(
  { baseUrl, apiKey }: Place,
  { path, query = {} }: Call,
  out: NodeJS.WritableStream,
): Promise<void> {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const reply = await fetch(url, { headers: { 'x-api-key': apiKey }, redirect: 'manual' }).catch((fault: unknown) => {
    throw noAnswer(baseUrl, fault)
  })
  if (reply.status !== 200 || reply.body === null)
    throw failureOf(`GET ${url.pathname}`, baseUrl, reply.status, await reply.text())
  try {
    for await (const part of reply.body) if (!out.write(part)) await once(out, 'drain')
  } catch {
    throw new CommandFailed('The file broke off before its end. Ask again.')
  }
}

// Node's own: a client that is loaded for one call takes longer than the call.
async function exchange(url: URL, sent: RequestInit): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const reply = await fetch(url, { ...sent, redirect: 'manual', signal })
  return { status: reply.status, text: await reply.text() }
}

/** What to say where an answer is no success: the gateway's own words, or that it was none of ours. */
export function failureOf(what: string, baseUrl: string, status: number, text: string): CommandFailed {
  const error = parse(text)?.error
  return error ? refused(error, status) : notOurs(what, baseUrl, status, text)
}

function parse(text: string): { data?: unknown; error?: ApiError } | null {
  try {
    return JSON.parse(text) as { data?: unknown; error?: ApiError } | null
  } catch {
    return null
  }
}

function refused(error: ApiError, status: number): CommandFailed {
  const all = error.errors ?? []
  const lines = [
    // Several are listed below, the first among them.
    all.length > 1 ? `${all.length} things are wrong:` : error.message,
    ...all.map((each) => `  ${each.param ?? '-'}: ${each.message} (${each.code})`),
    ...(error.contract_id === undefined ? [] : [`  contract ${error.contract_id} is open: it can still be paid`]),
    `  code ${error.code}${error.param === null ? '' : `, param ${error.param}`}, HTTP ${status}, request ${error.request_id ?? 'unknown'}`,
  ]
  return new CommandFailed(lines.join('\n'), error)
}
