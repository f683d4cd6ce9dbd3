// The commands about payment contracts, decided against the batch's world. No I/O.
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { ContractCommand } from '../domain/contract/command.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { decidePayment } from '../domain/payment/decide.ts'
import { attemptNamed } from '../domain/payment/provider-events.ts'
import { decideEnded } from '../domain/payment/refunds.ts'
import type { Claim, CreatePayment, ReceivePayment } from '../domain/payment/commands.ts'
import { nameProxy } from '../domain/contract/decision.ts'
import type { PaymentDecision, PaymentFacts } from '../domain/payment/decision.ts'
import { decideCreatePayment } from '../domain/payment/draft.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { decideReceive, type Reception } from '../domain/payment/receive.ts'
import { isRefusal, type Refusal, refuse } from '../domain/contract/refusals.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { PaymentEvent } from '../store/payments/payment-events.ts'
import type { Ask, ContractAnswer, EventAnswer } from './command-request.ts'
import { applyPayment, placeOf, walletOf, type World } from './batch-state.ts'

/** Opens a payment contract, with the attempt that may have been chosen with it. */
export function openPayment(
  world: World,
  channels: ChannelBook,
  ask: Ask,
  command: CreatePayment,
): ContractAnswer | Refusal {
  const decision = decideCreatePayment(command, ask.lane, ask.accountId, paymentFacts(world, channels, ask, command.id))
  if (isRefusal(decision)) return decision
  nameProxies(decision, ask)
  applyPayment(world, null, decision)
  return answerOf(decision)
}

type OnPayment = Extract<
  ContractCommand,
  { verb: 'choose' | 'tend' | 'collection' | 'cancel' | 'expire' | 'refund' | 'return' }
>

const ON_PAYMENT: ReadonlySet<string> = new Set([
  'choose',
  'tend',
  'collection',
  'cancel',
  'expire',
  'refund',
  'return',
])

/** Whether a command is one that payment contracts know. */
export function isOnPayment(command: ContractCommand): command is OnPayment {
  return ON_PAYMENT.has(command.verb)
}

/** One command about a known payment contract. */
export function onPayment(
  world: World,
  channels: ChannelBook,
  ask: Ask,
  payment: Payment,
  command: OnPayment,
): ContractAnswer | Refusal {
  const decision = decidePayment(payment, command, paymentFacts(world, channels, ask, payment.id))
  if (isRefusal(decision)) return decision
  nameProxies(decision, ask)
  applyPayment(world, payment, decision)
  return answerOf(decision)
}

/** Each of what was decided at once has the lines of the one before. */
function nameProxies(decision: PaymentDecision, { keyId }: Ask): void {
  let last = decision
  while (last.next) last = last.next
  nameProxy(last.after.trail, keyId)
}

/** The last of what was decided at once; the job is the newest that was written. */
function answerOf(decision: PaymentDecision): ContractAnswer {
  let last = decision
  let job = decision.job
  while (last.next) {
    last = last.next
    job = last.job ?? job
  }
  return { contract: last.after, attempt: decision.spawned?.attempt ?? null, job, replayed: false }
}

/** Takes an event in: known ones change nothing, and what no contract fits is kept. */
export function takeIn(world: World, channels: ChannelBook, ask: Ask, command: ReceivePayment): EventAnswer | Refusal {
  const { lane, accountId } = ask
  const place = placeOf(accountId, command.event.id)
  const known = world.events.get(place)
  if (known && known.bodyHash !== command.event.bodyHash)
    return refuse(
      'event_id_reused',
      'id',
      'An event with this id came before with other bytes. Give each event its own id.',
    )
  const found = command.id === null ? undefined : world.contracts.get(placeOf(accountId, command.id))?.contract
  const payment = found?.kind === 'payment' ? found : null
  if (known && known.status !== 'unmatched' && known.status !== command.retakes)
    return { reception: 'duplicate', contract: payment }
  const claim = claimOn(payment, command)
  if (claim === 'unsure') return { reception: 'unsure', contract: null }
  const tries = known ? known.tries + 1 : 0
  const kept: PaymentEvent = {
    lane,
    accountId,
    ...command.event,
    at: known?.at ?? world.nowMs,
    status: 'ignored',
    contractId: payment?.id ?? null,
    receipt: null,
    reason: null,
    dueAt: null,
    tries,
    toldOf: command.toldOf ?? null,
  }
  if (claim === null) return keep(world, kept)
  if (payment === null) return keep(world, unmatched(kept, world.nowMs))
  return matched(world, channels, ask, payment, kept, { ...command, claim })
}

