// How a transfer's outcome is resolved over HTTP: by one person up to a limit, beyond it by two. What is proposed is bound to the
// version that was looked at, and is decided once, under the locks of the proposal and of the account.
import type { Caller } from '../accounts/callers.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import { isUuid, laneOf, laneUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { maskCards } from '../../domain/text/cards.ts'
import {
  inWordsOfResolution,
  needsSecondPerson,
  type OperatingPerson,
  type ProposedResolution,
  refusalOfApproval,
  refusalOfDecided,
  RESOLUTION_MS,
  type ResolutionLimits,
  resolutionNotFound,
  type ResolutionStatus,
} from '../../domain/transfer/proposed-resolution.ts'
import { canBeResolved, refuseNotOpen } from '../../domain/transfer/resolution.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { Session, Statement } from '../../platform/db.ts'
import { contractWithJob, contractWithJobFrom } from '../../store/contracts/explained.ts'
import {
  decideResolution,
  findResolution,
  findWaitingResolution,
  insertResolution,
  listResolutions,
  lockResolution,
  resolutionFrom,
} from '../../store/operator/resolutions.ts'
import { alsoWriting } from './operator-changes.ts'
import { type OperatorDeps, resolveTransfer } from './operator-actions.ts'
import { operatingPerson } from './operating-person.ts'

export type WantedResolution = {
  readonly contractId: string
  readonly as: 'delivered' | 'failed'
  readonly evidence: string
}

/** Resolves at once, or leaves it to a second person where the amount is above the limit of its currency. */
export async function proposeResolution(
  deps: OperatorDeps,
  limits: ResolutionLimits,
  caller: Caller,
  wanted: WantedResolution,
): Promise<ProposedResolution | Refusal> {
  const person = await operatingPerson(deps.reader, caller, 'operations:write')
  if (isRefusal(person)) return person
  const proposed = await proposedOf(deps, person, wanted)
  if (isRefusal(proposed)) return proposed
  if (needsSecondPerson(limits, proposed.amountMinor, proposed.currency)) {
    await deps.reader.transaction([], () => ({ statements: [insertResolution(proposed)], value: null }))
    return proposed
  }
  const applied: ProposedResolution = { ...proposed, status: 'applied', decidedAt: deps.ids.nowMs() }
  const session = (writing: Session) => alsoWriting(writing, insertResolution(applied))
  const result = await applyTo(deps, applied, { session, approvedBy: null })
  return isRefusal(result) ? result : applied
}

/** The proposal as it would be kept, of a transfer whose outcome is open and about which no other one waits. */
async function proposedOf(
  deps: OperatorDeps,
  proposedBy: OperatingPerson,
  { contractId, as, evidence }: WantedResolution,
): Promise<ProposedResolution | Refusal> {
  const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
  if (!owner) return contractNotFound()
  const { lane, accountId } = owner
  const [found, other] = await deps.reader.send([
    contractWithJob({ lane, accountId, id: contractId }),
    findWaitingResolution(lane, accountId, contractId),
  ])
  const row = found?.rows[0]
  if (!row) return contractNotFound()
  const { contract, job } = contractWithJobFrom(row)
  if (contract.kind !== 'transfer') return contractNotFound()
  const nowMs = deps.ids.nowMs()
  if (job?.kind !== 'payout' || !canBeResolved(job, as, nowMs)) return refuseNotOpen(contract)
  const waiting = other?.rows[0] && resolutionFrom(other.rows[0])
  if (waiting) return refuse('resolution_exists', 'contract_id', `The resolution ${waiting.id} waits already.`)
  return {
    id: laneUuid(lane, nowMs, deps.ids.randomHex()),
    lane,
    accountId,
    contractId,
    contractVersion: contract.version,
    as,
    evidence: maskCards(evidence),
    amountMinor: contract.terms.amountMinor,
    currency: contract.terms.currency,
    livemode: contract.livemode,
    status: 'waiting',
    proposedBy,
    proposedAt: nowMs,
    expiresAt: nowMs + RESOLUTION_MS,
    decidedBy: null,
    decidedAt: null,
    reason: null,
  }
}

