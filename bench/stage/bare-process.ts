// The bar: the same framework with the same limits and validators, used the plain way, answering at once with a contract
// of the same size. No database, no credentials, no rules. It ends with its parent.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { DraftBody } from '../../src/wire/transfer-requests.ts'
import { ContractReply } from '../../src/wire/transfer.ts'
import { openLog } from '../../src/platform/log.ts'

/** Real replies of the gateway, which the bare server repeats. */
export type Canned = { readonly create: string; readonly get: string; readonly pay: string }

type Reply = {
  readonly status: number
  readonly message: string
  readonly data: { readonly contract: Record<string, unknown> }
}

function bareServer(canned: Canned) {
  const stem = randomBytes(5).toString('hex')
  let count = 0
  const app = Fastify({
    loggerInstance: openLog('warn') as FastifyBaseLogger,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 65_536,
    connectionTimeout: 20_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 2000, maxHeaderSize: 16_384 },
    requestIdHeader: false,
    genReqId: () => `req_${stem}${(++count).toString(36)}`,
    routerOptions: { maxParamLength: 100, caseSensitive: true },
    exposeHeadRoutes: false,
  })
  app.setValidatorCompiler(({ schema }) => {
    const compiled = Compile(schema as TSchema)
    return (value) => compiled.Check(value) || { error: new Error('the body does not fit its schema') }
  })
  const created = JSON.parse(canned.create) as Reply
  const found = JSON.parse(canned.get) as Reply
  const paid = JSON.parse(canned.pay) as Reply
  // The framework's own serializer, made from the reply's schema: a little faster here than JSON.stringify.
  const response = { 200: ContractReply }
  app.post('/contracts/transfer', { schema: { body: DraftBody, response } }, (request, reply) => {
    const { amount, currency, description } = request.body as DraftBody
    reply.send(
      replyWith(created, { id: randomUUID(), amount, currency, description, created_at: new Date().toISOString() }),
    )
  })
  type ById = { Params: { id: string } }
  app.get<ById>('/contracts/transfer/:id', { schema: { response } }, (request, reply) => {
    reply.send(replyWith(found, { id: request.params.id }))
  })
  app.put<ById>('/contracts/transfer/:id/pay', { schema: { response } }, (request, reply) => {
    reply.send(replyWith(paid, { id: request.params.id, paid_at: new Date().toISOString() }))
  })
  return app
}

function replyWith({ status, message, data }: Reply, changes: Record<string, unknown>): Reply {
  return { status, message, data: { contract: { ...data.contract, ...changes } } }
}

const canned = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Canned
const url = await bareServer(canned).listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => process.exit(0))
process.send?.({ url })
