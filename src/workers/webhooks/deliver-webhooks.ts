// Delivers events to webhook endpoints: takes endpoints that have something to deliver under a lease, has them called,
// and writes what became of it. Reading and writing take turns, so that nothing is read that is just being written.
import type { Parted } from '../../platform/scope.ts'
import { type NodeTurns, openNodeTurns } from '../../app/jobs/node-turns.ts'
import { type Account, claimWork, readWork, recordServed, type Served } from '../../app/webhooks/deliveries.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import { groupedBy } from '../../domain/grouped.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import { isAway } from '../../platform/db.ts'
import { databaseTime, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import { accountsWithEndpoints, type ClaimedEndpoint } from '../../store/webhooks/progress.ts'
import { callOnTrial, clockOf, type DeliveryParts, type Serving, startCalls, type Tried } from './delivery-calls.ts'
import {
  AHEAD_MAX,
  DUE_PAGE,
  type EndpointQueue,
  hasJobs,
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
  readonly turns: NodeTurns
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
    turns: openNodeTurns(parts.places.nodeOf),
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
    timeAt: 0,
    lookAroundAt: 0,
  }
  return {
    round: async () => {
      const claimed = await claim(worker)
      const loaded = await read(worker)
      return claimed + loaded + (await record(worker))
    },
    notify: (accountIds) => notify(worker, accountIds),
    serve: (lane) => {
      worker.lanes.add(lane)
      worker.wake()
    },
    meet: (accountId) => {
      worker.known.add(accountId)
      // Whether they are still this process's to serve is seen when what was done is written: so that is done in the next round.
      for (const queue of worker.queues.values()) if (queue.endpoint.accountId === accountId) queue.isDirty = true
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
  const wanted = [...[...lanes].map((lane) => ({ lane, accountId: null })), ...accounts]
  signalled.clear()
  lanes.clear()
  const groups = parts.places.parted<Wanted>(wanted)
  const limit = Math.ceil(room / groups.length)
  const claimed = await ofEach(worker, groups, ({ rows }) => claimWork(parts, wantedOf(rows), limit))
  for (const endpoint of claimed.flat()) serve(worker, endpoint, began + parts.leaseMs)
  return claimed.flat().length
}

/** An account that was signalled, or a whole lane that was told of. */
type Wanted = { readonly lane: number; readonly accountId: string | null }

const wantedOf = (rows: readonly Wanted[]) => ({
  lanes: rows.flatMap(({ lane, accountId }) => (accountId === null ? [lane] : [])),
  accounts: rows.flatMap(({ lane, accountId }) => (accountId === null ? [] : [{ lane, accountId }])),
})

/**
 * Does the same for each group of lanes, at once. One that fails keeps no other from going on: its own are done again in a while, when
 * they are looked for. Throws where all fail.
 */
async function ofEach<Group, Done>(
  worker: Worker,
  groups: readonly Group[],
  work: (group: Group) => Promise<Done>,
): Promise<Done[]> {
  return outOf(worker, await Promise.allSettled(groups.map(work)))
}

function outOf<Done>({ parts }: Worker, settled: readonly PromiseSettledResult<Done>[]): Done[] {
  const faults = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  if (faults.length > 0 && faults.length === settled.length) throw faults[0]
  // One fault may be that of many groups: those of a node that is away.
  for (const fault of new Set(faults)) parts.log.warn({ err: fault }, 'webhooks of some lanes have to wait')
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

/** What it goes by: the database's clock, while anything is done, and now and then which accounts have endpoints. */
async function lookAround(worker: Worker, isBusy: boolean): Promise<void> {
  const { places } = worker.parts
  const isLong = performance.now() >= worker.lookAroundAt
  if (!isLong && !(isBusy && performance.now() >= worker.timeAt)) return
  const nodes = isLong ? places.ownByNode() : []
  await Promise.all([lookAtClock(worker), lookForAccounts(worker, nodes)])
  if (isLong) worker.lookAroundAt = performance.now() + LOOK_AROUND_MS
}

/**
 * The clock is that of the server that has what is no tenant's. While that is away, what is due elsewhere goes by how far it last was from
 * a clock of this process that does not jump. Throws where it was never heard.
 */
async function lookAtClock(worker: Worker): Promise<void> {
  try {
    const [time] = await worker.parts.session.send([databaseTime()])
    worker.offsetMs = Math.round(databaseTimeFrom(time) - performance.now())
  } catch (fault) {
    if (worker.timeAt === 0 || !isAway(fault)) throw fault
  }
  worker.timeAt = performance.now() + TIME_MS
}

async function lookForAccounts(worker: Worker, nodes: readonly (readonly number[])[]): Promise<void> {
  const { session } = worker.parts
  const found = await ofEach(worker, nodes, (lanes) => session.send([accountsWithEndpoints(lanes)]))
  // Of a node that is away, they are as they were.
  if (nodes.length > 0 && found.length === nodes.length) worker.known.clear()
  for (const row of found.flat().flatMap(({ rows }) => rows)) worker.known.add(row['account_id'] as string)
}

function serve({ parts, queues, known }: Worker, endpoint: ClaimedEndpoint, leasedUntil: number): void {
  known.add(endpoint.accountId)
  try {
    queues.set(endpoint.id, openEndpointQueue(endpoint, parts.open(endpoint), leasedUntil))
  } catch (fault) {
    // Its lease ends by itself, and it is tried again then.
    parts.log.error({ err: fault, endpoint: endpoint.id }, 'the secrets of a webhook endpoint cannot be opened')
  }
}

/**
 * Loads what is to be delivered next, for those that have little left, and begins calls. Only by what the database has just said is still
 * so: nothing goes to an address, or under a secret, that was changed before. How many events were loaded.
 */
async function read(worker: Worker): Promise<number> {
  const nowMs = clockOf(worker)
  const wanting = [...worker.queues.values()]
    .filter((queue) => wantsHistory(queue, nowMs) || wantsDue(queue, nowMs) || hasJobs(queue))
    .map((queue) => ({ lane: queue.endpoint.lane, queue }))
  const groups = worker.parts.places.parted(wanting)
  let among = groups.length
  const counts = await ofEach(worker, groups, async ({ scope, rows }) => {
    const all = rows.map(({ queue }) => queue)
    const histories = all.filter((queue) => wantsHistory(queue, nowMs))
    const dues = all.filter((queue) => wantsDue(queue, nowMs))
    const pages = histories.map((queue) => ({ ...keyOf(queue), position: queue.loaded, limit: AHEAD_MAX }))
    for (const queue of histories) queue.isSignalled = false
    const duePages = dues.map((queue) => ({ ...keyOf(queue), limit: DUE_PAGE }))
    const ours = all.map(({ endpoint }) => endpoint)
    const { history, due, held } = await readWork(worker.parts, scope, { history: pages, due: duePages, held: ours })
    const [historyOf, dueOf] = [groupedBy(history, endpointOf), groupedBy(due, endpointOf)]
    for (const queue of histories) takeHistory(queue, historyOf.get(queue.endpoint.id) ?? [], nowMs)
    for (const queue of dues) takeDue(queue, dueOf.get(queue.endpoint.id) ?? [], nowMs)
    // What is lost is let go where what was done is written: that is done in this round.
    for (const queue of all) if (!held.has(queue.endpoint.id)) queue.isDirty = true
    const served = all.filter(({ endpoint }) => held.has(endpoint.id))
    startCalls(worker, served, among--)
    return history.length
  })
  return sumOf(counts)
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Writes what has been done, goes on holding what is served and begins calls to it, and lets go of what has nothing more to deliver. */
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
    lane: queue.endpoint.lane,
    queue,
    served: takeServed(queue, isIdle(queue, nowMs) ? 'let go' : 'serve'),
  }))
  const groups = parts.places.parted(written)
  let among = groups.length
  const work = async (group: Parted<Written>) => {
    const tried = await write(worker, group, began, nowMs)
    const served = group.rows.map(({ queue }) => queue)
    startCalls(worker, served, among--)
    return tried
  }
  // A session has one transaction at a time.
  return sumOf(outOf(worker, await worker.turns.each(groups, work, (group) => leave(worker, group))))
}

