// The events of an account that are no contract's: of its wallets, profiles, keys and members; and of the
// gateway itself, where it concerns the account. And which scope lets a caller be
// told of an event: what it may not read it does not get by the feed, the stream or a webhook either.
import type { Contract } from '../contract/contract.ts'
import { eventId } from '../contract/ids.ts'
import { EVENT_TYPES, type EventType } from '../transfer/moves.ts'
import type { Scope } from './scopes.ts'

export const ACCOUNT_EVENT_TYPES = [
  'account.updated',
  'key.created',
  'key.rolled',
  'key.revoked',
  'member.invited',
  'member.joined',
  'member.updated',
  'member.removed',
  'wallet.created',
  'wallet.updated',
  'wallet.low',
  'profile.created',
  'profile.updated',
  'profile.archived',
  'verification.completed',
  'policy.created',
  'policy.updated',
  'policy.archived',
  'command.paused',
  'command.completed',
  'command.cancelled',
  'schedule.created',
  'schedule.updated',
  'schedule.paused',
  'schedule.ended',
  'schedule.run',
  'gateway.restored',
] as const
export type AccountEventType = (typeof ACCOUNT_EVENT_TYPES)[number]

/** Every type that the feed, the stream and webhooks know. */
export const ALL_EVENT_TYPES = [...EVENT_TYPES, ...ACCOUNT_EVENT_TYPES] as const
export type AnyEventType = EventType | AccountEventType

/** What an account event is about, as the first word of its type names it. */
export const ACCOUNT_OBJECTS = [
  'account',
  'key',
  'member',
  'wallet',
  'profile',
  'verification',
  'policy',
  'command',
  'schedule',
  'gateway',
] as const
export type AccountObjectKind = (typeof ACCOUNT_OBJECTS)[number]

/** Any of these reads what events of the kind are about; the first is the one that a message names. */
const SCOPES_TO_READ: Readonly<Record<AccountObjectKind | 'contract', readonly [Scope, ...Scope[]]>> = {
  contract: ['contracts:read', 'events:read'],
  account: ['audit:read'],
  key: ['audit:read'],
  member: ['audit:read'],
  wallet: ['wallets:read'],
  profile: ['profiles:read'],
  verification: ['verifiers:read'],
  policy: ['policies:read'],
  command: ['commands:read'],
  schedule: ['commands:read'],
  // Whoever was told of something learns that it was undone.
  gateway: ['contracts:read', 'events:read'],
}

/** The scopes of which one is needed to be told of events of the type. */
export const scopesToRead = (type: AnyEventType) => SCOPES_TO_READ[objectKindOf(type)]

export function objectKindOf(type: AccountEventType): AccountObjectKind
export function objectKindOf(type: AnyEventType): AccountObjectKind | 'contract'
export function objectKindOf(type: AnyEventType): AccountObjectKind | 'contract' {
  return type.slice(0, type.indexOf('.')) as AccountObjectKind | 'contract'
}

export function isEventType(text: string): text is AnyEventType {
  return (ALL_EVENT_TYPES as readonly string[]).includes(text)
}

/** The types that whoever holds the scopes may be told of, in their order. */
export function readableTypes(scopes: ReadonlySet<Scope>): AnyEventType[] {
  return ALL_EVENT_TYPES.filter((type) => scopesToRead(type).some((scope) => scopes.has(scope)))
}

/** An event with the contract as it left it; or with an object of the account, as the API shows it. */
export type StoredEvent =
  | { readonly contract: Contract; readonly event: EventType; readonly epoch: number }
  | (AccountEvent & { readonly contract: null; readonly epoch: number })

/** An event of a contract whose document has left the database after its time: what stays of it. */
export type RemovedEvent = {
  readonly hasLeft: true
  readonly contractId: string
  readonly kind: Contract['kind']
  readonly event: EventType
  readonly sequence: number
  readonly epoch: number
  readonly at: number
}

/** An event as it is found: with what it told, or without. */
export type FoundEvent = StoredEvent | RemovedEvent

export const isThere = (event: FoundEvent): event is StoredEvent => !('hasLeft' in event)

/** An event of an account that is no contract's. */
export type AccountEvent = {
  readonly id: string
  readonly event: AccountEventType
  /** What it is about: first tries about one object go in order. */
  readonly subject: string
  readonly at: number
  readonly object: AccountObject
}

/** Every one of them says at least which it is, and in which mode. */
export type AccountObject = { readonly id: string; readonly livemode: boolean } & Readonly<Record<string, unknown>>

/** The id of an event, by which it is found. */
export function idOfEvent(event: FoundEvent): string {
  if (!isThere(event)) return eventId(event.contractId, event.sequence, event.epoch)
  if (event.contract) return eventId(event.contract.id, event.contract.sequence, event.epoch)
  return eventId(event.id, 1, event.epoch)
}

/** What an event is about. */
export function subjectOf(event: FoundEvent): string {
  if (!isThere(event)) return event.contractId
  return event.contract ? event.contract.id : event.subject
}
