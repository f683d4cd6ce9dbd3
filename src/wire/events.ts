// Events on the wire: what is told of a contract of either kind, and what became of it at each webhook endpoint.
import Type from 'typebox'
import type { Contract } from '../domain/contract/contract.ts'
import { eventId } from '../domain/contract/ids.ts'
import type { EventType } from '../domain/transfer/moves.ts'
import type { EventDelivery as DomainEventDelivery } from '../domain/webhook/shown.ts'
import { AnyContract, presentContract } from './any-contract.ts'
import { API_VERSION } from './api.ts'
import { envelope, livemode, nullableText, nullableTime, time, uuid, type Wire } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'
import type { Presenter } from './transfer.ts'

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

/** A webhook's and the feed's body (docs/design/webhooks.md). */
export function presentEvent(
  presenter: Presenter,
  contract: Contract,
  type: EventType,
  profileId: string,
): Wire<typeof Event> {
  return {
    id: eventId(contract.id, contract.sequence),
    type,
    created_at: Math.floor(contract.updatedAt / 1000),
    data: { object: presentContract(presenter, contract, profileId) },
    event: type.slice(type.indexOf('.') + 1),
    kind: contract.kind,
    sequence: contract.sequence,
    api_version: API_VERSION,
    livemode: contract.livemode,
  }
}

/** What became of an event at one endpoint. */
export function presentEventDelivery(delivery: DomainEventDelivery, livemode: boolean): Wire<typeof EventDelivery> {
  const { position, endpointId, status, replay, tries, dueAt, createdAt, updatedAt } = delivery
  return {
    id: `dlv_${position}_${replay}`,
    endpoint_id: endpointId,
    livemode,
    status,
    replay,
    tries,
    next_attempt_at: isoOrNull(dueAt),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
  }
}
