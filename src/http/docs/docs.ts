// GET /openapi.json and GET /docs, where whoever opens the bare address is sent.
import type { FastifyInstance } from 'fastify'
import { docsPage } from './page.ts'
import { openApiDocument } from './openapi.ts'

export function docsRoutes(app: FastifyInstance): void {
  let page: string | null = null
  app.get('/', { schema: { hide: true } }, async (_, reply) => reply.redirect('docs'))
  app.get('/openapi.json', { schema: { hide: true } }, async (_, reply) =>
    reply.type('application/json').send(JSON.stringify(openApiDocument(app.swagger()))),
  )
  app.get('/docs', { schema: { hide: true } }, async (_, reply) => {
    page ??= docsPage(openApiDocument(app.swagger()))
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    })
    return reply.send(page)
  })
}
