// GET /resources: the reference data, with versions that caches keep; and of any id of the account what it names.
import { TAGGED } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Identified, identify } from '../../app/resources/identify.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import {
  contractLine,
  contractPartLine,
  eventLine,
  keyLine,
  memberLine,
  profileLine,
  type ResourceLine,
  walletLine,
} from '../../wire/resources/lines.ts'
import { DataSetsReply, ResourceParams, ResourceReply } from '../../wire/resources/data-sets.ts'
import { callerOf, type Context, described, guard } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import { succeed } from '../replies.ts'
import { type DataSet, dataSets } from './data-sets.ts'
import { RESOURCES } from './search.ts'

/** Reference data is for every caller: any credential that is valid will do. */
const ANY = { accepts: 'api key or token', scope: null } as const

/** Who keeps a copy asks again after so long, and mostly hears that nothing changed. */
const KEPT_SECONDS = 300

export function resourceRoutes(context: Context): void {
  const { app, settings } = context
  const { deps } = context
  const sets = remembered(
    () => dataSets({ channels: deps.channels, currencies: settings.currencies }),
    deps.monotonicMs,
  )

  const list = described('resources.list', 'List the reference data', RESOURCES, { reply: DataSetsReply }, ANY)
  app.get('/resources', { schema: list, onRequest: guard(context, ANY) }, async (_, reply) => {
    const resources = sets().map(({ name, description, version }) => ({
      name,
      description,
      href: hrefOf(name),
      version,
    }))
    return succeed(reply, 200, 'Resources found.', { resources: [...resources, CHANNELS], next: null })
  })

  const shapes = { params: ResourceParams, reply: ResourceReply }
  const get = described(
    'resources.get',
    'Get reference data by its name, or what an id names',
    RESOURCES,
    shapes,
    ANY,
    TAGGED,
    { sends: ['Cache-Control'], refusals: ['resource_not_found', 'token_not_for_contract', 'scope_missing'] },
  )
  app.get('/resources/:id', { schema: get, onRequest: guard(context, ANY) }, async (request, reply) => {
    const caller = callerOf(request)
    const { id } = request.params
    const set = sets().find(({ name }) => name === id)
    if (set && isKept(request, reply, set)) return reply
    if (set) {
      const { name, description, version, schema, items } = set
      const resource = { name, description, href: hrefOf(name), version, schema, items }
      return succeed(reply, 200, 'Reference data found.', { resource })
    }
    const found = await identify(deps, caller, id)
    if (!found) throw new RefusedRequest(refuse('resource_not_found', 'id', NOT_FOUND))
    return succeed(reply, 200, 'Resource found.', { resource: lineOf(found, id, caller, deps.nowMs()) })
  })
}

const hrefOf = (name: string) => `/resources/${name}`

const NOT_FOUND = 'No data set has this name, and nothing has this id. See GET /resources.'

/** Prices differ by mode and change: they stay where they are. */
const CHANNELS = {
  name: 'channels',
  description: 'The channels, with their prices, limits and what they ask of a recipient.',
  href: '/channels',
  version: null,
}

const REMEMBERED_MS = 1000

/** Made anew after a while: channels may change under a running gateway. */
function remembered<T>(make: () => T, monotonicMs: () => number): () => T {
  let made: { readonly value: T; readonly atMs: number } | null = null
  return () => {
    const nowMs = monotonicMs()
    if (!made || nowMs - made.atMs > REMEMBERED_MS) made = { value: make(), atMs: nowMs }
    return made.value
  }
}

/** Notes the version, and answers who has it already: 304 (RFC 9110, 13.1.2). */
function isKept(request: FastifyRequest, reply: FastifyReply, { version }: DataSet): boolean {
  reply.headers({
    etag: `"${version}"`,
    'cache-control': `private, max-age=${KEPT_SECONDS}`,
    vary: 'X-Api-Key, Authorization',
  })
  const asked = request.headers['if-none-match']
  const tags = asked?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (!tags.some((tag) => tag === '*' || tag === `"${version}"`)) return false
  void reply.code(304).send()
  return true
}

function lineOf(found: Identified, id: string, { livemode }: Caller, nowMs: number): ResourceLine {
  switch (found.type) {
    case 'contract':
      return contractLine(found.contract)
    case 'activity':
      return contractPartLine(
        'activity',
        id,
        found.contract,
        found.contract.activities[found.index]?.type ?? 'activity',
      )
    case 'transaction':
      return contractPartLine('transaction', id, found.contract, 'Ledger transaction')
    case 'event':
      return eventLine(found.event, livemode)
    case 'wallet':
      return walletLine(found.wallet, livemode)
    case 'profile':
      return profileLine({ ...found.profile, livemode })
    case 'key':
      return keyLine(found.key, nowMs)
    case 'webhook_endpoint':
      return {
        type: 'webhook_endpoint',
        id,
        href: `/webhook-endpoints/${id}`,
        summary: `Webhook endpoint ${found.endpoint.url}, ${found.endpoint.status}`,
        livemode,
      }
    case 'delivery':
      return deliveryLine(found.deliveries, id, livemode)
    case 'member':
      return memberLine(found.member, livemode)
    case 'account':
      return { type: 'account', id, href: '/accounts/me', summary: 'Your account', livemode }
  }
}

/** A place in the history is delivered to each endpoint under one name: the first is shown, the others are counted. */
function deliveryLine(
  deliveries: Extract<Identified, { type: 'delivery' }>['deliveries'],
  id: string,
  livemode: boolean,
): ResourceLine {
  const [first] = deliveries
  if (!first) throw new Error('a delivery that is none')
  const others = deliveries.length > 1 ? `, and to ${deliveries.length - 1} more` : ''
  return {
    type: 'delivery',
    id,
    href: `/webhook-endpoints/${first.endpointId}/deliveries/${id}/attempts`,
    summary: `Delivery of ${first.event} to ${first.url}, ${first.status}${others}`,
    livemode,
  }
}
