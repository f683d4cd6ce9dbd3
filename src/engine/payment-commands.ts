// The commands about payment contracts, decided against the batch's state. No I/O.
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { invariant } from '../domain/invariant.ts'
import { decidePayment } from '../domain/payment/decide.ts'
import { attemptNamed } from '../domain/payment/provider-events.ts'
import { decideEnded } from '../domain/payment/refunds/refunds.ts'
import type { PaymentReport, CreatePayment, ReceivePayment } from '../domain/payment/commands.ts'
import { nameProxy } from '../domain/contract/decision.ts'
import type { PaymentDecision, PaymentFacts } from '../domain/payment/decision.ts'
import { decideCreatePayment } from '../domain/payment/draft.ts'
import type { CollectionJob, Payment, Receipt } from '../domain/payment/payment.ts'
import { decideReceive, type Reception } from '../domain/payment/receive.ts'
import { isRefusal, type Refusal, refuse } from '../domain/contract/refusals.ts'
import { isRuled } from '../domain/policy/circumstances.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { PaymentEvent } from '../store/payments/payment-events.ts'
import type { CommandRequest, ContractResult, EventResult } from './command-request.ts'
import { type CommandAbout, isLoaded, paymentAsLoaded } from './command-table.ts'
import { noteRefundSpent, refuseRefundByKey, spawnedBy } from './key-caps.ts'
import { returnIdOf } from './restored.ts'
import { count, rulesElsewhere } from './rules.ts'
import { applyPayment, rowKey, walletOf, type BatchState } from './batch-state.ts'

/** Opens a payment contract, with the attempt that may have been chosen with it. */
export function openPayment(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  command: CreatePayment,
): ContractResult<Payment> | Refusal {
  const decision = decideCreatePayment(
    command,
    request.lane,
    request.accountId,
    paymentFacts(state, channels, request, command.id),
  )
  if (isRefusal(decision)) return decision
  nameProxies(decision, request)
  applyPayment(state, null, decision)
  return resultOf(decision)
}

/** One command about a known payment contract. */
export function onPayment(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  payment: Payment,
  command: Exclude<CommandAbout<'payment'>, CreatePayment>,
): ContractResult<Payment> | Refusal {
  const decision = decidePayment(payment, command, paymentFacts(state, channels, request, payment.id))
  if (isRefusal(decision)) return decision
  const bounded = refuseRefundByKey(state, request, decision)
  if (bounded) return bounded
  noteRefundSpent(state, request, decision)
  nameProxies(decision, request)
  applyPayment(state, payment, decision)
  for (const { after } of spawnedBy(decision)) count(state, request, null, after)
  return resultOf(decision)
}

/** Each of what was decided at once has the activities of the one before. */
function nameProxies(decision: PaymentDecision, { keyId, memberId }: CommandRequest): void {
  let last = decision
  while (last.next) last = last.next
  nameProxy(last.after.activities, memberId ?? keyId)
  // Who sent money elsewhere has paid that transfer; what goes back is nobody's, but the gateway's.
  for (const { after } of spawnedBy(decision)) if (isRuled(after)) nameProxy(after.activities, memberId ?? keyId)
}

/** The last of what was decided at once; the job is the newest that was written. */
function resultOf(decision: PaymentDecision): ContractResult<Payment> {
  let last = decision
  let job = decision.job
  while (last.next) {
    last = last.next
    job = last.job ?? job
  }
  const attempt = decision.spawned?.attempt ?? null
  return { kind: 'contract', contract: last.after, attempt, job, toLookFor: decision.toLookFor, replayed: false }
}

/** Takes an event in: known ones change nothing, and what no contract fits is kept. */
export function takeIn(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  command: ReceivePayment,
): EventResult | Refusal {
  const { lane, accountId } = request
  const known = state.events.get(rowKey(accountId, command.event.id))
  if (known && known.bodyHash !== command.event.bodyHash)
    return refuse(
      'event_id_reused',
      'id',
      'An event with this id came before with other bytes. Give each event its own id.',
    )
  const found = command.id === null ? undefined : state.contracts.get(rowKey(accountId, command.id))?.contract
  const payment = found?.kind === 'payment' ? found : null
  if (known && known.status !== 'unmatched' && known.status !== command.retakes)
    return { kind: 'event', reception: 'duplicate', contract: payment }
  const report = reportOn(payment, command)
  if (report === 'names_not_found') return { kind: 'event', reception: 'names_not_found', contract: null }
  const tries = known ? known.tries + 1 : 0
  const kept: PaymentEvent = {
    lane,
    accountId,
    ...command.event,
    at: known?.at ?? state.nowMs,
    status: 'ignored',
    contractId: payment?.id ?? null,
    receipt: null,
    reason: null,
    dueAt: null,
    tries,
    allowedChannels: command.allowedChannels ?? null,
  }
  if (report === null) return keep(state, kept)
  if (payment === null) return keep(state, unmatched(kept, state.nowMs))
  return matched(state, channels, request, payment, kept, { ...command, report })
}

