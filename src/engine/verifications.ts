// What the verifications of a transfer's recipient say where a policy asks for them: loaded with the rules, and asked in the commit
// that finds one lacking.
import { hash } from 'node:crypto'
import { laneUuid } from '../domain/contract/ids.ts'
import type { VerificationNeed } from '../domain/policy/judge.ts'
import type { LackingVerification } from '../domain/policy/requirements.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { answererOf, NO_VERIFIERS, NOBODY, standingOf } from '../domain/verifier/standing.ts'
import {
  newVerification,
  type Verification,
  VERIFICATION_KINDS,
  type VerificationKind,
} from '../domain/verifier/verification.ts'
import type { Row } from '../platform/db.ts'
import { subjectOf, type SubjectKey, verificationFrom, verifiersFrom } from '../store/verifiers/verifications.ts'
import { type BatchState, rowKey } from './batch-state.ts'
import type { RulesState } from './rules-state.ts'

/** What the recipient of a contract may have been asked about. */
export function subjectsOf({ lane, accountId, terms: { recipient, channelId } }: Transfer): SubjectKey[] {
  if (!recipient) return []
  return VERIFICATION_KINDS.map((kind) => ({ lane, accountId, subject: subjectOf(kind, channelId, recipient) }))
}

const placeOf = (accountId: string, subject: string, verifierId: string | null) =>
  `${rowKey(accountId, subject)}/${verifierId ?? ''}`

export function readVerification(rules: RulesState, row: Row): void {
  const verification = verificationFrom(row)
  const { accountId, subject, verifierId } = verification
  rules.verifications.set(placeOf(accountId, subject, verifierId), verification)
}

export function readVerifiers(rules: RulesState, row: Row): void {
  rules.verifiers.set(row['account_id'] as string, verifiersFrom(row))
}

/** Those that are not met, each with how it stands. What nobody has asked yet is asked in this commit. */
export function lackingVerifications(
  state: BatchState,
  contract: Transfer,
  needs: readonly VerificationNeed[],
): LackingVerification[] {
  return needs.flatMap((need) => {
    const lacking = lackingOf(state, contract, need)
    if (lacking === null || (lacking.standing === 'unavailable' && need.onUnavailable === 'allow')) return []
    return [{ ...need, ...lacking }]
  })
}

type Lacking = Pick<LackingVerification, 'standing' | 'words'>

function lackingOf(state: BatchState, contract: Transfer, need: VerificationNeed): Lacking | null {
  const { accountId, terms } = contract
  const verifiers = state.rules.verifiers.get(accountId) ?? NO_VERIFIERS
  const answerer = answererOf(need, verifiers)
  if (!answerer || !terms.recipient) return { standing: 'unavailable', words: NOBODY.words }
  const { verification: kind } = need
  const subject = subjectOf(kind, terms.channelId, terms.recipient)
  const place = placeOf(accountId, subject, answerer.verifierId)
  const { standing, words, isToAsk } = standingOf(state.rules.verifications.get(place), state.nowMs, verifiers.listsAt)
  if (isToAsk) {
    const asked = newOne(state, contract, kind, answerer.verifierId, subject)
    state.rules.verifications.set(place, asked)
    state.changes.verifications.push(asked)
  }
  return standing === 'pass' ? null : { standing, words }
}

function newOne(
  state: BatchState,
  { lane, accountId, livemode, id: contractId, terms }: Transfer,
  kind: VerificationKind,
  verifierId: string | null,
  subject: string,
): Verification {
  // The same at each try of the batch: a subject is asked about once in it.
  const id = laneUuid(lane, state.nowMs, hash('sha256', `${contractId} ${subject} ${verifierId ?? ''}`, 'hex'))
  const { recipient, channelId } = terms
  if (!recipient) throw new Error('nobody is asked about')
  const by = { verifierId, verifierName: null, requestedBy: null }
  return newVerification(
    { lane, accountId, livemode, id, kind, contractId, recipient, channelId, subject, ...by },
    state.nowMs,
  )
}
