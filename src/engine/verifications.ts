// What the verifications of a transfer's recipient say where a policy asks for them: loaded with the rules, and asked in the commit
// that finds one lacking.
import { hash } from 'node:crypto'
import type { AuditActor } from '../domain/account/audit.ts'
import type { Unasked } from '../domain/contract/decision.ts'
import { laneUuid } from '../domain/contract/ids.ts'
import type { VerificationNeed } from '../domain/policy/judge.ts'
import type { LackingVerification } from '../domain/policy/requirements.ts'
import { makersOf } from '../domain/transfer/approvals.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { answererOf, isWordOf, NO_VERIFIERS, NOBODY, standingOf } from '../domain/verifier/standing.ts'
import {
  newVerification,
  type Verification,
  VERIFICATION_KINDS,
  type VerificationKind,
} from '../domain/verifier/verification.ts'
import type { Row } from '../platform/db.ts'
import { subjectOf, type SubjectKey, verificationFrom, verifiersFrom } from '../store/verifiers/verifications.ts'
import { presentVerification } from '../wire/verifiers/verification.ts'
import { memberBehind } from './approvals.ts'
import { type BatchState, rowKey, tellAccount } from './batch-state.ts'
import type { RulesState } from './rules-state.ts'

/** What the recipient of a contract may have been asked about, on its channel and on others that it may go by. */
export function subjectsOf(
  { lane, accountId, terms: { recipient, channelId } }: Pick<Transfer, 'lane' | 'accountId' | 'terms'>,
  others: readonly string[] = [],
): SubjectKey[] {
  if (!recipient) return []
  return [channelId, ...others].flatMap((channel) =>
    VERIFICATION_KINDS.map((kind) => ({ lane, accountId, subject: subjectOf(kind, channel, recipient) })),
  )
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

/** Those that are not met, each with how it stands. What nobody has asked yet is asked in this commit, for the contract or ahead, or left. */
export function lackingVerifications(
  state: BatchState,
  contract: Transfer,
  needs: readonly VerificationNeed[],
  unasked: Unasked,
): LackingVerification[] {
  return needs.flatMap((need) => {
    const lacking = lackingOf(state, contract, need, unasked)
    if (lacking === null || (lacking.standing === 'unavailable' && need.onUnavailable === 'allow')) return []
    return [{ ...need, ...lacking }]
  })
}

type Lacking = Pick<LackingVerification, 'standing' | 'words' | 'verificationId'>

function lackingOf(state: BatchState, contract: Transfer, need: VerificationNeed, unasked: Unasked): Lacking | null {
  const { accountId, terms } = contract
  const verifiers = state.rules.verifiers.get(accountId) ?? NO_VERIFIERS
  const answerer = answererOf(need, verifiers)
  if (!answerer || !terms.recipient) return { standing: 'unavailable', words: NOBODY.words, verificationId: null }
  const { verification: kind } = need
  const subject = subjectOf(kind, terms.channelId, terms.recipient)
  const place = placeOf(accountId, subject, answerer.verifierId)
  const newest = state.rules.verifications.get(place)
  const makersNow = () => makersOf(contract, { memberBehind: memberBehind(state.rules.checks, contract.accountId) })
  // Whoever made the contract has said so, of the same recipient, where it was asked for another's: it is asked anew for this one.
  const isOwnWord = newest !== undefined && newest.decidedBy !== null && isWordOf(makersNow(), newest)
  const isAnew = isOwnWord || (unasked === 'ask' && newest !== undefined && isLeftAhead(newest))
  const { standing, words, isToAsk, found } = standingOf(isAnew ? undefined : newest, state.nowMs, verifiers.listsAt)
  if (isToAsk && unasked === 'leave') return { standing: 'not_started', words, verificationId: null }
  if (isToAsk) {
    const about = newOne(state, contract, kind, answerer.verifierId, subject)
    // It stands with no contract: there it would look like what the contract waits for.
    const asked = unasked === 'ask' ? about : { ...about, contractId: null }
    state.rules.verifications.set(place, asked)
    state.changes.verifications.push(asked)
    return { standing: 'not_started', words, verificationId: asked.id }
  }
  if (standing === 'pass') return null
  return { standing, words, verificationId: found?.id ?? null }
}

/** Asked ahead of any need, and without an answer that ends it: nobody waits for it, and nobody looks at it. */
const isLeftAhead = ({ contractId, requestedBy, status }: Verification): boolean =>
  contractId === null && requestedBy === null && (status === 'unavailable' || status === 'review')

function newOne(
  state: BatchState,
  { lane, accountId, livemode, id: contractId, terms }: Transfer,
  kind: VerificationKind,
  verifierId: string | null,
  subject: string,
): Verification {
  // The same for the same question in one batch: a subject is asked about once in it. A batch that runs again makes others.
  const id = laneUuid(lane, state.nowMs, hash('sha256', `${contractId} ${subject} ${verifierId ?? ''}`, 'hex'))
  const { recipient, channelId } = terms
  if (!recipient) throw new Error('nobody is asked about')
  const by = { verifierId, verifierName: null, requestedBy: null }
  return newVerification(
    { lane, accountId, livemode, id, kind, contractId, recipient, channelId, subject, ...by },
    state.nowMs,
  )
}

export function readEnded(rules: RulesState, rows: readonly Row[]): void {
  for (const each of rows.map(verificationFrom)) rules.ended.set(rowKey(each.accountId, each.id), each)
}

/** Writes a verification with the step of its contract. One that has come to a result is told of. */
export function keepVerification(state: BatchState, after: Verification, by: AuditActor | null): void {
  const { lane, accountId, id, subject, verifierId, status, reason } = after
  const before = state.rules.ended.get(rowKey(accountId, id))
  state.rules.ended.set(rowKey(accountId, id), after)
  state.rules.verifications.set(placeOf(accountId, subject, verifierId), after)
  state.changes.verified.set(rowKey(accountId, id), after)
  if (status === 'pending') return
  tellAccount(state, after, {
    event: 'verification.completed',
    object: presentVerification(after),
    once: `${after.fence} ${status} ${before?.status}`,
  })
  if (!by) return
  state.changes.audited.push({
    lane,
    accountId,
    id: laneUuid(lane, state.nowMs, hash('sha256', `audited ${id} ${after.fence} ${status} ${before?.status}`, 'hex')),
    at: state.nowMs,
    actor: by,
    action: status === 'pass' ? 'verification.passed' : 'verification.failed',
    object: { type: 'verification', id },
    before: { status: before?.status },
    after: { status, reason },
  })
}
