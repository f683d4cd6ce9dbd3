// The HTTP server: limits, parsing, headers, the error reply, and all routes.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Deps } from '../app/deps.ts'
import type { Signals } from '../app/webhooks/signals.ts'
import { isRefusal, refuse } from '../domain/contract/refusals.ts'
import { addressList, LOOPBACK_RANGES } from '../platform/addresses.ts'
import { activityRoutes } from './routes/activities.ts'
import { parseBody } from './request/body.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { channelRoutes } from './routes/channels.ts'
import { checkoutRoutes } from './checkout/checkout.ts'
import { changesStreamRoute } from './connections/changes-stream.ts'
import { limitConnections } from './connections/connections.ts'
import type { Context, HttpSettings } from './context.ts'
import { openStreams } from './routes/open-streams.ts'
import { requestRoutes } from './telemetry/requests.ts'
import { requestStreamRoute } from './telemetry/request-stream.ts'
import { type Watch, watchRequests } from './telemetry/request-watch.ts'
import { openToPages } from './auth/cors.ts'
import { consoleRoutes } from './sites/console.ts'
import { docsRoutes } from './sites/docs.ts'
import { errorBody, RefusedRequest, sendFault, sendRefusal } from './errors.ts'
import { eventStreamRoute } from './routes/event-stream.ts'
import { eventRoutes } from './routes/events.ts'
import { endGently, refusalWhileStopping, type Stopping } from './connections/drain.ts'
import type { FailedCredentials } from './auth/failed-credentials.ts'
import { keepReplies } from './request/keyed.ts'
import { healthRoutes, type Readiness } from './routes/health.ts'
import { accountRoutes } from './accounts/account.ts'
import { overviewRoutes } from './accounts/overview.ts'
import { usageRoutes } from './accounts/usage.ts'
import { auditRoutes } from './accounts/audit.ts'
import { keyRoutes } from './accounts/keys.ts'
import { listRoutes } from './routes/lists.ts'
import { collectOperations } from './openapi/operations.ts'
import { API_VERSION } from '../wire/api.ts'
import type { Presenter } from '../wire/transfer.ts'
import { destinationRoutes } from './profiles/destinations.ts'
import { verificationRoutes } from './verifiers/verifications.ts'
import { verifierRoutes } from './verifiers/verifiers.ts'
import { commandRoutes } from './commands/commands.ts'
import { walletRoutes } from './wallets/wallets.ts'
import { walletStatementRoutes } from './wallets/statements.ts'
import { payerRoutes } from './profiles/payers.ts'
import { allPolicyRoutes } from './policies/routes.ts'
import { profileRoutes } from './profiles/profiles.ts'
import { scheduleRoutes } from './schedules/schedules.ts'
import { paymentRoutes } from './routes/payments.ts'
import type { RateLimiter } from './auth/rate-limit.ts'
import { receiverRoutes } from './routes/receiver.ts'
import { resourceRoutes } from './resources/resources.ts'
import { searchRoutes } from './resources/search.ts'
import { sandboxRoutes } from './sandbox/sandbox.ts'
import type { WireTypes } from './replies.ts'
import { refuseUnread } from './request/strict.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { invitationRoutes } from './members/invitations.ts'
import { memberRoutes } from './members/members.ts'
import { oidcRoutes } from './members/oidc.ts'
import { operationRoutes } from './operations/operations.ts'
import { ownFactorRoutes } from './members/own-factors.ts'
import { sessionRoutes } from './members/sessions.ts'
import type { SignInLimits } from './auth/sign-in-limits.ts'
import { contractAttemptRoutes } from './contracts/attempts.ts'
import { contractDeliveryRoutes } from './contracts/deliveries.ts'
import { contractEntryRoutes } from './contracts/entries.ts'
import { contractExplainRoutes } from './contracts/explain.ts'
import { contractReceiptRoutes } from './contracts/receipt.ts'
import { transferActionRoutes } from './routes/transfer-actions.ts'
import { transferRoutes } from './routes/transfers.ts'
import { BODY_BYTES_MAX } from './request/sizes.ts'
import { patternOf, plainUrl } from './request/urls.ts'
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'

