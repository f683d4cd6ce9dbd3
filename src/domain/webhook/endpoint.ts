// A webhook endpoint's states and the verbs that change them. Pure: who serves it and what waits for it live elsewhere.
import { ALL_EVENT_TYPES, type AnyEventType, isEventType, readableTypes, scopesToRead } from '../account/events.ts'
import type { Scope } from '../account/scopes.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

export const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled'] as const
/** What an account sees; the row of a deleted endpoint stays, without its secrets. */
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number] | 'deleted'
/** Disabled by its caller, by the receiver's 410 Gone, or after days without a success. */
export type DisabledBecause = 'caller' | 'gone' | 'failing'

export const ENDPOINTS_MAX = 16
export const IN_FLIGHT_MAX = 16

export type EndpointState = {
  readonly status: EndpointStatus
  /** Set while it is disabled. */
  readonly disabledBecause: DisabledBecause | null
}

export type EndpointVerb = 'enable' | 'disable' | 'pause' | 'delete'

/**
 * What a change means for the process that serves the endpoint: nothing; that it must stop and load again; or that the
 * endpoint begins anew at the end of the history, with all that waited for it held.
 */
export type Serving = 'goes on' | 'is interrupted' | 'begins anew'

export type EndpointMove = { readonly state: EndpointState; readonly serving: Serving }

/** The state after the verb, or why it is refused. A verb that changes nothing is answered with the state as it is. */
export function moveEndpoint(before: EndpointState, verb: EndpointVerb): EndpointMove | Refusal {
  const { status } = before
  const same: EndpointMove = { state: before, serving: 'goes on' }
  switch (verb) {
    case 'enable':
      if (status === 'enabled') return same
      return {
        state: { status: 'enabled', disabledBecause: null },
        serving: status === 'disabled' ? 'begins anew' : 'goes on',
      }
    case 'disable':
      if (status === 'disabled') return same
      return { state: { status: 'disabled', disabledBecause: 'caller' }, serving: 'is interrupted' }
    case 'pause':
      if (status === 'paused') return same
      if (status === 'disabled') return notEnabled(before, 'There is nothing to pause.')
      return { state: { status: 'paused', disabledBecause: null }, serving: 'is interrupted' }
    case 'delete':
      return { state: { status: 'deleted', disabledBecause: null }, serving: 'is interrupted' }
  }
}

/** Deliveries can be requested only where they would be made. */
export function isServed({ status }: EndpointState): boolean {
  return status === 'enabled'
}

export function notEnabled({ status }: EndpointState, why: string): Refusal {
  const fix = 'Resume it first: PUT /webhook-endpoints/{id}/resume.'
  return refuse('webhook_endpoint_disabled', 'id', `The webhook endpoint is ${status}. ${why} ${fix}`)
}

/** The same text for an id that does not exist, one that was deleted and one that another account owns. */
export function endpointNotFound(): Refusal {
  return refuse('webhook_endpoint_not_found', 'id', 'No webhook endpoint has this id.')
}

/** All events there are and will be. */
const ALL = '*'

/**
 * The events that an endpoint is to get, by whose key asks for it: those that are wanted, else all that the key may read. A key
 * cannot have events sent whose content it may not read itself.
 */
export function eventsFor(scopes: ReadonlySet<Scope>, wanted: readonly string[] | null): readonly string[] | Refusal {
  const readable = readableTypes(scopes)
  const isAll = readable.length === ALL_EVENT_TYPES.length
  if (wanted === null && readable.length > 0) return isAll ? [ALL] : readable
  const types = wanted === null || wanted.includes(ALL) ? ALL_EVENT_TYPES : wanted.filter(isEventType)
  const [beyond] = types.filter((type) => !readable.includes(type))
  if (beyond === undefined) return [...new Set(wanted ?? [])]
  const [scope] = scopesToRead(beyond)
  const fix = wanted?.includes(ALL) ? 'Name the events that it may read, or leave events out for all of those.' : ''
  return refuse('scope_missing', 'events', `The key lacks ${scope}, which reads what ${beyond} is about. ${fix}`.trim())
}

/** Why a key may not say where the endpoint's events go while some wait that it may not read: they would go there, too. */
export const waitsUnreadable = (): Refusal =>
  refuse(
    'scope_missing',
    'url',
    'Deliveries wait for the endpoint that this key may not read, and would go to the new URL. Move it by a key that reads all, or disable it first: what waits is put aside, and a replay finds it.',
  )

/** The types there are that an endpoint with these events does not get. */
export function eventsNotSent(events: readonly string[]): AnyEventType[] {
  return events.includes(ALL) ? [] : ALL_EVENT_TYPES.filter((type) => !events.includes(type))
}

export function endpointsFull(): Refusal {
  const fix = 'Delete one that is not needed any more: DELETE /webhook-endpoints/{id}.'
  return refuse('webhook_endpoints_full', null, `The account has ${ENDPOINTS_MAX} webhook endpoints already. ${fix}`)
}
