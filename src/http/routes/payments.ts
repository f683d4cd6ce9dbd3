// The payment contract's routes (spec 4.8-4.10, docs/payments.md): parse, ask, present.
import { type Static, Type } from 'typebox'
import { COMMAND, OPENED, TAGGED, PAYER } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { choosePayment, createPayment, findPayment, type Paid, repeatedPayment } from '../../app/payments/payments.ts'
import { profilesNamed } from '../../app/profiles/named.ts'
import { payByWallet } from '../../app/payments/wallet-payments.ts'
import type { PaymentMethod } from '../../domain/channel/collection.ts'
import { cardInUrl } from '../../domain/text/cards.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { faultOfSite, type SiteRules } from '../../domain/account/sites.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { Access } from '../auth/auth.ts'
import { bearerOf } from '../auth/auth.ts'
import { callerOf, callerOfKey, type Context, described, guard, type RequestWithId } from '../context.ts'
import { sendUnchanged, succeed } from '../replies.ts'
import { draftOf } from '../../app/contracts/draft.ts'
import { contractOf } from '../contracts/reading.ts'
import { sendRefusal } from '../errors.ts'
import { commandCallerOf, conditionsOf } from '../request/command-caller.ts'
import { goesOn } from '../request/keyed.ts'
import { isWebUrl, parseMethod } from './payment-method.ts'
import { paymentRefundRoutes } from './payment-refunds.ts'
import { answerPayment, type PaymentSent } from './payment-replies.ts'
import { IdParams } from '../../wire/api.ts'
import { MethodBody, PaymentBody } from '../../wire/payment-requests.ts'
import { PaymentReply } from '../../wire/payment.ts'
import { paymentFor } from '../views.ts'
import { takeToken } from '../auth/rate-limit.ts'
import { closed } from '../../wire/shapes.ts'
import { rulesFor } from './transfers.ts'
import { readerOf, unknownParameter } from '../../app/contracts/validation.ts'
import { expectedVersions, isKnown, tagged } from '../request/versions.ts'

const TAG = 'Payment contracts'
const WRITE: Access = { accepts: 'api key', scope: 'contracts:write' }
const READ: Access = { accepts: 'api key or token', scope: 'contracts:read' }

export function paymentRoutes(context: Context): void {
  createRoute(context)
  getRoute(context)
  payRoute(context)
  paymentRefundRoutes(context)
}

// The payer's choice is judged by the same rules as in a request of its own: parseMethod.
const PaymentDraft = closed(
  { ...PaymentBody.properties, payment: Type.Optional(Type.Unknown()), return_url: Type.Optional(Type.Unknown()) },
  { $id: 'PaymentDraft' },
)
const readPayment = readerOf(PaymentDraft)

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'payments.create',
    'Generate a payment contract',
    TAG,
    { body: PaymentBody, reply: PaymentReply },
    WRITE,
    OPENED,
    {
      refusals: ['channel_not_in_mode', 'channel_unavailable', 'payment_declined', 'wallet_closed', 'wallet_not_found'],
    },
  )
  app.post('/contracts/payment', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const sent = readPayment(request.body)
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const requester = commandCallerOf(request)
    if (isRefusal(requester)) return sendRefusal(reply, requester)
    const { livemode } = callerOf(request)
    const wanted = await wantedOf(context, request, sent.read)
    const id = deps.newContractId(requester, requester.idempotency)
    const paid = isRefusal(wanted)
      ? await repeatedPayment(deps, requester, id, wanted)
      : await createPayment(deps, requester, { id, livemode, ...wanted })
    return answerPayment(context, reply, paid, 'Payment contract created.')
  })
}

/** What a contract is opened with: its terms, the payer's choice, and where that may send the payer. */
async function wantedOf(context: Context, request: FastifyRequest, sent: Static<typeof PaymentDraft>) {
  const caller = callerOf(request)
  const { livemode } = caller
  const named = profilesNamed(context.deps, caller, sent)
  const profiles = named && (await named)
  const draft = draftOf(sent, rulesFor(context, request), { money: 'comes in', profiles })
  if (isRefusal(draft)) return draft
  const extra = extraOf(sent)
  if (isRefusal(extra)) return extra
  const places = [...placesIn(extra.method, 'payment.'), ['return_url', extra.returnUrl] as const]
  const elsewhere = await siteFault(context, caller, { livemode, by: 'account', returnUrl: null }, places)
  return elsewhere ?? { ...draft, ...extra }
}

