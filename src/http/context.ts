// What every route shares: dependencies, settings, the guard at the door and the way out.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { IsArray, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Caller } from '../app/accounts/callers.ts'
import type { Changer } from '../app/accounts/changes.ts'
import type { Deps } from '../app/deps.ts'
import type { Contract } from '../domain/contract/contract.ts'
import type { ContractResult, ReplayedRefusal } from '../engine/command-request.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../domain/contract/refusals.ts'
import { type Access, authenticate, invalidKey, refusedFrom } from './auth/auth.ts'
import { RefusedRequest, sendRefusal } from './errors.ts'
import { refusalOfPage } from './auth/cross-site.ts'
import type { FailedCredentials } from './auth/failed-credentials.ts'
import type { Observed } from '../platform/telemetry/observed.ts'
import { type Door, type Facts, joined, type OperationId } from './openapi/facts.ts'
import type { IdParams } from '../wire/api.ts'
import type { Presenter } from '../wire/transfer.ts'
import { takeToken, type RateLimiter } from './auth/rate-limit.ts'
import type { Api } from './replies.ts'
import { readerOf } from '../app/contracts/validation.ts'

declare module 'fastify' {
  interface FastifySchema {
    operationId?: OperationId
    summary?: string
    tags?: string[]
    access?: Door
    facts?: Facts
    /** A page: no operation of the API. */
    hide?: boolean
  }
  interface FastifyContextConfig {
    /** How many members a body may have, where that is more than elsewhere. */
    membersMax?: number
  }
  interface FastifyRequest {
    /** The bytes of the body as they came, for fingerprints and signatures. */
    rawBody: Buffer | null
    caller: Caller | null
    /** The payment contract that a payer's token proves the right to. */
    payerOf: string | null
    /** What is noted of the request for whoever runs the gateway. */
    observed: Observed | null
  }
}

export type HttpSettings = {
  readonly currencies: ReadonlySet<string>
  readonly console: 'on' | 'off'
}

export type Context = {
  readonly app: Api
  readonly deps: Deps
  readonly settings: HttpSettings
  readonly presenter: Presenter
  readonly limiter: RateLimiter | null
  readonly failures: FailedCredentials | null
}

/** Lets a request in: authenticated, allowed and within its rate; else answers with the refusal. */
export function guard({ deps, limiter, failures }: Context, access: Access): onRequestHookHandler {
  return (request, reply, done) => {
    const admit = (caller: Caller | Refusal) => {
      if (isRefusal(caller)) {
        failures?.count(request, caller)
        return void sendRefusal(reply, caller)
      }
      const foreign = caller.memberId === null ? null : refusalOfPage(request, deps.members.baseUrl())
      if (foreign) return void sendRefusal(reply, foreign)
      const limited = limiter && takeToken(limiter, caller.keyId, reply)
      if (limited) return void sendRefusal(reply, limited)
      request.caller = caller
      deps.keyUses.note(caller)
      done()
    }
    const turnedAway = failures?.turnAway(request, reply)
    if (turnedAway) return void sendRefusal(reply, turnedAway)
    const caller = authenticate(deps, request, access)
    if (caller instanceof Promise) caller.then(admit).catch(done)
    else admit(caller)
  }
}

/** The caller behind a key that came elsewhere than the guard looks, within its rate; or why it is refused. */
export async function callerOfKey(
  { deps, limiter, failures }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<Caller | Refusal> {
  const turnedAway = failures?.turnAway(request, reply, key)
  if (turnedAway) return turnedAway
  const caller = await deps.callers.byApiKey(key)
  if (caller) {
    const refused = refusedFrom(caller, request) ?? (limiter && takeToken(limiter, caller.keyId, reply))
    if (!refused) deps.keyUses.note(caller)
    return refused ?? caller
  }
  const refusal = invalidKey()
  failures?.count(request, refusal)
  return refusal
}

/** The caller that the guard let in. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a route without its guard asked for the caller')
  return request.caller
}

/** Where a request comes from, for the audit list. */
export const placeOf = ({ ip, id }: FastifyRequest) => ({ address: ip, requestId: id })

/** Who changes an account by this request, for its audit list. */
export function changerOf(request: FastifyRequest): Changer {
  const { lane, accountId, keyId, memberId } = callerOf(request)
  const who = memberId === null ? ({ kind: 'key', id: keyId } as const) : ({ kind: 'member', id: memberId } as const)
  return { lane, accountId, keyId, actor: { ...who, ...placeOf(request) }, claim: request.keyClaim }
}

/** The result as a success, or null after its refusal has been sent. */
export function contractOrRefuse<C extends Contract>(
  reply: FastifyReply,
  result: ContractResult<C> | Refusal | ReplayedRefusal,
): ContractResult<C> | null {
  if ('replayed' in result && result.replayed) reply.header('Idempotent-Replayed', 'true')
  if (!isRefusal(result)) return result
  sendRefusal(reply, result)
  return null
}

/** A body read by its schema, or the refusal thrown. What the schema does not name is refused. */
export function parserOf<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const read = readerOf(schema)
  return (value) => {
    const result = read(value)
    if (isRefusal(result)) throw new RefusedRequest(result)
    return result.read
  }
}

