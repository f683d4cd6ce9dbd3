// The calls of the delivery worker: which endpoint is called next and how many at once, so that a slow one fills its own
// room only. Knows no database.
import type { ServingDeps } from '../../app/webhooks/deliveries.ts'
import type { LanePlaces } from '../../app/jobs/lane-places.ts'
import type { OwnLanes } from '../../app/jobs/own-lanes.ts'
import { type FoundEvent, isThere, type StoredEvent } from '../../domain/account/events.ts'
import type { OpenSecret, OpenSecrets } from '../../domain/webhook/secrets.ts'
import type { ClaimedEndpoint } from '../../store/webhooks/progress.ts'
import type { Log } from '../../platform/log.ts'
import { removed, type SendResult, unbuilt } from '../../webhooks/send.ts'
import { type EndpointQueue, finish, isHeld, isSlow, type Job, nextJob } from './endpoint-queue.ts'

export type WebhookCall = {
  readonly url: string
  /** Of these sign the ones whose time is not over when it is sent. */
  readonly secrets: readonly OpenSecret[]
  readonly bearerToken: string
  readonly event: FoundEvent
  readonly body: Buffer
  /** The number of this try. */
  readonly number: number
}

export type DeliveryParts = ServingDeps & {
  /** The lanes of this process. */
  readonly ownLanes: OwnLanes
  readonly places: Pick<LanePlaces, 'ownByNode' | 'parted' | 'nodeOf'>
  /** The bytes of an event's body. */
  readonly render: (event: StoredEvent, profileId: string) => Buffer
  /** The endpoint's secrets and token in clear; throws where they cannot be opened. */
  readonly open: (endpoint: ClaimedEndpoint) => OpenSecrets
  readonly send: (call: WebhookCall) => Promise<SendResult>
  readonly observe: (endpoint: ClaimedEndpoint, job: Job, result: SendResult) => void
  readonly log: Log
}

/** Who tries an endpoint out, and how often at this moment. */
type Trials = { readonly accountId: string; readonly calls: number }

/** What the worker has in memory. All of it can be lost: it is found again when the leases end. */
export type Serving = {
  readonly parts: DeliveryParts
  readonly queues: Map<string, EndpointQueue>
  readonly inFlight: Set<Promise<void>>
  /** Trials under way, by their endpoint: they take room like deliveries, and are not recorded. */
  readonly trials: Map<string, Trials>
  /** Runs when a call has ended: something is to be written. */
  wake: () => void
  /** The database's clock as of the last sweep, less this process's: what is due is compared there. */
  offsetMs: number
  turn: number
  isStopping: boolean
}

/** Calls under way at once: in this process, for one account, and to endpoints that are slow or failing. */
export const CALLS_MAX = 256
const ACCOUNT_CALLS_MAX = CALLS_MAX / 4
const SLOW_CALLS_MAX = CALLS_MAX / 2
const TRIALS_MAX = CALLS_MAX / 4

export const clockOf = ({ offsetMs }: Serving): number => performance.now() + offsetMs

/**
 * Goes round these endpoints, one call each, until none has another or there is no room. They are those that the database has just said
 * are this process's: whoever has them in memory alone may have them as they were. `among`: how many groups of
 * them share the room that there is, this one among them: whichever is read first leaves the others theirs.
 */
export function startCalls(serving: Serving, held: readonly EndpointQueue[], among: number): void {
  if (serving.isStopping || held.length === 0) return
  const nowMs = clockOf(serving)
  const queues = held.filter((queue) => serving.queues.get(queue.endpoint.id) === queue)
  const room = roomNow(serving, nowMs)
  const { size } = serving.inFlight
  const most = size + Math.ceil((CALLS_MAX - size) / among)
  for (let without = 0; without < queues.length && serving.inFlight.size < most; serving.turn++) {
    const queue = queues[serving.turn % queues.length] as EndpointQueue
    const job = isHeld(queue) && room.has(queue) ? nextJob(queue, nowMs) : null
    without = job ? 0 : without + 1
    if (!job) continue
    room.take(queue)
    begin(serving, queue, job, nowMs)
  }
}

