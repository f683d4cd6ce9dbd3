// Webhook endpoints in the words of a test: making them, asking how they fare, and waiting until they have heard it all.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Fields } from '../../world-caller.ts'
import type { Method } from '../../world-client.ts'

export type EndpointBody = {
  readonly id: string
  readonly url: string
  readonly status: 'enabled' | 'paused' | 'disabled'
  readonly disabled_because: string | null
  readonly delivery: {
    readonly behind: number
    readonly waiting: number
    readonly held: number
    readonly dead: number
    readonly breaker: 'closed' | 'open'
    readonly failures: number
  }
}
export type NewEndpointBody = EndpointBody & { readonly secret: string; readonly bearer_token: string }

export type DeliveryBody = {
  readonly id: string
  readonly event_id: string
  readonly type: string
  readonly contract_id: string
  readonly sequence: number
  readonly status: 'pending' | 'delivered' | 'dead' | 'held'
  readonly replay: number
  readonly tries: number
  readonly next_attempt_at: string | null
}

export type AttemptBody = {
  readonly number: number
  readonly at: string
  readonly duration_ms: number
  readonly outcome: 'delivered' | 'refused' | 'no_answer' | 'not_sent'
  readonly status_code: number | null
  readonly fault: string | null
  readonly response: { readonly body: string | null }
}

export type EventBody = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: { readonly object: { readonly id: string } }
}

/** The settings of a gateway that may call receivers on this machine, and does not wait long for them. */
export const NEAR = {
  webhookAllow: ['127.0.0.0/8', '::1/128'],
  webhookTimeoutMs: 1000,
  webhookLeaseMs: 4000,
}

const ROOT = '/webhook-endpoints'

/** Asks, and fails the test at once where the answer is not 200. */
export async function succeed<T>(
  caller: Caller,
  method: Method,
  url: string,
  member: string,
  body?: Fields,
): Promise<T> {
  const reply = await caller.ask(method, url, body === undefined ? {} : { body })
  if (reply.status !== 200) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`)
  return reply.data[member] as T
}

/** What a contract on its way tells of: few enough to count. */
export const STEPS = ['contract.issued', 'contract.paid', 'contract.cancelled', 'contract.completed'] as const

/** Made for these steps, where nothing else is said. */
export function newEndpoint(caller: Caller, url: string, fields: Fields = {}): Promise<NewEndpointBody> {
  return succeed(caller, 'POST', ROOT, 'webhook_endpoint', { url, events: STEPS, ...fields })
}

export function endpointOf(caller: Caller, id: string): Promise<EndpointBody> {
  return succeed(caller, 'GET', `${ROOT}/${id}`, 'webhook_endpoint')
}

export function patchEndpoint(caller: Caller, id: string, fields: Fields): Promise<EndpointBody> {
  return succeed(caller, 'PATCH', `${ROOT}/${id}`, 'webhook_endpoint', fields)
}

export function turn(caller: Caller, id: string, how: 'pause' | 'resume'): Promise<EndpointBody> {
  return succeed(caller, 'PUT', `${ROOT}/${id}/${how}`, 'webhook_endpoint')
}

export type ReplayBody = { readonly number: number; readonly events: number; readonly more: boolean }

export function replay(caller: Caller, id: string, wanted: Fields): Promise<ReplayBody> {
  return succeed(caller, 'POST', `${ROOT}/${id}/replay`, 'replay', wanted)
}

/** All deliveries of an endpoint, newest first. */
export function deliveriesOf(caller: Caller, id: string, query = ''): Promise<DeliveryBody[]> {
  return caller.all<DeliveryBody>(`${ROOT}/${id}/deliveries${query}`, 'deliveries')
}

export function attemptsOf(caller: Caller, id: string, delivery: string): Promise<AttemptBody[]> {
  return succeed(caller, 'GET', `${ROOT}/${id}/deliveries/${delivery}/attempts`, 'attempts')
}

/** The events of these types, oldest first. */
export async function eventsOf(caller: Caller, ...types: readonly string[]): Promise<EventBody[]> {
  const events = await caller.all<EventBody>('/events', 'events')
  return types.length === 0 ? events : events.filter(({ type }) => types.includes(type))
}

/** Waits until it holds; says what did not when it takes too long. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean> | boolean): Promise<number> {
  const from = performance.now()
  while (!(await holds())) {
    if (performance.now() - from > withinMs) throw new Error(`after ${withinMs} ms not true that ${what}`)
    await sleep(20)
  }
  return performance.now() - from
}

/** Waits until the endpoints have been called for every event, and nothing waits for another try. */
export async function untilServed(caller: Caller, ids: readonly string[], withinMs: number): Promise<void> {
  for (const id of ids) {
    let last: EndpointBody['delivery'] | null = null
    const isServed = async () => {
      last = (await endpointOf(caller, id)).delivery
      return last.behind === 0 && last.waiting === 0
    }
    await until(`endpoint ${id} has heard it all`, withinMs, isServed).catch((fault: unknown) => {
      throw new Error(`${String(fault)}: ${JSON.stringify(last)}`)
    })
  }
}

/** The part of all values that is not above this one, which is one of them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Does it for each, so many at a time. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
