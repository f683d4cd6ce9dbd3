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

export function openKeptEvents(nodeOf: (lane: number) => string, nowMs: () => number): KeptEvents {
  const kept = new Map<string, OrderEvents>()
  const away = new Set<string>()
  let size = 0
  let tries = 0
  let dueAt = 0

  const keep = (order: OrderEvents) => {
    kept.set(order.reference, order)
    size += order.items.length
  }
  const drop = ({ reference }: OrderEvents) => {
    size -= kept.get(reference)?.items.length ?? 0
    kept.delete(reference)
  }
  const nodeOfOrder = ({ reference }: OrderEvents) => {
    const named = contractOfReference(reference)
    return named ? nodeOf(laneOf(named.contractId)) : null
  }
  const isOnAway = (order: OrderEvents) => {
    const node = away.size === 0 ? null : nodeOfOrder(order)
    return node !== null && away.has(node)
  }

  return {
    size: () => size,
    isFull: () => size >= KEPT_MAX,
    free: (page) =>
      page.filter((order) => {
        const before = kept.get(order.reference)
        if (!before && !isOnAway(order)) return true
        if (before) drop(before)
        keep(before ? { ...before, items: [...before.items, ...order.items] } : order)
        return false
      }),
    due: () => {
      if (kept.size === 0 || nowMs() < dueAt) return []
      const asked = new Set<string>()
      const found: OrderEvents[] = []
      for (const order of kept.values()) {
        if (found.length === TRIED_AT_ONCE) break
        if (isOnAway(order)) {
          const node = nodeOfOrder(order) ?? ''
          if (asked.has(node)) continue
          asked.add(node)
        }
        found.push(order)
      }
      return found
    },
    note: (done, of) => {
      if (done.length === 0) return
      const wasEmpty = kept.size === 0
      for (const order of done) {
        drop(order)
        away.delete(nodeOfOrder(order) ?? '')
      }
      for (const { reference, from, items, trouble } of done) {
        if (trouble === null) continue
        const order = { reference, from, items }
        // Behind the others, so that none of them waits for ever.
        keep(order)
        if (trouble.is === 'away') away.add(nodeOfOrder(order) ?? '')
      }
      const isAnyDone = done.some(({ recorded }) => recorded > 0)
      // What comes meanwhile puts off nothing that waits.
      if (of === 'a page' && !wasEmpty) return
      tries = of === 'a page' || isAnyDone ? 0 : tries + 1
      const waitMs = of === 'what was kept' && isAnyDone ? 0 : (AGAIN_AFTER_MS[tries] ?? AGAIN_AFTER_MAX_MS)
      dueAt = nowMs() + waitMs
    },
    from: () => (kept.size === 0 ? null : Math.min(...Array.from(kept.values(), ({ from }) => from))),
  }
}
