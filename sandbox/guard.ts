// Who may control the provider (what it plays, whom it calls back) and read its books: only the holder of the token of
// this start. And never through a page of the web: a name that is not this machine's own is refused at every door.
import { hmac, isSame } from './credentials.ts'
import { isRail } from './books/state.ts'
import { isCollectRail } from './collections/collect-books.ts'
import { type HttpRequest, json, problem, type Reply } from './replies.ts'

const CONTROL = new Set(['books', 'clock', 'scenarios', 'callbacks', 'payment-receivers'])
const NONCE = /^[0-9a-f]{16,64}$/

/** The refusal of a request that may not come in here; null where it may. Without a token only its Host is checked. */
export function refusalAtTheDoor(token: string | null, request: HttpRequest): Reply | null {
  if (!isOfThisMachine(request.headers.host))
    return problem(421, 'wrong_host', 'The provider answers to 127.0.0.1, localhost and [::1] only.')
  if (token === null || !isControl(request)) return null
  const sent = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!isSame(sent, token))
    return problem(401, 'token_required', 'Send its token: "Authorization: Bearer …", sandbox_token in dev.json.')
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
  if (request.method === 'POST' && !isJson)
    return problem(415, 'not_json', 'Send the body as "Content-Type: application/json".')
  return null
}

/** A browser that another site's name led here sends that name. */
function isOfThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host)
}

/** Calls of the rails and of payers are no control; the list of scenarios is a page to read. */
function isControl({ method, path }: HttpRequest): boolean {
  const [area = '', second] = path
  if (area === 'scenarios') return method !== 'GET'
  if (CONTROL.has(area)) return true
  return (isRail(area) || isCollectRail(area)) && (second === 'books' || second === 'collections')
}

/** Proves that it has the token, to a caller that has it too and sends a nonce: GET /proof?nonce=. */
export function proofOf(token: string | null, { url }: HttpRequest): Reply | null {
  const nonce = url.searchParams.get('nonce') ?? ''
  if (token === null || !NONCE.test(nonce)) return null
  return json({ proof: hmac(token, nonce, 'hex') })
}
