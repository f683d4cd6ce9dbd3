// Tries to sign in, counted before a password is looked at: by e-mail address, known or not, and by the address that they come
// from. Per process; what a member's own row counts holds for all of them. A try that was right costs nothing.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { networkOf } from '../../platform/addresses.ts'

type Bucket = { readonly tokens: number; readonly atMs: number }
export type SignInLimits = {
  readonly nowMs: () => number
  readonly buckets: LRUCache<string, Bucket>
  readonly perAddressMinute: number
}

const EMAIL_BURST = 10
const EMAIL_MINUTE = 2 / 3
const BURST_MINUTES = 2
const BUCKETS_MAX = 20_000

export function openSignInLimits(perAddressMinute: number, nowMs: () => number): SignInLimits {
  return { nowMs, perAddressMinute, buckets: new LRUCache({ max: BUCKETS_MAX }) }
}

export type Try = { readonly wasRight: () => void }

/** Takes a try; a refusal, with Retry-After, where there is none left. Without an e-mail address only the sender's counts. */
export function takeTry(
  limits: SignInLimits | null,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string | null,
): Try | Refusal {
  if (limits === null) return { wasRight: () => undefined }
  const { perAddressMinute } = limits
  const sender = {
    name: `from ${networkOf(request.ip)}`,
    burst: BURST_MINUTES * perAddressMinute,
    perMinute: perAddressMinute,
  }
  const address = { name: `as ${email?.trim().toLowerCase()}`, burst: EMAIL_BURST, perMinute: EMAIL_MINUTE }
  const kinds = email === null ? [sender] : [sender, address]
  const empty = kinds.find((kind) => tokensOf(limits, kind) < 1)
  if (empty) {
    reply.header('Retry-After', String(Math.ceil(((1 - tokensOf(limits, empty)) * 60) / empty.perMinute)))
    return refuse('rate_limited', null, 'There were too many tries to sign in. Wait for Retry-After.')
  }
  for (const kind of kinds) add(limits, kind, -1)
  return {
    wasRight: () => {
      for (const kind of kinds) add(limits, kind, 1)
    },
  }
}

type Kind = { readonly name: string; readonly burst: number; readonly perMinute: number }

function tokensOf({ buckets, nowMs }: SignInLimits, { name, burst, perMinute }: Kind): number {
  const known = buckets.get(name)
  return known ? Math.min(burst, known.tokens + ((nowMs() - known.atMs) * perMinute) / 60_000) : burst
}

function add(limits: SignInLimits, kind: Kind, change: number): void {
  const tokens = Math.min(kind.burst, tokensOf(limits, kind) + change)
  limits.buckets.set(kind.name, { tokens, atMs: limits.nowMs() })
}