/** The claim with the attempt that it is about, where only its names say that. */
function claimOn(payment: Payment | null, { claim, names }: ReceivePayment): Claim | null | 'unsure' {
  if (claim === null || names === undefined) return claim
  const attempt = payment ? attemptNamed(names, payment) : 'unsure'
  return attempt === 'unsure' ? attempt : { ...claim, attempt }
}

function matched(
  world: World,
  channels: ChannelBook,
  ask: Ask,
  payment: Payment,
  kept: PaymentEvent,
  command: ReceivePayment & { readonly claim: Claim },
): EventAnswer | Refusal {
  const reception: Reception | Refusal = decideReceive(payment, command, paymentFacts(world, channels, ask, payment.id))
  if (isRefusal(reception)) return reception
  const { status, reason, decision } = reception
  keep(world, { ...kept, status, reason })
  applyPayment(world, payment, decision)
  return { reception: status, contract: answerOf(decision).contract }
}

function keep(world: World, event: PaymentEvent): EventAnswer {
  const { accountId, id, status, bodyHash, tries, at } = event
  const place = placeOf(accountId, id)
  world.changes.events.set(place, event)
  world.events.set(place, { lane: event.lane, accountId, id, status, bodyHash, tries, at })
  return { reception: status, contract: null }
}

const REMATCH_AFTER_MS = [1000, 5000, 15_000, 60_000, 300_000, 900_000] as const
const HOUR_MS = 3_600_000
/** An event that no contract fits by then waits for a person. */
const REMATCH_FOR_MS = 72 * HOUR_MS

function unmatched(event: PaymentEvent, nowMs: number): PaymentEvent {
  if (nowMs - event.at >= REMATCH_FOR_MS) return { ...event, status: 'parked', reason: 'no contract fits it' }
  return { ...event, status: 'unmatched', dueAt: nowMs + (REMATCH_AFTER_MS[event.tries] ?? HOUR_MS) }
}

/** What follows for a payment contract from the end of a transfer that gives its money back. */
export function afterGivenBack(world: World, channels: ChannelBook, ask: Ask, before: Transfer, after: Transfer): void {
  const parent = parentOf(world, after)
  if (!parent) return
  const decision = decideEnded(parent, before, after, paymentFacts(world, channels, ask, parent.id))
  if (decision.changed) applyPayment(world, parent, decision)
}

/** The payment contract whose money a transfer gives back, where the batch has loaded it. */
export function parentOf(world: World, contract: Contract | null): Payment | null {
  if (contract?.kind !== 'transfer' || contract.origin === null) return null
  const parent = world.contracts.get(placeOf(contract.accountId, contract.origin.paymentId))?.contract
  return parent?.kind === 'payment' ? parent : null
}

function paymentFacts(world: World, channels: ChannelBook, { accountId }: Ask, id: string): PaymentFacts {
  return {
    nowMs: world.nowMs,
    channels,
    wallet: (walletId, currency) => walletOf(world, accountId, walletId, currency),
    job: world.jobs.get(placeOf(accountId, id)) ?? null,
    booked: (objectId) => world.receipts.get(placeOf(accountId, objectId)),
    waiting: () => [...world.receipts.values()].filter((each) => each.contractId === id && each.suspenseMinor > 0n),
    returnsAtOnce: world.accounts.get(accountId)?.returnsAtOnce ?? true,
  }
}
