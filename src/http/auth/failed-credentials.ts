// Wrong credentials, counted by the address they come from: a caller that guesses must wait before anything is looked
// up. A credential that has been valid here passes all the same, so that a neighbour's mistake blocks no other caller.
// Per process.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CallerBook } from '../../app/accounts/callers.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { networkOf } from '../../platform/addresses.ts'
import { bearerOf } from './auth.ts'

export type FailedCredentials = {
  /** Why a request is refused unread, with Retry-After in its reply; else null. `key` where it is not in its header. */
  readonly turnAway: (request: FastifyRequest, reply: FastifyReply, key?: string) => Refusal | null
  /** Counts a refusal that was about a wrong credential; any other is no guess. */
  readonly count: (request: FastifyRequest, refusal: Refusal) => void
}

const ADDRESSES_MAX = 10_000
const BURST_MINUTES = 2
const GUESSES: ReadonlySet<string> = new Set(['invalid_api_key', 'invalid_token'])

/** A token bucket for each address: twice a minute's worth at once, then so many a minute. */
export function openFailedCredentials(
  perMinute: number,
  callers: Pick<CallerBook, 'isKnown'>,
  nowMs: () => number,
): FailedCredentials {
  const burst = BURST_MINUTES * perMinute
  const buckets = new LRUCache<string, { readonly tokens: number; readonly atMs: number }>({ max: ADDRESSES_MAX })
  // When all buckets are full again: no address need be checked.
  let quietAt = 0
  const tokensOf = (network: string): number => {
    const known = buckets.get(network)
    return known ? Math.min(burst, known.tokens + ((nowMs() - known.atMs) * perMinute) / 60_000) : burst
  }
  return {
    turnAway: (request, reply, key) => {
      if (nowMs() >= quietAt) return null
      const tokens = tokensOf(networkOf(request.ip))
      if (tokens >= 1 || (key === undefined ? sentWith(request) : [key]).every(callers.isKnown)) return null
      reply.header('Retry-After', String(Math.ceil(((1 - tokens) * 60) / perMinute)))
      const fix = 'Wait for Retry-After, then send a valid one.'
      return refuse('rate_limited', null, `Too many wrong keys or tokens came from your address. ${fix}`)
    },
    count: (request, { code }) => {
      if (!GUESSES.has(code)) return
      quietAt = nowMs() + BURST_MINUTES * 60_000
      const network = networkOf(request.ip)
      buckets.set(network, { tokens: Math.max(0, tokensOf(network) - 1), atMs: nowMs() })
    },
  }
}

/** What the request is to be authenticated by; without any it is refused for that. */
function sentWith(request: FastifyRequest): string[] {
  const key = request.headers['x-api-key']
  return [typeof key === 'string' ? key : undefined, bearerOf(request)].filter((each) => each !== undefined)
}
