// Deliveries to webhook endpoints on the wire, with tests and replays: what their owners send, and what they are shown.
import { deliveryIdAt, type EpochPlace, FIRST_EPOCH } from '../domain/contract/ids.ts'
import Type, { type Static } from 'typebox'
import { EVENT_TYPES } from '../domain/transfer/moves.ts'
import { DELIVERY_STATUSES } from '../domain/webhook/delivery.ts'
import type { DeliveryPlace, Replay, ShownAttempt, ShownDelivery, TestResult } from '../domain/webhook/shown.ts'
import { ListQuery } from './api.ts'
import { Event } from './events.ts'
import { closed, envelope, livemode, nullable, nullableText, nullableTime, time, uuid, type Wire } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

export const TestBody = closed(
  { type: Type.Optional(Type.Enum([...EVENT_TYPES], { description: 'contract.paid by default.' })) },
  { $id: 'DeliveryTestRequest' },
)

export type TestBody = Static<typeof TestBody>

const REPLAYED_EVENTS_MAX = 100

const instant = (words: string) => Type.Optional(nullable(Type.String({ format: 'date-time', description: words })))

export const ReplayBody = closed(
  {
    events: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: 64 }), {
          minItems: 1,
          maxItems: REPLAYED_EVENTS_MAX,
          description: 'Ids of events, whatever the endpoint hears otherwise.',
        }),
      ),
    ),
    from: instant('Events from then on that the endpoint hears.'),
    to: instant('Events until then.'),
    missed: Type.Optional(
      nullable(
        Type.Boolean({
          description: 'True for what was never delivered since the endpoint is there; from and to narrow it.',
        }),
      ),
    ),
  },
  { $id: 'ReplayRequest', description: 'Either events, or a time, or what was missed.' },
)

export type ReplayBody = Static<typeof ReplayBody>

const outcome = Type.Enum(['delivered', 'refused', 'no_answer', 'not_sent'])

const DeliveryTest = Type.Object(
  {
    delivered: Type.Boolean(),
    outcome,
    status_code: nullable(Type.Integer()),
    duration_ms: Type.Integer(),
    fault: nullable(Type.String({ description: 'What was wrong.' })),
    response_body: nullable(Type.String({ description: 'Its first 2 KiB.' })),
    event: Event,
  },
  { $id: 'DeliveryTest' },
)
export const TestReply = envelope('number', Type.Object({ delivery_test: DeliveryTest }))

const ReplayOutcome = Type.Object(
  {
    number: Type.Integer({ description: 'The replay of its deliveries.' }),
    events: Type.Integer({ description: 'How many were queued.' }),
    more: Type.Boolean({ description: 'There were more than one replay takes.' }),
    next_from: nullable(time('Send the replay again with this as from.')),
  },
  { $id: 'Replay' },
)
export const ReplayReply = envelope('number', Type.Object({ replay: ReplayOutcome }))

export const deliveryFields = {
  id: Type.String({ description: 'Unique within its endpoint.' }),
  livemode,
  event_id: Type.String(),
  type: Type.String(),
  contract_id: nullable(uuid('The contract; null for an event that is no contract’s.')),
  sequence: Type.Integer(),
  status: Type.Enum([...DELIVERY_STATUSES]),
  replay: Type.Integer({ description: '0 for the first delivery of the event; above, the number of the replay.' }),
  tries: Type.Integer(),
  next_attempt_at: nullableTime,
  created_at: time('When.'),
  updated_at: time('When.'),
}

const Delivery = Type.Object(deliveryFields, { $id: 'Delivery' })

export const DeliveriesReply = envelope('number', Type.Object({ deliveries: Type.Array(Delivery), next: nullableText }))

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    at: time('When the call began.'),
    duration_ms: Type.Integer(),
    outcome,
    status_code: nullable(Type.Integer()),
    fault: nullable(Type.String({ description: 'What was wrong.' })),
    request: Type.Object(
      {
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String({ description: 'Its first 4 KiB.' }),
      },
      { description: 'As it was, without its token and signatures; the url is that of today.' },
    ),
    response: Type.Object({ body: nullable(Type.String({ description: 'Its first 2 KiB.' })) }),
  },
  { $id: 'DeliveryAttempt' },
)

export const AttemptsReply = envelope('number', Type.Object({ attempts: Type.Array(Attempt), next: nullableText }))

export const DeliveryParams = Type.Object({
  id: uuid('The endpoint.'),
  delivery: Type.String({ description: 'The id of the delivery.' }),
})

export const DeliveryQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
  event: Type.Optional(Type.String({ maxLength: 64, description: 'The id of an event, or an event type.' })),
})

export type DeliveryQuery = Static<typeof DeliveryQuery>

export function presentReplay({ number, events, nextFromMs }: Replay): Wire<typeof ReplayOutcome> {
  return { number, events, more: nextFromMs !== null, next_from: isoOrNull(nextFromMs) }
}

export function presentTest(result: TestResult, event: Wire<typeof Event>): Wire<typeof DeliveryTest> {
  return {
    delivered: result.outcome === 'delivered',
    outcome: result.outcome,
    status_code: result.statusCode,
    duration_ms: result.durationMs,
    fault: result.fault,
    response_body: result.responseBody,
    event,
  }
}

/** The id of a delivery: its place, so that it is found without an index of its own. */
export const deliveryId = (delivery: DeliveryPlace & EpochPlace): string => deliveryIdAt(delivery, delivery.replay)

/** The place behind a delivery's id, or nothing when it is none. */
export function placeOfDelivery(id: string): (DeliveryPlace & EpochPlace) | undefined {
  const match = /^dlv_([1-9][0-9]{0,14})_(0|[1-9][0-9]{0,8})(?:_([2-9]|[1-9][0-9]{1,8}))?$/.exec(id)
  if (!match) return undefined
  return { position: Number(match[1]), replay: Number(match[2]), epoch: Number(match[3] ?? FIRST_EPOCH) }
}

export function presentDelivery(delivery: ShownDelivery, livemode: boolean): Wire<typeof Delivery> {
  return {
    id: deliveryId(delivery),
    livemode,
    event_id: delivery.eventId,
    type: delivery.event,
    contract_id: delivery.contractId,
    sequence: delivery.sequence,
    status: delivery.status,
    replay: delivery.replay,
    tries: delivery.tries,
    next_attempt_at: isoOrNull(delivery.dueAt),
    created_at: iso(delivery.createdAt),
    updated_at: iso(delivery.updatedAt),
  }
}

/** One try: what was sent is made again from the history, without what authorised it. */
export function presentAttempt(
  attempt: ShownAttempt,
  sent: { eventId: string; url: string; body: string },
): Wire<typeof Attempt> {
  return {
    number: attempt.number,
    at: iso(attempt.at),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    fault: attempt.fault,
    request: {
      method: 'POST',
      url: sent.url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': sent.eventId,
        'webhook-timestamp': String(Math.floor(attempt.at / 1000)),
        'webhook-attempt': String(attempt.number),
      },
      body: cutText(sent.body, SHOWN_BYTES_MAX),
    },
    response: { body: attempt.responseBody },
  }
}

const SHOWN_BYTES_MAX = 4096

/** The beginning of a text, at most so many bytes of UTF-8, and no half character. */
function cutText(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
