// The generic rail: JSON in its plainest form, any currency, with recall.
import type { Books } from '../books/books.ts'
import { digestOf, type Entry, type Order } from '../books/orders.ts'
import { type HttpRequest, json, problem, type Reply } from '../replies.ts'
import type { Api, Call } from '../routing.ts'
import { minorOf } from '../text/amounts.ts'
import { fieldsIn, matching, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'
import { showHolder } from './accounts.ts'
import { type OrderForm, payoutHandlers, submitPayout } from './payouts.ts'
import { bodyOf, currencyIn, needKey } from './request-fields.ts'

export const GENERIC_TRANSFERS: OrderForm = {
  rail: 'sandbox',
  codes: {},
  orderOf,
  refusalOf: () => null,
  present: (books, entry) => json(presentTransfer(books, entry)),
  mismatch: () => problem(409, 'reference_mismatch', 'The reference stands for another order.'),
}

const transfers = payoutHandlers(GENERIC_TRANSFERS)

export const GENERIC: Api = {
  routes: {
    ...transfers.truth,
    'GET /events': transfers.events,
    'GET /accounts/*': showHolder,
    'GET /transfers': list,
    'POST /transfers': submitPayout(GENERIC_TRANSFERS),
    'GET /transfers/*': transfers.show(problem(404, 'not_found', 'No order came under this reference.')),
    'POST /transfers/*/recall': recall,
  },
  malformed: (message) => problem(400, 'invalid_request', message),
}

const PAGE = 1_000

/** The orders of a channel since a moment, oldest first; `next` is where the page after this one begins, null at the end. */
function list({ books, request }: Call): Reply {
  const query = request.url.searchParams
  const [channel, since, after] = [query.get('channel'), query.get('since') ?? '', query.get('after') ?? '0']
  const sinceMs = Date.parse(since)
  if (Number.isNaN(sinceMs)) return problem(400, 'invalid_request', '`since` is a moment such as 2026-01-31T08:00:00Z.')
  if (!/^\d{1,15}$/.test(after)) return problem(400, 'invalid_request', '`after` is the number of an order.')
  const entries = books
    .entriesOf('sandbox')
    .filter(({ number, createdAtMs }) => number > Number(after) && createdAtMs >= sinceMs)
    .filter(({ envelope }) => channel === null || envelope === channel)
    .sort((a, b) => a.number - b.number)
  const shown = entries.slice(0, PAGE)
  const next = entries.length > PAGE ? (shown.at(-1)?.number ?? null) : null
  return json({ transfers: shown.map((entry) => presentTransfer(books, entry)), next })
}

function recall({ books, id: reference }: Call): Reply {
  const status = books.recall('sandbox', reference)
  return { ...json({ reference, status }), status: status === 'not_found' ? 404 : 200 }
}

function orderOf(request: HttpRequest): Order {
  const fields = bodyOf(request)
  const reference = matching(fields, 'reference', /^[\x21-\x7e]{1,128}$/, 'is 1 to 128 printable characters')
  const currency = currencyIn(fields, 'currency')
  const amount = textIn(fields, 'amount') ?? ''
  if (minorOf(amount, currency) === null)
    throw new Malformed('amount is a decimal string above 0 with at most the decimals of its currency.')
  const recipient = fieldsIn(fields, 'recipient') ?? {}
  const content = Object.fromEntries(Object.keys(recipient).map((name) => [name, textIn(recipient, name)]))
  const envelope = textIn(fields, 'channel')
  needKey(request, reference, 'reference')
  const { wallet: account = null, bank = null, name = null } = content
  return { rail: 'sandbox', reference, amount, currency, account, bank, name, envelope, digest: digestOf(content) }
}

export function presentTransfer(books: Books, entry: Entry): Record<string, unknown> {
  const { id, reference, amount, currency, envelope: channel, status, code, message } = entry
  const executions = books.executionsOf(entry)
  const created_at = new Date(entry.createdAtMs).toISOString()
  return { id, reference, amount, currency, channel, status, code, message, executions, created_at }
}
