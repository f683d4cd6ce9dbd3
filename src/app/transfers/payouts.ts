// Payouts: the job of a transfer contract's newest attempt. It sends what is queued, inquires about what is open,
// refunds what came back, and brings every report of a rail to the contract.
import type { CancelTransfer, ConnectorFacts, ExpireTransfer, PlainCommand } from '../../domain/transfer/commands.ts'
import { attemptReference } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { fixedText } from '../../domain/money/money.ts'
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { isContradiction } from '../../domain/transfer/reported-failures.ts'
import type { Attempt, Origin, Transfer } from '../../domain/transfer/transfer.ts'
import { accountsOf, type KeptCall } from '../../domain/channel/exchange.ts'
import { type Recalls, type Connector, recalls } from '../../connectors/connector.ts'
import type { ContractResult, Execute } from '../../engine/command-request.ts'
import { type Freezes, startsNoPayout } from '../jobs/freezes.ts'
import { forOneCall, keptCall, type NotedConnectors } from '../jobs/kept-calls.ts'
import { type CallResult, leaseCallRecord, newCallWatch, UNSENT } from '../jobs/lease-call-record.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'
import { insteadOfRefund } from './own-payments.ts'

/** What payout jobs may touch. */
export type OutcomeDeps = {
  readonly execute: Execute
  readonly connectors: ReadonlyMap<string, Connector>
  /** Absent where nobody is to read later what was exchanged. */
  readonly noted?: NotedConnectors
  /** What nothing leaves by, whoever would send it. */
  readonly freezes: Omit<Freezes, 'look'>
  /** How long a lease lasts: longer than any call's own deadline. */
  readonly leaseMs: number
  /** From how old a refund on it is definite that its rail knows no payment for it; at once without it. */
  readonly refundAbsentForMs?: number
  readonly crashPoint: ReachCrashPoint
  /**
   * A rail's own answer contradicts what a callback reported. Absent where no worker calls: the activities record it,
   * too.
   */
  readonly onDispute?: (facts: Dispute) => void
}

export type Dispute = { readonly channel: string; readonly reference: string; readonly answer: string }

/** Runs one due attempt. Another worker may have taken it: then nothing happens. */
export async function runPayout(deps: OutcomeDeps, attempt: Attempt, watch = newCallWatch()): Promise<CallResult> {
  const { connector, exchanges } = forOneCall(deps.connectors, deps.noted, attempt.channelId)
  if (!connector) return 'not called'
  if (attempt.status === 'returned') return refundReturned(deps, attempt)
  const steps = {
    leaseMs: deps.leaseMs,
    lease: () => leasePayout(deps, connector, attempt),
    call: ({ contract, attempt: own }: LeasedPayout, isInTime: () => boolean) =>
      call(deps, connector, contract, own, isInTime),
    record: async (leased: LeasedPayout, outcome: Outcome | Absence) => {
      const { number, fence } = leased.attempt
      const accounts = accountsOf({ ...leased.contract.terms.recipient })
      const kept = keptCall({ attempt: number, fence, outcome: outcome.kind }, exchanges, { accounts, secrets: [] })
      await report(deps, connector, leased.attempt, fence, outcome, kept)
      deps.crashPoint('after the report is committed', attempt.reference)
    },
  }
  return leaseCallRecord(steps, watch)
}

/** An attempt that is ours to work on, leased, with the contract that its order is made from. */
export type LeasedPayout = { readonly contract: Transfer; readonly attempt: Attempt }

/** Leases the attempt; null where another worker has it, where no payout begins, or where only an operator can go on. */
export async function leasePayout(
  deps: OutcomeDeps,
  connector: Connector,
  attempt: Attempt,
): Promise<LeasedPayout | null> {
  const { contractId: id } = attempt
  const isSubmit = attempt.status === 'queued'
  if (isSubmit && startsNoPayout(deps.freezes, attempt.channelId)) return null
  deps.crashPoint(isSubmit ? 'before submit is committed' : 'before inquire is committed', attempt.reference)
  const { leaseMs } = deps
  const result = await execute(deps, attempt, {
    verb: isSubmit ? 'submit' : 'inquire',
    id,
    leaseMs,
    connector: factsOf(connector),
  })
  if (isRefusal(result) || !result.attempt || result.attempt.dueAt === null) return null
  deps.crashPoint(isSubmit ? 'after submit is committed' : 'after inquire is committed', attempt.reference)
  return { contract: result.contract, attempt: result.attempt }
}

function factsOf(connector: Connector): ConnectorFacts {
  const { notFoundFinalAfterMs, dedupeLifetimeMs, inquiry, inquiryDelayMs } = connector.describe()
  const facts = { notFoundFinalAfterMs, dedupeLifetimeMs, inquiry }
  return inquiryDelayMs === undefined ? facts : { ...facts, inquiryDelayMs }
}

