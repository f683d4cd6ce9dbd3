// The wire shapes of events: what is told of a contract of either kind, and what became of it at each webhook endpoint.
import Type from 'typebox'
import { AnyContract } from './payment-schemas.ts'
import { envelope, livemode, nullableText, nullableTime, time, uuid } from './shapes.ts'

export const Event = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    data: Type.Object({ object: AnyContract }),
    event: Type.String({ description: 'The last word of the type.' }),
    kind: Type.Enum(['transfer', 'payment']),
    sequence: Type.Integer({ description: 'Gapless for each contract.' }),
    api_version: Type.String(),
    livemode,
  },
  { $id: 'Event' },
)
export const EventsReply = envelope('number', Type.Object({ events: Type.Array(Event), next: nullableText }))
const EventDelivery = Type.Object(
  {
    id: Type.String({ description: 'Unique within its endpoint.' }),
    endpoint_id: uuid('The webhook endpoint.'),
    livemode,
    status: Type.Enum(['pending', 'delivered', 'dead', 'held']),
    replay: Type.Integer({ description: '0 for the first delivery of the event; above, the number of the replay.' }),
    tries: Type.Integer(),
    next_attempt_at: nullableTime,
    created_at: time('When.'),
    updated_at: time('When.'),
  },
  { $id: 'EventDelivery' },
)
export const EventReply = envelope('number', Type.Object({ event: Event, deliveries: Type.Array(EventDelivery) }))
export const EventParams = Type.Object({ id: Type.String({ description: 'The event’s id: evt_….' }) })
