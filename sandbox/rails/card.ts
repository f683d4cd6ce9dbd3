// Cards, in the manner of the large processors: a number comes from the payer's browser alone and becomes a token; who
// sells asks for payments by token. Amounts in minor units as whole numbers of JSON, any currency.
import { decimalOf, knownMinor } from '../text/amounts.ts'
import {
  bankRefusal,
  behaviourOf,
  brandOf,
  type CardToken,
  isCardNumber,
  wellKnownToken,
} from '../collections/card-tokens.ts'
import type { CollectBooks } from '../collections/collect-books.ts'
import {
  askedOf,
  currencyIn,
  openCollection,
  payerPage,
  readOr,
  returnToIn,
  type Start,
  shortText,
  takeRefund,
  timeIn,
} from '../collections/collect-requests.ts'
import type { Asked, Collection, CollectStatus, Failure } from '../collections/collections.ts'
import { type Credentials, isSame } from '../credentials.ts'
import { countIn, FieldFault, type Fields, fieldsIn, objectIn, textIn } from '../text/fields.ts'
import type { Refund, RefundAsked } from '../collections/refunds.ts'
import { type Ask, json, noSuchRoute, type Reply, textOf } from '../replies.ts'
import { referenceIn } from './wallets.ts'

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

export function routeCard(books: CollectBooks, ask: Ask, { cardApiKey }: Credentials): Reply {
  const [, version, area, id, action, ...rest] = ask.path
  if (version !== 'v1') return noSuchRoute()
  const asked = [ask.method, area ?? '', id === undefined ? '' : '*', action ?? '', ...rest].join(' ').trimEnd()
  if (asked === 'OPTIONS tokens') return { ...json(null), status: 204, text: '', headers: ANY_ORIGIN }
  if (asked === 'POST tokens') return { ...postToken(books, ask), headers: ANY_ORIGIN }
  if (!isSame(ask.headers.authorization ?? '', `Bearer ${cardApiKey}`))
    return refused(401, 'unauthorized', 'Authorization is not Bearer with the API key.')
  switch (asked) {
    case 'POST payment_intents':
      return postIntent(books, ask)
    case 'GET payment_intents':
      return listed(books.find('card', referenceAsked(ask)), (found) => presentIntent(ask, found))
    case 'GET payment_intents *':
      return onIntent(books, id ?? '', (found) => json(presentIntent(ask, found)))
    case 'POST payment_intents * cancel':
      return onIntent(books, id ?? '', (found) => json(presentIntent(ask, books.act(found, 'void'))))
    case 'POST refunds':
      return postRefund(books, ask)
    case 'GET refunds':
      return listed(books.findRefund('card', referenceAsked(ask)), presentRefund)
    default:
      return noSuchRoute()
  }
}

const referenceAsked = (ask: Ask) => ask.url.searchParams.get('reference') ?? ''

function listed<T>(found: T | undefined, present: (found: T) => unknown): Reply {
  return json({ data: found === undefined ? [] : [present(found)] })
}

function onIntent(books: CollectBooks, id: string, answer: (found: Collection) => Reply): Reply {
  const found = books.byId('card', id)
  return found ? answer(found) : refused(404, 'resource_missing', 'There is no such payment.')
}

function postToken(books: CollectBooks, ask: Ask): Reply {
  const read = readOr(() => cardIn(bodyOf(ask)))
  if (typeof read === 'string') return refused(400, 'invalid_card', read)
  const { behaviour: _, ...shown } = books.addToken(read)
  return json(shown)
}

/** The number goes no further than here. */
function cardIn(fields: Fields): Omit<CardToken, 'id'> {
  const digits = (textIn(fields, 'number') ?? '').replace(/[ -]/g, '')
  if (!isCardNumber(digits)) throw new FieldFault('number', 'is no number of a card')
  if (!/^\d{3,4}$/.test(textIn(fields, 'cvc') ?? '')) throw new FieldFault('cvc', 'is a text of 3 or 4 digits')
  const expMonth = countIn(fields, 'exp_month', 1, 12)
  const expYear = countIn(fields, 'exp_year', 2000, 2099)
  if (expMonth === null || expYear === null) throw new FieldFault('exp_month and exp_year', 'are numbers')
  const last4 = digits.slice(-4)
  return { brand: brandOf(digits), last4, exp_month: expMonth, exp_year: expYear, behaviour: behaviourOf(last4) }
}