type Reported = Pick<Attempt, 'lane' | 'accountId' | 'contractId' | 'number' | 'channelId'> & Partial<Attempt>

/**
 * Brings a rail's report to the contract: from a call that held the lease, or (fence null) from the list of its events. Null once the
 * books have it, or why nothing was written.
 */
export async function report(
  deps: Pick<OutcomeDeps, 'execute' | 'crashPoint' | 'onDispute'>,
  connector: Connector,
  attempt: Reported,
  fence: number | null,
  outcome: Outcome | Absence,
  kept: KeptCall | null = null,
): Promise<Refusal | null> {
  const { contractId: id, number, channelId } = attempt
  const reported = { verb: 'report', id, number, channelId, fence, connector: factsOf(connector) } as const
  // What came back had arrived: reported in this order, so that a late report of the arrival finds it known.
  if (outcome.kind === 'returned') {
    await execute(deps, attempt, { ...reported, outcome: { kind: 'delivered', providerId: null }, basis: 'return' })
    deps.crashPoint('after the arrival of a return is recorded', attemptReference(id, number))
  }
  const result = await execute(deps, attempt, { ...reported, outcome }, kept)
  if (isRefusal(result)) return result
  if (isContradiction(result.contract, attempt.status ?? 'unknown', { outcome, fence }))
    deps.onDispute?.({ channel: channelId, reference: attemptReference(id, number), answer: outcome.kind })
  return null
}

/**
 * Brings a callback's report to the contract. Where money would go back by it, the rail itself is asked first. Null once the books have
 * it, or why nothing was written.
 */
export async function reportCallback(
  deps: Pick<OutcomeDeps, 'execute'>,
  connector: Connector,
  attempt: Reported,
  outcome: Outcome,
): Promise<Refusal | null> {
  const { contractId: id, number, channelId } = attempt
  const reported = { verb: 'report', id, number, channelId, fence: null, connector: factsOf(connector) } as const
  const result = await execute(deps, attempt, { ...reported, outcome, basis: 'callback' })
  return isRefusal(result) ? result : null
}

async function call(
  deps: OutcomeDeps,
  connector: Connector,
  contract: Transfer,
  attempt: Attempt,
  isInTime: () => boolean,
): Promise<Outcome | Absence> {
  const order = orderOf(contract, attempt)
  try {
    if (attempt.status === 'submitting') {
      // By the clock of its lease.
      const ageMs = (attempt.dueAt ?? 0) - deps.leaseMs - contract.createdAt
      const instead = await insteadOfRefund(connector, order, { mayLag: ageMs < (deps.refundAbsentForMs ?? 0) })
      if (instead) return instead
      if (!isInTime()) return UNSENT
      const outcome = await connector.send({ ...order, isInTime })
      deps.crashPoint('after the rail was called', attempt.reference)
      return outcome
    }
    if (contract.cancellation?.status === 'pending' && attempt.status === 'accepted' && recalls(connector))
      return await recalled(deps, connector, attempt, order)
    const outcome = await connector.check(attempt.reference, order)
    deps.crashPoint('after the rail was asked', attempt.reference)
    return outcome
  } catch (fault) {
    // A connector that throws has reported nothing about the money.
    return { kind: 'unknown', reason: `the connector failed: ${(fault as Error).message}` }
  }
}

/** Has the rail recall an accepted transfer; where it does not, inquires about its state. */
async function recalled(
  deps: OutcomeDeps,
  connector: Connector & Recalls,
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

/** The order for the rail. */
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
    ...(contract.origin && { returnOf: contract.origin.paymentId, ...paidUnder(contract.origin) }),
    pays: contract.pays,
    notAfter: attempt.dueAt,
  }
}

function paidUnder({ paymentId, refundOfAttempts: numbers }: Origin): Pick<SendOrder, 'refundOfReferences'> {
  return numbers ? { refundOfReferences: numbers.map((number) => attemptReference(paymentId, number)) } : {}
}

async function refundReturned(deps: OutcomeDeps, attempt: Attempt): Promise<CallResult> {
  deps.crashPoint('before the refund of a return', attempt.reference)
  const id = attempt.contractId
  const { lane, accountId } = attempt
  const command = { verb: 'cancel', id, reason: 'returned by the channel', actor: 'gateway' } as const
  await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  deps.crashPoint('after the refund of a return', attempt.reference)
  return 'not called'
}

function execute(
  deps: Pick<OutcomeDeps, 'execute'>,
  { lane, accountId }: Pick<Attempt, 'lane' | 'accountId'>,
  command: Exclude<PlainCommand, CancelTransfer | ExpireTransfer>,
  call: KeptCall | null = null,
): Promise<ContractResult<Transfer> | Refusal> {
  return deps.execute({ lane, accountId, keyId: null, idempotency: null, call, command })
}
