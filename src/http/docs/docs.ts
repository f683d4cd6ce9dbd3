// GET /openapi.json, GET /docs, where the bare address redirects to, and the reference below it.
import type { FastifyInstance } from 'fastify'
import { docsPage } from './page.ts'
import { openApiDocument } from './openapi.ts'
import { packedScalar, REFERENCE_POLICY, referencePage, START_SCRIPT } from './reference.ts'

const GUIDE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
const SCRIPT = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const hidden = { schema: { hide: true } }

export function docsRoutes(app: FastifyInstance): void {
  const page = (policy: string) => ({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
  let guide: string | null = null
  let scalar: Buffer | null = null
  app.get('/', hidden, async (_, reply) => reply.redirect('docs'))
  app.get('/openapi.json', hidden, async (_, reply) =>
    reply.type('application/json').send(JSON.stringify(openApiDocument(app.swagger()))),
  )
  app.get('/docs', hidden, async (_, reply) => {
    guide ??= docsPage(app.swagger())
    return reply.headers(page(GUIDE_POLICY)).send(guide)
  })
  app.get('/docs/reference', hidden, async (_, reply) =>
    reply.headers(page(REFERENCE_POLICY)).send(referencePage(app.swagger().info.title)),
  )
  app.get('/docs/reference/start.js', hidden, async (_, reply) => reply.headers(SCRIPT).send(START_SCRIPT))
  app.get('/docs/reference/scalar.js', hidden, async (_, reply) => {
    scalar ??= packedScalar()
    return reply.headers({ ...SCRIPT, 'content-encoding': 'gzip' }).send(scalar)
  })
}