function postIntent(books: CollectBooks, ask: Ask): Reply {
  const asked = readOr(() => intentIn(books, bodyOf(ask)))
  if (typeof asked === 'string') return refused(400, 'parameter_invalid', asked)
  if (ask.headers['idempotency-key'] !== asked.reference)
    return refused(400, 'parameter_invalid', 'The Idempotency-Key is the reference.')
  const opened = openCollection(books, asked, () => startOf(books, asked))
  if (opened.kind === 'refused') return notOpened(asked.reference, opened.failure)
  if (opened.kind === 'mismatch') return refused(409, 'idempotency_error', 'The reference stands for another payment.')
  return json(presentIntent(ask, opened.collection), opened.wire)
}

/** A bank that wants to see the payer first says nothing yet; any other agrees or refuses at once. */
function startOf(books: CollectBooks, { token }: Asked): Start | Failure {
  const card = books.token(token ?? '')
  if (!card) return { code: 'token_not_found', message: 'There is no such token.' }
  if (books.tokenUse(card.id) !== undefined && !wellKnownToken(card.id))
    return { code: 'token_already_used', message: 'The token was used for another payment.' }
  if (card.behaviour === 'challenges') return { act: null, refusal: null }
  return { act: 'pay', refusal: bankRefusal(card.behaviour) }
}

function postRefund(books: CollectBooks, ask: Ask): Reply {
  const asked = readOr(() => refundIn(books, bodyOf(ask)))
  if (typeof asked === 'string') return refused(400, 'parameter_invalid', asked)
  const { kind, refund, wire } = takeRefund(books, asked)
  if (kind === 'mismatch') return refused(409, 'idempotency_error', 'The reference stands for another refund.')
  return json(presentRefund(refund), wire)
}

function bodyOf(ask: Ask): Fields {
  const fields = objectIn(textOf(ask.body))
  if (!fields) throw new FieldFault('The body', 'is no JSON object')
  return fields
}

function intentIn(books: CollectBooks, fields: Fields): Asked {
  const token = textIn(fields, 'token') ?? ''
  const known = books.token(token)
  const { brand, last4, exp_month, exp_year } = known ?? { brand: '', last4: '', exp_month: 0, exp_year: 0 }
  return askedOf('card', {
    reference: referenceIn(fields, 'reference'),
    ...moneyIn(fields, currencyIn(fields, 'currency')),
    description: shortText(fields, 'description'),
    returnTo: returnToIn(fields, 'return_urls'),
    expiresAtMs: timeIn(fields, 'expires_at'),
    card: known ? { brand, last4, exp_month, exp_year } : null,
    token,
    metadata: fieldsIn(fields, 'metadata'),
  })
}

/** In the currency of the payment. */
function refundIn(books: CollectBooks, fields: Fields): RefundAsked {
  const payment = textIn(fields, 'payment_intent') ?? ''
  const currency = books.byId('card', payment)?.currency ?? 'PHP'
  return { rail: 'card', reference: referenceIn(fields, 'reference'), payment, ...moneyIn(fields, currency) }
}

function moneyIn(fields: Fields, currency: string): { readonly amount: string; readonly currency: string } {
  const minor = countIn(fields, 'amount', 1, 999_999_999_999_999)
  if (minor === null) throw new FieldFault('amount', 'is a whole number of minor units above 0')
  return { amount: decimalOf(BigInt(minor), currency), currency }
}

function presentIntent(ask: Ask, collection: Collection): unknown {
  const { id, reference, currency, status, paid, card, failure, createdAtMs } = collection
  const isPaid = status === 'succeeded' && paid !== null
  const isDeclined = status === 'failed' && failure !== null
  return {
    id,
    object: 'payment_intent',
    status: STATUSES[status],
    reference,
    amount: Number(knownMinor(collection)),
    amount_received: isPaid ? Number(knownMinor({ amount: paid, currency })) : 0,
    currency,
    next_action: status === 'pending' ? { redirect_to_url: { url: payerPage(ask, 'card', id) } } : null,
    card,
    last_error: isDeclined ? { code: failure.code, message: failure.message } : null,
    created: Math.floor(createdAtMs / 1_000),
  }
}

function presentRefund(refund: Refund): unknown {
  const { id, reference, payment, currency, status, failure } = refund
  const amount = Number(knownMinor(refund))
  return { id, payment_intent: payment, reference, amount, currency, status: REFUND_STATUSES[status], failure }
}

function refused(status: number, code: string, message: string): Reply {
  return { ...json({ error: { code, message } }), status }
}

/** Says of which payment it speaks. */
function notOpened(reference: string, { code, message }: Failure): Reply {
  return { ...json({ reference, error: { code, message } }), status: 400 }
}
