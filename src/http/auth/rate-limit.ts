// A token bucket for each API key, in memory. Per process: a burst's worth of error is harmless, a lost request is not.
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'

export type RateLimiter = {
  readonly perSecond: number
  readonly burst: number
  readonly monotonicMs: () => number
  readonly buckets: LRUCache<string, { tokens: number; atMs: number }>
}

const BUCKETS_MAX = 10_000

export function openRateLimiter(perSecond: number, burst: number, monotonicMs: () => number): RateLimiter {
  return { perSecond, burst, monotonicMs, buckets: new LRUCache({ max: BUCKETS_MAX }) }
}

/** Takes one token for the key and shows in the reply how many are left; a refusal when there is none. */
export function takeToken(limiter: RateLimiter, keyId: string, reply: FastifyReply): Refusal | null {
  const { perSecond, burst, buckets } = limiter
  const atMs = limiter.monotonicMs()
  const known = buckets.get(keyId)
  const refilled = known ? Math.min(burst, known.tokens + ((atMs - known.atMs) * perSecond) / 1000) : burst
  const granted = refilled >= 1
  const tokens = granted ? refilled - 1 : refilled
  buckets.set(keyId, { tokens, atMs })
  reply.headers({
    'RateLimit-Limit': String(burst),
    'RateLimit-Remaining': String(Math.floor(tokens)),
    'RateLimit-Reset': String(Math.ceil((burst - tokens) / perSecond)),
  })
  return granted
    ? null
    : refuse('rate_limited', null, `The key may send ${perSecond} requests a second. Wait for Retry-After.`)
}
