// The connector of the sandbox provider, over HTTP like any other. The classification is closed: not sent, accepted,
// delivered, a refusal from the list below; everything else is unknown, because money may have moved.
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import type { Outbound, OutboundReply } from '../../platform/outbound.ts'
import type {
  ParsesCallbacks,
  Recalls,
  PollsEvents,
  Connector,
  ConnectorCapabilities,
  RailEvent,
  CallbackReport,
  NamesAccounts,
  ListsOrders,
  TakenOrder,
} from '../connector.ts'
import { readAccountName } from '../account-names.ts'
import { textOf, unknown } from '../rail.ts'

/** Only these prove that the money did not move and never will. A new code is unknown until its meaning is checked. */
const DEFINITE_REFUSALS: ReadonlySet<string> = new Set(['account_closed', 'invalid_account'])

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: null,
  inquiry: true,
  // The books are written before any answer; the delay covers a request that still waits in a socket.
  notFoundFinalAfterMs: 5_000,
  recall: true,
}

export type SandboxDeps = { readonly outbound: Outbound; readonly baseUrl: string; readonly timeoutMs: number }

type Body = Readonly<Record<string, unknown>>

/** A connector to the provider at `baseUrl`. `timeoutMs` covers each call from its start to the last byte. */
export function sandboxConnector(
  deps: SandboxDeps,
): Connector & Recalls & PollsEvents & ParsesCallbacks & NamesAccounts & ListsOrders {
  return {
    describe: () => CAPABILITIES,
    async send(order) {
      const reply = await call(deps, 'POST', '/transfers', order.reference, bodyOf(order))
      if (reply.kind === 'not_sent') return { kind: 'not_sent', reason: reply.reason }
      if (reply.kind === 'no_answer') return unknown(reply.reason)
      const body = parsed(reply.body)
      if (reply.status !== 200 || !body) return unknown(`answer ${reply.status}`)
      return matchedOutcome(body, order)
    },
    async check(reference, order) {
      const reply = await call(deps, 'GET', `/transfers/${encodeURIComponent(reference)}`, reference, null)
      // An inquiry that did not go out proves nothing about the order.
      if (reply.kind !== 'response') return unknown(`no answer to the inquiry: ${reply.reason}`)
      return checkedReply(reply.status, parsed(reply.body), order)
    },
    async recall(reference) {
      const reply = await call(deps, 'POST', `/transfers/${encodeURIComponent(reference)}/recall`, reference, '{}')
      if (reply.kind !== 'response' || reply.status !== 200) return 'unknown'
      const body = parsed(reply.body)
      if (body?.['reference'] !== reference) return 'unknown'
      if (body['status'] === 'recalled') return 'recalled'
      return body['status'] === 'too_late' ? 'refused' : 'unknown'
    },
    async pollEvents(position) {
      const reply = await call(deps, 'GET', `/events?after=${position}`, 'events', null)
      const body = reply.kind === 'response' && reply.status === 200 ? parsed(reply.body) : null
      if (!body || !Array.isArray(body['events']) || !Number.isSafeInteger(body['next'])) return { items: [], position }
      return { items: body['events'].flatMap(railEventsOf), position: body['next'] as number }
    },
    nameOf: (recipient) =>
      readAccountName((path) => call(deps, 'GET', path, 'accounts', null), '/accounts', recipient['wallet'] ?? null),
    parseCallback: callbackReportOf,
    listOrders: (channelId, sinceMs) => listedOrders(deps, channelId, sinceMs),
  }
}

/** All pages, or null: part of a list proves nothing about what is not in it. */
async function listedOrders(deps: SandboxDeps, channelId: string, sinceMs: number): Promise<TakenOrder[] | null> {
  const orders: TakenOrder[] = []
  const since = new Date(sinceMs).toISOString()
  for (let after: number | null = 0; after !== null; ) {
    const query = new URLSearchParams({ channel: channelId, since, after: String(after) })
    const reply = await call(deps, 'GET', `/transfers?${query.toString()}`, 'transfers', null)
    const body = reply.kind === 'response' && reply.status === 200 ? parsed(reply.body) : null
    const next: unknown = body?.['next']
    if (!body || !Array.isArray(body['transfers']) || (next !== null && !Number.isSafeInteger(next))) return null
    for (const each of body['transfers'] as unknown[]) {
      const order = takenOrderOf(each)
      if (order === 'unreadable') return null
      if (order) orders.push(order)
    }
    after = next as number | null
  }
  return orders
}

