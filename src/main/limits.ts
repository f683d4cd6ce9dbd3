// The limits that hold for callers, as the configuration sets them.
import type { Deps } from '../app/deps.ts'
import { type FailedCredentials, openFailedCredentials } from '../http/auth/failed-credentials.ts'
import { openRateLimiter, type RateLimiter } from '../http/auth/rate-limit.ts'
import { openSignInLimits, type SignInLimits } from '../http/auth/sign-in-limits.ts'
import type { Config } from './config/config.ts'

export const limitsOf = (config: Config, deps: Pick<Deps, 'callers'>, monotonicMs: () => number) => ({
  limiter: limiterOf(config, monotonicMs),
  failures: failuresOf(config, deps, monotonicMs),
  signInLimits: signInLimitsOf(config, monotonicMs),
})

function failuresOf(
  { doors }: Config,
  { callers }: Pick<Deps, 'callers'>,
  monotonicMs: () => number,
): FailedCredentials | null {
  const { authFailuresPerMinute } = doors
  return authFailuresPerMinute === 0 ? null : openFailedCredentials(authFailuresPerMinute, callers, monotonicMs)
}

function signInLimitsOf({ doors }: Config, monotonicMs: () => number): SignInLimits | null {
  const { authFailuresPerMinute } = doors
  return authFailuresPerMinute === 0 ? null : openSignInLimits(authFailuresPerMinute, monotonicMs)
}

function limiterOf({ rateLimit, rateBurst }: Config, monotonicMs: () => number): RateLimiter | null {
  return rateLimit === 0 ? null : openRateLimiter(rateLimit, rateBurst, monotonicMs)
}
