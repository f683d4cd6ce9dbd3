// Payments on a chain that is watched, reported to the contracts: how far one is, and what of it is final.
import type { FinalChainPayment } from '../../domain/payment/chain-payments.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import type { Execute } from '../../engine/command-request.ts'
import type { ReceivePayment } from '../../domain/payment/commands.ts'
import { attemptOfReference } from '../accounts/contract-owners.ts'

export type ChainReportDeps = {
  readonly execute: Execute
  readonly reader: Session
  /** The mode of the contracts that the chain pays: a payment never reaches one of the other mode. */
  readonly livemode: boolean
}

/** Books a final payment, once for each id however often it is reported. `later`: its contract cannot be found now. */
export async function bookChainPayment(deps: ChainReportDeps, payment: FinalChainPayment): Promise<'booked' | 'later'> {
  const place = await placeOf(deps, payment.reference, [deps.livemode])
  if (!place) return 'later'
  const { id, number, ...owner } = place
  const answer = await deps.execute({ ...owner, command: reportOf(payment, { id, number }) })
  return isRefusal(answer) ? 'later' : 'booked'
}

/** What the chain shows is reported as if a provider did, under the payment's own id. */
export function reportOf(
  payment: FinalChainPayment,
  { id, number }: { readonly id: string; readonly number: number },
): ReceivePayment {
  const event = { id: payment.id, type: 'gateway.chain', body: null, bodyHash: null }
  const report = {
    outcome: 'succeeded',
    objectId: payment.id,
    attempt: number,
    channelId: null,
    amountMinor: null,
    currency: null,
    assetUnits: payment.units,
    block: Number(payment.block.number),
    seenAt: payment.seenAt,
    failure: null,
    payer: null,
    shown: payment.transaction === null ? {} : { transaction: payment.transaction },
  } as const
  return { verb: 'receive', id, event, report, unallocated: 'suspense' }
}

/** How far an attempt's payment is on its chain. */
export type ChainDepth = {
  /** Blocks of those that it needs; 0 where it was undone. */
  readonly confirmations: number
  readonly of: number
  /** The newest block that was looked at. */
  readonly top: number
}

/** Shows a payer how far the payment is. What a later look has shown, or is booked by now, is left as it is. */
export async function showChainProgress(
  deps: ChainReportDeps,
  reference: string,
  { confirmations, of, top }: ChainDepth,
): Promise<void> {
  const place = await placeOf(deps, reference, [deps.livemode])
  if (!place) return
  const { id, number, ...owner } = place
  const result = {
    kind: 'open',
    status: confirmations === 0 ? 'pending' : 'processing',
    providerId: null,
    nextAction: null,
    shown: { confirmations: String(confirmations), confirmations_needed: String(of) },
  } as const
  const seen = { by: 'chain', top, block: confirmations === 0 ? null : top - confirmations + 1 } as const
  await deps.execute({ ...owner, command: { verb: 'report_collection', id, number, fence: null, result, seen } })
}

/** The attempt whose address was paid, as the write path is asked about it; null where no contract of these modes has it. */
export async function placeOf(deps: Pick<ChainReportDeps, 'reader'>, reference: string, livemodes: readonly boolean[]) {
  const attempt = await attemptOfReference(deps, reference, livemodes)
  if (!attempt) return null
  const { lane, accountId, contractId: id, number } = attempt
  return { lane, accountId, keyId: null, idempotency: null, id, number }
}
