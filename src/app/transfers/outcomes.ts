// Three steps around every call to a rail: lease, call, record (house rule 6). No transaction is open during the call.
import type { ConnectorFacts, TransferCommand } from '../../domain/transfer/commands.ts'
import { attemptReference } from '../../domain/contract/ids.ts'
import { fixedText } from '../../domain/money/money.ts'
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { isContradiction } from '../../domain/transfer/reported-failures.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import { type CanRecall, type Channel, canRecall } from '../../connectors/connector.ts'
import {
  type CommandResult,
  type CommandRequest,
  type TransferResult,
  transferResult,
} from '../../engine/command-request.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'

/** What working on attempts may touch. */
export type OutcomeDeps = {
  readonly execute: (ask: CommandRequest) => Promise<CommandResult>
  readonly connectors: ReadonlyMap<string, Channel>
  /** How long a lease lasts: longer than any call's own deadline. */
  readonly leaseMs: number
  readonly crashPoint: ReachCrashPoint
  /** A rail's own answer contradicts what a callback said in its name. Absent where no worker asks: history has it, too. */
  readonly onDispute?: (facts: Dispute) => void
}

export type Dispute = { readonly channel: string; readonly reference: string; readonly answer: string }

/** What the rail was heard to say: nothing in time, a word of any kind, or it was not called at all. */
export type CallResult = 'answered' | 'silent' | 'not called'

/** Works on one due attempt. Somebody else may have taken it: then nothing happens. */
export async function workOn(deps: OutcomeDeps, attempt: Attempt): Promise<CallResult> {
  const connector = deps.connectors.get(attempt.channelId)
  if (!connector) return 'not called'
  if (attempt.status === 'returned') return refundReturned(deps, attempt)
  const taken = await takeUp(deps, connector, attempt)
  if (!taken) return 'not called'
  const outcome = await call(deps, connector, taken.contract, taken.attempt)
  await report(deps, connector, taken.attempt, taken.attempt.fence, outcome)
  deps.crashPoint('after the report is committed', attempt.reference)
  return callResultOf(outcome)
}

/** An attempt that is ours to work on, leased, with the contract as it is told to the rail. */
export type Taken = { readonly contract: Transfer; readonly attempt: Attempt }

/** Leases the attempt; null where somebody else has it, or where only an operator can go on. */
export async function takeUp(deps: OutcomeDeps, connector: Channel, attempt: Attempt): Promise<Taken | null> {
  const { contractId: id } = attempt
  const isSubmit = attempt.status === 'queued'
  deps.crashPoint(isSubmit ? 'before submit is committed' : 'before inquire is committed', attempt.reference)
  const { leaseMs } = deps
  const answer = await ask(
    deps,
    attempt,
    isSubmit ? { verb: 'submit', id, leaseMs } : { verb: 'inquire', id, leaseMs, connector: factsOf(connector) },
  )
  if (!answer?.attempt || answer.attempt.dueAt === null) return null
  deps.crashPoint(isSubmit ? 'after submit is committed' : 'after inquire is committed', attempt.reference)
  return { contract: answer.contract, attempt: answer.attempt }
}

/** Any word of the rail counts, a refusal too; only doubt and unreachability are silence. */
function callResultOf(outcome: Outcome | Absence): CallResult {
  return outcome.kind === 'unknown' || outcome.kind === 'not_sent' ? 'silent' : 'answered'
}

function factsOf(connector: Channel): ConnectorFacts {
  const { notFoundFinalAfterMs, dedupeLifetimeMs, inquiry, inquiryDelayMs } = connector.describe()
  const facts = { notFoundFinalAfterMs, dedupeLifetimeMs, inquiry }
  return inquiryDelayMs === undefined ? facts : { ...facts, inquiryDelayMs }
}

type Reported = Pick<Attempt, 'lane' | 'accountId' | 'contractId' | 'number' | 'channelId'> & Partial<Attempt>

