// What a route sends, bound to the schema that it declares: a handler that sends another shape does not compile.
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Wire } from '../wire/shapes.ts'

declare const shape: unique symbol
/** The text of a reply of that shape. Only sendJson writes one, so that no handler sends any other. */
type TextOf<S extends TSchema> = string & { readonly [shape]: Static<S> }

// The package of Fastify for TypeBox is not it: it types a body before anybody has looked at it, and wants replies as objects,
// which Fastify would write as text by itself. Here bodies and queries are unknown until a handler has read them by their
// schemas (context.ts: described), and the text of a reply is written once.
/** The types that Fastify takes from a route's schemas. */
export interface WireTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? TextOf<this['schema']> : unknown
}

/** Where the API's routes are added. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  WireTypes
>

/** The reply of a route whose success has the shape. */
export type ReplyOf<S extends TSchema> = FastifyReply<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  ContextConfigDefault,
  { readonly response: { readonly 200: S } },
  WireTypes
>

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a body of the shape that the route declares. */
export function sendJson<S extends TSchema>(reply: ReplyOf<S>, body: Wire<S>): FastifyReply {
  const plain: FastifyReply = reply
  plain.header('content-type', JSON_TYPE)
  return plain.send(JSON.stringify(body))
}

/** A success as the envelope of the API has it. */
type Envelope = TSchema & { readonly properties: { readonly status: TSchema; readonly data: TSchema } }

/** Sends a success: always 200, the envelope's `status` a number or a string, as the schema says (docs/design/domain.md). */
export function succeed<S extends Envelope>(
  reply: ReplyOf<S>,
  status: Static<S['properties']['status']>,
  message: string,
  data: Wire<S['properties']['data']>,
): FastifyReply {
  const plain: FastifyReply = reply
  plain.header('content-type', JSON_TYPE)
  return plain.send(JSON.stringify({ status, message, data }))
}

/** The client has what would be sent. */
export const sendUnchanged = (reply: FastifyReply) => reply.code(304).send()
