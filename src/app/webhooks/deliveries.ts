// Serving endpoints under a lease: taking them, reading what is to be delivered, and writing what became of it. The
// calls are made in between, with no transaction open (docs/adr/0007-lease-call-record.md). Knows no HTTP.
import { disabledBecause, type Health, nextTryAt, type TryResult } from '../../domain/webhook/delivery.ts'
import type { Session } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  type DueDelivery,
  type DuePage,
  dueDeliveryFrom,
  type EndpointKey,
  type HistoryPage,
  type HistoryRow,
  historyRowFrom,
  loadDueDeliveries,
  loadHistory,
  saveTries,
  type TryRow,
} from '../../store/webhooks/deliveries.ts'
import {
  type ClaimedEndpoint,
  claimedEndpointFrom,
  claimEndpoints,
  claimEndpointsOf,
  disableEndpoints,
  type HeldEndpoint,
  lockProgress,
  saveProgress,
  stillHeld,
} from '../../store/webhooks/progress.ts'

export type ServingDeps = {
  readonly session: Session
  readonly leaseMs: number
  /** The process that takes them. */
  readonly leasedBy: string
  /** Multiplies every wait of the ladder and the breaker: 1, but in tests. */
  readonly retryScale: number
  /** From 0 to 1, for the jitter. */
  readonly chance: () => number
}

export type Account = { readonly lane: number; readonly accountId: string }

/**
 * Takes endpoints that have work, of these lanes and of these accounts, all of one group; no other process serves them until the lease
 * ends.
 */
export async function claimWork(
  { session, ...lease }: ServingDeps,
  { lanes, accounts }: { readonly lanes: readonly number[]; readonly accounts: readonly Account[] },
  limit: number,
): Promise<ClaimedEndpoint[]> {
  const claims = [
    ...(accounts.length > 0 ? [claimEndpointsOf(accounts, limit, lease)] : []),
    ...(lanes.length > 0 ? [claimEndpoints(lanes, limit, lease)] : []),
  ]
  const results = await session.send(claims)
  return results.flatMap(({ rows }) => rows.map(claimedEndpointFrom))
}

/** What is read for endpoints of one group of lanes: a page of history for some, a page of due deliveries for some, and whose they still are. */
export type WantedWork = {
  readonly history: readonly HistoryPage[]
  readonly due: readonly DuePage[]
  readonly held: readonly HeldEndpoint[]
}

/** `held`: the ids of those that this process serves still, after the rest was read. */
export type Work = {
  readonly history: readonly HistoryRow[]
  readonly due: readonly DueDelivery[]
  readonly held: ReadonlySet<string>
}

/** What to deliver next to endpoints, and which of them may be called as they are known here. */
export async function readWork(
  { session }: ServingDeps,
  scope: Scope,
  { history, due, held }: WantedWork,
): Promise<Work> {
  const statements = [
    ...(history.length > 0 ? [loadHistory(scope, history)] : []),
    ...(due.length > 0 ? [loadDueDeliveries(scope, due)] : []),
    // The last one: what it says holds for what was read before it.
    ...(held.length > 0 ? [stillHeld(scope, held)] : []),
  ]
  if (statements.length === 0) return { history: [], due: [], held: new Set() }
  const results = [...(await session.send(statements))]
  const next = (of: readonly unknown[]) => (of.length > 0 ? (results.shift()?.rows ?? []) : [])
  return {
    history: next(history).map(historyRowFrom),
    due: next(due).map(dueDeliveryFrom),
    held: new Set(next(held).map((row) => row['endpoint_id'] as string)),
  }
}

/** One try of one delivery, as it is recorded. */
export type Tried = {
  readonly position: number
  readonly replay: number
  /** Tries with this one. */
  readonly number: number
  readonly at: number
  readonly createdAt: number
  readonly body: Buffer | null
  readonly result: TryResult & {
    readonly durationMs: number
    readonly fault: string | null
    readonly responseBody: string | null
  }
}

/** What is to be written of one endpoint. */
export type Served = EndpointKey & {
  readonly fence: number
  readonly position: number
  readonly health: Health
  readonly tried: readonly Tried[]
  /** Whether the endpoint is served on, or let go. */
  readonly next: 'serve' | 'let go'
}

/**
 * Writes what became of tries, in one transaction, to endpoints of one group of lanes. What was tried under a lease that another process has taken since is
 * not written: that process tries it again. Returns the endpoints that are no longer ours to serve.
 */
export async function recordServed(
  deps: ServingDeps,
  scope: Scope,
  served: readonly Served[],
  nowMs: number,
): Promise<{ readonly lost: ReadonlySet<string> }> {
  return deps.session.transaction([lockProgress(scope, served)], ([locked]) => {
    const fences = new Map((locked?.rows ?? []).map((row) => [row['endpoint_id'], row['fence']]))
    const isOurs = (each: Served) => fences.get(each.id) === each.fence
    const ours = served.filter(isOurs)
    const lost = new Set(served.filter((each) => !isOurs(each)).map((each) => each.id))
    if (ours.length === 0) return { statements: [], value: { lost } }
    const disabled = ours.flatMap((each) => {
      const because = disabledAfter(deps, each, nowMs)
      return because === null ? [] : [{ ...each, because }]
    })
    const tried = ours.flatMap((each) => each.tried.map((one) => ({ ...one, endpoint: each })))
    const statements = [
      ...(tried.length > 0
        ? saveTries(
            scope,
            tried.map((one) => tryRow(deps, one, nowMs)),
          )
        : []),
      ...(disabled.length > 0 ? [disableEndpoints(scope, disabled)] : []),
      saveProgress(
        scope,
        ours.map((each) => ({ ...each, leaseMs: each.next === 'serve' ? deps.leaseMs : 0 })),
      ),
    ]
    return { statements, value: { lost: new Set([...lost, ...disabled.map((each) => each.id)]) } }
  })
}

function disabledAfter({ retryScale }: ServingDeps, served: Served, nowMs: number): 'gone' | 'failing' | null {
  for (const { result } of served.tried) {
    const because = disabledBecause(served.health, result, nowMs, retryScale)
    if (because !== null) return because
  }
  return null
}

type Placed = Tried & { readonly endpoint: EndpointKey }

function tryRow({ retryScale, chance }: ServingDeps, tried: Placed, nowMs: number): TryRow {
  const { position, replay, number, at, createdAt, body, result } = tried
  const { lane, accountId, id } = tried.endpoint
  const { outcome, statusCode, durationMs, fault, responseBody } = result
  const isDelivered = outcome === 'delivered'
  const dueAt = isDelivered ? null : nextTryAt(number, result, tried, nowMs, chance(), retryScale)
  return {
    lane,
    accountId,
    id,
    position,
    replay,
    number,
    at,
    createdAt,
    updatedAt: nowMs,
    outcome,
    statusCode,
    durationMs,
    fault,
    responseBody,
    dueAt,
    status: isDelivered ? 'delivered' : dueAt === null ? 'dead' : 'pending',
    body: dueAt === null ? null : body,
  }
}
