// Latencies in buckets of ten microseconds: counting one costs an addition, and nothing grows while a run goes on.

const BUCKET_MS = 0.01
const BUCKETS = 1_000_000

export type Latencies = {
  readonly add: (ms: number) => void
  readonly count: () => number
  readonly meanMs: () => number
  /** The latency that `share` (0 to 1) of all did not exceed, to ten microseconds; 10 s and more count as 10 s. */
  readonly quantileMs: (share: number) => number
}

export function openLatencies(): Latencies {
  const buckets = new Uint32Array(BUCKETS)
  let count = 0
  let sumMs = 0
  return {
    add: (ms) => {
      const bucket = Math.min(Math.floor(ms / BUCKET_MS), BUCKETS - 1)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
      count++
      sumMs += ms
    },
    count: () => count,
    meanMs: () => (count === 0 ? 0 : sumMs / count),
    quantileMs: (share) => {
      let left = Math.ceil(count * share)
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        left -= buckets[bucket] ?? 0
        if (left <= 0) return bucket * BUCKET_MS
      }
      return BUCKETS * BUCKET_MS
    },
  }
}
