// Cards through a processor: payments by token or on the processor's own page, and refunds of them. A number of a card never
// comes here: the payer types it at the processor. Every doubtful answer is unknown.
import type { Collection, CollectOrder } from '../../domain/channel/collection.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { invariant } from '../../domain/invariant.ts'
import { fixedText } from '../../domain/money/money.ts'
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { plainText } from '../../formats/iso20022/texts.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import type {
  CollectCapabilities,
  Collects,
  Connector,
  ConnectorCapabilities,
  FetchesSettlements,
  RefundsPayments,
} from '../connector.ts'
import { readSettlement } from '../settlements.ts'
import {
  awaitingPayer,
  closedBy,
  doubt,
  isRefund,
  noPayouts,
  onlyOf,
  paymentIn,
  processing,
  received,
  type RefundOrder,
  refusedBy,
  unasked,
  uninformed,
} from '../collecting.ts'
import {
  callRail,
  type Fields,
  fieldsOf,
  jsonFields,
  type RailSettings,
  type Response,
  textOf,
  unanswered,
  uninquired,
} from '../rail.ts'

/** By the processor's list of codes (docs/sandbox.md): nothing was paid, and nothing will be. */
const DEFINITE_FAILURES: ReadonlySet<string> = new Set([
  'card_declined',
  'insufficient_funds',
  'authentication_failed',
  'payment_declined',
  'payment_failed',
  'payer_declined',
  'payer_cancelled',
])
/** Nothing was opened at all. */
const DEFINITE_TOKEN_REFUSALS: ReadonlySet<string> = new Set(['token_not_found', 'token_already_used'])
/** Nothing was refunded, and nothing will be under this reference. */
const DEFINITE_REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'payment_not_found',
  'payment_not_paid',
  'refund_exceeds_payment',
  'payer_account_closed',
  'wrong_currency',
])

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: null,
  inquiry: true,
  notFoundFinalAfterMs: 30_000,
  recall: false,
}
export const CARD_COLLECTS: CollectCapabilities = { inquiry: true, refunds: true, hosted: true }
const INTENTS = '/card/v1/payment_intents'
const REFUNDS = '/card/v1/refunds'
const DESCRIPTION_MAX = 140

export type CardSettings = RailSettings & { readonly apiKey: string }

type Call = (method: 'GET' | 'POST', path: string, reference: string, body: object | null) => Promise<OutboundReply>

export function cardConnector(settings: CardSettings): Connector & Collects & RefundsPayments & FetchesSettlements {
  const call: Call = (method, path, reference, body) => {
    const authorization = `Bearer ${settings.apiKey}`
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const headers = { ...json, authorization, 'idempotency-key': reference }
    return callRail(settings, { method, path, headers, body: body && JSON.stringify(body) })
  }
  return {
    describe: () => CAPABILITIES,
    send: async (order) => (isRefund(order) ? sendRefund(call, order) : noPayouts('card')),
    check: async (reference, order) => (isRefund(order) ? checkRefund(call, reference, order) : noPayouts('card')),
    ...cardCollecting(call),
    fetchSettlement: (day) => readSettlement((path) => call('GET', path, 'read', null), '/card/v1', day),
  }
}

function cardCollecting(call: Call): Collects & RefundsPayments {
  const lookUp = async ({ reference }: Pick<CollectOrder, 'reference'>): Promise<OutboundReply> =>
    call('GET', `${INTENTS}?reference=${encodeURIComponent(reference)}`, reference, null)
  return {
    describeCollect: () => CARD_COLLECTS,
    async collect(order) {
      const { secret: token, details } = order.method
      // The token is used up: only an inquiry can show the result of an earlier call with it.
      if (token === null && !details['hosted']) return doubt('the token of the card is not at hand')
      const reply = await call('POST', INTENTS, order.reference, intentOf(order, token))
      return reply.kind === 'response' ? opened(reply, order) : unasked(reply)
    },
    async checkCollection(order) {
      const reply = await lookUp(order)
      if (reply.kind !== 'response') return uninformed(reply)
      const found = onlyOf(fieldsIn(reply)?.['data'])
      return found.kind === 'only' ? collectionOf(found.fields, order) : found
    },
    async paymentUnder(payment) {
      const reply = await lookUp(payment)
      if (reply.kind !== 'response') return uninformed(reply)
      return paymentIn(fieldsIn(reply)?.['data'], payment, { reference: 'reference', id: 'id' })
    },
    async voidCollection(order) {
      const reply = await lookUp(order)
      const found = reply.kind === 'response' ? onlyOf(fieldsIn(reply)?.['data']) : uninformed(reply)
      // Opening a payment may charge the card, so an absent one is not opened only to be closed.
      const id = found.kind === 'only' ? textOf(found.fields['id']) : null
      if (id === null) return 'unknown'
      const answer = await call('POST', `${INTENTS}/${encodeURIComponent(id)}/cancel`, `${order.reference}-cancel`, {})
      const closed = answer.kind === 'response' ? collectionOf(fieldsIn(answer), order) : doubt(answer.reason)
      return closedBy(closed)
    },
  }
}

