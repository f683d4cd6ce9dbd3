// Delivers events to webhook endpoints: takes endpoints that have something to deliver under a lease, has them called,
// and writes what became of it. Reading and writing take turns, so that nothing is read that is just being written.
import { type Account, claimWork, readWork, recordServed } from '../../app/webhooks/deliveries.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import { databaseTime } from '../../store/contracts/expiry.ts'
import { accountsWithEndpoints, type ClaimedEndpoint } from '../../store/webhooks/progress.ts'
import { callOnTrial, clockOf, type DeliveryParts, type Serving, startCalls, type Tried } from './delivery-calls.ts'
import {
  AHEAD_MAX,
  DUE_PAGE,
  type EndpointQueue,
  isHeld,
  isIdle,
  openEndpointQueue,
  putBack,
  takeDue,
  takeHistory,
  takeServed,
  wantsDue,
  wantsHistory,
} from './endpoint-queue.ts'

export type DeliveryWorker = {
  /** One turn: claim, read, call, write. How much there was to do. */
  readonly round: () => Promise<number>
  /** These accounts have new history: their endpoints, if they have any, are served in the next round. */
  readonly notify: (accountIds: Iterable<string>) => void
  /** Endpoints of this lane have something to deliver: they are taken in the next round. */
  readonly serve: (lane: number) => void
  /** An account's endpoints have changed, or one is new. */
  readonly meet: (accountId: string) => void
  /** Makes a call that is no delivery and counts as one; null where there is no room for it. */
  readonly tryOut: <Result>(endpoint: Tried, call: () => Promise<Result>) => Promise<Result> | null
  /** What runs the next round when a call has ended or an account is signalled. */
  readonly onWork: (wake: () => void) => void
  /** Begins nothing more, waits a moment for what is under way, and lets all endpoints go. */
  readonly stop: () => Promise<void>
}

type Worker = Serving & {
  /** Accounts with endpoints, by id: signals of others are ignored. */
  readonly known: Set<string>
  readonly signalled: Set<string>
  /** Lanes that were told of. */
  readonly lanes: Set<number>
  timeAt: number
  lookAroundAt: number
}

const QUEUES_MAX = 1024
const TIME_MS = 1000
const LOOK_AROUND_MS = 10_000
const STOP_WITHIN_MS = 3000

export function openDeliveryWorker(parts: DeliveryParts): DeliveryWorker {
  const worker: Worker = {
    parts,
    queues: new Map(),
    inFlight: new Set(),
    trials: new Map(),
    known: new Set(),
    signalled: new Set(),
    lanes: new Set(),
    wake: () => undefined,
    offsetMs: 0,
    turn: 0,
    isStopping: false,
    isStarting: false,
    timeAt: 0,
    lookAroundAt: 0,
  }
  return {
    round: async () => {
      const claimed = await claim(worker)
      const loaded = await read(worker)
      startCalls(worker)
      return claimed + loaded + (await record(worker))
    },
    notify: (accountIds) => notify(worker, accountIds),
    serve: (lane) => {
      worker.lanes.add(lane)
      worker.wake()
    },
    meet: (accountId) => {
      worker.known.add(accountId)
      notify(worker, [accountId])
    },
    tryOut: (endpoint, call) => callOnTrial(worker, endpoint, call),
    onWork: (wake) => {
      worker.wake = wake
    },
    stop: () => stop(worker),
  }
}

function notify(worker: Worker, accountIds: Iterable<string>): void {
  if (worker.known.size === 0) return
  let count = 0
  for (const accountId of accountIds) {
    if (!worker.known.has(accountId)) continue
    worker.signalled.add(accountId)
    count += 1
  }
  if (count === 0) return
  for (const queue of worker.queues.values()) {
    if (!worker.signalled.has(queue.endpoint.accountId)) continue
    queue.historyAt = 0
    queue.isSignalled = true
  }
  worker.wake()
}

/** Takes endpoints with work: those of accounts that were signalled, and of lanes that were told of. */
async function claim(worker: Worker): Promise<number> {
  const { parts, queues, signalled, lanes } = worker
  if (worker.isStopping) return 0
  const room = QUEUES_MAX - queues.size
  const isTold = room > 0 && signalled.size + lanes.size > 0
  const began = performance.now()
  await lookAround(worker, isTold || queues.size > 0)
  if (!isTold) return 0
  const own = new Set(parts.ownLanes())
  const accounts = [...signalled]
    .map((accountId): Account => ({ lane: laneOf(accountId), accountId }))
    .filter(({ lane }) => own.has(lane))
  const told = [...lanes]
  signalled.clear()
  lanes.clear()
  const claimed = await claimWork(parts, { lanes: told, accounts }, room)
  for (const endpoint of claimed) serve(worker, endpoint, began + parts.leaseMs)
  return claimed.length
}