const TIMEOUTS_MS = { connection: 20_000, request: 10_000, headers: 5000, keepAlive: 72_000, check: 2000 } as const

/** How long a connection stays on which nothing comes, while the gateway stops. */
const LINGER_MS = 1000
const LINGER_LEAST_MS = 100

export type DoorSettings = {
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[]
  readonly connectionsMax: number
  /** From one address, but for this machine and the trusted proxies. */
  readonly connectionsPerAddress: number
  /** How long requests are served on after a signal to stop. */
  readonly drainSeconds: number
}

export type ServerParts = {
  readonly deps: Deps
  readonly signals: Signals
  readonly settings: HttpSettings
  readonly presenter: Presenter
  readonly limiter: RateLimiter | null
  readonly failures: FailedCredentials | null
  readonly signInLimits: SignInLimits | null
  readonly doors: DoorSettings
  /** Whether the database is older than what was done with it: every reply says so. */
  readonly recovery: { readonly isOn: () => boolean }
  /** How far a stop has come; set by the code that stops the gateway. */
  readonly state: Stopping
  readonly readiness: Readiness
  /** What requests leave behind. */
  readonly watch: Watch
  readonly log: FastifyBaseLogger
}

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = newServer(parts)
  acceptJson(app)
  const routes = knownRoutes(app)
  refuseUnread(app)
  keepReplies(app, parts.deps)
  const preflight = openToPages(app, parts.deps)
  app.setErrorHandler((fault: Error, request, reply) => sendFault(fault, request, reply))
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === 'OPTIONS' && (await preflight(request, reply))) return reply
    const methods = routes.filter((route) => route.path.test(request.url)).map((route) => route.method)
    if (methods.length === 0)
      return sendRefusal(reply, refuse('route_not_found', null, 'No operation has this path. See GET /docs.'))
    const allowed = [...new Set(methods)].join(', ')
    reply.header('Allow', allowed)
    return sendRefusal(reply, refuse('method_not_allowed', null, `This path takes ${allowed}.`))
  })
  app.decorate('operations', collectOperations(app))
  // A child scope, so that its routes are seen by the plugin registered before.
  await app.register(async (child) => routesOf(child, parts))
  return app
}

function routesOf(child: FastifyInstance, parts: ServerParts): void {
  const { deps, settings, presenter, limiter, failures, signals, watch, signInLimits } = parts
  const context: Context = { app: child.withTypeProvider<WireTypes>(), deps, settings, presenter, limiter, failures }
  const streams = openStreams(signals, deps.reader)
  watch.metrics.gauge('gateway_streams_open', 'Streams of events and requests that are followed.', streams.count)
  child.addHook('preClose', (done) => {
    streams.stop()
    done()
  })
  transferRoutes(context)
  transferActionRoutes(context)
  activityRoutes(context)
  contractAttemptRoutes(context)
  contractEntryRoutes(context)
  contractExplainRoutes(context)
  contractReceiptRoutes(context)
  contractDeliveryRoutes(context)
  paymentRoutes(context)
  checkoutRoutes(context, signals)
  listRoutes(context)
  eventRoutes(context)
  eventStreamRoute(context, streams)
  changesStreamRoute(context, streams)
  requestRoutes(context, watch.requests)
  requestStreamRoute(context, watch.requests, streams)
  scheduleRoutes(context)
  profileRoutes(context)
  allPolicyRoutes(context)
  commandRoutes(context)
  walletRoutes(context)
  walletStatementRoutes(context)
  destinationRoutes(context)
  payerRoutes(context)
  verifierRoutes(context)
  verificationRoutes(context)
  webhookEndpointRoutes(context)
  webhookDeliveryRoutes(context)
  resourceRoutes(context)
  searchRoutes(context)
  if (deps.sandbox) sandboxRoutes(context, deps.sandbox)
  channelRoutes(context)
  callbackRoutes(context)
  receiverRoutes(context)
  tokenRoutes(context)
  accountRoutes(context)
  overviewRoutes(context)
  usageRoutes(context)
  auditRoutes(context)
  keyRoutes(context)
  memberRoutes(context)
  invitationRoutes(context, signInLimits)
  sessionRoutes(context, signInLimits)
  ownFactorRoutes(context)
  oidcRoutes(context, signInLimits)
  operationRoutes(context)
  healthRoutes(context, parts.readiness, watch.metrics.text)
  docsRoutes(child)
  if (settings.console === 'on') consoleRoutes(child, { openid: deps.members.oidc ? 'on' : 'off' })
}