/** What a body holds beside a draft. Nobody has looked at it so far. */
type Extra = {
  readonly return_url?: unknown
  readonly payment?: unknown
  readonly wallet?: string | null | undefined
}

function extraOf(
  body: Extra,
): { returnUrl: string | null; walletId: string | null; method: PaymentMethod | null } | Refusal {
  const returnUrl = body.return_url ?? null
  const walletId = body.wallet?.toLowerCase() ?? null
  if (returnUrl !== null && (typeof returnUrl !== 'string' || returnUrl.length > URL_CHARS_MAX || !isWebUrl(returnUrl)))
    return refuseAll([
      invalid('return_url', 'return_url must be a whole http or https URL of at most 2,048 characters.'),
    ])
  const withCard = returnUrl === null ? null : cardInUrl('return_url', returnUrl)
  if (withCard) return refuseAll([withCard])
  // A contract that is sent back as it was read tells how it was paid.
  if (!body.payment || wasRead(body.payment)) return { returnUrl, walletId, method: null }
  const method = parseMethod(body.payment)
  if (isRefusal(method)) return method
  if (method.kind === 'wallet')
    return refuseAll([
      invalid('payment.type', 'A wallet pays with the key of its own account: PUT /contracts/payment/{id}/pay.'),
    ])
  return { returnUrl, walletId, method }
}

type Place = readonly [param: string, url: string | null]

/** Where a method sends its payer. */
function placesIn(method: PaymentMethod | null, before: string): Place[] {
  const found = Object.entries(method?.details ?? {}).filter(([name]) => name.endsWith('_url'))
  return found.map(([name, url]) => [`${before}${method?.kind}.${name}`, url])
}

/** Why a payer may not be sent there; looks at the account's sites only where there is a place at all. */
async function siteFault(
  { deps }: Context,
  account: AccountKey,
  rules: Omit<SiteRules, 'sites'>,
  places: readonly Place[],
): Promise<Refusal | null> {
  if (places.every(([, url]) => url === null)) return null
  const { sites } = await deps.merchantOf(account)
  const problems = places.flatMap(([param, url]) =>
    url === null ? [] : (faultOfSite(param, url, { ...rules, sites }) ?? []),
  )
  const [first, ...others] = problems
  return first ? refuseAll([first, ...others]) : null
}

const wasRead = (payment: unknown) =>
  typeof payment === 'object' && payment !== null && 'paid_at' in payment && !('type' in payment)

const URL_CHARS_MAX = 2048

function getRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'payments.get',
    'Get a payment contract',
    TAG,
    { params: IdParams, reply: PaymentReply },
    READ,
    TAGGED,
    PAYER,
    { refusals: ['contract_not_found'] },
  )
  app.get(
    '/contracts/payment/:id',
    { schema, onRequest: payerOr(context, guard(context, READ)) },
    async (request, reply) => {
      const payment = await readable(context, request)
      if (isRefusal(payment)) return sendRefusal(reply, payment)
      tagged(reply, payment)
      if (isKnown(request, payment)) return sendUnchanged(reply)
      const { profileId } = await deps.merchantOf(payment)
      const contract = paymentFor(request, presenter, payment, profileId)
      return succeed(reply, 200, 'Payment contract found.', { contract })
    },
  )
}

/** The contract that a payer's token proves the right to, or that the path names under the caller's account. */
async function readable(context: Context, request: RequestWithId): Promise<Payment | Refusal> {
  const { id } = request.params
  if (request.payerOf !== null) return (request.payerOf === id && (await findPayment(context.deps, id))) || notTheirs()
  return contractOf(context, request, 'payment')
}

const notTheirs = () => refuse('token_not_for_contract', 'id', 'The token is bound to another contract.')

type Hook = ReturnType<typeof guard>

/** Lets a payer in whose token proves the right to a contract; anybody else goes to the guard. */
function payerOr({ deps, limiter }: Context, otherwise: Hook): Hook {
  return function (request, reply, done): void {
    const token = bearerOf(request)
    const contractId = token === undefined ? null : deps.payments.checkout.contractOf(token)
    request.payerOf = contractId
    // A key beside the token is the payer's own: it is looked at where the payment is made with its wallet.
    if (contractId === null) return otherwise.call(this, request, reply, done)
    const limited = limiter && takeToken(limiter, contractId, reply)
    if (limited) sendRefusal(reply, limited)
    else done()
  }
}

