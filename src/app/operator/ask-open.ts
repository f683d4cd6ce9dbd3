// What the books have open of a channel, and its provider has not listed: asked about one by one, where the rail takes inquiries.
// That it finds nothing proves nothing: the order stays open. What waits to be sent is named, too: it may have been cancelled in the
// time that was lost, and goes out after the resume.
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
  const answer = await answerOf(deps, attempt.reference, order)
  const { reference, number, contractId, channelId } = attempt
  const { amountMinor, currency } = order
  const listed: ListedOrder = { reference, contractId, number, channelId, ended: 'sent', amountMinor, currency }
  const told = (kind: LineKind, words: string) => lineOf(deps, listed, kind, words)
  if (isDefinite(answer)) {
    if (answer.kind === 'accepted' && attempt.status === 'accepted') return null
    await reportOutcome(deps, contract, number, answer)
    return told('settled', `The books had it ${attempt.status}; the provider says: ${answer.kind}.`)
  }
  const words = WORDS[answer.kind] ?? `no definite answer (${answer.kind})`
  const next = attempt.status === 'queued' ? GOES_OUT : 'It is asked about again after the resume.'
  return told('open', `The books have it ${attempt.status}, and ${words}. ${next}`)
}

const GOES_OUT =
  'It goes out after the resume, also where its account cancelled it in the lost time and was told so: pause payouts first to let it cancel again.'

/** What the rail knows of an order, where it can be asked. */
async function answerOf(
  { connector }: AdoptDeps,
  reference: string,
  order: Parameters<AdoptDeps['connector']['check']>[1],
): Promise<Outcome | Absence | { readonly kind: 'not_asked' }> {
  if (!connector.describe().inquiry) return { kind: 'not_asked' }
  return connector
    .check(reference, order)
    .catch((fault: unknown): Outcome => ({ kind: 'unknown', reason: (fault as Error).message }))
}

const WORDS: Readonly<Partial<Record<string, string>>> = {
  not_found: 'the provider does not know it',
  not_asked: 'the channel cannot be asked about it here',
}

const isDefinite = (
  answer: Outcome | Absence | { readonly kind: 'not_asked' },
): answer is Extract<Outcome, { kind: 'accepted' | 'delivered' }> =>
  ['accepted', 'delivered', 'failed', 'returned'].includes(answer.kind)
