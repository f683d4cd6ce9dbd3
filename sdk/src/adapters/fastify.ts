// Webhooks for Fastify: a plugin with one route, whose bodies stay bytes.
import type { HeaderValues } from '../claims.ts'
import { answerTo, JSON_TYPE, type ReceiverOptions } from './receiver.ts'

export type { ReceiverOptions } from './receiver.ts'

type Incoming = { readonly body: unknown; readonly headers: HeaderValues }
type Outgoing = { code(status: number): Outgoing; type(mime: string): Outgoing; send(body: string): unknown }
type Kept = (request: unknown, body: Uint8Array, done: (fault: null, body: Uint8Array) => void) => void
type Scope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: Kept): unknown
  post(path: string, handler: (request: Incoming, reply: Outgoing) => Promise<unknown>): unknown
}

/** `app.register(webhookPlugin({ secrets, onEvent }), { prefix: '/hooks' })` */
export function webhookPlugin(options: ReceiverOptions): (scope: Scope) => Promise<void> {
  return async (scope) => {
    // In this scope only: the rest of the server reads JSON as before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.post('/', async (request, reply) => {
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const { status, body } = await answerTo(options, bytes, request.headers)
      return reply.code(status).type(JSON_TYPE).send(body)
    })
  }
}