function begin(serving: Serving, queue: EndpointQueue, job: Job, begunAt: number): void {
  const { parts, inFlight } = serving
  const call = callNow(parts, queue, job).then(({ result, body }) => {
    const { position, replay, number, createdAt } = job
    const tried = { position, replay, number, at: begunAt, createdAt: createdAt ?? begunAt, body, result }
    finish(queue, job, tried, clockOf(serving), parts.retryScale)
    parts.observe(queue.endpoint, job, result)
    inFlight.delete(call)
    // The next one is begun in the round that writes this one.
    serving.wake()
  })
  inFlight.add(call)
}

/** The owner of an endpoint that is tried out, and how many calls it takes at once. */
export type Tried = { readonly id: string; readonly accountId: string; readonly inFlightMax: number }

/** Makes a call that is no delivery, if there is room for it: the same as for one; null where there is none. */
export function callOnTrial<Result>(
  serving: Serving,
  { id, accountId, inFlightMax }: Tried,
  call: () => Promise<Result>,
): Promise<Result> | null {
  const { queues, inFlight, trials } = serving
  const own = (queues.get(id)?.inFlight.size ?? 0) + (trials.get(id)?.calls ?? 0)
  const room = roomNow(serving, clockOf(serving))
  const isFull = inFlight.size >= CALLS_MAX || room.trials >= TRIALS_MAX || !room.hasAccount(accountId)
  if (serving.isStopping || isFull || own >= inFlightMax) return null
  const count = (by: 1 | -1) => {
    const calls = (trials.get(id)?.calls ?? 0) + by
    if (calls === 0) trials.delete(id)
    else trials.set(id, { accountId, calls })
  }
  count(1)
  const called = call()
  const over = called.then(
    () => undefined,
    () => undefined,
  )
  const ended = over.then(() => {
    count(-1)
    inFlight.delete(ended)
    serving.wake()
  })
  inFlight.add(ended)
  return called
}

/** Makes one call. Whatever goes wrong while the request is made is a try like any other: it backs off. */
async function callNow(
  parts: DeliveryParts,
  { endpoint, open: { secrets, bearer: bearerToken } }: EndpointQueue,
  job: Job,
): Promise<{ readonly result: SendResult; readonly body: Buffer | null }> {
  let body = job.body
  const { event, number } = job
  try {
    // The bytes of an earlier try are sent again, whatever has left since.
    if (isThere(event)) body ??= parts.render(event, endpoint.profileId)
    if (body === null) return { result: removed(), body }
    return { result: await parts.send({ url: endpoint.url, secrets, bearerToken, event, body, number }), body }
  } catch (fault) {
    parts.log.error({ err: fault, endpoint: endpoint.id, position: job.position }, 'a webhook could not be made')
    return { result: unbuilt(), body }
  }
}

/** What room there is for an account, an endpoint and the slow, counted once for a pass over all endpoints. */
function roomNow({ queues, trials }: Serving, nowMs: number) {
  const callsOf = new Map<string, number>()
  const slow = new Set([...queues.values()].filter((queue) => isSlow(queue, nowMs)))
  let slowCalls = 0
  let trialCalls = 0
  const add = (accountId: string, calls: number) => callsOf.set(accountId, (callsOf.get(accountId) ?? 0) + calls)
  const count = (queue: EndpointQueue, calls: number) => {
    add(queue.endpoint.accountId, calls)
    if (slow.has(queue)) slowCalls += calls
  }
  for (const queue of queues.values()) if (queue.inFlight.size > 0) count(queue, queue.inFlight.size)
  for (const { accountId, calls } of trials.values()) {
    add(accountId, calls)
    trialCalls += calls
  }
  const hasAccount = (accountId: string) => (callsOf.get(accountId) ?? 0) < ACCOUNT_CALLS_MAX
  const hasEndpoint = ({ endpoint, inFlight }: EndpointQueue) =>
    inFlight.size + (trials.get(endpoint.id)?.calls ?? 0) < endpoint.inFlightMax
  return {
    trials: trialCalls,
    hasAccount,
    has: (queue: EndpointQueue) =>
      hasAccount(queue.endpoint.accountId) && hasEndpoint(queue) && (!slow.has(queue) || slowCalls < SLOW_CALLS_MAX),
    take: (queue: EndpointQueue) => count(queue, 1),
  }
}
