// Cards, in the manner of the large processors: a number comes from the payer's browser alone and becomes a token; the
// merchant requests payments by token. Amounts in minor units as whole numbers of JSON, any currency.
import { bankRefusal, shownOf, wellKnownToken } from '../collections/card-tokens.ts'
import type { CollectBooks } from '../collections/collect-books.ts'
import type { Collection, CollectionRequest, CollectStatus, Failure } from '../collections/collections.ts'
import type { Refund, RefundRequest } from '../collections/refunds.ts'
import { type Credentials, isSame } from '../credentials.ts'
import { type HttpRequest, json, noSuchRoute, type Reply } from '../replies.ts'
import type { Api, Call } from '../routing.ts'
import { decimalOf, knownMinor, type Money } from '../text/amounts.ts'
import { countIn, type Fields, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'
import { cardIn } from './card-fields.ts'
import { type CollectForm, collectHandlers, collectionRequest, payerPage, type Start } from './collecting.ts'
import { bodyOf, currencyIn, needKey, readOr, referenceIn, shortText } from './request-fields.ts'

const STATUSES: Readonly<Record<CollectStatus, string>> = {
  pending: 'requires_action',
  processing: 'processing',
  succeeded: 'succeeded',
  failed: 'requires_payment_method',
  expired: 'canceled',
  voided: 'canceled',
}
const REFUND_STATUSES = { succeeded: 'succeeded', processing: 'pending', failed: 'failed' } as const
/** So that a page of another origin may turn a number into a token. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'POST',
}

export const CARD_PAYMENTS: CollectForm = {
  rail: 'card',
  idPrefix: 'pi',
  failureCode: (code) => code,
  paymentOf,
  start,
  // Names the payment that it is about.
  notOpened: ({ reference }, { code, message }) => ({ ...json({ reference, error: { code, message } }), status: 400 }),
  find: (books, id) => books.byId('card', id),
  present,
  refundOf,
  presentRefund,
  mismatch: (kind) => refused(409, 'idempotency_error', `The reference stands for another ${kind}.`),
  notFound: () => refused(404, 'resource_missing', 'There is no such payment.'),
}

const payments = collectHandlers(CARD_PAYMENTS)

export const CARD: Api = {
  open: {
    ...payments.truth,
    'POST /card/v1/tokens': postToken,
    'OPTIONS /card/v1/tokens': () => ({ ...json(null), status: 204, text: '', headers: ANY_ORIGIN }),
  },
  refusal,
  routes: {
    'POST /card/v1/payment_intents': payments.open,
    'GET /card/v1/payment_intents': payments.list('reference'),
    'GET /card/v1/payment_intents/*': payments.show,
    'POST /card/v1/payment_intents/*/cancel': payments.void,
    'POST /card/v1/refunds': payments.refund,
    'GET /card/v1/refunds': payments.listRefunds('reference'),
    'GET /card/v1/settlements/*': payments.settlements,
  },
  malformed: (message) => refused(400, 'parameter_invalid', message),
}

function refusal({ path, headers }: HttpRequest, { cardApiKey }: Credentials): Reply | null {
  if (path[1] !== 'v1') return noSuchRoute()
  if (isSame(headers.authorization ?? '', `Bearer ${cardApiKey}`)) return null
  return refused(401, 'unauthorized', 'Authorization is not Bearer with the API key.')
}

function refused(status: number, code: string, message: string): Reply {
  return { ...json({ error: { code, message } }), status }
}

function postToken({ books, request }: Call): Reply {
  const card = readOr(() => cardIn(bodyOf(request)))
  if (typeof card === 'string') return { ...refused(400, 'invalid_card', card), headers: ANY_ORIGIN }
  const { behaviour: _, ...shown } = books.collections.addToken(card)
  return { ...json(shown), headers: ANY_ORIGIN }
}

function paymentOf(request: HttpRequest, books: CollectBooks): CollectionRequest {
  const fields = bodyOf(request)
  // Without a token the payer types the card on a page of ours.
  const token = fields['hosted'] === true ? null : (textIn(fields, 'token') ?? '')
  const known = token === null ? undefined : books.token(token)
  const asked = {
    reference: referenceIn(fields, 'reference'),
    ...moneyIn(fields, currencyIn(fields, 'currency')),
    description: shortText(fields, 'description'),
    card: known ? shownOf(known) : null,
    token,
  }
  const collection = collectionRequest('card', asked, fields, { returnTo: 'return_urls', expiresAt: 'expires_at' })
  needKey(request, collection.reference, 'reference')
  return collection
}

/** A bank that wants to see the payer first does not answer yet; any other agrees or refuses at once. */
function start({ token }: CollectionRequest, books: CollectBooks): Start | Failure {
  if (token === null) return { act: null, refusal: null }
  const card = books.token(token)
  if (!card) return { code: 'token_not_found', message: 'There is no such token.' }
  if (books.tokenUse(card.id) !== undefined && !wellKnownToken(card.id))
    return { code: 'token_already_used', message: 'The token was used for another payment.' }
  if (card.behaviour === 'challenges') return { act: null, refusal: null }
  return { act: 'pay', refusal: bankRefusal(card.behaviour) }
}

/** In the currency of the payment. */
function refundOf(request: HttpRequest, books: CollectBooks): RefundRequest {
  const fields = bodyOf(request)
  const payment = textIn(fields, 'payment_intent') ?? ''
  const currency = books.byId('card', payment)?.currency ?? 'PHP'
  return { rail: 'card', reference: referenceIn(fields, 'reference'), payment, ...moneyIn(fields, currency) }
}

function moneyIn(fields: Fields, currency: string): Money {
  const minor = countIn(fields, 'amount', 1, 999_999_999_999_999)
  if (minor === null) throw new Malformed('amount is a whole number of minor units above 0.')
  return { amount: decimalOf(BigInt(minor), currency), currency }
}

function present(collection: Collection, request: HttpRequest): Reply {
  const { id, reference, currency, status, paid, card, failure, createdAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  const isDeclined = status === 'failed' && failure !== null
  return json({
    id,
    object: 'payment_intent',
    status: STATUSES[status],
    reference,
    amount: Number(knownMinor(collection)),
    amount_received: isPaid ? Number(knownMinor({ amount: paid, currency })) : 0,
    currency,
    next_action: status === 'pending' ? { redirect_to_url: { url: payerPage(request, collection) } } : null,
    card,
    last_error: isDeclined ? { code: failure.code, message: failure.message } : null,
    created: Math.floor(createdAtMs / 1_000),
  })
}

function presentRefund(refund: Refund): Reply {
  const { id, reference, payment, currency, failure } = refund
  const amount = Number(knownMinor(refund))
  const status = REFUND_STATUSES[refund.status]
  return json({ id, payment_intent: payment, reference, amount, currency, status, failure })
}