/** Brings a rail's report to the contract: from a call that held the lease, or (fence null) from the list of its events. */
export async function report(
  deps: Pick<OutcomeDeps, 'execute' | 'crashPoint' | 'onDispute'>,
  connector: Channel,
  attempt: Reported,
  fence: number | null,
  outcome: Outcome | Absence,
): Promise<void> {
  const { contractId: id, number, channelId } = attempt
  const told = { verb: 'report', id, number, channelId, fence, connector: factsOf(connector) } as const
  // What came back had arrived: said in this order, so that a late report of the arrival finds it known.
  if (outcome.kind === 'returned') {
    await ask(deps, attempt, { ...told, outcome: { kind: 'delivered', providerId: null }, basis: 'return' })
    deps.crashPoint('after the arrival of a return is recorded', attemptReference(id, number))
  }
  const answer = await ask(deps, attempt, { ...told, outcome })
  if (answer && isContradiction(answer.contract, attempt.status ?? 'unknown', { outcome, fence }))
    deps.onDispute?.({ channel: channelId, reference: attemptReference(id, number), answer: outcome.kind })
}

/** Brings what a callback says to the contract. Where money would go back by it, the rail itself is asked first. */
export async function reportCallback(
  deps: Pick<OutcomeDeps, 'execute'>,
  connector: Channel,
  attempt: Reported,
  outcome: Outcome,
): Promise<void> {
  const { contractId: id, number, channelId } = attempt
  const told = { verb: 'report', id, number, channelId, fence: null, connector: factsOf(connector) } as const
  await ask(deps, attempt, { ...told, outcome, basis: 'callback' })
}

async function call(
  deps: OutcomeDeps,
  connector: Channel,
  contract: Transfer,
  attempt: Attempt,
): Promise<Outcome | Absence> {
  const order = orderOf(contract, attempt)
  try {
    if (attempt.status === 'submitting') {
      const outcome = await connector.send(order)
      deps.crashPoint('after the rail was called', attempt.reference)
      return outcome
    }
    if (contract.cancellation?.status === 'pending' && attempt.status === 'accepted' && canRecall(connector))
      return await recalled(deps, connector, attempt, order)
    const outcome = await connector.check(attempt.reference, order)
    deps.crashPoint('after the rail was asked', attempt.reference)
    return outcome
  } catch (fault) {
    // A connector that throws has told nothing about the money.
    return { kind: 'unknown', reason: `the connector failed: ${(fault as Error).message}` }
  }
}

/** Asks the rail to give an accepted transfer back; where it does not, its state is asked for. */
async function recalled(
  deps: OutcomeDeps,
  connector: Channel & CanRecall,
  attempt: Attempt,
  order: SendOrder,
): Promise<Outcome | Absence> {
  deps.crashPoint('before the rail is asked to recall', attempt.reference)
  const answer = await connector.recall(attempt.reference)
  deps.crashPoint('after the rail was asked to recall', attempt.reference)
  if (answer === 'recalled')
    return { kind: 'failed', code: 'recalled', message: 'The transfer was recalled before it was delivered.' }
  return connector.check(attempt.reference, order)
}

/** What the rail is told. */
export function orderOf(contract: Transfer, attempt: Attempt): SendOrder {
  const { terms } = contract
  const amountMinor = contract.debitMinor - contract.feeMinor
  return {
    reference: attempt.reference,
    amountMinor,
    amountDecimal: fixedText(amountMinor, terms.currency),
    currency: terms.currency,
    channelId: attempt.channelId,
    recipient: { ...terms.recipient },
    description: terms.description,
    quote: contract.quote,
    refundOf: contract.origin?.refundOf ?? null,
    pays: contract.pays,
  }
}

async function refundReturned(deps: OutcomeDeps, attempt: Attempt): Promise<CallResult> {
  deps.crashPoint('before the refund of a return', attempt.reference)
  const id = attempt.contractId
  await ask(deps, attempt, { verb: 'cancel', id, reason: 'returned by the channel', actor: 'gateway' })
  deps.crashPoint('after the refund of a return', attempt.reference)
  return 'not called'
}

async function ask(
  deps: Pick<OutcomeDeps, 'execute'>,
  { lane, accountId }: Pick<Attempt, 'lane' | 'accountId'>,
  command: TransferCommand,
): Promise<TransferResult | null> {
  const answer = await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return transferResult(answer)
}
