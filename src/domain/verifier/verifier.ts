// Verifiers: those that are always there, and those an account makes. Pure.
import { type Refusal, refuse } from '../contract/refusals.ts'
import type { VerificationKind } from './verification.ts'

/** Always there, for every account. */
export const BUILT_IN = ['name', 'mobile', 'chain_address'] as const satisfies readonly VerificationKind[]
/** What an account makes. */
export const OWN_KINDS = ['list', 'otp', 'http'] as const satisfies readonly VerificationKind[]
export type OwnKind = (typeof OWN_KINDS)[number]

export const VERIFIERS_MAX = 32
export const ENTRIES_MAX = 10_000
export const ENTRIES_AT_ONCE = 1_000

export type VerifierStatus = 'active' | 'archived'

export type Verifier = {
  readonly lane: number
  readonly accountId: string
  readonly livemode: boolean
  readonly id: string
  readonly version: number
  readonly kind: OwnKind
  readonly name: string
  readonly status: VerifierStatus
  /** Of lists: the least score of 100 at which a name is a hit. */
  readonly hitFrom: number
  /** Of kinds that are called: where. Null for a list. */
  readonly url: string | null
  /** Of one-time codes: who gets them. Null for any other kind. */
  readonly to: CodeTaker | null
  readonly createdAt: number
  readonly changedAt: number
}

export const HIT_FROM = 85

export const CODE_TAKERS = ['recipient', 'payer'] as const
export type CodeTaker = (typeof CODE_TAKERS)[number]

/** An entry of an account's own list: a name, or what it is paid by. */
export type OwnEntry = {
  readonly id: string
  readonly name: string | null
  /** An account number, address or wallet id, compared letter by letter. */
  readonly wallet: string | null
  readonly mobile: string | null
  readonly email: string | null
  readonly note: string | null
}

export function verifierNotFound(): Refusal {
  return refuse('verifier_not_found', 'id', 'No verifier has this id.')
}

export function archivedVerifier(): Refusal {
  return refuse('verifier_archived', 'id', 'The verifier is archived. Make another one.')
}