/** Without a token the processor has a page on which the payer types the card. */
function intentOf(order: CollectOrder, token: string | null): object {
  return {
    reference: order.reference,
    amount: wholeNumber(order.amountMinor),
    currency: order.currency,
    ...(token === null ? { hosted: true } : { token }),
    description: plainText(order.description, DESCRIPTION_MAX) ?? '',
    return_urls: order.returnTo,
    expires_at: new Date(order.expiresAt).toISOString(),
    metadata: { contract_id: order.contractId, account_id: order.accountId },
  }
}

/** A refusal of the token itself is definite; any other refusal of the request proves nothing. */
function opened(reply: Response, order: CollectOrder): Collection {
  const body = reply.status === 400 ? jsonFields(reply) : null
  if (body?.['reference'] === order.reference) return refusedBy(DEFINITE_TOKEN_REFUSALS, fieldsOf(body['error']))
  return collectionOf(fieldsIn(reply), order)
}

function collectionOf(body: Fields | null, order: CollectOrder): Collection {
  if (!body || !isAbout(body, order)) return doubt('no answer about this payment')
  const id = textOf(body['id'])
  const shown = shownOf(fieldsOf(body['card']))
  switch (body['status']) {
    case 'requires_action':
      return awaitingPayer(id, fieldsOf(fieldsOf(body['next_action'])?.['redirect_to_url'])?.['url'], order, shown)
    case 'processing':
      return processing(id, shown)
    case 'succeeded': {
      const { currency } = order
      return received({ id, amount: decimalIn(body['amount_received'], currency), currency }, null, shown)
    }
    case 'requires_payment_method':
      return refusedBy(DEFINITE_FAILURES, fieldsOf(body['last_error']))
    case 'canceled':
      return { kind: 'failed', code: 'canceled', message: 'The payment was closed before anybody paid.' }
    default:
      return doubt('a status without a known meaning')
  }
}

/** What may be shown of a card, where it is plainly that. */
function shownOf(card: Fields | null): Readonly<Record<string, string>> {
  const [brand, last4] = [textOf(card?.['brand']) ?? '', textOf(card?.['last4']) ?? '']
  const [month, year] = [Number(card?.['exp_month']), Number(card?.['exp_year'])]
  const isShown = /^[a-z_ ]{1,20}$/.test(brand) && /^\d{4}$/.test(last4) && month >= 1 && month <= 12 && year >= 2000
  if (!isShown) return {}
  return { brand, last4, expiry: `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}` }
}

/** Refunds a payment, or a part of it. */
async function sendRefund(call: Call, order: RefundOrder): Promise<Outcome> {
  const { reference, refundOf, amountMinor } = order
  const body = { payment_intent: refundOf, amount: wholeNumber(amountMinor), reference }
  const reply = await call('POST', REFUNDS, reference, body)
  return reply.kind === 'response' ? refundOutcome(fieldsIn(reply), order) : unanswered(reply)
}

async function checkRefund(call: Call, reference: string, order: RefundOrder): Promise<Outcome | Absence> {
  const reply = await call('GET', `${REFUNDS}?reference=${encodeURIComponent(reference)}`, reference, null)
  if (reply.kind !== 'response') return uninquired(reply)
  const found = onlyOf(fieldsIn(reply)?.['data'])
  return found.kind === 'only' ? refundOutcome(found.fields, order) : found
}

function refundOutcome(body: Fields | null, order: RefundOrder): Outcome {
  if (!body || !isAbout(body, order) || body['payment_intent'] !== order.refundOf)
    return doubt('no answer about this refund')
  const providerId = textOf(body['id'])
  switch (body['status']) {
    case 'succeeded':
      return { kind: 'delivered', providerId }
    case 'pending':
      return { kind: 'accepted', providerId }
    case 'failed':
      return refusedBy(DEFINITE_REFUND_REFUSALS, fieldsOf(body['failure']))
    default:
      return doubt('a status without a known meaning')
  }
}

type Money = Pick<SendOrder, 'reference' | 'amountMinor' | 'currency'>

function isAbout(body: Fields, { reference, amountMinor, currency }: Money): boolean {
  return body['reference'] === reference && body['amount'] === wholeNumber(amountMinor) && body['currency'] === currency
}

function fieldsIn(reply: Response): Fields | null {
  return reply.status === 200 ? jsonFields(reply) : null
}

function wholeNumber(amountMinor: bigint): number {
  const amount = Number(amountMinor)
  invariant(Number.isSafeInteger(amount), 'an amount of a card is exact as a number')
  return amount
}

function decimalIn(amount: unknown, currency: string): string | null {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return null
  return minorDigits(currency) === undefined ? null : fixedText(BigInt(amount), currency)
}
