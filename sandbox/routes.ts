// Who answers a request: a rail, the list of its events, its statements, or the control of the provider. Pure over the
// books. Waiting for the disk and faults on the wire are the server's business.
import type { IncomingMessage } from 'node:http'
import type { Books } from './books/books.ts'
import { routeCard } from './rails/card.ts'
import { isCollectRail } from './collections/collect-books.ts'
import { collectionsOf, routePaymentReceivers } from './collections/collect-control.ts'
import { railBooks, routeControl } from './control.ts'
import type { Credentials } from './credentials.ts'
import { FieldFault } from './text/fields.ts'
import { routeGcash } from './rails/gcash.ts'
import { routeInstapay } from './rails/instapay.ts'
import { routeMaya } from './rails/maya.ts'
import { eventOf } from './events/rail-events.ts'
import type { Rail } from './books/orders.ts'
import { routePayer } from './collections/payer-pages.ts'
import { routePesonet } from './rails/pesonet.ts'
import { outageOf } from './play.ts'
import { routeQrph } from './rails/qrph.ts'
import { type Ask, faulty, json, noSuchRoute, problem, type Reply } from './replies.ts'
import { isRail } from './books/state.ts'
import { statementOf } from './books/statement.ts'
import { routeTransfers } from './rails/transfers.ts'

const HAPPENINGS_MAX = 1_000
const BODY_BYTES_MAX = 65_536
const FILE_BYTES_MAX = 16 << 20

export type Provider = { readonly books: Books; readonly credentials: Credentials }

/** The request without its body. */
export function headOf({ method = '', url: target = '/', headers }: IncomingMessage): Ask {
  // What is no address is nobody's route.
  const url = new URL(URL.canParse(target, 'http://sandbox') ? target : '/', 'http://sandbox')
  return { method, target, url, path: url.pathname.slice(1).split('/').map(decoded), headers, body: Buffer.alloc(0) }
}

/** What a rail that is out says to the head of a request already; null when it works. */
export function outageReply(books: Books, { path }: Ask): Reply | null {
  const [area = ''] = path
  const rail = isCollectRail(area) ? area : railOf(path)
  if (rail === null || path[1] === 'books' || path[1] === 'collections') return null
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

/** How long the body of a request may be. */
export function bodyBytesMax({ path }: Ask): number {
  return path[0] === 'pesonet' && path[1] === 'files' ? FILE_BYTES_MAX : BODY_BYTES_MAX
}

/** Finds the route and does what it says. The reply may be sent only when the books are durable. */
export function route(provider: Provider, ask: Ask): Reply {
  try {
    const rail = railOf(ask.path)
    if (rail !== null) return routeRail(provider, rail, ask)
    return routeCollecting(provider, ask) ?? routeControl(provider.books, ask) ?? noSuchRoute()
  } catch (fault) {
    if (fault instanceof FieldFault) return problem(400, 'invalid_request', fault.message)
    throw fault
  }
}

/** The generic rail lives at the root, too. */
function railOf([area = '']: readonly string[]): Rail | null {
  if (area === 'transfers' || area === 'events') return 'sandbox'
  return isRail(area) ? area : null
}

/** What only brings money in; null when it is none of these. */
function routeCollecting({ books, credentials }: Provider, ask: Ask): Reply | null {
  const [area = '', second, third, ...rest] = ask.path
  if (isCollectRail(area) && second === 'collections' && rest.length === 0 && ask.method === 'GET')
    return collectionsOf(books.collections, area, third)
  switch (area) {
    case 'card':
      return routeCard(books.collections, ask, credentials)
    case 'qrph':
      return routeQrph(books.collections, ask, credentials)
    case 'payer':
      return routePayer(books.collections, ask)
    case 'payment-receivers':
      return routePaymentReceivers(books.paymentReceivers, ask)
    default:
      return null
  }
}

function routeRail({ books, credentials }: Provider, rail: Rail, ask: Ask): Reply {
  const [area, second, third, ...rest] = ask.path
  if (area === 'transfers') return routeTransfers(books, ask)
  if (area === 'events') return second === undefined ? listEvents(books, rail, ask) : noSuchRoute()
  if (rest.length === 0 && ask.method === 'GET') {
    if (second === 'events' && third === undefined) return listEvents(books, rail, ask)
    if (second === 'books') return railBooks(books, rail, third)
    if (second === 'collections' && isCollectRail(rail)) return collectionsOf(books.collections, rail, third)
    if (second === 'statements' && third !== undefined && rail !== 'sandbox') return statementOf(books, rail, third)
  }
  switch (rail) {
    case 'sandbox':
      return noSuchRoute()
    case 'instapay':
      return routeInstapay(books, ask)
    case 'pesonet':
      return routePesonet(books, ask)
    case 'gcash':
      return routeGcash(books, ask, credentials)
    case 'maya':
      return routeMaya(books, ask, credentials)
  }
}

function listEvents(books: Books, rail: Rail, ask: Ask): Reply {
  const after = ask.url.searchParams.get('after') ?? '0'
  if (ask.method !== 'GET') return noSuchRoute()
  if (!/^\d{1,15}$/.test(after)) return problem(400, 'invalid_request', '`after` is the number of an event.')
  const happenings = books.happenings(rail, Number(after), HAPPENINGS_MAX)
  const events = happenings.map((happening) => eventOf(books, happening))
  return json({ events, next: happenings.at(-1)?.number ?? Number(after) })
}

/** A part that is not well encoded is nobody's reference. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
