// The hosted payment page: what a payer sees of a payment contract, and the choice of how to pay. Whoever has the token in
// the address may pay; nothing else is asked, and nothing is kept in the browser.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Overloaded, ShuttingDown } from '../../engine/batch.ts'
import { choosePayment, findPayment } from '../../app/payments/payments.ts'
import type { Signals } from '../../app/webhooks/signals.ts'
import { methodsFor } from '../../domain/payment/methods.ts'
import type { Payment, PaymentAttempt } from '../../domain/payment/payment.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { Busy } from '../../engine/held-line.ts'
import { isAway as isDatabaseAway } from '../../platform/db.ts'
import { type CheckoutFiles, readCheckoutFiles } from './assets.ts'
import { formFields, isFromElsewhere, methodBody, problemOf } from './form.ts'
import { checkoutPage, plainPage } from './page.ts'
import type { Look, Problem } from './parts.ts'
import { checkoutStatus } from './status.ts'
import { openCheckoutStreams } from './stream.ts'
import { checkoutPath, checkoutView, type CheckoutView } from './view.ts'
import { languageIn, languageLiked } from './words.ts'
import type { Context } from '../context.ts'
import { RefusedRequest, sendRefusal, statusOf } from '../errors.ts'
import type { Api, WireTypes } from '../replies.ts'
import { parseMethod } from '../routes/payment-method.ts'
import { takeToken } from '../auth/rate-limit.ts'

const FORM_BYTES_MAX = 8192
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Nothing from elsewhere, into no frame; no address of a payment leaves with a link. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cache-control': 'no-store',
} as const

/** A page may be asked for with any query. */
const PAGE = {
  hide: true,
  params: Type.Object({ token: Type.String() }),
  querystring: Type.Record(Type.String(), Type.Unknown()),
}
const ASSET = { hide: true, params: Type.Object({ hash: Type.String(), name: Type.String() }) }

type WithToken = Pick<FastifyRequest, 'headers' | 'log' | 'id'> & {
  readonly params: Static<typeof PAGE.params>
  readonly query: Static<typeof PAGE.querystring>
}

type Checkout = { readonly context: Context; readonly files: () => CheckoutFiles }

/** All of it below /pay. */
export function checkoutRoutes(context: Context, signals: Signals): void {
  let read: CheckoutFiles | null = null
  const files = () => (read ??= readCheckoutFiles())
  // A scope of its own: forms are read here and nowhere else.
  void context.app.register(async (plain) => {
    const scope = plain.withTypeProvider<WireTypes>()
    const checkout: Checkout = { context: { ...context, app: scope }, files }
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_, body, done) => done(null, body),
    )
    pageRoutes(checkout)
    choiceRoute(checkout)
    statusRoutes(checkout, signals)
    assetRoute(scope, files)
  })
}

/** What answers with a page does so with its faults, too. */
const optionsOf = (checkout: Checkout) => ({
  schema: PAGE,
  errorHandler: (fault: Error, request: WithToken, reply: FastifyReply) =>
    void faultPage(checkout, fault, request, reply),
})

function pageRoutes(checkout: Checkout): void {
  const { app } = checkout.context
  for (const path of ['/pay/:token', '/pay/:token/return'] as const) {
    app.get(path, optionsOf(checkout), async (request, reply) => {
      const payment = await paymentOf(checkout, request, reply)
      if (!payment) return notFound(checkout, request, reply)
      const look = { ...lookOf(request), isBack: path.endsWith('/return') }
      return sendPage(checkout, request, reply, payment, look)
    })
  }
}

function choiceRoute(checkout: Checkout): void {
  const { app, deps, presenter } = checkout.context
  app.post('/pay/:token', optionsOf(checkout), async (request, reply) => {
    const payment = await paymentOf(checkout, request, reply)
    if (!payment) return notFound(checkout, request, reply)
    const look = lookOf(request)
    const refused = (problem: Problem | null, status: number) =>
      problem === null
        ? seeOther(reply, request, look, '')
        : sendPage(checkout, request, reply.code(status), payment, { ...look, problem })
    if (isFromElsewhere(request.headers, presenter.baseUrl)) return refused('crossSite', 403)
    const fields = formFields(typeof request.body === 'string' ? request.body : '')
    const sent = parseMethod(methodBody(fields))
    if (isRefusal(sent)) return refused(problemOf(sent), 400)
    if (sent.kind === 'wallet') return refused('method', 400)
    const { channel: channelId } = fields
    const method = channelId ? { ...sent, channelId } : sent
    const { lane, accountId, id } = payment
    const requester = { lane, accountId, keyId: null, idempotency: null }
    const chosen = await choosePayment(deps, requester, id, method, 'payer')
    if (isRefusal(chosen)) return refused(problemOf(chosen), statusOf(chosen.code))
    return seeOther(reply, request, look, 'go=1')
  })
}

/** Back to the page itself: a policy on forms binds where they lead, and the page leads on to the rail. */
function seeOther(reply: FastifyReply, { params }: WithToken, { language, isLanguageNamed }: Look, query: string) {
  const asked = [isLanguageNamed ? `lang=${language}` : '', query].filter((each) => each !== '').join('&')
  return reply
    .code(303)
    .headers(HEADERS)
    .header('location', `${checkoutPath(params.token)}${asked === '' ? '' : `?${asked}`}`)
    .send()
}