/** The report with the attempt that it is about, where only its names give that. */
function reportOn(
  payment: Payment | null,
  { report, names }: ReceivePayment,
): PaymentReport | null | 'names_not_found' {
  if (report === null || names === undefined) return report
  const attempt = payment ? attemptNamed(names, payment) : 'names_not_found'
  return attempt === 'names_not_found' ? attempt : { ...report, attempt }
}

function matched(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  payment: Payment,
  kept: PaymentEvent,
  command: ReceivePayment & { readonly report: PaymentReport },
): EventResult | Refusal {
  const reception: Reception | Refusal = decideReceive(
    payment,
    command,
    paymentFacts(state, channels, request, payment.id),
  )
  if (isRefusal(reception)) return reception
  const { status, reason, decision } = reception
  keep(state, { ...kept, status, reason })
  applyPayment(state, payment, decision)
  return { kind: 'event', reception: status, contract: resultOf(decision).contract }
}

function keep(state: BatchState, event: PaymentEvent): EventResult {
  const { accountId, id, status, bodyHash, tries, at } = event
  const place = rowKey(accountId, id)
  state.changes.events.set(place, event)
  state.events.set(place, { lane: event.lane, accountId, id, status, bodyHash, tries, at })
  return { kind: 'event', reception: status, contract: null }
}

const REMATCH_AFTER_MS = [1000, 5000, 15_000, 60_000, 300_000, 900_000] as const
const HOUR_MS = 3_600_000
/** An event that no contract fits by then waits for an operator. */
const REMATCH_FOR_MS = 72 * HOUR_MS

function unmatched(event: PaymentEvent, nowMs: number): PaymentEvent {
  if (nowMs - event.at >= REMATCH_FOR_MS) return { ...event, status: 'needs_review', reason: 'no contract fits it' }
  return { ...event, status: 'unmatched', dueAt: nowMs + (REMATCH_AFTER_MS[event.tries] ?? HOUR_MS) }
}

/** What follows for a payment contract from the end of a transfer that refunds its money. */
export function afterRefund(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  before: Transfer,
  after: Transfer,
): void {
  if (after.origin === null || before.status === after.status) return
  const { command } = request
  invariant(
    isLoaded(command, after.id, 'refunded payment'),
    `${command.verb} loads the payment that a transfer refunds`,
  )
  const parent = parentOf(state, after)
  if (!parent) return
  const decision = decideEnded(parent, before, after, paymentFacts(state, channels, request, parent.id))
  if (decision.changed) applyPayment(state, parent, decision)
}

/** The payment contract whose money a transfer refunds, where the batch has loaded it. */
export function parentOf(state: BatchState, contract: Contract | null): Payment | null {
  if (contract?.kind !== 'transfer' || contract.origin === null) return null
  const parent = state.contracts.get(rowKey(contract.accountId, contract.origin.paymentId))?.contract
  return parent?.kind === 'payment' ? parent : null
}

function collectionOf(state: BatchState, key: string): CollectionJob | null {
  const job = state.jobs.get(key)
  return job?.kind === 'collection' ? job : null
}

function paymentFacts(state: BatchState, channels: ChannelBook, request: CommandRequest, id: string): PaymentFacts {
  const { lane, accountId } = request
  const returnId = (receipt: Receipt) => returnIdOf({ lane, accountId }, receipt)
  return paymentAsLoaded(request.command, id, {
    nowMs: state.nowMs,
    channels,
    wallet: (walletId, currency) => walletOf(state, accountId, walletId, currency),
    job: collectionOf(state, rowKey(accountId, id)),
    booked: (objectId) => state.receipts.get(rowKey(accountId, objectId)),
    waiting: () => [...state.receipts.values()].filter((each) => each.contractId === id && each.suspenseMinor > 0n),
    returnId,
    adoptedReturn: (receipt) => state.adoptedReturns.get(rowKey(accountId, returnId(receipt))),
    expiresInSeconds: state.accounts.get(accountId)?.paymentExpirySeconds ?? null,
    rulesElsewhere: () => rulesElsewhere(state, request),
    returnsAtOnce: state.accounts.get(accountId)?.returnsAtOnce ?? true,
  })
}
