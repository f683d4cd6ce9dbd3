// Collections: the job of a payment contract. What the clock decides is decided in the write path; where a rail has to
// be given an attempt, asked about it or have it closed, that is done under the lease.
import { collects } from '../../connectors/connector.ts'
import type { ReceivedMoney } from '../../domain/channel/collection.ts'
import { minorIn } from '../../domain/payment/arrivals.ts'
import type { PaymentReport, CollectionResult } from '../../domain/payment/commands.ts'
import { dueAttempt, mustClose } from '../../domain/payment/decision.ts'
import type { Payment, PaymentAttempt, CollectionJob } from '../../domain/payment/payment.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { isLiveExecution } from '../../domain/transfer/moves.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import type { Exchange } from '../../platform/exchanges.ts'
import { keptCall } from '../jobs/kept-calls.ts'
import { type CallResult, leaseCallRecord, newCallWatch, UNSENT } from '../jobs/lease-call-record.ts'
import { collectOrder, hiddenOf } from './collect-orders.ts'
import type { CollectingDeps, PaymentDeps } from './payment-deps.ts'
import { type LeasedLookup, recordLookup, runLookup } from './receipt-lookups.ts'

/** The request that waits for the outcome: its key, whose reply is the result, and the secret that is never stored. */
export type WaitingRequest = {
  readonly answersFor: IdempotencyKey | null
  readonly secret: string | null
  /** The attempt that was just begun: its payer waits, and what else is to be done comes after it. */
  readonly begun: PaymentAttempt | null
  /** The clock of the lease (leaseClock). */
  readonly isInTime: () => boolean
}

const NONE_WAITS = { answersFor: null, secret: null }

type MayCall = (attempt: PaymentAttempt) => boolean

/** An attempt that is leased to us, with the contract that its order is made from. */
type LeasedCollection = {
  readonly payment: Payment
  readonly job: CollectionJob
  readonly attempt: PaymentAttempt
  /** What the call exchanges with its rail, from its start on. */
  readonly exchanges: Exchange[]
}

/**
 * Runs one due job. Another worker may have taken it: then nothing happens. Of attempts at several channels the first
 * in turn is called that may be.
 */
export async function runCollection(
  deps: CollectingDeps,
  job: CollectionJob,
  mayCall: MayCall = () => true,
  watch = newCallWatch(),
): Promise<CallResult> {
  let channelId: string | null = null
  const result = await leaseCallRecord(
    {
      leaseMs: deps.payments.leaseMs,
      lease: async () => {
        const leased = await leaseCollection(deps, job, mayCall)
        channelId = leased?.channelId ?? null
        return leased
      },
      call: (leased) => leased.call(),
      record: async (leased, report) => void (await ('record' in report ? report.record() : leased.unsent())),
    },
    watch,
  )
  // What one channel answered is no word about another, which the job counts for.
  return job.channelId === null || channelId === job.channelId ? result : 'not called'
}

/** What a lease is for: a call, with what records its report, and what is recorded where nothing was called in time. */
type Leased = {
  readonly channelId: string
  readonly call: () => Promise<{ readonly kind: string; readonly record: () => Promise<Payment> }>
  readonly unsent: () => Promise<Payment>
}

function forAttempt(deps: CollectingDeps, leased: LeasedCollection, mayCall: MayCall): Leased {
  const keep = (result: CollectionResult) => record(deps, leased, result, NONE_WAITS)
  return {
    channelId: leased.attempt.channelId,
    call: async () => {
      const result = mayCall(leased.attempt) ? await call(deps, leased, NONE_WAITS) : NO_ROOM
      return { kind: result.kind, record: () => keep(result) }
    },
    unsent: () => keep(UNSENT),
  }
}

function forReceipt(deps: CollectingDeps, leased: LeasedLookup, mayCall: MayCall): Leased {
  const call = () => runLookup(deps, leased, mayCall)
  return { channelId: leased.receipt.channelId, call, unsent: () => recordLookup(deps, leased, UNSENT) }
}

