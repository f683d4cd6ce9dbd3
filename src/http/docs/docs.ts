// GET /docs: the built site, where the bare address leads, too. GET /openapi.json: the document for machines.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openSite, type Site, type SiteFile } from './site.ts'

// Made from the routes by scripts/openapi.ts. Compiled files lie one folder deeper.
const DOCUMENT = `${import.meta.url.includes('/dist/src/') ? '../' : ''}../../../docs/openapi.json`
const hidden = { schema: { hide: true } }
const FOR_EVER = 'public, max-age=31536000, immutable'
const UNBUILT = 'The documentation is not built here. Run npm run build, and start the gateway again.\n'

export function docsRoutes(app: FastifyInstance, open: typeof openSite = openSite): void {
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
  const bare = path.replace(/\/+$/, '')
  if (path !== bare && !site.isFolder(bare))
    return site.at(bare) ? reply.redirect(`/docs/${bare}`) : absent(site, request, reply)
  const file = site.at(path)
  if (file === undefined) return absent(site, request, reply)
  reply.headers(headersOf(site, file))
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(file.etag)) return reply.code(304).send()
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
  return sendFile(file, request, reply.code(404).headers({ ...headersOf(site, file), 'cache-control': 'no-cache' }))
}

function headersOf(site: Site, file: SiteFile): Record<string, string> {
  return {
    'content-type': file.type,
    'content-security-policy': site.policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': file.isForEver ? FOR_EVER : 'no-cache',
    etag: file.etag,
    vary: 'Accept-Encoding',
  }
}

async function sendFile(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!takesBrotli(request.headers['accept-encoding'])) return reply.send(await file.plain())
  return reply.header('content-encoding', 'br').send(await file.packed())
}

/** Named, and not with a weight of nought. */
function takesBrotli(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '').split(',')
  return parts.some((part) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(part))
}
