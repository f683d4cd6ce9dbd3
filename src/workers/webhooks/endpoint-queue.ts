// One endpoint that this process serves, in memory: what is to be delivered to it next, what is on its way to it, and
// how far its history has been tried without a gap. No I/O: the worker loads, calls and writes.
import { healthAfter, type Health, type Recent, RECENT_MS } from '../../domain/webhook/delivery.ts'
import type { OpenSecrets } from '../../domain/webhook/secrets.ts'
import type { Served, Tried } from '../../app/webhooks/deliveries.ts'
import type { DueDelivery, HistoryRow } from '../../store/webhooks/deliveries.ts'
import { type FoundEvent, isThere, subjectOf } from '../../domain/account/events.ts'
import type { ClaimedEndpoint } from '../../store/webhooks/progress.ts'

/** One call to make: an event that was never tried, or a delivery whose time has come. */
export type Job = {
  readonly position: number
  readonly replay: number
  /** The number of this try. */
  readonly number: number
  readonly createdAt: number | null
  readonly body: Buffer | null
  readonly event: FoundEvent
}

/** A call under way. The next event about the subject of a first try waits for it to end. */
type Call = { readonly firstTryOf: string | null; readonly isFirstTry: boolean; readonly begunAt: number }

export type EndpointQueue = {
  readonly endpoint: ClaimedEndpoint
  readonly open: OpenSecrets
  health: Health
  /** All history up to here has been tried, or does not concern the endpoint. */
  position: number
  /** How far history has been loaded. */
  loaded: number
  /** Positions after `position` that are done. */
  readonly done: Set<number>
  readonly fresh: Job[]
  readonly due: Job[]
  readonly inFlight: Map<string, Call>
  /** The last call was of a due delivery. */
  isAfterDue: boolean
  readonly tried: Tried[]
  recent: Recent & { readonly since: number }
  /** When to load more history, and more that is due, in milliseconds of the worker's clock. */
  historyAt: number
  dueAt: number
  /** A signal came that the last load may have been too early for. */
  isSignalled: boolean
  /** Until when no other process serves it, by a clock that does not jump. */
  leasedUntil: number
  /** Something has been done since the last writing. */
  isDirty: boolean
  /** What is under way is finished, but nothing more is begun. */
  isEnding: boolean
}

/** What is loaded ahead of what has been tried, and how far a call that hangs may be overtaken. */
export const AHEAD_MAX = 32
/** How many due deliveries are loaded: those under way are found again. */
export const DUE_PAGE = AHEAD_MAX * 2
const OVERTAKEN_MAX = 1024

const NONE_RECENT = { since: 0, tries: 0, failures: 0 }

export function openEndpointQueue(endpoint: ClaimedEndpoint, open: OpenSecrets, leasedUntil: number): EndpointQueue {
  return {
    endpoint,
    open,
    health: endpoint.health,
    position: endpoint.position,
    loaded: endpoint.position,
    done: new Set(endpoint.doneAhead),
    fresh: [],
    due: [],
    inFlight: new Map(),
    isAfterDue: false,
    tried: [],
    recent: NONE_RECENT,
    historyAt: 0,
    dueAt: 0,
    isSignalled: false,
    leasedUntil,
    isDirty: false,
    isEnding: false,
  }
}

const placeOf = ({ position, replay }: { position: number; replay: number }) => `${position}/${replay}`

/** Whether history is to be read on: little is left, and no call that hangs is too far behind. */
export function wantsHistory(queue: EndpointQueue, nowMs: number): boolean {
  if (queue.isEnding || queue.historyAt > nowMs) return false
  return queue.fresh.length < AHEAD_MAX / 2 && queue.loaded - queue.position < OVERTAKEN_MAX
}

export function wantsDue(queue: EndpointQueue, nowMs: number): boolean {
  return !queue.isEnding && queue.dueAt <= nowMs && queue.due.length < AHEAD_MAX / 2
}

/** Something in memory waits to be delivered. */
export const hasJobs = ({ fresh, due }: EndpointQueue): boolean => fresh.length + due.length > 0

const LOOK_AGAIN_MS = 1000
// All that was found is under way already: there may be more behind it.
const SOON_MS = 50

/** Takes what was loaded. Rows that do not concern the endpoint are done. */
export function takeHistory(queue: EndpointQueue, rows: readonly HistoryRow[], nowMs: number): void {
  if (rows.length < AHEAD_MAX && !queue.isSignalled) queue.historyAt = nowMs + LOOK_AGAIN_MS
  for (const { position, event } of rows) {
    if (position <= queue.loaded) continue
    queue.loaded = position
    if (event === null) queue.done.add(position)
    else if (!queue.done.has(position))
      queue.fresh.push({ position, replay: 0, number: 1, createdAt: null, body: null, event })
  }
  advance(queue)
}

/** Takes due deliveries, but for those that are here already. */
export function takeDue(queue: EndpointQueue, rows: readonly DueDelivery[], nowMs: number): void {
  const here = new Set([...queue.inFlight.keys(), ...queue.due.map(placeOf), ...queue.tried.map(placeOf)])
  const fresh = rows.filter((row) => !here.has(placeOf(row)))
  for (const { position, replay, tries, createdAt, body, event } of fresh)
    queue.due.push({ position, replay, number: tries + 1, createdAt, body, event })
  if (rows.length < DUE_PAGE) queue.dueAt = nowMs + LOOK_AGAIN_MS
  else if (fresh.length === 0) queue.dueAt = nowMs + SOON_MS
}

