// Rail events of one channel that could not be recorded: kept while what comes after them is read, and tried again. Those of one order stay
// in their order. Of those whose lanes are on a node that is away one is tried, and the others follow it.
import { contractOfReference, laneOf } from '../domain/contract/ids.ts'
import type { RailEvent } from '../connectors/connector.ts'

/** The events of one order, in their order, and the position from which the oldest of them was read. */
export type OrderEvents = { readonly reference: string; readonly from: number; readonly items: readonly RailEvent[] }

/** What became of the events of an order: those that are left, and why. */
export type Recorded = OrderEvents & { readonly recorded: number; readonly trouble: Trouble | null }
export type Trouble = { readonly fault: unknown; readonly is: 'away' | 'its own' | 'of a recovery' }

export type KeptEvents = {
  readonly size: () => number
  /** Whether so many are kept that no more may be read. */
  readonly isFull: () => boolean
  /** Those of a page that may be recorded now; the others are kept, behind what they have to wait for. */
  readonly free: (page: readonly OrderEvents[]) => readonly OrderEvents[]
  /** Those that are to be tried now. */
  readonly due: () => readonly OrderEvents[]
  /** Keeps what is left, and forgets the rest. `of`: whether they were tried for the first time. */
  readonly note: (done: readonly Recorded[], of: 'a page' | 'what was kept') => void
  /** The position from which they are read again; null where none is kept. */
  readonly from: () => number | null
}

/** So many wait in memory, and a page more; a restart reads them anew. */
const KEPT_MAX = 10_000
const TRIED_AT_ONCE = 1000
const AGAIN_AFTER_MS = [1000, 2000, 4000, 8000] as const
const AGAIN_AFTER_MAX_MS = 15_000

type Kept = {
  readonly orders: Map<string, OrderEvents>
  /** The nodes on which the last try found nobody. */
  readonly away: Set<string>
  readonly nodeOf: (order: Pick<OrderEvents, 'reference'>) => string | null
  size: number
  tries: number
  dueAtMs: number
}

export function openKeptEvents(nodeOf: (lane: number) => string, nowMs: () => number): KeptEvents {
  const nodeOfOrder = ({ reference }: Pick<OrderEvents, 'reference'>) => {
    const named = contractOfReference(reference)
    return named ? nodeOf(laneOf(named.contractId)) : null
  }
  const state: Kept = { orders: new Map(), away: new Set(), nodeOf: nodeOfOrder, size: 0, tries: 0, dueAtMs: 0 }
  return {
    size: () => state.size,
    isFull: () => state.size >= KEPT_MAX,
    free: (page) => page.filter((order) => isFree(state, order)),
    due: () => (state.orders.size === 0 || nowMs() < state.dueAtMs ? [] : dueIn(state)),
    note: (done, of) => {
      if (done.length === 0) return
      const wasEmpty = state.orders.size === 0
      replace(state, done)
      // What comes meanwhile puts off nothing that waits.
      if (of === 'what was kept' || wasEmpty) state.dueAtMs = nowMs() + waitMsAfter(state, done, of)
    },
    from: () => (state.orders.size === 0 ? null : Math.min(...Array.from(state.orders.values(), ({ from }) => from))),
  }
}

function keep(state: Kept, order: OrderEvents): void {
  state.orders.set(order.reference, order)
  state.size += order.items.length
}

function drop(state: Kept, { reference }: OrderEvents): void {
  state.size -= state.orders.get(reference)?.items.length ?? 0
  state.orders.delete(reference)
}

function awayNodeOf({ away, nodeOf }: Kept, order: OrderEvents): string | null {
  const node = away.size === 0 ? null : nodeOf(order)
  return node !== null && away.has(node) ? node : null
}

/** Keeps it where it has to wait: behind what is kept of its order, or for its node. */
function isFree(state: Kept, order: OrderEvents): boolean {
  const before = state.orders.get(order.reference)
  if (!before && awayNodeOf(state, order) === null) return true
  if (before) drop(state, before)
  keep(state, before ? { ...before, items: [...before.items, ...order.items] } : order)
  return false
}

function dueIn(state: Kept): readonly OrderEvents[] {
  const asked = new Set<string>()
  const found: OrderEvents[] = []
  for (const order of state.orders.values()) {
    if (found.length === TRIED_AT_ONCE) break
    const node = awayNodeOf(state, order)
    if (node !== null && asked.has(node)) continue
    if (node !== null) asked.add(node)
    found.push(order)
  }
  return found
}

function replace(state: Kept, done: readonly Recorded[]): void {
  for (const order of done) {
    drop(state, order)
    state.away.delete(state.nodeOf(order) ?? '')
  }
  for (const { reference, from, items, trouble } of done) {
    if (trouble === null) continue
    const order = { reference, from, items }
    // Behind the others, so that none of them waits for ever.
    keep(state, order)
    if (trouble.is === 'away') state.away.add(state.nodeOf(order) ?? '')
  }
}

/** Where anything was recorded of what was kept, the rest is tried at once. */
function waitMsAfter(state: Kept, done: readonly Recorded[], of: 'a page' | 'what was kept'): number {
  const isAnyDone = done.some(({ recorded }) => recorded > 0)
  state.tries = of === 'a page' || isAnyDone ? 0 : state.tries + 1
  return of === 'what was kept' && isAnyDone ? 0 : (AGAIN_AFTER_MS[state.tries] ?? AGAIN_AFTER_MAX_MS)
}
