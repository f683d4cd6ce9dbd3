// Addresses as they are meant: a slash at the end means nothing, and an id is the same in capitals (RFC 9562, 4).
import { withoutTrailing } from '../../domain/text/texts.ts'

const ID_IN_CAPITALS = /(?<=\/)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\/|$)/gi

/** The address by which operations are found, and which names a request for its idempotency key. */
export function plainUrl(url: string): string {
  const query = url.indexOf('?')
  const end = query < 0 ? url.length : query
  const isPlain = url.charCodeAt(end - 1) !== 0x2f && !CAPITAL.test(url)
  if (isPlain || end <= 1) return url
  const path = withoutTrailing(url.slice(0, end), '/').replace(ID_IN_CAPITALS, (id) => id.toLowerCase())
  return `${path || '/'}${url.slice(end)}`
}

const CAPITAL = /[A-F]/

/** What matches the addresses of a route, with or without a query. Parameters are named as in `/contracts/:id`. */
export function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/:[a-z]+/g, '[^/?]+')}/?(?:\\?.*)?$`)
}