const PAY_REFUSALS = [
  'payer_token_required',
  'api_key_required',
  'payment_declined',
  'insufficient_funds',
  'transfer_above_cap',
  'mandate_exceeded',
  'policy_denied',
  'approval_required',
  'verification_required',
  'wallet_not_found',
  'wallet_closed',
  'channel_not_in_mode',
  'channel_unavailable',
  'contract_cancelled',
  'contract_expired',
  'contract_already_paid',
  'payment_not_payable',
  'payment_processing',
  'payment_attempts_exhausted',
  'preview_mismatch',
  'requirements_not_met',
] as const

/** The payer's choice: with the token of the contract, or the key of its account. */
function payRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'payments.pay',
    'Pay a payment contract',
    TAG,
    { params: IdParams, body: MethodBody, reply: PaymentReply },
    WRITE,
    {
      description:
        'The payer’s choice, with the token that checkout_url ends with as bearer token, or the API key of the contract’s account. A wallet pays with that token and the API key of the wallet’s account.',
    },
    COMMAND,
    PAYER,
    { refusals: PAY_REFUSALS },
  )
  app.put(
    '/contracts/payment/:id/pay',
    { schema, onRequest: payerOr(context, guard(context, WRITE)) },
    async (request, reply) => {
      const method = methodIn(request.body ?? {})
      if (isRefusal(method)) return sendRefusal(reply, method)
      const payment = await readable(context, request)
      if (isRefusal(payment)) return sendRefusal(reply, payment)
      if (method.kind === 'wallet') return payWithWallet(context, request, reply, payment, method)
      const conditions = conditionsOf(request)
      if (isRefusal(conditions)) return sendRefusal(reply, conditions)
      const { lane, accountId, livemode, returnUrl } = payment
      const requester = {
        lane,
        accountId,
        keyId: request.caller?.keyId ?? null,
        memberId: request.caller?.memberId ?? null,
        ...conditions,
      }
      const by = request.payerOf === null ? 'account' : 'payer'
      const elsewhere = await siteFault(context, payment, { livemode, by, returnUrl }, placesIn(method, ''))
      const paid = elsewhere
        ? await repeatedPayment(deps, requester, null, elsewhere)
        : await choosePayment(deps, requester, payment.id, method, by)
      return answerPayment(context, reply, paid, begunWords(paid))
    },
  )
}

/** The choice as the whole body, or as its only member `payment`. */
function methodIn(sent: unknown): PaymentMethod | Refusal {
  if (typeof sent !== 'object' || sent === null) return parseMethod(sent, 'body')
  const { payment, ...others }: { payment?: unknown } = sent
  if (payment === undefined || 'type' in others) return parseMethod(sent, 'body')
  const [unknown] = Object.keys(others)
  return unknown === undefined ? parseMethod(payment) : refuseAll([unknownParameter('', unknown, ['payment'])])
}

/** A choice on a contract that is paid changes nothing, whatever it chooses. */
function begunWords(paid: Paid): string {
  const isDone =
    !isRefusal(paid) && 'contract' in paid && paid.contract.kind === 'payment' && paid.contract.paidAt !== null
  return isDone ? 'Payment contract is paid.' : 'Payment begun.'
}

async function payWithWallet(
  context: Context,
  request: FastifyRequest,
  reply: PaymentSent,
  payment: Payment,
  method: PaymentMethod,
): Promise<FastifyReply> {
  const { deps } = context
  if (request.payerOf === null)
    return sendRefusal(
      reply,
      refuse(
        'payer_token_required',
        'Authorization',
        'Send the token that checkout_url ends with as bearer token, and the key of the account that pays in X-Api-Key.',
      ),
    )
  const key = request.headers['x-api-key']
  if (typeof key !== 'string')
    return sendRefusal(
      reply,
      refuse('api_key_required', 'X-Api-Key', 'Send the API key of the account that pays in X-Api-Key.'),
    )
  const payer = await callerOfKey(context, request, reply, key)
  if (isRefusal(payer)) return sendRefusal(reply, payer)
  if (!payer.scopes.has('transfers:pay'))
    return sendRefusal(reply, refuse('scope_missing', null, 'The credential lacks the scope transfers:pay.'))
  const versions = expectedVersions(request)
  if (isRefusal(versions)) return sendRefusal(reply, versions)
  if (!(await goesOn(deps, request, reply, payment))) return reply
  const paid = await payByWallet(deps, payment, payer, method.details['wallet_id'] ?? '', versions)
  return answerPayment(context, reply, paid, begunWords(paid))
}
