// Looks for an amount at the rail that brought it: an event alone reported it, and it is about to go back to the account that the event
// names. What the rail knows of it decides (src/domain/payment/refunds/lookups.ts).
import { findsReceipts } from '../../connectors/connector.ts'
import type { LookedReceipt } from '../../domain/payment/commands.ts'
import type { CollectionJob, Payment, PaymentAttempt, Receipt } from '../../domain/payment/payment.ts'
import { attemptOf } from '../../domain/payment/refunds/routes.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Exchange } from '../../platform/exchanges.ts'
import { keptCall } from '../jobs/kept-calls.ts'
import { collectOrder, hiddenOf } from './collect-orders.ts'
import type { CollectingDeps } from './payment-deps.ts'

/** A job that is leased to us to look for an amount. */
export type LeasedLookup = { readonly payment: Payment; readonly job: CollectionJob; readonly receipt: Receipt }

/** Asks, and records the answer: its kind, and the contract afterwards. */
export async function runLookup(
  deps: CollectingDeps,
  leased: LeasedLookup,
  mayCall: (attempt: PaymentAttempt) => boolean = () => true,
): Promise<{ readonly kind: LookedReceipt['kind']; readonly record: () => Promise<Payment> }> {
  const exchanges: Exchange[] = []
  const found = await lookFor(deps, leased, mayCall, exchanges)
  return { kind: found.kind, record: () => recordLookup(deps, leased, found, exchanges) }
}

async function lookFor(
  { payments }: CollectingDeps,
  { payment, receipt }: LeasedLookup,
  mayCall: (attempt: PaymentAttempt) => boolean,
  exchanges: Exchange[],
): Promise<LookedReceipt> {
  const attempt = attemptOf(payment, receipt)
  // The channel that brought it is asked, by the attempt that the payer chose there: what names neither is known to nobody.
  if (attempt?.channelId !== receipt.channelId) return { kind: 'not_askable' }
  const connector = payments.noted?.(attempt.channelId, exchanges) ?? payments.connectors.get(attempt.channelId)
  if (!connector || !findsReceipts(connector)) return { kind: 'not_askable' }
  if (!mayCall(attempt)) return { kind: 'not_sent', reason: 'the channel takes no calls at the moment' }
  try {
    return await connector.findReceipt(collectOrder(payments, payment, attempt, null), receipt.objectId)
  } catch (fault) {
    return { kind: 'unknown', reason: `the connector failed: ${(fault as Error).message}` }
  }
}

/** Nothing moves by an answer that comes after another lease, or of an amount that is there no more. */
export async function recordLookup(
  { execute, payments }: CollectingDeps,
  { payment, job: { fence }, receipt }: LeasedLookup,
  found: LookedReceipt,
  exchanges: readonly Exchange[] = [],
): Promise<Payment> {
  const { lane, accountId, id } = payment
  const attempt = attemptOf(payment, receipt)
  const call =
    attempt &&
    keptCall({ attempt: attempt.number, fence, outcome: found.kind }, exchanges, hiddenOf(payments, attempt, id, null))
  const looked = { objectId: receipt.objectId, fence, found }
  const command = { verb: 'process_due', id, leaseMs: payments.leaseMs, found: null, looked } as const
  const result = await execute({ lane, accountId, keyId: null, idempotency: null, call, command })
  return isRefusal(result) ? payment : result.contract
}
