// An operator has a provider's event that needed review matched again: as it came, when what was wrong has been fixed,
// or with what an operator knows better. It goes through the write path like any other, with who did it and why.
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { paymentsAmong } from '../../store/payments/event-matches.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { findOpenEvent } from '../../store/payments/payment-events.ts'
import type { EventResult, Execute } from '../../engine/command-request.ts'
import { contractNotFound, executeAlone } from '../../engine/execute.ts'
import { placeOf, reportOf } from '../crypto/chain-payments.ts'
import { chainPaymentFrom, findReportedChainPayment } from '../../store/crypto/chain-payments.ts'
import type { FinalChainPayment } from '../../domain/payment/chain-payments.ts'
import { type IncomingEvent, keptEvent, type PaymentEventDeps, takeEvent } from './provider-events.ts'
import { actionOf, type Deed, type OperatorDeps } from '../operator/operator-actions.ts'
import { alsoWriting, operatorEntry } from '../operator/operator-changes.ts'

/** What is known better than the event has it; null leaves that to the event. */
export type Correction = {
  readonly contractId: string | null
  /** In major units, as on the provider's statement. */
  readonly amount: number | null
  readonly currency: string | null
}

export async function takeUnallocated(
  deps: OperatorDeps,
  account: AccountKey,
  eventId: string,
  { contractId, amount, currency }: Correction,
  deed: Deed,
): Promise<EventResult | Refusal> {
  const event = await openEvent(deps.reader, account, eventId)
  if (isRefusal(event)) return event
  const known = Object.entries({ contract_id: contractId, amount, currency }).filter(([, value]) => value !== null)
  if ('units' in event && known[0]) return seenByItself(known[0][0])
  if (contractId !== null && !(await isPaymentOf(deps.reader, account, contractId))) return contractNotFound()
  const { lane } = account
  const taken = { action: 'event.taken', object: { type: 'event', id: eventId }, before: null, after: null } as const
  const session = alsoWriting(
    deps.writer,
    insertOperatorAction(actionOf(deps, lane, 'take event', eventId, deed)),
    operatorEntry(deps, account, deed.operator, taken),
  )
  const execute: Execute = (request) => executeAlone(session, deps.channels, request)
  if ('units' in event) return takeFromChain({ execute, reader: deps.reader }, account, event)
  // What is kept are the bytes as they came; what the operator knew is in the evidence.
  const object = { ...event.object, ...Object.fromEntries(known) }
  return takeEvent(
    { execute, reader: deps.reader },
    { ...account, keyId: null },
    // The operator has reviewed it: it no longer rests on the key alone.
    { ...event, object, allowedChannels: null, retakes: 'needs_review' },
  )
}

/** What the gateway saw on a chain is worth what the chain shows. */
function seenByItself(field: string): Refusal {
  const fix = 'The gateway saw this payment on the chain by itself, and knows its contract and amount. Take it without.'
  return refuseAll([invalid(field, fix)])
}

/** The attempt whose address it came to is the contract's for ever. */
async function takeFromChain(
  { execute, reader }: PaymentEventDeps,
  account: AccountKey,
  payment: FinalChainPayment,
): Promise<EventResult | Refusal> {
  const place = await placeOf({ reader }, payment.reference, [true, false])
  if (place?.accountId !== account.accountId) return contractNotFound()
  const { id, number, ...owner } = place
  return execute({ ...owner, command: { ...reportOf(payment, { id, number }), retakes: 'needs_review' } })
}

async function openEvent(
  reader: Session,
  account: AccountKey,
  id: string,
): Promise<IncomingEvent | FinalChainPayment | Refusal> {
  const [found] = await reader.send([findOpenEvent(account, id)])
  const row = found?.rows[0]
  if (!row)
    return refuse(
      'event_not_found',
      'event',
      'No event of the account with this id waits. See: gateway payments unallocated',
    )
  return (
    keptEvent(row) ??
    (await chainPayment(reader, id)) ??
    refuse(
      'event_not_found',
      'event',
      'The gateway saw this money by itself: there is no event that could be taken again.',
    )
  )
}

async function chainPayment(reader: Session, id: string): Promise<FinalChainPayment | null> {
  const [found] = await reader.send([findReportedChainPayment(id)])
  const row = found?.rows[0]
  return row ? chainPaymentFrom(row) : null
}

async function isPaymentOf(reader: Session, account: AccountKey, contractId: string): Promise<boolean> {
  if (!isUuid(contractId)) return false
  const [found] = await reader.send([paymentsAmong(account, [contractId])])
  return (found?.rows.length ?? 0) > 0
}
