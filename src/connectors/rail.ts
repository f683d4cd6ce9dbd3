// What the connectors of outside rails share: how a rail is called, and how a reply is read before it counts.
// It must not know what the codes of any rail mean.
import { isUtf8 } from 'node:buffer'
import type { Outcome } from '../domain/channel/outcome.ts'
import type { Outbound, OutboundReply } from '../platform/outbound.ts'

export type RailSettings = {
  readonly outbound: Outbound
  /** Without the rail's own paths: "https://rails.example.com". */
  readonly baseUrl: string
  /** From the start of each call to the last byte of its reply. */
  readonly timeoutMs: number
}

export type RailRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With the query, from the root. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Reads something of a rail, with whatever its calls need. */
export type RailReader = (path: string) => Promise<OutboundReply>

export type Response = Extract<OutboundReply, { kind: 'response' }>

export type Fields = Readonly<Record<string, unknown>>

/** One call, never repeated here. */
export function callRail(settings: RailSettings, request: RailRequest): Promise<OutboundReply> {
  const { outbound, baseUrl, timeoutMs } = settings
  const { path, ...rest } = request
  return outbound.request({ ...rest, url: baseUrl + path, timeoutMs })
}

export function unknown(reason: string): Outcome {
  return { kind: 'unknown', reason }
}

/** What an order is after a call without a reply. Only the outbound client can know that nothing was sent. */
export function unanswered(reply: Exclude<OutboundReply, Response>): Outcome {
  return reply.kind === 'not_sent' ? { kind: 'not_sent', reason: reply.reason } : unknown(reply.reason)
}

/** An inquiry that was not sent, or not answered, proves nothing about the order. */
export function uninquired(reply: Exclude<OutboundReply, Response>): Outcome {
  return unknown(`no answer to the inquiry: ${reply.reason}`)
}

export function isXml({ headers }: Response): boolean {
  return isOfType(headers, /^(?:application|text)\/xml$/)
}

/** The text of a reply that is declared as JSON, and is UTF-8; null for any other. */
export function jsonText({ headers, body }: Response): string | null {
  return isOfType(headers, /^application\/json$/) && isUtf8(body) ? body.toString('utf8') : null
}

/** The members of a reply that is a JSON object; null for any other. */
export function jsonFields(reply: Response): Fields | null {
  const text = jsonText(reply)
  if (text === null) return null
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** A text; null for anything else, and for one that no book can keep: with a NUL, or half of a surrogate pair. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.includes('\0')) return null
  return (value as string & { isWellFormed(): boolean }).isWellFormed() ? value : null
}

/** Whether the rail itself reports a reference as unknown: a proxy's 404 would make a paid order look unsent. */
export function isAbsence(reply: Response): boolean {
  return reply.status === 404 && jsonFields(reply)?.['code'] === 'not_found'
}

function isOfType(headers: Response['headers'], type: RegExp): boolean {
  return type.test((headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '')
}
