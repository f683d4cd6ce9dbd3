// What the OpenAPI document has beside the routes.
import type { SwaggerOptions } from '@fastify/swagger'
import { REQUEST_EXAMPLES } from './examples.ts'
import * as activities from '../../wire/activities.ts'
import * as anyContract from '../../wire/any-contract.ts'
import * as api from '../../wire/api.ts'
import * as channels from '../../wire/channels.ts'
import * as contractChannel from '../../wire/contract-channel.ts'
import * as events from '../../wire/events.ts'
import * as explanation from '../../wire/explanation.ts'
import * as members from '../../wire/members/members.ts'
import * as payment from '../../wire/payment.ts'
import * as paymentRequests from '../../wire/payment-requests.ts'
import * as providerEvents from '../../wire/provider-events.ts'
import * as sessions from '../../wire/members/sessions.ts'
import * as transfer from '../../wire/transfer.ts'
import * as transferRequests from '../../wire/transfer-requests.ts'
import * as wallets from '../../wire/wallets/wallets.ts'
import * as walletStatements from '../../wire/wallets/statements.ts'
import * as webhookDelivery from '../../wire/webhook-delivery.ts'
import * as webhookEndpoint from '../../wire/webhook-endpoint.ts'

export const OPENAPI: SwaggerOptions = {
  refResolver: {
    buildLocalReference: (shape, _base, _fragment, count) =>
      typeof shape.$id === 'string' ? shape.$id : `Shape${count}`,
  },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Gateway for money contracts',
      version: api.API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Draft a transfer contract, mend it until its preview is valid, issue it, pay it from a wallet: the money moves through a channel exactly once, or comes back. Open a payment contract, and its payer pays by e-wallet, QR code, card, wallet or crypto: the money is booked once, and what does not fit goes back.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Transfer contracts' },
      { name: 'Payment contracts' },
      { name: 'Channels' },
      { name: 'Wallets' },
      { name: 'Events' },
      { name: 'Webhook endpoints' },
      { name: 'Payment events' },
      { name: 'Tokens' },
      { name: 'Members' },
      { name: 'Sessions' },
      { name: 'Requests' },
      { name: 'Health' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'gateway_session' },
      },
    },
  },
}

/** The files that name shapes. */
const WIRE = [
  activities,
  anyContract,
  api,
  channels,
  contractChannel,
  events,
  explanation,
  members,
  payment,
  paymentRequests,
  providerEvents,
  sessions,
  transfer,
  transferRequests,
  wallets,
  walletStatements,
  webhookDelivery,
  webhookEndpoint,
]

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }

/**
 * The document with every named shape once, under components. The routes' own schemas hold the shapes in full,
 * for that is what validates; equal shapes are found by their text.
 */
export function openApiDocument(described: unknown): Json {
  const names = new Map<string, string>()
  for (const shape of WIRE.flatMap((module) => Object.values<unknown>(module)))
    if (typeof shape === 'object') collectNamed(JSON.parse(JSON.stringify(shape)) as Json, names)
  const schemas: { [name: string]: Json } = {}
  const referred = (value: Json, isRoot: boolean): Json => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((each) => referred(each, false))
    const name = isRoot ? undefined : names.get(textOf(value))
    if (name === undefined) return mapMembers(value, (member) => referred(member, false))
    schemas[name] ??= mapMembers(value, (member) => referred(member, false))
    return { $ref: `#/components/schemas/${name}` }
  }
  const plain = JSON.parse(JSON.stringify(described), (name, member: Json) =>
    name === 'requestBody' ? withNeed(member) : member,
  ) as Json
  const document = withExamples(referred(plain, true) as { [member: string]: Json })
  const components = document['components'] as { [member: string]: Json }
  const known = components['schemas'] as { [name: string]: Json } | undefined
  const sorted = Object.fromEntries(Object.entries({ ...known, ...schemas }).sort(([a], [b]) => a.localeCompare(b)))
  return { ...document, components: { ...components, schemas: sorted } }
}

type Described = { [path: string]: { [method: string]: { requestBody?: { content: { [type: string]: Json } } } } }

/** Puts the examples beside the shapes of the bodies that they are of. */
function withExamples(document: { [member: string]: Json }): { [member: string]: Json } {
  const paths = document['paths'] as Described
  for (const [operation, example] of Object.entries(REQUEST_EXAMPLES)) {
    const [method = '', path = ''] = operation.split(' ')
    const media = paths[path]?.[method]?.requestBody?.content['application/json']
    if (media) Object.assign(media, { example })
  }
  return document
}

/** A body all of whose members are optional may be left out. */
function withNeed(body: Json): Json {
  const { content } = body as { content: { [type: string]: { schema: { required?: string[] } } } }
  const isNeeded = Object.values(content).some(({ schema }) => (schema.required?.length ?? 0) > 0)
  return { ...(body as { [member: string]: Json }), required: isNeeded }
}

/** Names by the text of the shape, the inner ones too; each shape's text is without any names. */
function collectNamed(value: Json, names: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && typeof value['$id'] === 'string') names.set(textOf(value), value['$id'])
  for (const member of Object.values(value)) collectNamed(member, names)
}

function textOf(value: Json): string {
  return JSON.stringify(value, (name, member: unknown) => (name === '$id' ? undefined : member))
}

function mapMembers(value: { [member: string]: Json }, change: (member: Json) => Json): { [member: string]: Json } {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}
