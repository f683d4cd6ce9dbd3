// The gateway as a command sees it: over HTTP, with a key. Address and key come from flags, the environment, or the
// dev.json that a local gateway writes. Knows no command.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../main/config/config.ts'
import type { WrittenFile } from '../main/development.ts'
import { CommandFailed } from './failures.ts'

export type Place = {
  readonly baseUrl: string
  /** Empty where none is sent. */
  readonly apiKey: string
  /** A payer's: it goes along as bearer token. */
  readonly token?: string
}
export type PlaceOptions = { readonly url: string | undefined; readonly apiKey: string | undefined }

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

/** Where to call and as whom. */
export function placeOf({ url, apiKey }: PlaceOptions): Place {
  const file = url !== undefined && apiKey !== undefined ? {} : readDevFile()
  const baseUrl = url ?? file.base_url ?? undefined
  const key = apiKey ?? file.api_key ?? undefined
  if (baseUrl !== undefined && key !== undefined) return { baseUrl: baseUrl.replace(/\/$/, ''), apiKey: key }
  if (baseUrl !== undefined)
    throw new CommandFailed(
      `${devPath()} has no key. Make one (gateway keys create --account ID --name Mine) and give it by --api-key or GATEWAY_API_KEY.`,
    )
  throw new CommandFailed(
    `No gateway is known here: ${devPath()} does not exist. Start one (npm start), or give --url and --api-key (GATEWAY_URL, GATEWAY_API_KEY).`,
  )
}

const devPath = () => join(readConfig().dataDir, 'dev.json')

function readDevFile(): WrittenFile {
  const path = devPath()
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WrittenFile) : {}
}

/** Where the sandbox provider of that gateway is; null where the gateway is not the one that runs here. */
export function sandboxOf({ baseUrl }: Place): string | null {
  const { base_url: here, sandbox_url: sandboxUrl } = readDevFile()
  return here === baseUrl ? (sandboxUrl ?? null) : null
}

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
  throw failureOf(`${method} ${url.pathname}`, status, text)
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
    throw failureOf(`GET ${url.pathname}`, reply.status, await reply.text())
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

/** What to say where no connection comes about. */
export function noAnswer(baseUrl: string, fault: unknown): CommandFailed {
  return new CommandFailed(`No gateway answers at ${baseUrl} (${codeOf(fault)}). Start it with: npm start`)
}

/** What to say where an answer is no success: the gateway's own words, or that it was none of ours. */
export function failureOf(what: string, status: number, text: string): CommandFailed {
  const error = parse(text)?.error
  if (error) return refused(error, status)
  return new CommandFailed(`${what} was answered with HTTP ${status}, and not by this gateway: ${text.slice(0, 200)}`)
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

type Fault = { readonly name?: string; readonly code?: string; readonly message?: string }

function codeOf(fault: unknown): string {
  const { name, code, message, cause } = fault as Fault & { readonly cause?: Fault }
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  return code ?? cause?.code ?? cause?.message ?? message ?? 'no answer'
}