/** A second person confirms: the transfer is resolved, or what has changed since is said. */
export async function approveResolution(
  deps: OperatorDeps,
  caller: Caller,
  id: string,
): Promise<ProposedResolution | Refusal> {
  const person = await operatingPerson(deps.reader, caller, 'operations:approve')
  if (isRefusal(person)) return person
  const resolution = await resolutionWith(deps, id)
  if (isRefusal(resolution)) return resolution
  const nowMs = deps.ids.nowMs()
  const refusal = refusalOfApproval(resolution, person, nowMs)
  if (refusal) return refusal
  const decide = decideResolution(resolution, 'applied', person, null, nowMs)
  const session = (writing: Session) =>
    whileWaiting(alsoWriting(writing, decide), lockResolution(resolution), (locked) =>
      refusalOfApproval(locked, person, nowMs),
    )
  const result = await applyTo(deps, resolution, { session, approvedBy: person.email })
  return isRefusal(result) ? result : { ...resolution, status: 'applied', decidedBy: person, decidedAt: nowMs }
}

type Applied = { readonly session: (session: Session) => Session; readonly approvedBy: string | null }

async function applyTo(
  deps: OperatorDeps,
  { contractId, contractVersion: version, as, evidence, proposedBy }: ProposedResolution,
  { session, approvedBy }: Applied,
) {
  const deed = { operator: proposedBy.email, evidence, ...(approvedBy === null ? {} : { approvedBy }) }
  try {
    return inWordsOfResolution(await resolveTransfer(deps, contractId, as, deed, { version, session }))
  } catch (fault) {
    if (fault instanceof DecidedMeanwhileError) return fault.refusal
    throw fault
  }
}

/** Nothing moves. Whoever proposed it may take it back so. */
export async function rejectResolution(
  deps: OperatorDeps,
  caller: Caller,
  id: string,
  reason: string | null,
): Promise<ProposedResolution | Refusal> {
  const person = await operatingPerson(deps.reader, caller, 'operations:approve')
  if (isRefusal(person)) return person
  const resolution = await resolutionWith(deps, id)
  if (isRefusal(resolution)) return resolution
  const nowMs = deps.ids.nowMs()
  const words = reason === null ? null : maskCards(reason)
  const rejected = { ...resolution, status: 'rejected', decidedBy: person, decidedAt: nowMs, reason: words } as const
  return deps.reader.transaction<ProposedResolution | Refusal>([lockResolution(resolution)], ([locked]) => {
    const row = locked?.rows[0]
    const refusal = row ? refusalOfDecided(resolutionFrom(row), nowMs) : resolutionNotFound()
    if (refusal) return { statements: [], value: refusal }
    return { statements: [decideResolution(resolution, 'rejected', person, words, nowMs)], value: rejected }
  })
}

export async function pageOfResolutions(
  { reader }: OperatorDeps,
  status: ResolutionStatus | null,
  after: string | null,
  limit: number,
): Promise<ProposedResolution[]> {
  const [result] = await reader.send([listResolutions(status, after, limit)])
  return (result?.rows ?? []).map(resolutionFrom)
}

export async function resolutionWith({ reader }: OperatorDeps, id: string): Promise<ProposedResolution | Refusal> {
  if (!isUuid(id)) return resolutionNotFound()
  const [found] = await reader.send([findResolution(laneOf(id), id)])
  const row = found?.rows[0]
  return row ? resolutionFrom(row) : resolutionNotFound()
}

/** Somebody else was faster: what was decided under the lock undoes all of the transaction. */
class DecidedMeanwhileError extends Error {
  override readonly name = 'DecidedMeanwhileError'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** The session, but each transaction first holds the proposal, and comes to nothing where that is decided. */
function whileWaiting(
  session: Session,
  lock: Statement,
  refusalOf: (locked: ProposedResolution) => Refusal | null,
): Session {
  return {
    ...session,
    transaction: (load, decide) =>
      session.transaction([lock, ...load], ([locked, ...loaded]) => {
        const row = locked?.rows[0]
        const refusal = row ? refusalOf(resolutionFrom(row)) : resolutionNotFound()
        if (refusal) throw new DecidedMeanwhileError(refusal)
        return decide(loaded)
      }),
  }
}
