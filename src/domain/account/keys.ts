// API keys as their account sees them, and the one rule of all that makes or changes them: nobody gives more than they have.
import { displayText } from '../money/money.ts'
import { type Problem, type Refusal, refuse, refuseFor } from '../contract/refusals.ts'
import type { Mandate, Spent } from '../mandate/mandate.ts'
import { areCapsWithin, type TransferCap } from './caps.ts'
import type { KeyLine } from './key-line.ts'

/** What a credential may do, how long, from where, and how much of it at a time. */
export type Powers = {
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch; null for one without an end. */
  readonly expiresAt: number | null
  /** In CIDR notation; null for anywhere. */
  readonly addresses: readonly string[] | null
  /** Null where any amount of any currency may leave. */
  readonly transferMax: readonly TransferCap[] | null
  /** What may leave by it in all; null where nothing bounds that. */
  readonly mandate: Mandate | null
}

export type ApiKey = Powers & {
  readonly id: string
  readonly livemode: boolean
  readonly name: string
  readonly line: KeyLine
  /** The key under which is counted what leaves by its mandates, whether it has one now or not. */
  readonly mandateOf: string
  /** What has left by its mandate; empty where it has none. */
  readonly spending: readonly Spent[]
  readonly createdAt: number
  readonly revokedAt: number | null
  /** A day in UTC, YYYY-MM-DD; null for one that was never used. */
  readonly lastUsedOn: string | null
  /** Set for a key with which a provider reports payments: on which channels, null for all of its mode. */
  readonly receiver: { readonly channels: readonly string[] | null } | null
}

export const KEY_STATES = ['active', 'expired', 'revoked'] as const
export type KeyState = (typeof KEY_STATES)[number]

export function keyState({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): KeyState {
  if (revokedAt !== null && revokedAt <= nowMs) return 'revoked'
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'active'
}

/** How many live keys an account may have. */
export const LIVE_KEYS_MAX = 100

/** Whether a range lies within one of the ranges. */
export type IsRangeWithin = (range: string, ranges: readonly string[]) => boolean

/** Why powers go beyond somebody's own; null where they are within. */
export function refuseBeyond(own: Powers, wanted: Powers, isRangeWithin: IsRangeWithin): Refusal | null {
  const problems = [
    ...scopesBeyond(own, wanted),
    ...lifeBeyond(own, wanted),
    ...addressesBeyond(own, wanted, isRangeWithin),
    ...capsBeyond(own, wanted),
    ...mandateBeyond(own),
  ]
  const [first] = problems
  if (!first) return null
  const words = problems.map(({ message }) => message).join(' ')
  return refuseFor('exceeds_own_access', first.param, words, problems)
}

const beyond = (param: string, message: string): Problem => ({ code: 'exceeds_own_access', param, message })

function scopesBeyond(own: Powers, { scopes }: Powers): Problem[] {
  const more = scopes.filter((scope) => !own.scopes.includes(scope))
  return more.length === 0 ? [] : [beyond('scopes', `scopes: your own credential lacks ${more.join(', ')}.`)]
}

function lifeBeyond(own: Powers, { expiresAt }: Powers): Problem[] {
  if (own.expiresAt === null || (expiresAt !== null && expiresAt <= own.expiresAt)) return []
  return [beyond('expires_in', 'expires_in: it would live longer than your own credential. Ask for less.')]
}

function addressesBeyond(own: Powers, { addresses }: Powers, isRangeWithin: IsRangeWithin): Problem[] {
  const { addresses: owned } = own
  if (owned === null) return []
  const more = addresses?.filter((range) => !isRangeWithin(range, owned)) ?? ['anywhere']
  if (more.length === 0) return []
  const words = `addresses: your own credential may not be used from ${more.join(', ')}, only from ${owned.join(', ')}.`
  return [beyond('addresses', words)]
}

function capsBeyond(own: Powers, { transferMax }: Powers): Problem[] {
  if (areCapsWithin(transferMax, own.transferMax)) return []
  const most = (own.transferMax ?? []).map(({ currency, maxMinor }) => displayText(maxMinor, currency)).join(', ')
  return [beyond('transfer_max', `transfer_max: by your own credential at most ${most} may leave at a time.`)]
}

/** A total that is shared out would have to be counted in several places: whoever has a mandate makes no keys at all. */
function mandateBeyond({ mandate }: Powers): Problem[] {
  if (mandate === null) return []
  return [beyond('mandate', 'Your own credential has a mandate, and makes, changes and rolls no keys.')]
}

/** The same text for an id that does not exist and for one that another account owns. */
export const keyNotFound = () => refuse('key_not_found', 'id', 'No API key has this id. See GET /keys.')

export function refuseEnded(key: ApiKey, nowMs: number): Refusal | null {
  const state = keyState(key, nowMs)
  if (state === 'active') return null
  const words = state === 'expired' ? 'has expired' : 'is revoked'
  return refuse('key_ended', 'id', `The API key ${words}, and cannot be changed any more. Make a new one.`)
}

export const keysFull = () =>
  refuse(
    'keys_full',
    null,
    `The account has ${LIVE_KEYS_MAX} live API keys, which is as many as it may have. Revoke one that nobody uses.`,
  )