/** What it goes by: the database's clock, while anything is done, and now and then which accounts have endpoints. */
async function lookAround(worker: Worker, isBusy: boolean): Promise<void> {
  const { session, ownLanes } = worker.parts
  const isLong = performance.now() >= worker.lookAroundAt
  if (!isLong && !(isBusy && performance.now() >= worker.timeAt)) return
  const [time, accounts] = await session.send([databaseTime(), ...(isLong ? [accountsWithEndpoints(ownLanes())] : [])])
  worker.offsetMs = Math.round((time?.rows[0]?.['now_ms'] as number) - performance.now())
  worker.timeAt = performance.now() + TIME_MS
  if (!accounts) return
  worker.lookAroundAt = performance.now() + LOOK_AROUND_MS
  worker.known.clear()
  for (const row of accounts.rows) worker.known.add(row['account_id'] as string)
}

function serve({ parts, queues, known }: Worker, endpoint: ClaimedEndpoint, leasedUntil: number): void {
  known.add(endpoint.accountId)
  try {
    const { secrets, bearerToken } = parts.open(endpoint)
    queues.set(endpoint.id, openEndpointQueue(endpoint, secrets, bearerToken, leasedUntil))
  } catch (fault) {
    // Its lease ends by itself, and it is tried again then.
    parts.log.error({ err: fault, endpoint: endpoint.id }, 'the secrets of a webhook endpoint cannot be opened')
  }
}

/** Loads what is to be delivered next, for those that have little left. */
async function read(worker: Worker): Promise<number> {
  const nowMs = clockOf(worker)
  const queues = [...worker.queues.values()]
  const forHistory = queues.filter((queue) => wantsHistory(queue, nowMs))
  const forDue = queues.filter((queue) => wantsDue(queue, nowMs))
  const places = forHistory.map((queue) => ({ ...keyOf(queue), position: queue.loaded }))
  const limits = { history: AHEAD_MAX, due: DUE_PAGE }
  for (const queue of forHistory) queue.isSignalled = false
  const { history, due } = await readWork(worker.parts, places, forDue.map(keyOf), limits)
  const historyOf = grouped(history)
  const dueOf = grouped(due)
  for (const queue of forHistory) takeHistory(queue, historyOf.get(queue.endpoint.id) ?? [], nowMs)
  for (const queue of forDue) takeDue(queue, dueOf.get(queue.endpoint.id) ?? [], nowMs)
  return history.length
}

/** Writes what has been done, goes on holding what is served, and lets go of what has nothing more to deliver. */
async function record(worker: Worker): Promise<number> {
  const { parts, queues } = worker
  const lanes = new Set(parts.ownLanes())
  // What has become another process's goes there as soon as the calls under way have ended.
  for (const queue of queues.values()) if (!lanes.has(queue.endpoint.lane)) queue.isEnding = true
  const nowMs = clockOf(worker)
  const began = performance.now()
  const wanted = [...queues.values()].filter(
    (queue) => queue.isDirty || isIdle(queue, nowMs) || queue.leasedUntil - began < (parts.leaseMs * 2) / 3,
  )
  if (wanted.length === 0) return 0
  const written = wanted.map((queue) => ({
    queue,
    served: takeServed(queue, isIdle(queue, nowMs) ? 'let go' : 'serve'),
  }))
  try {
    const { lost } = await recordServed(
      parts,
      written.map((each) => each.served),
      nowMs,
    )
    for (const { queue, served } of written) {
      queue.leasedUntil = began + parts.leaseMs
      if (lost.has(served.id) || served.next === 'let go') queues.delete(served.id)
    }
  } catch (fault) {
    for (const { queue, served } of written) putBack(queue, served)
    // What could not be written before its lease ended is tried again by another process.
    for (const [id, queue] of queues) if (!isHeld(queue)) queues.delete(id)
    throw fault
  }
  return written.reduce((sum, { served }) => sum + served.tried.length, 0)
}

async function stop(worker: Worker): Promise<void> {
  worker.isStopping = true
  const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
  await Promise.race([Promise.all(worker.inFlight), late])
  const served = [...worker.queues.values()].map((queue) => takeServed(queue, 'let go'))
  if (served.length > 0) await recordServed(worker.parts, served, clockOf(worker))
}

function keyOf({ endpoint }: EndpointQueue): EndpointKey {
  const { lane, accountId, id } = endpoint
  return { lane, accountId, id }
}

function grouped<Item extends { readonly endpointId: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.endpointId)
    if (group) group.push(item)
    else groups.set(item.endpointId, [item])
  }
  return groups
}