function newServer({ log, doors, state, recovery, watch }: ServerParts): FastifyInstance {
  const stem = `req_${randomBytes(5).toString('hex')}`
  let count = 0
  const app = Fastify({
    loggerInstance: log,
    // One logger for all: a child for each request costs more than the few lines that are ever written.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX.usual,
    trustProxy: doors.trustProxy.length > 0 && [...doors.trustProxy],
    connectionTimeout: TIMEOUTS_MS.connection,
    requestTimeout: TIMEOUTS_MS.request,
    keepAliveTimeout: TIMEOUTS_MS.keepAlive,
    http: {
      headersTimeout: TIMEOUTS_MS.headers,
      connectionsCheckingInterval: TIMEOUTS_MS.check,
      maxHeaderSize: 16_384,
    },
    // Requests that come while it closes get our own answer.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => `${stem}${(++count).toString(36).padStart(6, '0')}`,
    routerOptions: { maxParamLength: 100, caseSensitive: true },
    rewriteUrl: ({ url = '/' }) => plainUrl(url),
    // What the router cannot read is answered in the same form as everything else.
    frameworkErrors: (fault, request, reply) => {
      reply.headers({ 'Request-Id': request.id, 'Service-Version': API_VERSION })
      sendFault(fault, request, reply)
    },
    exposeHeadRoutes: true,
    clientErrorHandler: (fault, socket) => sendUnread(fault, socket, `${stem}000000`),
  })
  const isExempt = addressList([...LOOPBACK_RANGES, ...doors.trustProxy])
  const { connectionsMax: max, connectionsPerAddress: perAddress, drainSeconds } = doors
  const connections = limitConnections(app.server, { max, perAddress, isExempt })
  // Where nothing waits for the stop, it does not wait for a browser's idle connections either.
  endGently(app, state, connections, drainSeconds > 0 ? LINGER_MS : LINGER_LEAST_MS)
  // Bodies are validated where they are parsed, once; replies are written as text.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.decorateRequest('rawBody', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('payerOf', null)
  watchRequests(app, watch)
  app.addHook('onRequest', (request, reply, done) => {
    const version = request.headers['service-version']
    reply.header('Request-Id', request.id)
    reply.header('Service-Version', API_VERSION)
    if (recovery.isOn()) reply.header('Gateway-State', 'recovery')
    const stopping = refusalWhileStopping(state, reply)
    if (stopping) return void sendRefusal(reply, stopping)
    if (version === undefined || version === API_VERSION) done()
    else
      sendRefusal(
        reply,
        refuse('unsupported_version', 'Service-Version', `Service-Version must be ${API_VERSION}, or left out.`),
      )
  })
  return app
}

/** What was no request, or never came whole, is answered on the bare connection. */
function sendUnread(fault: Error, socket: Socket, requestId: string): void {
  if (!socket.writable) return void socket.destroy()
  const late = (fault as { code?: string }).code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const refusal = late
    ? refuse('request_timeout', null, 'The request did not arrive in time. Nothing was done: send it again.')
    : refuse('malformed_json', null, 'The request is not HTTP that this server understands.')
  const body = JSON.stringify(errorBody(refusal, requestId))
  const head = `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}`
  socket.end(
    `${head}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    if (request.headers['content-encoding'] !== undefined)
      return done(
        new RefusedRequest(refuse('unsupported_media_type', 'Content-Encoding', 'Send the body without compression.')),
      )
    request.rawBody = raw as Buffer
    const parsed = parseBody(raw as Buffer, 'refused', request.routeOptions.config.membersMax)
    if (isRefusal(parsed)) done(new RefusedRequest(parsed))
    else done(null, parsed.value)
  })
}

/** Which methods each path takes, for an honest 405. */
function knownRoutes(app: FastifyInstance): { method: string; path: RegExp }[] {
  const routes: { method: string; path: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const path = patternOf(url)
    for (const each of [method].flat()) routes.push({ method: String(each), path })
  })
  return routes
}
