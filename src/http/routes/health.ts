// Health: /healthz touches nothing, /readyz asks the database, /metrics tells figures to whoever has a key for them.
import { OPEN } from '../openapi/facts.ts'
import { type Context, described, guard } from '../context.ts'
import { sendJson } from '../replies.ts'
import { Health } from '../../wire/api.ts'

export type Readiness = () => Promise<{ readonly ready: boolean; readonly status: string }>

// Figures name channels and endpoints of every account: not for everybody who can reach the port.
const FIGURES = { accepts: 'api key', scope: 'metrics:read' } as const

export function healthRoutes(context: Context, readiness: Readiness, metrics: () => Promise<string>): void {
  const { app } = context
  app.get(
    '/healthz',
    { schema: described('health.live', 'Alive?', 'Health', { reply: Health }, OPEN) },
    async (_, reply) => sendJson(reply, { status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      schema: described('health.ready', 'Ready for work?', 'Health', { reply: Health }, OPEN, {
        states: { 503: { description: 'Not ready; status says why.', shape: Health } },
      }),
    },
    async (_, reply) => {
      const { ready, status } = await readiness()
      reply.statusCode = ready ? 200 : 503
      return sendJson(reply, { status })
    },
  )
  app.get('/metrics', { schema: { hide: true }, onRequest: guard(context, FIGURES) }, async (_, reply) =>
    reply.type('text/plain; version=0.0.4').send(await metrics()),
  )
}
