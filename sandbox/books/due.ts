// What waits for its moment, earliest first: a binary heap. It must not know what happens then.

export type Due = { readonly atMs: number; readonly number: number }

export type DueHeap = { push(due: Due): void; peek(): Due | undefined; pop(): Due | undefined }

export function openDueHeap(): DueHeap {
  const heap: Due[] = []

  function rise(due: Due): void {
    let at = heap.push(due) - 1
    for (let up = (at - 1) >> 1; at > 0 && isBefore(due, heap[up]); up = (at - 1) >> 1) {
      swap(heap, at, up)
      at = up
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (isBefore(heap[child], heap[first])) first = child
      if (first === at) return
      swap(heap, at, first)
      at = first
    }
  }

  return {
    push: rise,
    peek: () => heap[0],
    pop() {
      const [first] = heap
      const last = heap.pop()
      if (heap.length > 0 && last) {
        heap[0] = last
        sink()
      }
      return first
    },
  }
}

/** What came first goes first where both are due at one moment. */
function isBefore(a: Due | undefined, b: Due | undefined): boolean {
  if (!a || !b) return false
  return a.atMs === b.atMs ? a.number < b.number : a.atMs < b.atMs
}

function swap(heap: Due[], a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]]
  if (!one || !other) return
  heap[a] = other
  heap[b] = one
}
