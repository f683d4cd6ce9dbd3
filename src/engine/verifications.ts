// What the verifications of a transfer's recipient say where a policy asks for them: loaded with the rules, and asked in the commit
// that finds one lacking.
import { hash } from 'node:crypto'
import { laneUuid } from '../domain/contract/ids.ts'
import type { VerificationNeed } from '../domain/policy/judge.ts'
import type { LackingVerification } from '../domain/policy/requirements.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { counts, newVerification, type Verification } from '../domain/verifier/verification.ts'
import type { Row } from '../platform/db.ts'
import { subjectOf, type SubjectKey, verificationFrom } from '../store/verifiers/verifications.ts'
import { type BatchState, rowKey } from './batch-state.ts'
import type { RulesState } from './rules-state.ts'

/** The kinds that a verifier answers here. Others are never there: they fail closed. */
const ANSWERED = ['name', 'mobile', 'chain_address', 'list'] as const
type Answered = (typeof ANSWERED)[number]

/** What the recipient of a contract may have been asked about. */
export function subjectsOf({ lane, accountId, terms: { recipient, channelId } }: Transfer): SubjectKey[] {
  if (!recipient) return []
  return ANSWERED.map((kind) => ({ lane, accountId, subject: subjectOf(kind, channelId, recipient) }))
}

const placeOf = (accountId: string, subject: string, verifierId: string | null) =>
  `${rowKey(accountId, subject)}/${verifierId ?? ''}`

export function readVerification(rules: RulesState, row: Row): void {
  const verification = verificationFrom(row)
  const { accountId, subject, verifierId } = verification
  rules.verifications.set(placeOf(accountId, subject, verifierId), verification)
}

export function readVerifiers(rules: RulesState, row: Row): void {
  const { account_id: accountId, lists_at: listsAt, active } = row
  rules.verifiers.set(accountId as string, { listsAt: listsAt as number, active: active as string[] })
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

type Standing = Pick<LackingVerification, 'standing' | 'words'>

const NOBODY: Standing = { standing: 'unavailable', words: 'No verifier answers for this.' }

function lackingOf(state: BatchState, contract: Transfer, need: VerificationNeed): Standing | null {
  const { accountId, terms } = contract
  const { verifierId, verification: kind } = need
  const known = state.rules.verifiers.get(accountId)
  const isThere = verifierId === null || known?.active.includes(verifierId)
  if (!isAnswered(kind) || !isThere || !terms.recipient) return NOBODY
  const subject = subjectOf(kind, terms.channelId, terms.recipient)
  const place = placeOf(accountId, subject, verifierId)
  const found = state.rules.verifications.get(place)
  const listsAt = kind === 'list' ? (known?.listsAt ?? 0) : 0
  if (!found || isOver(found, state.nowMs, listsAt)) {
    const asked = newOne(state, contract, kind, verifierId, subject)
    state.rules.verifications.set(place, asked)
    state.changes.verifications.push(asked)
    return { standing: 'not_started', words: 'It is being asked now. Try again in a moment.' }
  }
  if (found.status === 'pass') return null
  return { standing: found.status, words: found.reason ?? 'It is being asked. Try again in a moment.' }
}

const isAnswered = (kind: VerificationNeed['verification']): kind is Answered =>
  (ANSWERED as readonly string[]).includes(kind)

/** A result whose life is over, or that lists have overtaken. */
function isOver(found: Verification, nowMs: number, listsAt: number): boolean {
  if (found.status === 'pending' || found.status === 'unavailable') return false
  if (found.createdAt < listsAt) return true
  return found.status !== 'review' && !counts(found, nowMs)
}

function newOne(
  state: BatchState,
  { lane, accountId, livemode, id: contractId, terms }: Transfer,
  kind: Answered,
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
