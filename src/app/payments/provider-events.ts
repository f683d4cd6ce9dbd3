// A provider's event comes in: what it reports is matched to a payment contract of the account and goes through the
// write path, where an event counts once. What fits no contract is kept, and matched again later.
import { maskCards } from '../../domain/text/cards.ts'
import {
  contractNamed,
  type KnownNames,
  matchOf,
  paymentReportOf,
  type ProviderEvent,
} from '../../domain/payment/provider-events.ts'
import type { EventNames, ReceivePayment } from '../../domain/payment/commands.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { paymentsAmong } from '../../store/payments/event-matches.ts'
import { findProviderPaymentId, paymentsByReference } from '../../store/payments/provider-payment-ids.ts'
import type { EventResult } from '../../engine/command-request.ts'
import type { Deps } from '../deps.ts'

export type PaymentEventDeps = Pick<Deps, 'execute' | 'reader'>

/** Whose event it is. The key is checked again in the transaction; null for one that was let in before. */
export type EventOwner = AccountKey & { readonly keyId: string | null }

export type IncomingEvent = ProviderEvent & {
  /** What is kept of the bytes, and 128 bits of the hash of them all. */
  readonly body: string
  readonly bodyHash: string
  /** The channels that the reporting key may report on; null for all. */
  readonly allowedChannels: readonly string[] | null
  readonly retakes?: 'needs_review'
}

/** An event that is in the books, as it came; null for money that the gateway saw by itself, of which there is no body. */
export function keptEvent(row: Row): IncomingEvent | null {
  const body = row['body'] as string | null
  if (body === null) return null
  // Its shape was checked when it came.
  const { data } = JSON.parse(body) as { data: { object: IncomingEvent['object'] } }
  return {
    id: row['id'] as string,
    type: row['type'] as string,
    object: data.object,
    body,
    bodyHash: row['body_hash'] as string,
    allowedChannels: (row['allowed_channels'] as string | null)?.split(',') ?? null,
  }
}

/**
 * Takes an event in; answered when it is committed. Refused are a key that has ended, and an id that came before with
 * other bytes. Most events name their contract, and the write path loads it anyway: only where that may not be the one that
 * the event is about, its other names are looked up first.
 */
export async function takeEvent(
  deps: PaymentEventDeps,
  owner: EventOwner,
  event: IncomingEvent,
): Promise<EventResult | Refusal> {
  const { id, type, body, bodyHash, allowedChannels, retakes } = event
  const reported = paymentReportOf(event)
  const again = retakes === undefined ? {} : { retakes }
  const kept = { id, type: maskCards(type), body, bodyHash }
  const common = { verb: 'receive', event: kept, unallocated: 'suspense', allowedChannels, ...again } as const
  if (reported === null) return receive(deps, owner, { ...common, id: null, report: null })
  const { names } = reported
  const report = { ...reported.report, attempt: null }
  const named = contractNamed(names)
  if (named !== null) {
    const result = await receive(deps, owner, { ...common, id: named, names, report })
    if (isRefusal(result) || result.reception !== 'names_not_found') return result
  }
  const match = matchOf(names, await knownNames(deps.reader, owner, names))
  const matched = { ...report, attempt: match?.attempt ?? null }
  return receive(deps, owner, { ...common, id: match?.contractId ?? null, report: matched })
}

function receive(
  { execute }: PaymentEventDeps,
  { lane, accountId, keyId }: EventOwner,
  command: ReceivePayment,
): Promise<EventResult | Refusal> {
  return execute({ lane, accountId, keyId, idempotency: null, command })
}

/** One round trip for all the names. What is named a moment later is found when the event is matched again. */
async function knownNames(reader: Session, account: AccountKey, names: EventNames): Promise<KnownNames> {
  const { contractId, providerId, attempt, reference } = names
  const contracts = [contractId, attempt?.contractId ?? null].filter((each) => each !== null)
  const rowsFor = (statement: Statement | null) =>
    statement === null ? Promise.resolve([]) : rowsOf(reader, statement)
  const [payments, intents, own] = await Promise.all([
    rowsFor(contracts.length === 0 ? null : paymentsAmong(account, contracts)),
    rowsFor(providerId === null ? null : findProviderPaymentId(account, providerId)),
    rowsFor(reference === null ? null : paymentsByReference(account, reference)),
  ])
  const [intent] = intents
  return {
    payments: new Set(payments.map((row) => row['id'] as string)),
    intent: intent ? { contractId: intent['contract_id'] as string, number: intent['attempt'] as number } : null,
    byReference: own.map((row) => row['id'] as string),
  }
}

async function rowsOf(reader: Session, statement: Statement) {
  const [result] = await reader.send([statement])
  return result?.rows ?? []
}
