// How a verification comes to a result: decided while its account is held. One that was asked for a contract goes through the write
// path, so that the result, the contract with its history and the events are one commit; any other changes nothing but itself.
import type { AuditActor } from '../../domain/account/audit.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { secondPerson } from '../../domain/transfer/verified.ts'
import { type Verification, verificationNotFound } from '../../domain/verifier/verification.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { OwnedKey } from '../../store/columns.ts'
import { findMakers, makerFrom } from '../../store/verifiers/makers.ts'
import { findVerification, saveVerifications, verificationFrom } from '../../store/verifiers/verifications.ts'
import { presentVerification } from '../../wire/verifiers/verification.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'

export type EndingDeps = Pick<Deps, 'changes' | 'execute' | 'reader'>

type Next = (before: Verification, nowMs: number) => Verification | Refusal

/** What is to become of one, and by whom: a member's word is audited, and refused to whoever made what it is about. */
export type Ending = { readonly next: Next; readonly by: AuditActor | null }

export async function endVerification(
  deps: EndingDeps,
  changer: Changer,
  id: string,
  ending: Ending,
): Promise<Verification | Refusal> {
  const key = keyOf(changer, id)
  const found = await oneOf(deps, key)
  if (!found) return verificationNotFound()
  if (found.contractId === null) return endAlone(deps, changer, id, ending)
  const { lane, accountId, keyId, actor } = changer
  const memberId = actor.kind === 'member' ? actor.id : null
  const command = { verb: 'verify', id: found.contractId, verificationId: id, ...ending } as const
  const result = await deps.execute({ lane, accountId, keyId, memberId, idempotency: null, command })
  if (isRefusal(result)) return result
  return (await oneOf(deps, key)) ?? verificationNotFound()
}

async function oneOf({ reader }: Pick<Deps, 'reader'>, key: OwnedKey): Promise<Verification | undefined> {
  const [found] = await reader.send([findVerification(key)])
  return (found?.rows ?? []).map(verificationFrom)[0]
}

function endAlone(
  { changes }: Pick<Deps, 'changes'>,
  changer: Changer,
  id: string,
  { next, by }: Ending,
): Promise<Verification | Refusal> {
  const key = keyOf(changer, id)
  const load = [findVerification(key), ...(by ? [findMakers(key)] : [])]
  return changeAccount<Verification>(changes, changer, load, ([found, makers], { nowMs }) => {
    const [before] = (found?.rows ?? []).map(verificationFrom)
    if (!before) return verificationNotFound()
    if (by && (makers?.rows ?? []).map(makerFrom).includes(by.id)) return secondPerson()
    const after = next(before, nowMs)
    if (isRefusal(after)) return after
    return after === before ? unchanged(before) : written(before, after, by)
  })
}

function written(before: Verification, after: Verification, by: AuditActor | null): AccountChange<Verification> {
  const { id, lane, status, reason } = after
  const action = status === 'pass' ? 'verification.passed' : 'verification.failed'
  const object = { type: 'verification', id }
  const entry = { action, object, before: { status: before.status }, after: { status, reason } } as const
  return {
    statements: [saveVerifications({ kind: 'one lane', lane }, [after])],
    audited: by ? [entry] : [],
    events: status === 'pending' ? [] : [{ type: 'verification.completed', object: presentVerification(after) }],
    value: after,
  }
}

const keyOf = ({ lane, accountId }: AccountKey, id: string): OwnedKey => ({ lane, accountId, id })
