// A request as it came over HTTP, and a reply before it goes on the wire: a status, a text, and what a scenario does to it
// on the wire.
import type { IncomingHttpHeaders } from 'node:http'
import type { Wire } from './scenarios.ts'

export type HttpRequest = {
  readonly method: string
  /** As it was sent, the query with it. */
  readonly target: string
  readonly url: URL
  /** The parts of the path, decoded; one that is not well encoded is empty. */
  readonly path: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Reply = {
  readonly status: number
  readonly type: 'application/json' | 'application/xml' | 'text/html; charset=utf-8'
  readonly headers?: Readonly<Record<string, string>>
  readonly text: string
  readonly wire: Wire | 'refuse'
}

export function json(body: unknown): Reply {
  return jsonText(JSON.stringify(body))
}

/** JSON that was written before. */
export function jsonText(text: string): Reply {
  return { status: 200, type: 'application/json', text, wire: 'answer' }
}

/** What was found, as a list of one or none. */
export function listed(found: Reply | null): Reply {
  return jsonText(`{"data":[${found?.text ?? ''}]}`)
}

export function xml(text: string): Reply {
  return { status: 200, type: 'application/xml', text, wire: 'answer' }
}

/** An answer that says what is wrong. */
export function problem(status: number, code: string, message: string): Reply {
  return { ...json({ code, message }), status }
}

/** A fault on the wire instead of an answer. */
export function faulty(wire: Reply['wire']): Reply {
  return { ...json(null), status: 500, wire }
}

/** An answer with what a scenario does to it on the wire. A refusal by its status always arrives as it is. */
export function playedOn(reply: Reply, wire: Wire): Reply {
  return reply.status === 200 ? { ...reply, wire } : reply
}

export function noSuchRoute(): Reply {
  return problem(404, 'no_such_route', 'The routes are listed in docs/sandbox.md.')
}

/** The body as text; null when it is not UTF-8. */
export function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}