/** Decides what the clock decides, and takes what a rail is to be called about; null where there is nothing. */
async function leaseCollection(deps: CollectingDeps, job: CollectionJob, mayCall: MayCall): Promise<Leased | null> {
  const { lane, accountId, contractId: id } = job
  const { leaseMs } = deps.payments
  const command = { verb: 'process_due', id, leaseMs, found: null } as const
  const result = await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  // A lease raises the fence.
  if (isRefusal(result) || !result.job || result.job.fence === job.fence) return null
  const { contract: payment, job: leased, toLookFor } = result
  if (toLookFor) return forReceipt(deps, { payment, job: leased, receipt: toLookFor }, mayCall)
  const inTurn = payment.attempts.map((_, i) => dueAttempt(payment, leasedAt(deps, leased), leased.tries + i))
  const chosen = leasedAttempt(deps, payment, leased, inTurn.find((attempt) => attempt && mayCall(attempt)) ?? null)
  return chosen && forAttempt(deps, chosen, mayCall)
}

const NO_ROOM = { kind: 'not_sent', reason: 'the channels take no calls at the moment' } as const

function leasedAttempt(
  deps: CollectingDeps,
  payment: Payment,
  job: CollectionJob,
  chosen: PaymentAttempt | null,
): LeasedCollection | null {
  const attempt = chosen ?? dueAttempt(payment, leasedAt(deps, job), job.tries)
  return attempt ? { payment, job, attempt, exchanges: [] } : null
}

/** Does what a lease is about when a request waits for the outcome: the contract afterwards. */
export async function runLeased(
  deps: CollectingDeps,
  payment: Payment,
  job: CollectionJob,
  waiting: WaitingRequest,
): Promise<Payment> {
  const leased = leasedAttempt(deps, payment, job, waiting.begun)
  if (!leased) return payment
  const result = waiting.isInTime() ? await call(deps, leased, waiting) : UNSENT
  return record(deps, leased, result, waiting)
}

/** The moment of the lease by the database's clock, which all expiry goes by (docs/design/write-path.md). */
function leasedAt({ payments }: CollectingDeps, { dueAt }: CollectionJob): number {
  return dueAt === null ? Date.now() : dueAt - payments.leaseMs
}

async function call(
  deps: CollectingDeps,
  { payment, job, attempt, exchanges }: LeasedCollection,
  { secret }: Pick<WaitingRequest, 'secret'>,
): Promise<CollectionResult> {
  const { payments } = deps
  const nowMs = leasedAt(deps, job)
  const { channelId } = attempt
  const connector = payments.noted?.(channelId, exchanges) ?? payments.connectors.get(channelId)
  if (!connector || !collects(connector)) return withoutRail(payments, payment, attempt, nowMs)
  const order = collectOrder(payments, payment, attempt, secret)
  const { reference } = attempt
  try {
    // Nothing is begun any more once the contract's time is over: who closes it finds out whether it was.
    if (attempt.status === 'starting' && payment.expiresAt > nowMs) {
      if (needsToken(attempt) && secret === null) return forgotten(await connector.checkCollection(order))
      payments.crashPoint('before a rail is asked to collect', reference)
      const result = await connector.collect(order)
      payments.crashPoint('after a rail was asked to collect', reference)
      return result
    }
    if (!mustClose(payment, attempt, nowMs)) return await connector.checkCollection(order)
    payments.crashPoint('before a rail is asked to close', reference)
    const closed = await connector.voidCollection(order, nowMs)
    payments.crashPoint('after a rail was asked to close', reference)
    if (closed === 'voided') return { kind: 'voided' }
    // Where it does not close, it may have been paid.
    const result = await connector.checkCollection(order)
    if (result.kind !== 'open') return result
    return { kind: 'still_open', status: closed === 'refused' ? 'processing' : result.status }
  } catch (fault) {
    // A connector that throws has reported nothing about the money.
    return { kind: 'unknown', reason: `the connector failed: ${(fault as Error).message}` }
  }
}

