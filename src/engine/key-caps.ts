// What may leave at a time by the key that asks: looked at where its liveness is, in the batch itself, so that a cap holds
// whatever happens meanwhile. Money leaves where it begins to wait for its way out; a retry sends what waits already.
import { refuseAboveCap } from '../domain/account/caps.ts'
import type { Decision } from '../domain/contract/decision.ts'
import type { Refusal } from '../domain/contract/refusals.ts'
import type { PaymentDecision } from '../domain/payment/decision.ts'
import type { BatchState } from './batch-state.ts'
import type { CommandRequest } from './command-request.ts'

const OWN: ReadonlySet<string> = new Set(['available', 'pending', 'suspense'])

/** Why a transfer may not be moved on by the key; null where it may, and for what no key asks. */
export function refuseByCap(
  state: BatchState,
  { keyId, command }: CommandRequest,
  { after, postings }: Decision,
): Refusal | null {
  const caps = keyId === null ? null : (state.liveKeys.get(keyId) ?? null)
  if (caps === null) return null
  const leaving = postings.filter(({ debit, credit }) => credit === 'held' && OWN.has(debit))
  const minor = leaving.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const sent = command.verb === 'retry' ? after.heldMinor : minor
  return sent > 0n ? refuseAboveCap(caps, after.terms.currency, sent) : null
}

/** The same of what goes back to a payer. */
export function refuseRefundByCap(
  state: BatchState,
  request: CommandRequest,
  decision: PaymentDecision,
): Refusal | null {
  if (request.keyId === null) return null
  for (let each: PaymentDecision | null = decision; each !== null; each = each.next) {
    const refusal = each.spawned && refuseByCap(state, request, each.spawned)
    if (refusal) return refusal
  }
  return null
}
