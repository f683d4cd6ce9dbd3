// Who answers a request: a rail, a page for payers, or the control of the provider. Pure over the books. Waiting for the
// disk and faults on the wire are the server's business.
import type { IncomingMessage } from 'node:http'
import type { Books } from './books/books.ts'
import { isRail } from './books/state.ts'
import { isCollectRail } from './collections/collect-books.ts'
import { routePayer } from './collections/payer-pages.ts'
import { CONTROL } from './control.ts'
import type { Credentials } from './credentials.ts'
import { outageOf } from './play.ts'
import { APIS } from './rails/rails.ts'
import { faulty, type HttpRequest, noSuchRoute, problem, type Reply } from './replies.ts'
import { answerFrom } from './routing.ts'
import { Malformed } from './text/malformed.ts'

const BODY_BYTES_MAX = 65_536
const FILE_BYTES_MAX = 16 << 20

export type Provider = { readonly books: Books; readonly credentials: Credentials }

/** The request without its body. */
export function headOf({ method = '', url: target = '/', headers }: IncomingMessage): HttpRequest {
  // What is no address has no route.
  const url = new URL(URL.canParse(target, 'http://sandbox') ? target : '/', 'http://sandbox')
  return { method, target, url, path: url.pathname.slice(1).split('/').map(decoded), headers, body: Buffer.alloc(0) }
}

/** The reply of a rail in an outage, from the head of a request alone; null when it works. */
export function outageReply(books: Books, { path }: HttpRequest): Reply | null {
  const [area = '', second] = path
  // The generic rail lives at the root, too.
  const rail = area === 'transfers' || area === 'events' || area === 'accounts' ? 'sandbox' : area
  if (!(isRail(rail) || isCollectRail(rail)) || second === 'books' || second === 'collections') return null
  switch (outageOf(books, rail)) {
    case 'refuse_connections':
      return faulty('refuse')
    case 'hang':
      return faulty('hang_before')
    case '503':
      return problem(503, 'unavailable', 'An outage that a scenario asked for.')
    case null:
      return null
  }
}

/** How long the body of a request may be: files of transfers are the longest. */
export function bodyBytesMax({ path }: HttpRequest): number {
  return path[1] === 'files' ? FILE_BYTES_MAX : BODY_BYTES_MAX
}

/** Finds the route and runs it. The reply may be sent only when the books are durable. */
export function route({ books, credentials }: Provider, request: HttpRequest): Reply {
  const [area = ''] = request.path
  if (area === 'payer') return routePayer(books.collections, request)
  const { open = {}, refusal, routes, malformed } = APIS.get(area) ?? CONTROL
  try {
    return (
      answerFrom(open, books, request) ??
      refusal?.(request, credentials) ??
      answerFrom(routes, books, request) ??
      noSuchRoute()
    )
  } catch (fault) {
    if (fault instanceof Malformed) return malformed(fault.message)
    throw fault
  }
}

/** A part that is not well encoded is no reference. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