/** A payer who gives the card to the rail itself needs none, and the rail can be asked again. */
const needsToken = ({ kind, details }: PaymentAttempt) => kind === 'card' && !details['hosted']

/** The token is lost with a process that died: an attempt that the rail has not received by then will never reach it. */
function forgotten(result: CollectionResult): CollectionResult {
  if (result.kind !== 'not_found') return result
  return { kind: 'failed', code: 'card_token_needed', message: 'The card has to be given again.' }
}

/**
 * A payer's wallet pays by a transfer of its own, which finds the contract by itself. While that is held, as by a policy, or on its way, its
 * holder has paid; a contract that is over takes nothing from it any more, and the money goes back.
 */
async function withoutRail(
  { payersTransfer }: PaymentDeps,
  payment: Payment,
  attempt: PaymentAttempt,
  nowMs: number,
): Promise<CollectionResult> {
  // Nobody was asked: a channel that is missing, as for a credential, comes back, and its payer may have paid.
  if (attempt.kind !== 'wallet') return { kind: 'not_sent', reason: 'the channel is not configured any more' }
  if (mustClose(payment, attempt, nowMs)) return { kind: 'voided' }
  const transfer = await payersTransfer(attempt.details['transfer_id'] ?? '')
  if (transfer && isPaying(transfer))
    return { kind: 'open', status: 'processing', providerId: null, nextAction: null, shown: {} }
  return { kind: 'failed', ...NOT_PAID }
}

export const NOT_PAID = { code: 'not_approved', message: 'The holder of the wallet did not pay.' } as const

/** Also where it has arrived: then the contract is about to know. */
export const isPaying = ({ status, execution }: Transfer): boolean =>
  status === 'completed' || (status === 'paid' && isLiveExecution(execution.status))

async function record(
  { execute, payments }: CollectingDeps,
  { payment, job: { fence }, attempt, exchanges }: LeasedCollection,
  result: CollectionResult,
  { answersFor, secret }: Pick<WaitingRequest, 'answersFor' | 'secret'>,
): Promise<Payment> {
  const { lane, accountId, id } = payment
  const { number } = attempt
  const owner = { lane, accountId, keyId: null, idempotency: answersFor }
  payments.crashPoint('before a collection is recorded', attempt.reference)
  if (result.kind === 'succeeded') {
    const command = receiptCommand(payment, attempt, result.money, result.shown)
    const received = await execute({ ...owner, command })
    if (!isRefusal(received) && received.reception === 'applied') {
      payments.crashPoint('after a collection is recorded', attempt.reference)
      return received.contract ?? payment
    }
  }
  // Money that is known already, or waits for an operator, ends no attempt by itself: it would be inquired about for
  // ever.
  const call = keptCall(
    { attempt: number, fence, outcome: result.kind },
    exchanges,
    hiddenOf(payments, attempt, id, secret),
  )
  const { status, receivedUnits } = attempt
  const seen = { by: 'inquiry', status, receivedMinor: payment.receivedMinor, receivedUnits } as const
  const command = { verb: 'report_collection', id, number, fence, result, seen } as const
  const reported = await execute({ ...owner, call, command })
  payments.crashPoint('after a collection is recorded', attempt.reference)
  return isRefusal(reported) ? payment : reported.contract
}

/** Money that a rail reported in an inquiry: the same as if its event had come, so that the two count once. */
function receiptCommand(
  { id }: Payment,
  { number, channelId, reference }: PaymentAttempt,
  money: ReceivedMoney,
  shown: PaymentReport['shown'],
) {
  const report: PaymentReport = {
    outcome: 'succeeded',
    objectId: money.id,
    attempt: number,
    channelId,
    amountMinor: minorIn(money),
    currency: money.currency,
    assetUnits: null,
    failure: null,
    payer: money.payer,
    shown,
  }
  const event = { id: `gateway:${reference}:${money.id}`, type: 'gateway.asked', body: null, bodyHash: null }
  return { verb: 'receive', id, event, report, unallocated: 'suspense' } as const
}
