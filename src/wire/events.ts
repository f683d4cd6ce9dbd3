// Events on the wire: what is told of a contract of either kind, and what became of it at each webhook endpoint.
import Type, { type Static, type TSchema } from 'typebox'
import {
  ACCOUNT_EVENT_TYPES,
  ACCOUNT_OBJECTS,
  ALL_EVENT_TYPES,
  type AnyEventType,
  idOfEvent,
  objectKindOf,
  type RemovedEvent,
  type StoredEvent,
} from '../domain/account/events.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { deliveryIdAt, eventId, FIRST_EPOCH } from '../domain/contract/ids.ts'
import type {
  EpochChange as DomainEpochChange,
  EventsRemoved as DomainEventsRemoved,
} from '../domain/contract/refusals.ts'
import { PAYMENT_MOVES } from '../domain/payment/move-table.ts'
import { TRANSFER_MOVES } from '../domain/transfer/move-table.ts'
import { EVENT_TYPES, type EventType } from '../domain/transfer/moves.ts'
import type { EventDelivery as DomainEventDelivery } from '../domain/webhook/shown.ts'
import { AnyContract, presentContract } from './any-contract.ts'
import { API_VERSION, type EpochChange, type EventsRemoved, ListQuery } from './api.ts'
import { Account } from './accounts/account.ts'
import { Restoration } from './accounts/restored.ts'
import { Key } from './accounts/keys.ts'
import { Command } from './commands/commands.ts'
import { Member } from './members/members.ts'
import { PaymentContract } from './payment.ts'
import { Policy } from './policies/policy.ts'
import { Profile } from './profiles/profile.ts'
import { Schedule } from './schedules/schedule.ts'
import {
  closed,
  envelope,
  livemode,
  nullableText,
  nullableTime,
  oneOrMore,
  tagged,
  time,
  uuid,
  type Wire,
} from './shapes.ts'
import { iso, isoOrNull } from './times.ts'
import { type Presenter, TransferContract } from './transfer.ts'
import { Verification } from './verifiers/verification.ts'
import { Wallet } from './wallets/wallets.ts'

/** What an event is about that is no contract's: as the reply of its own operation shows it. */
export const AccountObject = Type.Object(
  { id: Type.String(), livemode },
  {
    $id: 'AccountObject',
    additionalProperties: true,
    description:
      'A wallet, profile, policy, verification, command, schedule, key, member or account, or a restore of the gateway.',
  },
)

/** An event about anything, as presenters make it. */
const AnyEvent = Type.Object({
  id: Type.String(),
  type: Type.String(),
  created_at: Type.Number({ description: 'Unix seconds.' }),
  data: Type.Object({ object: Type.Union([AnyContract, AccountObject]) }),
  event: Type.String({ description: 'The last word of the type.' }),
  kind: Type.Enum(['transfer', 'payment', ...ACCOUNT_OBJECTS]),
  sequence: Type.Integer({ description: 'Gapless for each contract; 1 for what is no contract’s.' }),
  api_version: Type.String(),
  livemode,
})

/** The same about one kind of thing, of the types that are told of it. */
function eventOf(kind: EventKind, object: TSchema, $id: string) {
  const { properties } = AnyEvent
  const own = { type: Type.Enum([...EVENT_TYPES_OF[kind]]), kind: Type.Enum([kind]), data: Type.Object({ object }) }
  return Type.Object({ ...properties, ...own }, { $id })
}

export type EventKind = Static<typeof AnyEvent>['kind']

const ofMoves = (moves: typeof TRANSFER_MOVES | typeof PAYMENT_MOVES) =>
  EVENT_TYPES.filter((type) => moves.some(({ event }) => event === type))

const aboutAccount = (kind: (typeof ACCOUNT_OBJECTS)[number]) =>
  ACCOUNT_EVENT_TYPES.filter((type) => objectKindOf(type) === kind)

