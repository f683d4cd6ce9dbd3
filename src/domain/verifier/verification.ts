// A verification: one question about one recipient, and what is answered. Steps make a new one; nothing is changed in place.
// Pure: who is asked, and how, is known elsewhere.
import { type Refusal, refuse } from '../contract/refusals.ts'
import { NO_RECIPIENT, type Recipient } from '../transfer/transfer.ts'
import type { NameMatch } from './names.ts'

export const VERIFICATION_KINDS = ['name', 'mobile', 'chain_address', 'list', 'otp', 'http'] as const
export type VerificationKind = (typeof VERIFICATION_KINDS)[number]

export const VERIFICATION_STATUSES = ['pending', 'pass', 'fail', 'review', 'unavailable'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/** What was found, redacted and small: flat facts, and the entries of lists that were hit. */
export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly ListHit[]>>

/** An entry of a list that the recipient is like. */
export type ListHit = {
  readonly list: string
  readonly version: string
  readonly entry: string
  readonly name: string
  readonly score: number
  /** What the list says of them beside the name; absent where it says nothing. */
  readonly note?: string
  readonly born?: readonly string[]
  readonly countries?: readonly string[]
}

/** The newest code of a verification. */
export type SentCode = {
  /** The hash of the code under a key of its own, in hexadecimal, and that key, sealed. */
  readonly hash: string
  readonly keySealed: string
  readonly madeAt: number
  /** Whether the hook took it. */
  readonly isSent: boolean
  readonly sends: number
  readonly wrong: number
}

export type Verification = {
  readonly lane: number
  readonly accountId: string
  readonly livemode: boolean
  readonly id: string
  readonly kind: VerificationKind
  /** Null for a built-in one. */
  readonly verifierId: string | null
  readonly verifierName: string | null
  readonly contractId: string | null
  readonly recipient: Recipient
  readonly channelId: string | null
  readonly subject: string
  readonly status: VerificationStatus
  readonly match: NameMatch | null
  /** Of 100, where something was compared. */
  readonly score: number | null
  readonly evidence: Evidence
  /** Why it stands as it does, in a sentence; a person's own where one decided. */
  readonly reason: string | null
  /** The member whose word ended it. */
  readonly decidedBy: string | null
  /** The key or the member that asked for it; null for the gateway. */
  readonly requestedBy: string | null
  /** Of a one-time code; absent before it is made, and once it is over. */
  readonly code?: SentCode
  readonly dueAt: number | null
  readonly fence: number
  readonly tries: number
  readonly createdAt: number
  readonly endedAt: number | null
  readonly expiresAt: number | null
}

/** No answer: it is asked again. `not_asked`: the verifier was not even called. */
export type NoAnswer = Unavailable | { readonly status: 'not_asked'; readonly reason: string }
type Unavailable = { readonly status: 'unavailable'; readonly reason: string }

/** What a verifier that was called answers. */
export type Answer =
  | {
      readonly status: 'pass' | 'fail' | 'review'
      readonly match?: NameMatch
      readonly score?: number
      readonly evidence: Evidence
      readonly reason: string
    }
  | Unavailable

export type Finding = Answer | NoAnswer

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long a pass or a fail is taken again for the same recipient. */
const LIFE_MS: Readonly<Record<VerificationKind, number>> = {
  name: 30 * DAY_MS,
  mobile: 30 * DAY_MS,
  chain_address: 30 * DAY_MS,
  list: DAY_MS,
  otp: HOUR_MS,
  http: DAY_MS,
}

/** After how long a verifier that gave no answer is asked again; after the last one it stays unavailable. */
const TRY_AGAIN_MS = [2_000, 10_000, 60_000, 300_000] as const

/** For how long a question that was not asked counts as no try: as long as all tries take. Then its verifier has answered nobody. */
const UNASKED_FREE_MS = TRY_AGAIN_MS.reduce((sum, delayMs) => sum + delayMs, 0)
/** When a question that was not asked is looked at again: after half its age, within these bounds. */
const UNASKED_AGAIN_MS = { least: 2_000, most: 30_000 } as const

type Asked = Pick<
  Verification,
  'lane' | 'accountId' | 'livemode' | 'id' | 'kind' | 'verifierId' | 'verifierName' | 'contractId'
> &
  Pick<Verification, 'recipient' | 'channelId' | 'subject' | 'requestedBy'>

/** A question that is asked at once. */
export function newVerification(asked: Asked, nowMs: number): Verification {
  return {
    ...asked,
    status: 'pending',
    match: null,
    score: null,
    evidence: {},
    reason: null,
    decidedBy: null,
    dueAt: nowMs,
    fence: 0,
    tries: 0,
    createdAt: nowMs,
    endedAt: null,
    expiresAt: null,
  }
}

/**
 * The verification after an answer. The same one where the answer is late: to a question that was asked again, or that
 * somebody ended meanwhile. So a verifier that answers twice is heard once.
 */
export function answered(before: Verification, fence: number, finding: Finding, nowMs: number): Verification {
  if (before.status !== 'pending' || before.fence !== fence) return before
  if (finding.status === 'unavailable' || finding.status === 'not_asked') return unanswered(before, finding, nowMs)
  const { status, match = null, score = null, evidence, reason } = finding
  const expiresAt = status === 'review' ? null : nowMs + LIFE_MS[before.kind]
  return { ...before, ...ENDED, status, match, score, evidence, reason, endedAt: nowMs, expiresAt }
}

function unanswered(before: Verification, { status, reason }: NoAnswer, nowMs: number): Verification {
  const ageMs = nowMs - before.createdAt
  if (status === 'not_asked' && ageMs < UNASKED_FREE_MS) {
    const delayMs = Math.min(Math.max(ageMs / 2, UNASKED_AGAIN_MS.least), UNASKED_AGAIN_MS.most)
    // A code that was sent before is still to be given back, as it says.
    const said = before.code?.isSent ? before.reason : reason
    return { ...before, tries: before.tries - 1, reason: said, dueAt: nowMs + delayMs }
  }
  const delayMs = TRY_AGAIN_MS[before.tries - 1]
  if (delayMs !== undefined) return { ...before, reason, dueAt: nowMs + delayMs }
  return { ...before, ...ENDED, status: 'unavailable', reason, endedAt: nowMs }
}

const ENDED = { dueAt: null } as const

/** A person's word about what no verifier could decide. */
export type Verdict = { readonly verdict: 'pass' | 'fail'; readonly reason: string; readonly memberId: string }

/** Ends a review, or what stayed without an answer, by a person's word; the reason is kept. */
export function decided(
  before: Verification,
  { verdict, reason, memberId }: Verdict,
  nowMs: number,
): Verification | Refusal {
  if (before.status !== 'review' && before.status !== 'unavailable') return notInReview(before)
  const expiresAt = nowMs + LIFE_MS[before.kind]
  return { ...before, status: verdict, reason, decidedBy: memberId, endedAt: nowMs, expiresAt }
}

function notInReview({ status }: Verification): Refusal {
  const mend = status === 'pending' ? 'Wait for its answer.' : 'Ask anew: POST /verifications.'
  return refuse(
    'verification_not_in_review',
    'id',
    `The verification is ${status}; nobody's word is waited for. ${mend}`,
  )
}

/** Asks again where there was no answer. */
export function askedAgain(before: Verification, nowMs: number): Verification | Refusal {
  if (before.status === 'pending') return { ...before, dueAt: nowMs }
  if (before.status !== 'unavailable') return notInReview(before)
  const { code: _, ...asked } = before
  return { ...asked, status: 'pending', dueAt: nowMs, tries: 0, endedAt: null, expiresAt: null, reason: null }
}

/**
 * What of a recipient a kind of verifier looks at, beside the channel. Whoever answers is shown this alone (`askedOf`), so that no
 * result rests on a value that its subject lacks. A channel may tell accounts apart by any of what an account is known by.
 */
const LOOKS_AT: Readonly<Record<VerificationKind, readonly (keyof Recipient)[]>> = {
  name: ['name', 'wallet', 'tag', 'mobile', 'email', 'country'],
  mobile: ['mobile', 'wallet', 'tag', 'country'],
  chain_address: ['wallet'],
  list: ['name', 'email', 'mobile', 'wallet', 'tag', 'country'],
  // A service of one's own is sent the whole recipient, and may look at any of it.
  otp: ['name', 'email', 'mobile', 'wallet', 'tag', 'country', 'address'],
  http: ['name', 'email', 'mobile', 'wallet', 'tag', 'country', 'address'],
}

/** Another value of what the kind looks at is another question: also another channel, or one where none was named before. */
export const subjectText = (kind: VerificationKind, channelId: string | null, recipient: Recipient): string =>
  JSON.stringify([kind, channelId, ...LOOKS_AT[kind].map((field) => recipient[field])])

/** The question as whoever answers is shown it: without what its kind does not look at. */
export function askedOf<Question extends Pick<Verification, 'kind' | 'recipient'>>(question: Question): Question {
  const shown = LOOKS_AT[question.kind].map((field) => [field, question.recipient[field]] as const)
  return { ...question, recipient: { ...NO_RECIPIENT, ...Object.fromEntries(shown) } }
}

/** Whether the result is still taken for the same recipient at a moment. */
export function counts({ status, expiresAt }: Verification, nowMs: number): boolean {
  return (status === 'pass' || status === 'fail') && expiresAt !== null && expiresAt > nowMs
}

export function verificationNotFound(): Refusal {
  return refuse('verification_not_found', 'id', 'No verification has this id.')
}
