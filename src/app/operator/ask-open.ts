// What the books have open of a channel, and its provider has not listed: asked about one by one, where the rail takes inquiries.
// That it finds nothing proves nothing: the order stays open.
import type { Absence, Outcome } from '../../domain/channel/outcome.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import type { LineKind, ListedOrder, RecoveryLine } from '../../domain/recovery/compare.ts'
import { isInReview } from '../../domain/recovery/adoption.ts'
import { LIVE_EXECUTIONS } from '../../domain/transfer/moves.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import { payoutFrom } from '../../store/jobs/jobs.ts'
import { openAttempts } from '../../store/operator/recovery-lines.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { orderOf } from '../transfers/payouts.ts'
import { type AdoptDeps, lineOf, reportOutcome } from './adopt.ts'

const AT_ONCE = 200

/** `listed`: references that the provider's list has settled already. */
export async function askOpen(deps: AdoptDeps, listed: ReadonlySet<string>): Promise<RecoveryLine[]> {
  if (!deps.connector.describe().inquiry) return []
  const livemodes = livemodesIn(deps.channels, deps.channelId)
  const lines: RecoveryLine[] = []
  let after: Attempt | null = null
  for (;;) {
    const [page] = await deps.reader.send([openAttempts(deps.channelId, LIVE_EXECUTIONS, after, AT_ONCE)])
    const attempts: Attempt[] = (page?.rows ?? []).map(payoutFrom)
    const wanted = attempts.filter(({ reference }) => !listed.has(reference))
    const ids = wanted.map(({ contractId }) => contractId)
    const contracts = await contractsWith(deps, ids, livemodes)
    for (const attempt of wanted) {
      const contract = contracts.get(attempt.contractId)
      const line = contract?.kind === 'transfer' ? await asked(deps, contract, attempt) : null
      if (line) lines.push(line)
    }
    after = attempts.at(-1) ?? null
    if (after === null || attempts.length < AT_ONCE) return lines
  }
}

async function asked(deps: AdoptDeps, contract: Transfer, attempt: Attempt): Promise<RecoveryLine | null> {
  if (isInReview(contract)) return null
  const order = orderOf(contract, attempt)
  const answer = await deps.connector
    .check(attempt.reference, order)
    .catch((fault: unknown): Outcome => ({ kind: 'unknown', reason: (fault as Error).message }))
  const { reference, number, contractId, channelId } = attempt
  const { amountMinor, currency } = order
  const listed: ListedOrder = { reference, contractId, number, channelId, ended: 'sent', amountMinor, currency }
  const told = (kind: LineKind, words: string) => lineOf(deps, listed, kind, words)
  if (isDefinite(answer)) {
    if (answer.kind === 'accepted' && attempt.status === 'accepted') return null
    await reportOutcome(deps, contract, number, answer)
    return told('settled', `The books had it ${attempt.status}; the provider says: ${answer.kind}.`)
  }
  // It waits here, and was never sent: that nobody knows it is as it should be.
  if (attempt.status === 'queued' && answer.kind === 'not_found') return null
  const words = answer.kind === 'not_found' ? 'the provider does not know it' : `no definite answer (${answer.kind})`
  return told('open', `The books have it ${attempt.status}, and ${words}. It is asked about again after the resume.`)
}

const isDefinite = (answer: Outcome | Absence): answer is Extract<Outcome, { kind: 'accepted' | 'delivered' }> =>
  ['accepted', 'delivered', 'failed', 'returned'].includes(answer.kind)