type Written = { readonly lane: number; readonly queue: EndpointQueue; readonly served: Served }

/** Writes what was done for endpoints of one group of lanes; how many tries. */
async function write(
  { parts, queues }: Worker,
  { scope, rows }: Parted<Written>,
  began: number,
  nowMs: number,
): Promise<number> {
  const all = rows.map((each) => each.served)
  const { lost } = await recordServed(parts, scope, all, nowMs)
  for (const { queue, served } of rows) {
    queue.leasedUntil = began + parts.leaseMs
    if (lost.has(served.id) || served.next === 'let go') queues.delete(served.id)
  }
  return sumOf(rows.map(({ served }) => served.tried.length))
}

/** What could not be written is written in another round, or tried again by another process where its lease has ended before. */
function leave({ queues }: Worker, { rows }: Parted<Written>): void {
  for (const { queue, served } of rows) putBack(queue, served)
  for (const [id, queue] of queues) if (!isHeld(queue)) queues.delete(id)
}

async function stop(worker: Worker): Promise<void> {
  worker.isStopping = true
  const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
  await Promise.race([Promise.all(worker.inFlight), late])
  const { parts, queues, turns } = worker
  const groups = parts.places.parted([...queues.values()].map((queue) => takeServed(queue, 'let go')))
  const work = ({ scope, rows }: Parted<Served>) => recordServed(parts, scope, rows, clockOf(worker))
  outOf(worker, await turns.each(groups, work, () => undefined))
}

function keyOf({ endpoint }: EndpointQueue): EndpointKey {
  const { lane, accountId, id } = endpoint
  return { lane, accountId, id }
}

const endpointOf = ({ endpointId }: { readonly endpointId: string }) => endpointId
