// In a recovery, what the payers' books have as delivered by a rail that is these books themselves, and the receivers' have forgotten, is
// given to the receivers again: under its reference, so that it can come only once.
import { type Connector, type FindsLost, findsLost } from '../../connectors/connector.ts'
import { ALL_LANES } from '../../domain/contract/ids.ts'
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
  const { connector } = deps
  if (!findsLost(connector)) return []
  const lines: RecoveryLine[] = []
  for (const lane of ALL_LANES) lines.push(...(await giveLane(deps, connector, lane, sinceMs)))
  return lines
}

async function giveLane(
  deps: AdoptDeps,
  connector: Connector & FindsLost,
  lane: number,
  sinceMs: number,
): Promise<RecoveryLine[]> {
  const { channelId, reader, epoch } = deps
  const lines: RecoveryLine[] = []
  let after: Attempt | null = null
  for (;;) {
    const [page] = await reader.send([deliveredAttempts({ lane, channelId, sinceMs }, after, AT_ONCE)])
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
  return outcome.kind === 'failed'
    ? lineOf(deps, listed, 'differs', `${LOST} ${why}`)
    : lineOf(deps, listed, 'open', `${LATER} ${why}`)
}

const GIVEN = 'The books of its receiver had forgotten it: the money is there again, under the same reference.'
const LATER =
  'The books of its receiver had forgotten it, and did not take it at this moment. Compare again, and give nothing by hand:'
const LOST =
  'By the books of its payer it was delivered, and those of its receiver do not have it, nor take it again. A wallet that is opened again takes it at the next comparison; money that is given in its place has to have this reference:'