function advance(queue: EndpointQueue): void {
  while (queue.done.delete(queue.position + 1)) {
    queue.position += 1
    queue.isDirty = true
  }
}

/** The breaker is closed, or its pause is over and one probe may go. */
const isCallable = ({ health }: EndpointQueue, nowMs: number) => health.openUntil === null || health.openUntil <= nowMs

/** How many calls at once are in order. */
const callsMax = ({ endpoint, health }: EndpointQueue) => Math.min(endpoint.inFlightMax, health.trusted)

/** The next call to this endpoint, if there is one and it may be made. First tries about one subject go in order. */
export function nextJob(queue: EndpointQueue, nowMs: number): Job | null {
  if (!hasJobs(queue)) return null
  if (queue.isEnding || queue.inFlight.size >= callsMax(queue) || !isCallable(queue, nowMs)) return null
  const preferDue = queue.due.length > 0 && (queue.fresh.length === 0 || isTurnOfDue(queue))
  const [first, second] = preferDue ? [queue.due, queue.fresh] : [queue.fresh, []]
  return taken(queue, first, nowMs) ?? taken(queue, second, nowMs)
}

/** Retries and replays take half of the room while there are first tries; of a single call, every other one. */
function isTurnOfDue(queue: EndpointQueue): boolean {
  const max = callsMax(queue)
  if (max === 1) return !queue.isAfterDue
  let again = 0
  for (const call of queue.inFlight.values()) if (!call.isFirstTry) again += 1
  return again * 2 < max
}

function taken(queue: EndpointQueue, jobs: Job[], nowMs: number): Job | null {
  const waiting = new Set<string | null>()
  for (const call of queue.inFlight.values()) waiting.add(call.firstTryOf)
  const place = jobs.findIndex((job) => job.number > 1 || !waiting.has(subjectOf(job.event)))
  const [job] = place === -1 ? [] : jobs.splice(place, 1)
  if (!job) return null
  const firstTryOf = job.number === 1 ? subjectOf(job.event) : null
  queue.isAfterDue = jobs === queue.due
  queue.inFlight.set(placeOf(job), { firstTryOf, isFirstTry: jobs === queue.fresh, begunAt: nowMs })
  return job
}

const SLOW_MS = 1000

/** It has failed lately, or keeps a call waiting: such endpoints share a part of the calls among them. */
export function isSlow(queue: EndpointQueue, nowMs: number): boolean {
  if (queue.health.failures > 0) return true
  for (const call of queue.inFlight.values()) if (nowMs - call.begunAt > SLOW_MS) return true
  return false
}

/** A call has ended: it counts for the endpoint's health, and its place in history is done. */
export function finish(queue: EndpointQueue, job: Job, tried: Tried, nowMs: number, scale: number): void {
  queue.inFlight.delete(placeOf(job))
  queue.tried.push(tried)
  if (job.replay === 0 && job.number === 1) queue.done.add(job.position)
  // What is not sent because it has left says nothing of the endpoint.
  if (!isThere(job.event) && tried.body === null) {
    advance(queue)
    queue.isDirty = true
    return
  }
  const failed = tried.result.outcome !== 'delivered'
  const recent = countRecent(queue, failed, nowMs, scale)
  queue.health = healthAfter(queue.health, tried.result, tried.result.durationMs, recent, nowMs, scale)
  if (failed && !isCallable(queue, nowMs)) queue.recent = NONE_RECENT
  advance(queue)
  queue.isDirty = true
}

/** Counts a try among those of the last minutes. The count is halved at the end of each span, not kept try by try. */
function countRecent(queue: EndpointQueue, failed: boolean, nowMs: number, scale: number): Recent {
  const { since, tries, failures } = queue.recent
  const isOver = nowMs - since >= (RECENT_MS * scale) / 2
  const kept = isOver ? 0.5 : 1
  queue.recent = {
    since: isOver ? nowMs : since,
    tries: tries * kept + 1,
    failures: failures * kept + (failed ? 1 : 0),
  }
  return queue.recent
}

/** Nothing waits and nothing is under way, or nothing may be begun: another process may serve it. */
export function isIdle(queue: EndpointQueue, nowMs: number): boolean {
  if (queue.inFlight.size > 0) return false
  if (queue.isEnding || !isCallable(queue, nowMs)) return true
  return !hasJobs(queue) && queue.historyAt > nowMs && queue.dueAt > nowMs
}

/** The lease is still ours by a clock that does not jump: a process that was frozen begins nothing more. */
export const isHeld = (queue: EndpointQueue): boolean => performance.now() < queue.leasedUntil

/** Takes what is to be written of the queue; from here on it counts as written. One that is let go begins nothing more. */
export function takeServed(queue: EndpointQueue, next: Served['next']): Served {
  queue.isEnding = next === 'let go'
  const { lane, accountId, id, fence } = queue.endpoint
  const tried = queue.tried.splice(0)
  queue.isDirty = false
  return { lane, accountId, id, fence, position: queue.position, health: queue.health, tried, next }
}

/** Puts back what could not be written. */
export function putBack(queue: EndpointQueue, served: Served): void {
  queue.isEnding = false
  queue.tried.unshift(...served.tried)
  queue.isDirty = true
}