function statusRoutes(checkout: Checkout, signals: Signals): void {
  const { app, deps } = checkout.context
  const streams = openCheckoutStreams(signals, (fault) =>
    app.log.error({ err: fault }, 'a stream of a payment page broke'),
  )
  const absent = (reply: FastifyReply) =>
    sendRefusal(reply.headers(HEADERS), refuse('route_not_found', null, 'There is no payment here.'))
  app.get('/pay/:token/status', { schema: PAGE }, async (request, reply) => {
    const payment = await paymentOf(checkout, request, reply)
    if (!payment) return absent(reply)
    const status = checkoutStatus(await viewOf(checkout, request, payment))
    return reply.headers(HEADERS).type('application/json; charset=utf-8').send(JSON.stringify(status))
  })
  app.get('/pay/:token/events', { schema: PAGE, exposeHeadRoute: false }, async (request, reply) => {
    const payment = await paymentOf(checkout, request, reply)
    if (!payment) return absent(reply)
    const { id: contractId, lane, accountId } = payment
    const look = async () => {
      const now = await deps.contracts.submit({ lane, accountId, id: contractId })
      return checkoutStatus(await viewOf(checkout, request, now?.kind === 'payment' ? now : payment))
    }
    const isOpen = streams.open(reply, { contractId, accountId, look }, { ...HEADERS, 'request-id': request.id })
    if (isOpen) return reply
    return sendRefusal(
      reply.headers(HEADERS),
      refuse('overloaded', null, 'Too many follow already. Read …/status instead.'),
    )
  })
  app.addHook('preClose', (done) => {
    streams.stop()
    done()
  })
}

function assetRoute(app: Api, files: () => CheckoutFiles): void {
  app.get('/pay/assets/:hash/:name', { schema: ASSET }, async (request, reply) => {
    const { hash, name } = request.params
    const file = files().at(`${hash}/${name}`)
    if (!file) return sendRefusal(reply, refuse('route_not_found', null, 'There is no such file.'))
    const { type, etag, plain, gzipped } = file
    reply.headers({ ...HEADERS, 'cache-control': FOR_EVER, 'content-type': type, etag, vary: 'Accept-Encoding' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
  })
}

/** The contract that the token proves the right to. Throws where it is asked for faster than its limit. */
async function paymentOf(
  { context: { deps, limiter } }: Checkout,
  { params }: WithToken,
  reply: FastifyReply,
): Promise<Payment | null> {
  const contractId = deps.payments.checkout.contractOf(params.token)
  if (contractId === null) return null
  const limited = limiter && takeToken(limiter, contractId, reply)
  if (limited) throw new RefusedRequest(limited)
  return findPayment(deps, contractId)
}

async function viewOf({ context }: Checkout, { params, query }: WithToken, payment: Payment): Promise<CheckoutView> {
  const { deps, presenter } = context
  return checkoutView(payment, {
    token: params.token,
    baseUrl: presenter.baseUrl,
    brand: await deps.brandOf(payment),
    methods: methodsFor(deps.channels, payment),
    channelName: (attempt: PaymentAttempt) =>
      deps.channels.at(attempt.channelId, attempt.channelVersion)?.name ?? attempt.channelId,
    nowMs: deps.nowMs(),
    wantsChoice: query['choose'] === '1',
  })
}

function lookOf({ query, headers }: WithToken): Look {
  const named = languageIn(query['lang'])
  const language = named ?? languageLiked(headers['accept-language'])
  return { language, isLanguageNamed: named !== null, problem: null, isBack: false, isLeaving: query['go'] === '1' }
}

async function sendPage(
  checkout: Checkout,
  request: WithToken,
  reply: FastifyReply,
  payment: Payment,
  look: Look,
): Promise<FastifyReply> {
  const view = await viewOf(checkout, request, payment)
  return sendHtml(reply, checkoutPage(view, look, checkout.files().assets))
}

function sendHtml(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .headers({ ...HEADERS, vary: 'Accept-Language' })
    .type('text/html; charset=utf-8')
    .send(text)
}

/** The same for a token that was mistyped, forged, or of a contract that is no more. */
function notFound({ files }: Checkout, request: WithToken, reply: FastifyReply): FastifyReply {
  return sendHtml(reply.code(404), plainPage('notFound', lookOf(request).language, files().assets))
}

/** A payer is told of our fault in a page; whether it is ours for long says the status. */
function faultPage(
  checkout: Checkout,
  fault: Error & { readonly statusCode?: number },
  request: WithToken,
  reply: FastifyReply,
): FastifyReply {
  const isAway = isDatabaseAway(fault) || [Busy, Overloaded, ShuttingDown].some((kind) => fault instanceof kind)
  const refused = fault instanceof RefusedRequest ? statusOf(fault.refusal.code) : fault.statusCode
  const status = isAway ? 503 : (refused ?? 500)
  if (status >= 500 && !isAway) request.log.error({ err: fault, request_id: request.id }, 'internal error')
  if (isAway) reply.header('retry-after', '1')
  return sendHtml(reply.code(status), plainPage('fault', lookOf(request).language, checkout.files().assets))
}
