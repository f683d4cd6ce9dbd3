// One endpoint that this process serves, in memory: what is to be delivered to it next, what is on its way to it, and
// how far its history has been tried without a gap. No I/O: the worker loads, calls and writes.
import { healthAfter, type Health, type Recent, RECENT_MS } from '../../domain/webhook/delivery.ts'
import type { Served, Tried } from '../../app/webhooks/deliveries.ts'
import type { DueDelivery, HistoryRow } from '../../store/webhooks/deliveries.ts'
import type { StoredEvent } from '../../store/contracts/events.ts'
import type { ClaimedEndpoint } from '../../store/webhooks/progress.ts'

/** One call to make: an event that was never tried, or a delivery whose time has come. */
export type Job = {
  readonly position: number
  readonly replay: number
  /** The number of this try. */
  readonly number: number
  readonly createdAt: number | null
  readonly body: Buffer | null
  readonly event: StoredEvent
}

/** A call under way. The next event of the contract of a first try waits for it to end. */
type Call = { readonly firstTryOf: string | null; readonly isFirstTry: boolean; readonly begunAt: number }

export type Feed = {
  readonly endpoint: ClaimedEndpoint
  readonly secrets: readonly string[]
  readonly bearerToken: string
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

export function openFeed(
  endpoint: ClaimedEndpoint,
  secrets: readonly string[],
  bearerToken: string,
  leasedUntil: number,
): Feed {
  return {
    endpoint,
    secrets,
    bearerToken,
    health: endpoint.health,
    position: endpoint.position,
    loaded: endpoint.position,
    done: new Set(endpoint.doneAhead),
    fresh: [],
    due: [],
    inFlight: new Map(),
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
export function wantsHistory(feed: Feed, nowMs: number): boolean {
  if (feed.isEnding || feed.historyAt > nowMs) return false
  return feed.fresh.length < AHEAD_MAX / 2 && feed.loaded - feed.position < OVERTAKEN_MAX
}

export function wantsDue(feed: Feed, nowMs: number): boolean {
  return !feed.isEnding && feed.dueAt <= nowMs && feed.due.length < AHEAD_MAX / 2
}

const LOOK_AGAIN_MS = 1000
// All that was found is under way already: there may be more behind it.
const SOON_MS = 50

/** Takes what was loaded. Rows that do not concern the endpoint are done. */
export function takeHistory(feed: Feed, rows: readonly HistoryRow[], nowMs: number): void {
  if (rows.length < AHEAD_MAX && !feed.isSignalled) feed.historyAt = nowMs + LOOK_AGAIN_MS
  for (const { position, event } of rows) {
    if (position <= feed.loaded) continue
    feed.loaded = position
    if (event === null) feed.done.add(position)
    else if (!feed.done.has(position))
      feed.fresh.push({ position, replay: 0, number: 1, createdAt: null, body: null, event })
  }
  advance(feed)
}

/** Takes due deliveries, but for those that are here already. */
export function takeDue(feed: Feed, rows: readonly DueDelivery[], nowMs: number): void {
  const here = new Set([...feed.inFlight.keys(), ...feed.due.map(placeOf), ...feed.tried.map(placeOf)])
  const fresh = rows.filter((row) => !here.has(placeOf(row)))
  for (const { position, replay, tries, createdAt, body, event } of fresh)
    feed.due.push({ position, replay, number: tries + 1, createdAt, body, event })
  if (rows.length < DUE_PAGE) feed.dueAt = nowMs + LOOK_AGAIN_MS
  else if (fresh.length === 0) feed.dueAt = nowMs + SOON_MS
}

function advance(feed: Feed): void {
  while (feed.done.delete(feed.position + 1)) {
    feed.position += 1
    feed.isDirty = true
  }
}

/** The breaker is closed, or its pause is over and one probe may go. */
const isCallable = ({ health }: Feed, nowMs: number) => health.openUntil === null || health.openUntil <= nowMs

/** How many calls at once are in order. */
const roomOf = (feed: Feed) => Math.min(feed.endpoint.inFlightMax, feed.health.trusted) - feed.inFlight.size

/** The next call to this endpoint, if there is one and it may be made. The first tries of a contract go in order. */
export function nextJob(feed: Feed, nowMs: number): Job | null {
  if (feed.fresh.length + feed.due.length === 0) return null
  if (feed.isEnding || roomOf(feed) <= 0 || !isCallable(feed, nowMs)) return null
  // Retries take half of the room while there are first tries.
  let again = 0
  for (const call of feed.inFlight.values()) if (!call.isFirstTry) again += 1
  const preferDue = feed.due.length > 0 && (feed.fresh.length === 0 || again * 2 < feed.endpoint.inFlightMax)
  const [first, second] = preferDue ? [feed.due, feed.fresh] : [feed.fresh, []]
  return taken(feed, first, nowMs) ?? taken(feed, second, nowMs)
}

function taken(feed: Feed, queue: Job[], nowMs: number): Job | null {
  const waiting = new Set<string | null>()
  for (const call of feed.inFlight.values()) waiting.add(call.firstTryOf)
  const place = queue.findIndex((job) => job.number > 1 || !waiting.has(job.event.contract.id))
  const [job] = place === -1 ? [] : queue.splice(place, 1)
  if (!job) return null
  const firstTryOf = job.number === 1 ? job.event.contract.id : null
  feed.inFlight.set(placeOf(job), { firstTryOf, isFirstTry: queue === feed.fresh, begunAt: nowMs })
  return job
}

const SLOW_MS = 1000

/** It has failed lately, or keeps a call waiting: such endpoints share a part of the calls among them. */
export function isSlow(feed: Feed, nowMs: number): boolean {
  if (feed.health.failures > 0) return true
  for (const call of feed.inFlight.values()) if (nowMs - call.begunAt > SLOW_MS) return true
  return false
}

/** A call has ended: it counts for the endpoint's health, and its place in history is done. */
export function finish(feed: Feed, job: Job, tried: Tried, nowMs: number, scale: number): void {
  feed.inFlight.delete(placeOf(job))
  feed.tried.push(tried)
  const failed = tried.result.outcome !== 'delivered'
  const recent = countRecent(feed, failed, nowMs, scale)
  feed.health = healthAfter(feed.health, tried.result, tried.result.durationMs, recent, nowMs, scale)
  if (failed && !isCallable(feed, nowMs)) feed.recent = NONE_RECENT
  if (job.replay === 0 && job.number === 1) feed.done.add(job.position)
  advance(feed)
  feed.isDirty = true
}

/** Counts a try among those of the last minutes. The count is halved at the end of each span, not kept try by try. */
function countRecent(feed: Feed, failed: boolean, nowMs: number, scale: number): Recent {
  const { since, tries, failures } = feed.recent
  const isOver = nowMs - since >= (RECENT_MS * scale) / 2
  const kept = isOver ? 0.5 : 1
  feed.recent = {
    since: isOver ? nowMs : since,
    tries: tries * kept + 1,
    failures: failures * kept + (failed ? 1 : 0),
  }
  return feed.recent
}

/** Nothing waits and nothing is under way, or nothing may be begun: another process may serve it. */
export function isIdle(feed: Feed, nowMs: number): boolean {
  if (feed.inFlight.size > 0) return false
  if (feed.isEnding || !isCallable(feed, nowMs)) return true
  return feed.fresh.length + feed.due.length === 0 && feed.historyAt > nowMs && feed.dueAt > nowMs
}

/** The lease is still ours by a clock that does not jump: a process that was frozen begins nothing more. */
export const isHeld = (feed: Feed): boolean => performance.now() < feed.leasedUntil

/** Takes what is to be written of the queue; from here on it counts as written. One that is let go begins nothing more. */
export function takeServed(feed: Feed, next: Served['next']): Served {
  feed.isEnding = next === 'let go'
  const { lane, accountId, id, fence } = feed.endpoint
  const tried = feed.tried.splice(0)
  feed.isDirty = false
  return { lane, accountId, id, fence, position: feed.position, health: feed.health, tried, next }
}

/** Puts back what could not be written. */
export function putBack(feed: Feed, served: Served): void {
  feed.isEnding = false
  feed.tried.unshift(...served.tried)
  feed.isDirty = true
}