/**
 * A query read by its schema, or the refusal thrown. Where the schema has a list, it may come as one text with commas, or as
 * one parameter for each element.
 */
export function queryParserOf<P extends TProperties>(schema: TObject<P>): (query: unknown) => Static<TObject<P>> {
  const read = readerOf(schema)
  const lists = Object.entries(schema.properties).flatMap(([name, shape]) => (IsArray(shape) ? [name] : []))
  return (query) => {
    const sent: Record<string, unknown> = typeof query === 'object' ? { ...query } : {}
    for (const name of lists)
      if (name in sent) sent[name] = [sent[name]].flat().flatMap((text) => String(text).split(','))
    const result = read(sent)
    if (!isRefusal(result)) return result.read
    const singles = Object.keys(schema.properties).filter((name) => !lists.includes(name))
    const [first, ...others] = singles.flatMap((name) => repeated(name, sent[name]))
    throw new RefusedRequest(refuseAll(first ? [first, ...others] : namedWhole(result)))
  }
}

/** No schema but a list's takes one that came several times, and its words would be of types that a query does not have. */
function repeated(name: string, value: unknown): Problem[] {
  return Array.isArray(value) ? [invalid(name, `${name} is given ${value.length} times. Give it once.`)] : []
}

/** A parameter is named by its name alone, whichever of its elements is wrong. */
function namedWhole({ problems, code, param, message }: Refusal): [Problem, ...Problem[]] {
  const whole = (problem: Problem): Problem => {
    const name = problem.param?.replace(/\.\d+$/, '') ?? null
    return { ...problem, param: name, message: problem.message.replace(/^(\w+)\.\d+ /, '$1 ') }
  }
  const [first = { code, param, message }, ...others] = problems
  return [whole(first), ...others.map(whole)]
}

type Shapes<R extends TSchema> = {
  readonly body?: TSchema
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly reply: R
}

/**
 * The schemas of a route, by the types that hold before its handler runs: nobody has looked at its body and its query by
 * then, so the types of these are left out, and the handler gets them from a reader.
 */
type Described<R extends TSchema> = {
  readonly operationId: OperationId
  readonly summary: string
  readonly tags: string[]
  readonly access: Door
  readonly facts: Facts
  readonly body?: TSchema
  readonly querystring?: TSchema
  readonly response: { readonly 200: R }
}

/** What the OpenAPI document says of a route beside its path (openapi/document.ts). */
export function described<R extends TSchema, P extends TSchema>(
  operationId: OperationId,
  summary: string,
  tag: string,
  shapes: Shapes<R> & { readonly params: P },
  access: Door,
  ...facts: readonly Facts[]
): Described<R> & { readonly params: P }
export function described<R extends TSchema>(
  operationId: OperationId,
  summary: string,
  tag: string,
  shapes: Omit<Shapes<R>, 'params'>,
  access: Door,
  ...facts: readonly Facts[]
): Described<R>
export function described<R extends TSchema>(
  operationId: OperationId,
  summary: string,
  tag: string,
  { body, params, querystring, reply }: Shapes<R>,
  access: Door,
  ...facts: readonly Facts[]
): Described<R> {
  return {
    operationId,
    summary,
    tags: [tag],
    access,
    facts: joined(facts),
    ...(body ? { body } : {}),
    ...(params ? { params } : {}),
    ...(querystring ? { querystring } : {}),
    response: { 200: reply },
  }
}

/** A request whose path has an id. */
export type RequestWithId = FastifyRequest & { readonly params: Static<typeof IdParams> }
