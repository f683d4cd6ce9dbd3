// Webhooks for Hono: a handler.
import { webhookRoute } from './next.ts'
import type { ReceiverOptions } from './receiver.ts'

export type { ReceiverOptions } from './receiver.ts'

/** `app.post('/hooks', webhookHandler({ secrets, onEvent }))` */
export function webhookHandler(options: ReceiverOptions): (context: { req: { raw: Request } }) => Promise<Response> {
  const route = webhookRoute(options)
  return ({ req }) => route(req.raw)
}
