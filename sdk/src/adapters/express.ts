// Webhooks for Express, and for a server of node:http: a handler that reads the body itself.
import type { HeaderValues } from '../claims.ts'
import { type Answer, answerTo, JSON_TYPE, type ReceiverOptions, refusal } from './receiver.ts'

export type { ReceiverOptions } from './receiver.ts'

type Incoming = AsyncIterable<Uint8Array> & { readonly headers: HeaderValues; readonly body?: unknown }
type Outgoing = { statusCode: number; setHeader(name: string, value: string): unknown; end(text: string): unknown }

const BODY_BYTES_MAX = 4 << 20
const PARSED =
  'The body was parsed before it came here, and a signature is over its bytes. Mount the webhook before express.json(), or use express.raw({ type: "*/*" }) for its path.'

/** `app.post('/hooks', webhookHandler({ secrets, onEvent }))`, before any parser of bodies. */
export function webhookHandler(
  options: ReceiverOptions,
): (request: Incoming, response: Outgoing, next?: (fault?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { status, body } = await answered(options, request)
      response.statusCode = status
      response.setHeader('content-type', JSON_TYPE)
      response.end(body)
    } catch (fault) {
      if (next === undefined) throw fault
      next(fault)
    }
  }
}

async function answered(options: ReceiverOptions, request: Incoming): Promise<Answer> {
  const { body } = request
  if (body instanceof Uint8Array || typeof body === 'string') return answerTo(options, body, request.headers)
  if (body !== undefined) throw new Error(PARSED)
  const bytes = await collected(request)
  if (bytes === null) return { status: 413, body: refusal('body_too_large', 'No event is as large as this body.') }
  return answerTo(options, bytes, request.headers)
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of chunks) {
    size += part.length
    if (size > BODY_BYTES_MAX) return null
    parts.push(part)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
