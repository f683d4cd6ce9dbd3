// Webhooks for whatever speaks Request and Response: route handlers of Next.js, Deno, Bun, workers at the edge.
import { answerTo, JSON_TYPE, type ReceiverOptions } from './receiver.ts'

export type { ReceiverOptions } from './receiver.ts'

/** `export const POST = webhookRoute({ secrets, onEvent })` */
export function webhookRoute(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, body } = await answerTo(options, await request.arrayBuffer(), request.headers)
    return new Response(body, { status, headers: { 'content-type': JSON_TYPE } })
  }
}
