// GET /console: the built console, one page for all its screens. Without it there is no route here at all.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtFolder, headersOf, isKnown, openSite, sendFile, type Site } from './site.ts'

const hidden = { schema: { hide: true } }
const UNBUILT = 'The console is not built here. Run npm run build, and start the gateway again.\n'
/** What the build leaves in the page in place of a nonce (console/vite.config.ts). */
const NONCE = /__NONCE__/g

export function consoleRoutes(app: FastifyInstance, open = () => openSite(builtFolder('console'))): void {
  let opened: Site | null = null
  const answer = async (request: FastifyRequest, reply: FastifyReply) =>
    sendConsole((opened ??= open()), request, reply)
  app.get('/console', hidden, async (_, reply) => reply.redirect('console/'))
  app.get('/console/*', hidden, answer)
}

async function sendConsole(site: Site | null, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const page = site?.at('')
  if (!site || !page) return reply.code(404).type('text/plain; charset=utf-8').send(UNBUILT)
  const path = (request.originalUrl.split('?')[0] ?? '').slice('/console/'.length)
  const file = path === '' ? undefined : site.at(path)
  if (file !== undefined && file.type !== page.type) {
    reply.headers(headersOf(file, policyOf(null)))
    return isKnown(file, request) ? reply.code(304).send() : sendFile(file, request, reply)
  }
  // A file of an older build is gone; every other address is a screen of the one page.
  if (path.startsWith('assets/')) return reply.code(404).type('text/plain; charset=utf-8').send('No such file.\n')
  const nonce = randomBytes(18).toString('base64')
  const { etag: _, ...headers } = headersOf(page, policyOf(nonce))
  reply.headers({ ...headers, 'cache-control': 'no-store' })
  return reply.send((await page.plain()).toString('utf8').replace(NONCE, nonce))
}

/**
 * Nothing comes from elsewhere and nothing is sent there. The component kit writes style elements, which the nonce allows; logos of
 * accounts are data URIs, and a file that is made here to be kept is a blob.
 */
function policyOf(nonce: string | null): string {
  const named = nonce === null ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self'${named}`,
    `style-src 'self'${named}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "frame-src 'self'",
  ].join('; ')
}