const TAKEN: Readonly<Record<string, TakenOrder['kind'] | null>> = {
  completed: 'sent',
  accepted: 'accepted',
  returned: 'returned',
  refused: null,
  recalled: null,
}

/** Null for an order whose money never went. */
function takenOrderOf(each: unknown): TakenOrder | 'unreadable' | null {
  const body: Body = { ...(each as Body | null) }
  const [reference, currency] = [textOf(body['reference']), textOf(body['currency'])]
  const [amountDecimal, kind] = [textOf(body['amount']), TAKEN[textOf(body['status']) ?? '']]
  if (reference === null || currency === null || amountDecimal === null || kind === undefined) return 'unreadable'
  return kind && { reference, currency, amountDecimal, kind }
}

function railEventsOf(event: unknown): RailEvent[] {
  if (typeof event !== 'object' || event === null) return []
  const body: Body = { ...event }
  const reference = textOf(body['reference'])
  return reference === null ? [] : [{ reference, outcome: outcomeOf(body, reference) }]
}

/** The same as in the list of events, with the money they are about. */
function callbackReportOf(object: Body): CallbackReport | null {
  const [amountDecimal, currency] = [textOf(object['amount']), textOf(object['currency'])]
  const [event] = railEventsOf(object)
  if (object['rail'] !== 'sandbox' || amountDecimal === null || currency === null || !event) return null
  return { ...event, amountDecimal, currency }
}

function call(
  deps: SandboxDeps,
  method: 'GET' | 'POST',
  path: string,
  reference: string,
  body: string | null,
): Promise<OutboundReply> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': reference }
  return deps.outbound.request({ method, url: deps.baseUrl + path, headers, body, timeoutMs: deps.timeoutMs })
}

function bodyOf(order: SendOrder): string {
  const { reference, currency, channelId, recipient, description } = order
  return JSON.stringify({
    reference,
    amount: order.amountDecimal,
    currency,
    channel: channelId,
    recipient,
    description,
  })
}

/** A 404 counts only with the provider's own error code: a proxy's 404 would make a paid order look unsent. */
function checkedReply(status: number, body: Body | null, order: SendOrder): Outcome | Absence {
  if (status === 404 && body?.['code'] === 'not_found') return { kind: 'not_found' }
  if (status !== 200 || !body) return unknown(`answer ${status} to the inquiry`)
  return matchedOutcome(body, order)
}

/** A report about other money than ours proves nothing about ours. */
function matchedOutcome(body: Body, order: SendOrder): Outcome {
  const isOurs = body['amount'] === order.amountDecimal && body['currency'] === order.currency
  return isOurs ? outcomeOf(body, order.reference) : unknown('the answer is about another amount')
}

function outcomeOf(body: Body, reference: string): Outcome {
  if (body['reference'] !== reference) return unknown('the answer is about another reference')
  const code = textOf(body['code']) ?? ''
  const message = textOf(body['message']) ?? ''
  switch (body['status']) {
    case 'completed':
      return { kind: 'delivered', providerId: textOf(body['id']) }
    case 'accepted':
      return { kind: 'accepted', providerId: textOf(body['id']) }
    case 'refused':
      return DEFINITE_REFUSALS.has(code) ? { kind: 'failed', code, message } : unknown('a refusal without a known code')
    case 'recalled':
      return { kind: 'failed', code: 'recalled', message }
    case 'returned':
      return { kind: 'returned', code, message }
    default:
      return unknown('a status without a known meaning')
  }
}

function parsed(body: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
