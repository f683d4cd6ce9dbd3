// In a recovery, what the payers' books have as delivered by a rail that is these books themselves, and the receivers' have forgotten, is
// given to the receivers again: under its reference, so that it can come only once.
import { findsLost } from '../../connectors/connector.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import type { Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { isOnUnknownTerms } from '../../domain/recovery/adoption.ts'
import type { ListedOrder, RecoveryLine } from '../../domain/recovery/compare.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import { payoutFrom } from '../../store/jobs/jobs.ts'
import { deliveredAttempts, insertRecoveryLines } from '../../store/operator/recovery-lines.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { orderOf } from '../transfers/payouts.ts'
import { type AdoptDeps, lineOf } from './adopt.ts'

const AT_ONCE = 200

/** `sinceMs`: from when the books of some receiver may lack it. Nothing for a rail outside, which has its own list. */
export async function giveAgain(deps: AdoptDeps, sinceMs: number): Promise<RecoveryLine[]> {
  const { connector, channelId, reader, epoch } = deps
  if (!findsLost(connector)) return []
  const lines: RecoveryLine[] = []
  let after: Attempt | null = null
  for (;;) {
    const [page] = await reader.send([deliveredAttempts(channelId, sinceMs, after, AT_ONCE)])
    const attempts: Attempt[] = (page?.rows ?? []).map(payoutFrom)
    const orders = await ordersOf(deps, attempts)
    const lost = await connector.findLost(orders.map(({ order }) => order))
    const given: RecoveryLine[] = []
    for (const { attempt, order } of orders)
      if (lost.has(attempt.reference)) given.push(lineAbout(deps, attempt, order, await connector.send(order)))
    // At once: the next comparison finds it there, and has nothing to say of it.
    if (given.length > 0) await reader.send([insertRecoveryLines(epoch.number, given)])
    lines.push(...given)
    after = attempts.at(-1) ?? null
    if (after === null || attempts.length < AT_ONCE) return lines
  }
}

type Ordered = { readonly attempt: Attempt; readonly order: SendOrder }

/** No lease bounds them: nobody else sends in a recovery. */
async function ordersOf(deps: AdoptDeps, attempts: readonly Attempt[]): Promise<Ordered[]> {
  const ids = attempts.map(({ contractId }) => contractId)
  const contracts = await contractsWith(deps, ids, livemodesIn(deps.channels, deps.channelId))
  return attempts.flatMap((attempt) => {
    const contract = contracts.get(attempt.contractId)
    // What was adopted on terms that only its receiver's books had is there, and names no receiver.
    if (contract?.kind !== 'transfer' || isOnUnknownTerms(contract)) return []
    return [{ attempt, order: { ...orderOf(contract, attempt), notAfter: null } }]
  })
}

function lineAbout(deps: AdoptDeps, attempt: Attempt, { amountMinor, currency }: SendOrder, outcome: Outcome) {
  const { reference, contractId, number, channelId } = attempt
  const listed: ListedOrder = { reference, contractId, number, channelId, ended: 'sent', amountMinor, currency }
  if (outcome.kind === 'delivered') return lineOf(deps, listed, 'adopted', GIVEN)
  const why = 'message' in outcome ? outcome.message : 'reason' in outcome ? outcome.reason : outcome.kind
  return lineOf(deps, listed, 'differs', `${LOST} ${why}`)
}

const GIVEN = 'The books of its receiver had forgotten it: the money is there again, under the same reference.'
const LOST = 'By the books of its payer it was delivered, and those of its receiver do not have it, nor take it again:'
