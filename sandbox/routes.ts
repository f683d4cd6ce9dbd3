// What the provider answers to each request: pure over its books. Waiting for the disk and faults on the wire are the
// server's business.
import { type Books, isSameOrder, type Order, type Transfer } from './books.ts'
import { minorOf, SCENARIOS, scenarioOf, type Wire } from './scenarios.ts'

const HAPPENINGS_MAX = 1_000
const CLOCK_STEP_MAX_SECONDS = 366 * 86_400

export type Ask = {
  readonly method: string
  readonly target: string
  readonly idempotencyKey: string | string[] | undefined
  readonly body: string
}
export type Reply = { readonly status: number; readonly body: unknown; readonly wire?: Wire }

/** Finds the route and does what it says. The reply may be sent only when the books are durable. */
export function route(books: Books, ask: Ask): Reply {
  const url = new URL(ask.target, 'http://sandbox')
  const [area = '', id, action, ...rest] = url.pathname.slice(1).split('/')
  const reference = id === undefined ? undefined : decoded(id)
  const asked = [ask.method, area, id === undefined ? '' : '*', action ?? '', ...rest].join(' ').trim()
  switch (asked) {
    case 'POST transfers':
      return postTransfer(books, ask.idempotencyKey, ask.body)
    case 'GET transfers *':
      return getTransfer(books, reference)
    case 'POST transfers * recall':
      return recall(books, reference)
    case 'GET events':
      return getHappenings(books, url.searchParams.get('after') ?? '0')
    case 'GET books':
      return ok({ transfers: [...books.all()].map(present), totals: books.totals() })
    case 'POST clock':
      return postClock(books, ask.body)
    case 'GET scenarios':
      return ok({ scenarios: SCENARIOS.map(presentScenario) })
    case 'GET healthz':
      return ok({ status: 'ok' })
    default:
      return problem(404, 'no_such_route', 'The routes are listed in docs/sandbox.md.')
  }
}

function postTransfer(books: Books, key: Ask['idempotencyKey'], body: string): Reply {
  const order = orderOf(body)
  if (typeof order === 'string') return problem(400, 'invalid_request', order)
  if (key !== order.reference) return problem(400, 'invalid_request', 'The Idempotency-Key is the reference.')
  const known = books.find(order.reference)
  if (known && isSameOrder(known, order)) return ok(present(known))
  if (known) return problem(409, 'reference_mismatch', 'The reference stands for another order.')
  const minor = minorOf(order.amount, order.currency) ?? 0n
  const scenario = scenarioOf(minor, order.recipient['wallet'] ?? null)
  const { wire } = scenario
  const doesNothing = wire === 'hang_before' || wire === 'error_before'
  if (doesNothing && books.takeFault(order.reference)) return { status: 500, body: null, wire }
  const reply = ok(present(books.execute(order, scenario)))
  return doesNothing ? reply : { ...reply, wire }
}

function getTransfer(books: Books, reference: string | undefined): Reply {
  const transfer = reference === undefined ? undefined : books.find(reference)
  return transfer ? ok(present(transfer)) : problem(404, 'not_found', 'No order came under this reference.')
}

function recall(books: Books, reference: string | undefined): Reply {
  const status = reference === undefined ? 'not_found' : books.recall(reference)
  return { status: status === 'not_found' ? 404 : 200, body: { reference: reference ?? null, status } }
}

function getHappenings(books: Books, after: string): Reply {
  if (!/^\d{1,15}$/.test(after)) return problem(400, 'invalid_request', '`after` is the number of an event.')
  const happenings = books.happenings(Number(after), HAPPENINGS_MAX)
  const events = happenings.map(({ atMs, ...event }) => ({ ...event, at: new Date(atMs).toISOString() }))
  return ok({ events, next: happenings.at(-1)?.number ?? Number(after) })
}

function postClock(books: Books, body: string): Reply {
  const seconds = fieldsOf(body)?.['advance_seconds']
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= CLOCK_STEP_MAX_SECONDS))
    return problem(400, 'invalid_request', `advance_seconds is a number above 0, at most ${CLOCK_STEP_MAX_SECONDS}.`)
  return ok({ now: new Date(books.advanceClock(Math.round(seconds * 1_000))).toISOString() })
}

/** The order in a body, or what is wrong with it. */
function orderOf(body: string): Order | string {
  const fields = fieldsOf(body)
  if (!fields) return 'The body is no JSON object.'
  const { reference, amount, currency, channel = null, recipient = {} } = fields
  if (typeof reference !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(reference))
    return 'reference is 1 to 128 printable characters.'
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'currency is a three-letter code.'
  if (typeof amount !== 'string' || minorOf(amount, currency) === null)
    return 'amount is a decimal string above 0 with at most the decimals of its currency.'
  if (channel !== null && typeof channel !== 'string') return 'channel is a string.'
  if (!isRecipient(recipient)) return 'recipient is an object of strings.'
  return { reference, amount, currency, channel, recipient }
}

function isRecipient(value: unknown): value is Order['recipient'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((field) => field === null || typeof field === 'string')
}

function fieldsOf(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/** A path that is not well encoded is nobody's reference. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function present(transfer: Transfer): Record<string, unknown> {
  const { createdAtMs, recipientHash: _, later: __, ...shown } = transfer
  return { ...shown, created_at: new Date(createdAtMs).toISOString() }
}

function presentScenario(scenario: (typeof SCENARIOS)[number]): Record<string, unknown> {
  const { name, ending, summary } = scenario
  return { name, wallet: `sandbox-${name}`, amount_ends_in: ending, summary }
}

function ok(body: unknown): Reply {
  return { status: 200, body }
}

/** An answer that says what is wrong. */
export function problem(status: number, code: string, message: string): Reply {
  return { status, body: { code, message } }
}
