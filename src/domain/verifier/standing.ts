// How a policy's need for a verification stands: by whom it is asked, what the newest answer is worth now, and whether it has to be
// asked anew. Pure: the write path and a trial go by the same words.
import type { VerificationNeed } from '../policy/judge.ts'
import type { LackingVerification } from '../policy/requirements.ts'
import { counts, type Verification, type VerificationKind } from './verification.ts'

/** What is known of an account's verifiers while it is decided. */
export type VerifiersInForce = {
  /** Since when lists are as they are. */
  readonly listsAt: number
  readonly active: readonly { readonly id: string; readonly kind: VerificationKind }[]
}

export const NO_VERIFIERS: VerifiersInForce = { listsAt: 0, active: [] }

/** The kinds that are answered without a verifier of the account's own. */
const ANSWERED = ['name', 'mobile', 'chain_address', 'list'] as const satisfies readonly VerificationKind[]

/** Who answers: one of the account's own, or the gateway itself. Null where nobody does. */
export type Answerer = { readonly verifierId: string | null }

/** A kind that only verifiers of one's own answer, and of which there is one, needs no naming. */
export function answererOf(
  { verification: kind, verifierId }: Pick<VerificationNeed, 'verification' | 'verifierId'>,
  { active }: VerifiersInForce,
): Answerer | null {
  if (verifierId !== null)
    return active.some((each) => each.id === verifierId && each.kind === kind) ? { verifierId } : null
  if ((ANSWERED as readonly string[]).includes(kind)) return { verifierId: null }
  const [only, second] = active.filter((each) => each.kind === kind)
  return only && !second ? { verifierId: only.id } : null
}

export type Standing = Pick<LackingVerification, 'words'> & {
  readonly standing: LackingVerification['standing'] | 'pass'
  /** Whether it has to be asked: nobody has, or what was answered counts no longer. */
  readonly isToAsk: boolean
  readonly found: Verification | null
}

export const NOBODY: Standing = {
  standing: 'unavailable',
  words: 'No verifier answers for this.',
  isToAsk: false,
  found: null,
}

/** What the newest verification of the very recipient is worth at a moment. */
export function standingOf(found: Verification | undefined, nowMs: number, listsAt: number): Standing {
  if (!found || isOver(found, nowMs, found.kind === 'list' ? listsAt : 0))
    return {
      standing: 'not_started',
      words: 'It is being asked now. Try again in a moment.',
      isToAsk: true,
      found: null,
    }
  const words = found.reason ?? 'It is being asked. Try again in a moment.'
  return { standing: found.status, words, isToAsk: false, found }
}

/** Whether one of these said themselves that it passes. Of a contract that they made it is asked anew, for somebody else to decide. */
export const isWordOf = (people: ReadonlySet<string>, { status, decidedBy }: Verification): boolean =>
  status === 'pass' && decidedBy !== null && people.has(decidedBy)

/** A result whose life is over, or that lists have overtaken. */
function isOver(found: Verification, nowMs: number, listsAt: number): boolean {
  if (found.status === 'pending') return false
  if (found.createdAt < listsAt) return true
  return (found.status === 'pass' || found.status === 'fail') && !counts(found, nowMs)
}
