// A one-time code in a verification: made, sent by the account's hook, and given back by whoever got it. Pure: the code itself is
// never here, only what proves it.
import { type Refusal, refuse } from '../contract/refusals.ts'
import type { SentCode, Verification } from './verification.ts'

export const CODE_DIGITS = 6
const CODE_LIFE_MS = 600_000
const TRIES_MAX = 5
const SENDS_MAX = 3
const RESEND_PAUSE_MS = 60_000
/** How long a pass counts, and how long nobody is asked again after a wrong code. */
const RESULT_LIFE_MS = 3_600_000

export type NewCode = Pick<SentCode, 'hash' | 'keySealed'>

/** What is done with a due verification: a new code, which is then sent; or its end. The same one where the lease is over. */
export function codeMade(before: Verification, fence: number, made: NewCode, nowMs: number): Verification {
  if (before.status !== 'pending' || before.fence !== fence) return before
  const { code } = before
  if (code?.isSent && nowMs >= code.madeAt + CODE_LIFE_MS)
    return failed(before, 'No right code was given in ten minutes.', nowMs)
  if (code && code.sends >= SENDS_MAX) {
    const reason = 'The hook that sends codes did not take three of them.'
    return { ...before, status: 'unavailable', dueAt: null, endedAt: nowMs, reason }
  }
  const counted = { madeAt: nowMs, isSent: false, sends: (code?.sends ?? 0) + 1, wrong: code?.wrong ?? 0 }
  return { ...before, code: { ...made, ...counted } }
}

/** The hook took the code: it is waited for as long as it lives. */
export function codeSent(before: Verification, fence: number, nowMs: number): Verification {
  const { code } = before
  if (before.status !== 'pending' || before.fence !== fence || !code) return before
  const reason = 'A code was sent. Give it back with POST /verifications/{id}/answer within ten minutes.'
  return { ...before, code: { ...code, isSent: true, madeAt: nowMs }, dueAt: nowMs + CODE_LIFE_MS, reason }
}

/** What a code that was given back comes to. */
export function codeGiven(
  before: Verification,
  isRight: (code: SentCode) => boolean,
  nowMs: number,
): Verification | Refusal {
  const { code } = before
  if (before.status !== 'pending' || !code?.isSent)
    return refuse('code_not_waited_for', 'id', 'No code is waited for here. Ask anew: POST /verifications.')
  if (nowMs >= code.madeAt + CODE_LIFE_MS)
    return refuse('code_not_waited_for', 'code', 'The code is older than ten minutes. Ask anew: POST /verifications.')
  if (isRight(code)) {
    const evidence = { sends: code.sends, wrong: code.wrong }
    return { ...ended(before, nowMs), status: 'pass', evidence, reason: 'The right code was given.' }
  }
  const wrong = code.wrong + 1
  const after = { ...before, code: { ...code, wrong } }
  return wrong < TRIES_MAX ? after : failed(after, `${TRIES_MAX} wrong codes were given.`, nowMs)
}

/** What whoever gave a wrong code hears. */
export function wrongCode({ status, code }: Verification): Refusal {
  const left = status === 'pending' ? TRIES_MAX - (code?.wrong ?? 0) : 0
  const words =
    left === 0 ? 'No try is left: ask anew in an hour.' : `${left} ${left === 1 ? 'try is' : 'tries are'} left.`
  return refuse('code_wrong', 'code', `The code is wrong. ${words}`)
}

/** Sent again by the next round; the code before counts no longer. */
export function sentAgain(before: Verification, nowMs: number): Verification | Refusal {
  const { code } = before
  if (!code?.isSent) return { ...before, dueAt: nowMs }
  if (code.sends >= SENDS_MAX)
    return refuse('code_not_sent_again', 'id', `${SENDS_MAX} codes were sent, which is all. Give back the newest one.`)
  const waitMs = code.madeAt + RESEND_PAUSE_MS - nowMs
  if (waitMs > 0)
    return refuse('code_not_sent_again', 'id', `A code was sent just now. Try again in ${Math.ceil(waitMs / 1000)} s.`)
  return { ...before, dueAt: nowMs }
}

/** After a wrong code nobody is asked again for an hour, so that nobody tries them all. */
function failed(before: Verification, reason: string, nowMs: number): Verification {
  const hasTried = (before.code?.wrong ?? 0) > 0
  const evidence = { sends: before.code?.sends ?? 0, wrong: before.code?.wrong ?? 0 }
  const expiresAt = hasTried ? nowMs + RESULT_LIFE_MS : nowMs
  return { ...ended(before, nowMs), status: 'fail', evidence, reason, expiresAt }
}

function ended(before: Verification, nowMs: number): Verification {
  const { code: _, ...rest } = before
  return { ...rest, dueAt: null, endedAt: nowMs, expiresAt: nowMs + RESULT_LIFE_MS }
}
