// GET /docs: the built site, where the bare address leads, too. GET /openapi.json: the document for machines.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withoutTrailing } from '../../domain/text/texts.ts'
import { builtFolder, headersOf, isKnown, openSite, sendFile, type Site } from './site.ts'

// Made from the routes by scripts/openapi.ts. Compiled files lie one folder deeper.
const DOCUMENT = `${import.meta.url.includes('/dist/src/') ? '../' : ''}../../../docs/openapi.json`
const hidden = { schema: { hide: true } }
const UNBUILT = 'The documentation is not built here. Run npm run build, and start the gateway again.\n'

export function docsRoutes(app: FastifyInstance, open = () => openSite(builtFolder('docs'))): void {
  let document: Buffer | null = null
  let opened: Site | null = null
  // Read with the first page that is asked for; looked for again as long as there is none.
  const site = () => (opened ??= open())
  app.get('/', hidden, async (_, reply) => reply.redirect('docs/'))
  app.get('/openapi.json', hidden, async (_, reply) =>
    reply.type('application/json').send((document ??= readFileSync(new URL(DOCUMENT, import.meta.url)))),
  )
  const answer = async (request: FastifyRequest, reply: FastifyReply) => sendPage(site(), request, reply)
  app.get('/docs', hidden, answer)
  app.get('/docs/*', hidden, answer)
}

async function sendPage(site: Site | null, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (site === null) return reply.code(404).type('text/plain; charset=utf-8').send(UNBUILT)
  const address = request.originalUrl.split('?')[0] ?? ''
  const path = wholePath(address)
  if (path === null) return reply.redirect('docs/')
  // A page has one address: a folder's ends with a slash, any other's does not.
  if (site.isFolder(path)) return reply.redirect(`/docs/${path}/`)
  const bare = withoutTrailing(path, '/')
  if (path !== bare && !site.isFolder(bare))
    return site.at(bare) ? reply.redirect(`/docs/${bare}`) : absent(site, request, reply)
  const file = site.at(path)
  if (file === undefined) return absent(site, request, reply)
  reply.headers(headersOf(file, policyOf(site.scripts)))
  if (isKnown(file, request)) return reply.code(304).send()
  return sendFile(file, request, reply)
}

/** What comes after /docs/; null for the address without that slash. An ending of its own says that it is a page. */
function wholePath(address: string): string | null {
  if (!address.startsWith('/docs/')) return null
  try {
    return decodeURIComponent(address.slice('/docs/'.length))
  } catch {
    // No address of ours is encoded wrongly, so there is nothing at it.
    return address.slice('/docs/'.length)
  }
}

async function absent(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const file = site.at('404')
  if (file === undefined) return reply.code(404).send()
  return sendFile(
    file,
    request,
    reply.code(404).headers({ ...headersOf(file, policyOf(site.scripts)), 'cache-control': 'no-cache' }),
  )
}

/** The one style that VitePress puts in by script: it stills transitions while light and dark change. */
const STILL = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='"

/** Highlighted code has its colours in attributes; no style and no script comes from elsewhere. */
function policyOf(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trimEnd(),
    `style-src 'self' ${STILL}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
