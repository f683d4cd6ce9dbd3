// How guessing ends: wrong passwords and codes of one member in a row are counted where they are kept, so that neither a
// restart nor another process begins anew. And which passwords are taken. Pure.
import { invalid, type Problem, type Refusal, refuse } from '../contract/refusals.ts'
import type { Member } from './member.ts'

const WRONG_IN_A_ROW = 10
const LOCKED_MS = 15 * 60_000

export const isLocked = ({ lockedUntil }: Member, nowMs: number): boolean => lockedUntil !== null && lockedUntil > nowMs

/** The member after one more wrong password or code. */
export function afterWrong(member: Member, nowMs: number): Member {
  const failures = member.failures + 1
  if (failures < WRONG_IN_A_ROW) return { ...member, failures }
  return { ...member, failures: 0, lockedUntil: nowMs + LOCKED_MS }
}

export const afterRight = (member: Member): Member => ({ ...member, failures: 0, lockedUntil: null })

/** One refusal for all: nobody learns which of them it was, nor whether there is such a member. */
export const signInFailed = (): Refusal =>
  refuse(
    'sign_in_failed',
    null,
    'The e-mail address, the password or the code is wrong, or was wrong too often: then wait 15 minutes.',
  )

export const codeRequired = (): Refusal =>
  refuse('second_factor_required', 'code', 'Send code too: six digits of your authenticator, or a recovery code.')

/** For somebody who is signed in and types their password or a code again. */
export const notProven = (param: 'password' | 'code'): Refusal =>
  refuse('not_proven', param, `The ${param} is wrong, was used before, or was wrong too often: then wait 15 minutes.`)

const PASSWORD_CHARS_MIN = 12
const PASSWORD_CHARS_MAX = 200

/** What is wrong with a new password; length is what makes a good one. */
export function faultOfPassword(param: string, password: string, email: string): Problem | null {
  const { length } = password
  if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX)
    return invalid(
      param,
      `${param} has ${length} characters. Take ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX}: four words are good.`,
    )
  const isPlain = new Set(password).size < 5 || password.toLowerCase().includes(email.split('@')[0] ?? email)
  return isPlain
    ? invalid(param, `${param} is easy to guess. Leave your e-mail address and repeated letters out.`)
    : null
}
