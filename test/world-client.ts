// Requests into a server without a socket. Every reply that passes here fits its route's schema, or the test fails.
import type { FastifyInstance } from 'fastify'
import { openReplyCheck, type Route } from './world-schemas.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Sent = {
  /** Sent as JSON; a string or bytes go as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The address that it comes from; this machine's where nothing is said. */
  readonly from?: string
}

export type ErrorBody = {
  readonly type: string
  readonly message: string
  readonly code: string
  readonly param: string | null
  readonly request_id: string
  readonly doc_url: string
  readonly contract_id?: string
  readonly errors?: readonly { readonly code: string; readonly param: string | null; readonly message: string }[]
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  /** The `data` of a success; an empty object otherwise. */
  readonly data: Readonly<Record<string, unknown>>
  /** The `error` of a refusal; fails the test where there is none. */
  readonly error: ErrorBody
}

export type Client = {
  readonly routes: readonly Route[]
  readonly ask: (method: Method, url: string, sent?: Sent) => Promise<Reply>
}

/** Opens a client of a server that is ready. */
export function openClient(app: FastifyInstance): Client {
  const { routes, faultOf } = openReplyCheck(app)
  return {
    routes,
    ask: async (method, url, sent = {}) => {
      const payload = payloadOf(sent.body)
      const type = payload === null ? {} : { 'content-type': 'application/json' }
      const response = await app.inject({
        method,
        url,
        headers: { ...type, ...sent.headers },
        ...(payload === null ? {} : { payload }),
        ...(sent.from === undefined ? {} : { remoteAddress: sent.from }),
      })
      const { statusCode, payload: text } = response
      const fault = faultOf(method, url, { status: statusCode, text, headers: response.headers })
      if (fault !== null) throw new Error(fault)
      return replyOf(statusCode, headersOf(response.headers), text)
    },
  }
}

function payloadOf(body: unknown): string | Buffer | null {
  if (body === undefined) return null
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}

function headersOf(
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): Reply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === undefined ? undefined : [value].join(', ')]),
  )
}

/** A reply from what came over the wire; a body that is no JSON has no members. */
function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return {
    status,
    headers,
    text,
    body,
    data: (body['data'] ?? {}) as Record<string, unknown>,
    get error() {
      if (!('error' in body)) throw new Error(`no refusal but ${status}: ${text.slice(0, 500)}`)
      return body['error'] as ErrorBody
    },
  }
}
