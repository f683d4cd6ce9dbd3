// GET /console: the built console, one page for all its screens. Without it there is no route here at all.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtFolder, headersOf, isKnown, openSite, sendFile, type Site } from './site.ts'

const hidden = { schema: { hide: true } }
const UNBUILT = 'The console is not built here. Run npm run build, and start the gateway again.\n'
/** What the build leaves in the page for the gateway to fill in (console/vite.config.ts, console/index.html). */
const BLANKS = /__(NONCE|OPENID)__/g

/** What the page is told of the gateway. */
export type ConsoleFacts = {
  /** Whether members may sign in at an OpenID provider. */
  readonly openid: 'on' | 'off'
}

export function consoleRoutes(
  app: FastifyInstance,
  facts: ConsoleFacts,
  open = () => openSite(builtFolder('console')),
): void {
  let opened: Site | null = null
  const answer = async (request: FastifyRequest, reply: FastifyReply) =>
    sendConsole((opened ??= open()), facts, request, reply)
  app.get('/console', hidden, answer)
  app.get('/console/*', hidden, answer)
}

async function sendConsole(
  site: Site | null,
  { openid }: ConsoleFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = site?.at('')
  if (!site || !page) return reply.code(404).type('text/plain; charset=utf-8').send(UNBUILT)
  const address = request.originalUrl.split('?')[0] ?? ''
  // Addresses come here without a slash at their end; files are named from behind this one.
  if (address === '/console') return reply.redirect('console/')
  const path = address.slice('/console/'.length)
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
  const filled = (_: string, blank: string) => (blank === 'NONCE' ? nonce : openid)
  return reply.send((await page.plain()).toString('utf8').replace(BLANKS, filled))
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