/** The types of event that are told of each kind. */
export const EVENT_TYPES_OF: Readonly<Record<EventKind, readonly AnyEventType[]>> = {
  transfer: ofMoves(TRANSFER_MOVES),
  payment: ofMoves(PAYMENT_MOVES),
  wallet: aboutAccount('wallet'),
  profile: aboutAccount('profile'),
  verification: aboutAccount('verification'),
  policy: aboutAccount('policy'),
  schedule: aboutAccount('schedule'),
  key: aboutAccount('key'),
  member: aboutAccount('member'),
  command: aboutAccount('command'),
  account: aboutAccount('account'),
  gateway: aboutAccount('gateway'),
}

/** `kind` says what an event is about, and so what its data is. */
export const EVENT_SHAPES: Readonly<Record<EventKind, TSchema>> = {
  transfer: eventOf('transfer', TransferContract, 'TransferContractEvent'),
  payment: eventOf('payment', PaymentContract, 'PaymentContractEvent'),
  wallet: eventOf('wallet', Wallet, 'WalletEvent'),
  profile: eventOf('profile', Profile, 'ProfileEvent'),
  verification: eventOf('verification', Verification, 'VerificationEvent'),
  policy: eventOf('policy', Policy, 'PolicyEvent'),
  schedule: eventOf('schedule', Schedule, 'ScheduleEvent'),
  key: eventOf('key', Key, 'KeyEvent'),
  member: eventOf('member', Member, 'MemberEvent'),
  command: eventOf('command', Command, 'CommandEvent'),
  account: eventOf('account', Account, 'AccountEvent'),
  gateway: eventOf('gateway', Restoration, 'RestorationEvent'),
}

export const Event = Type.Unsafe<Static<typeof AnyEvent>>(tagged('kind', EVENT_SHAPES, { $id: 'Event' }))

/** The name of every type that there is. */
export const EventTypeName = Type.Enum([...ALL_EVENT_TYPES], { $id: 'EventType' })

export const EventsQuery = closed({
  ...ListQuery.properties,
  order: Type.Optional(
    Type.Enum(['oldest', 'newest'], { description: 'Which come first: the oldest, which is the feed, or the newest.' }),
  ),
  types: Type.Optional(oneOrMore(ALL_EVENT_TYPES, { $id: 'EventType' })),
})

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
  epoch = FIRST_EPOCH,
): ContractEvent {
  return {
    id: eventId(contract.id, contract.sequence, epoch),
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
  if (stored.contract) return presentEvent(presenter, stored.contract, stored.event, profileId, stored.epoch)
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

/** Where a reader goes on, whose place a restore has undone. */
export function presentEpochChange({ epoch, resumeAfter, undoneAfter }: DomainEpochChange): Wire<typeof EpochChange> {
  return { epoch, resume_after: resumeAfter, undone_after: isoOrNull(undoneAfter) }
}

/** The same of a reader whose next events have left. */
export function presentEventsRemoved({ resumeAfter, removedUntil }: DomainEventsRemoved): Wire<typeof EventsRemoved> {
  return { resume_after: resumeAfter, removed_until: isoOrNull(removedUntil) }
}

/** What is written of an event whose document has left: what stays of it. */
export function presentRemovedEvent(event: RemovedEvent, livemode: boolean) {
  const { event: type, kind, sequence, at } = event
  return {
    id: idOfEvent(event),
    type,
    created_at: Math.floor(at / 1000),
    data: { object: null },
    event: type.slice(type.indexOf('.') + 1),
    kind,
    sequence,
    api_version: API_VERSION,
    livemode,
    removed: true,
  }
}

/** What became of an event at one endpoint. */
export function presentEventDelivery(delivery: DomainEventDelivery, livemode: boolean): Wire<typeof EventDelivery> {
  const { endpointId, status, replay, tries, dueAt, createdAt, updatedAt } = delivery
  return {
    id: deliveryIdAt(delivery, replay),
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
