// Health: /healthz touches nothing, /readyz asks the database, /metrics counts at the edges.
import type { FastifyInstance } from 'fastify'
import { described } from './context.ts'
import { Health } from './schemas.ts'

export type Readiness = () => Promise<{ readonly ready: boolean; readonly status: string }>

export function healthRoutes(app: FastifyInstance, readiness: Readiness, metrics: () => Promise<string>): void {
  app.get('/healthz', { schema: described('Alive?', 'Health', { reply: Health }, []) }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: described('Ready for work?', 'Health', { reply: Health }, []) }, async (_, reply) => {
    const { ready, status } = await readiness()
    return reply.code(ready ? 200 : 503).send({ status })
  })
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
    reply.type('text/plain; version=0.0.4').send(await metrics()),
  )
}
