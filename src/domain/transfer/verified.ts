// What verifiers and members say of a contract's recipient: kept on the contract with its history, once for each result. Pure.
import { activity, asItStands, type Checks, type Decision, type Facts, moved } from '../contract/decision.ts'
import { isRefusal, type Refusal, refuse, sessionHasEnded } from '../contract/refusals.ts'
import { invariant } from '../invariant.ts'
import type { NotedVerification } from '../policy/requirements.ts'
import { type Verification, verificationNotFound } from '../verifier/verification.ts'
import { makersOf } from './approvals.ts'
import type { VerifyTransfer } from './commands.ts'
import { targetsOf } from './move-table.ts'
import type { Transfer } from './transfer.ts'

/** So many are shown on a contract; older ones are found with `GET /verifications?contract=`. */
const NOTED_MAX = 20

/** The result is written whatever became of the contract meanwhile; one that has ended stays as it is. */
export function decideVerify(contract: Transfer, command: VerifyTransfer, facts: Facts): Decision | Refusal {
  const { nowMs, verification: before } = facts
  if (!before || before.contractId !== contract.id) return verificationNotFound()
  const refusal = command.by && refuseMaker(contract, before, command.by.id, facts.checks)
  if (refusal) return refusal
  const after = command.next(before, nowMs)
  if (isRefusal(after)) return after
  if (after === before) return asItStands(contract)
  if (after.status === 'pending' || targetsOf(contract.status, 'verify').length === 0)
    return { ...asItStands(contract), verification: after }
  const { id: verification, kind, status: result } = after
  const line = activity('verified', nowMs, command.by ? 'account' : 'gateway', { verification, kind, result })
  const verifications = withNoted(contract, [notedOf(after)])
  return {
    ...moved(contract, nowMs, { verifications }, [line], 'contract.verification_completed'),
    verification: after,
  }
}

/** Those of the contract with newer ones in their place. */
export function withNoted({ verifications = [] }: Transfer, newer: readonly NotedVerification[]): NotedVerification[] {
  const ids = new Set(newer.map(({ id }) => id))
  return [...verifications.filter(({ id }) => !ids.has(id)), ...newer].slice(-NOTED_MAX)
}

const notedOf = (verification: Verification): NotedVerification => {
  const { id, kind, verifierId, verifierName, status, reason, endedAt, expiresAt } = verification
  return { id, verification: kind, verifierId, verifierName, status, words: reason, endedAt, expiresAt }
}

function refuseMaker(
  contract: Transfer,
  { requestedBy }: Verification,
  memberId: string,
  checks: Checks | undefined,
): Refusal | null {
  invariant(checks !== undefined, 'whoever decides is checked')
  if (checks.roleOf(memberId) === null) return sessionHasEnded()
  const asked = requestedBy === null ? null : checks.memberBehind(requestedBy)
  return makersOf(contract, checks).has(memberId) || asked === memberId ? secondPerson() : null
}

export const secondPerson = (): Refusal =>
  refuse(
    'second_person_required',
    null,
    'You asked for it or made the contract, yourself or by an API key that you made. Somebody else decides.',
  )
