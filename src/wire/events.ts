// Events on the wire: what is told of a contract of either kind, and what became of it at each webhook endpoint.
import Type from 'typebox'
import { ACCOUNT_OBJECTS, idOfEvent, objectKindOf, type StoredEvent } from '../domain/account/events.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { eventId } from '../domain/contract/ids.ts'
import type { EventType } from '../domain/transfer/moves.ts'
import type { EventDelivery as DomainEventDelivery } from '../domain/webhook/shown.ts'
import { AnyContract, presentContract } from './any-contract.ts'
import { API_VERSION } from './api.ts'
import { envelope, livemode, nullableText, nullableTime, time, uuid, type Wire } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'
import type { Presenter } from './transfer.ts'

/** What an event is about that is no contract's: as the reply of its own operation shows it. */
export const AccountObject = Type.Object(
  { id: Type.String(), livemode },
  { $id: 'AccountObject', additionalProperties: true, description: 'A wallet, profile, key, member or account.' },
)

export const Event = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    data: Type.Object({ object: Type.Union([AnyContract, AccountObject]) }),
    event: Type.String({ description: 'The last word of the type.' }),
    kind: Type.Enum(['transfer', 'payment', ...ACCOUNT_OBJECTS]),
    sequence: Type.Integer({ description: 'Gapless for each contract; 1 for what is no contract’s.' }),
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

/** An event about a contract. */
export type ContractEvent = Omit<Wire<typeof Event>, 'data'> & {
  readonly data: { readonly object: Wire<typeof AnyContract> }
}

/** A webhook's and the feed's body (docs/design/webhooks.md). */
export function presentEvent(
  presenter: Presenter,
  contract: Contract,
  type: EventType,
  profileId: string,
): ContractEvent {
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

/** The same of an event as it is stored. */
export function presentStoredEvent(presenter: Presenter, stored: StoredEvent, profileId: string): Wire<typeof Event> {
  if (stored.contract) return presentEvent(presenter, stored.contract, stored.event, profileId)
  const { event: type, at, object } = stored
  return {
    id: idOfEvent(stored),
    type,
    created_at: Math.floor(at / 1000),
    data: { object },
    event: type.slice(type.indexOf('.') + 1),
    kind: objectKindOf(type),
    sequence: 1,
    api_version: API_VERSION,
    livemode: object.livemode,
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
