// Three steps around every call to a rail: lease, call, record (house rule 6). No transaction is open during the call.
import type { TransferCommand } from '../domain/commands.ts'
import { isRefusal } from '../domain/refusals.ts'
import { fixedText } from '../domain/money.ts'
import type { Absence, Outcome, SendOrder } from '../domain/outcome.ts'
import type { Attempt, Transfer } from '../domain/transfer.ts'
import { type CanRecall, type Channel, canRecall } from '../channels/channel.ts'
import type { Answer, Ask, ContractAnswer } from './ask.ts'

/** What working on attempts may touch. */
export type OutcomeDeps = {
  readonly execute: (ask: Ask) => Promise<Answer>
  readonly connectors: ReadonlyMap<string, Channel>
  /** How long a lease lasts: longer than any call's own deadline. */
  readonly leaseMs: number
}

/** Works on one due attempt. Somebody else may have taken it: then nothing happens. */
export async function workOn(deps: OutcomeDeps, attempt: Attempt): Promise<void> {
  const connector = deps.connectors.get(attempt.channelId)
  if (!connector) return
  if (attempt.status === 'returned') return refundReturned(deps, attempt)
  const verb = attempt.status === 'queued' ? 'submit' : 'inquire'
  const taken = await ask(deps, attempt, { verb, id: attempt.contractId, leaseMs: deps.leaseMs })
  if (!taken?.attempt) return
  const outcome = await call(connector, taken.contract, taken.attempt)
  await report(deps, connector, taken.attempt, taken.attempt.fence, outcome)
}

/** Brings a rail's word to the contract: from a call that held the lease, or (fence null) from the rail's own news. */
export async function report(
  deps: OutcomeDeps,
  connector: Channel,
  attempt: Pick<Attempt, 'lane' | 'accountId' | 'contractId' | 'number'>,
  fence: number | null,
  outcome: Outcome | Absence,
): Promise<void> {
  const { notFoundFinalAfterMs, dedupeLifetimeMs } = connector.describe()
  const { contractId: id, number } = attempt
  await ask(deps, attempt, {
    verb: 'report',
    id,
    number,
    fence,
    outcome,
    connector: { notFoundFinalAfterMs, dedupeLifetimeMs },
  })
}

async function call(connector: Channel, contract: Transfer, attempt: Attempt): Promise<Outcome | Absence> {
  try {
    if (attempt.status === 'submitting') return await connector.send(orderOf(contract, attempt))
    if (contract.cancellation?.status === 'pending' && attempt.status === 'accepted' && canRecall(connector))
      return await recalled(connector, attempt, orderOf(contract, attempt))
    return await connector.check(attempt.reference, orderOf(contract, attempt))
  } catch (fault) {
    // A connector that throws has told nothing about the money.
    return { kind: 'unknown', reason: `the connector failed: ${(fault as Error).message}` }
  }
}

/** Asks the rail to give an accepted transfer back; where it does not, its state is asked for. */
async function recalled(
  connector: Channel & CanRecall,
  attempt: Attempt,
  order: SendOrder,
): Promise<Outcome | Absence> {
  const answer = await connector.recall(attempt.reference)
  if (answer === 'recalled')
    return { kind: 'failed', code: 'recalled', message: 'The transfer was recalled before it was delivered.' }
  return connector.check(attempt.reference, order)
}

function orderOf(contract: Transfer, attempt: Attempt): SendOrder {
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
  }
}

async function refundReturned(deps: OutcomeDeps, attempt: Attempt): Promise<void> {
  await ask(deps, attempt, {
    verb: 'cancel',
    id: attempt.contractId,
    reason: 'returned by the channel',
    actor: 'gateway',
  })
}

async function ask(
  deps: OutcomeDeps,
  { lane, accountId }: Pick<Attempt, 'lane' | 'accountId'>,
  command: TransferCommand,
): Promise<ContractAnswer | null> {
  const answer = await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return isRefusal(answer) || !('contract' in answer) ? null : answer
}
