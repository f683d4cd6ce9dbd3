// What a rail settled since the books knew last: refunds are orders like any other, and what payers paid is held against the
// payment contracts. Money that no job asks about any more is named, for people: nothing is booked by itself.
import type { FetchesSettlements, SettledLine, TakenOrder } from '../../connectors/connector.ts'
import { type Day, dayText, minorOf } from '../../domain/channel/reconcile.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import { contractOfReference } from '../../domain/contract/ids.ts'
import type { RecoveryLine } from '../../domain/recovery/compare.ts'
import { answerToReceived, type ReceivedSum } from '../../domain/recovery/received.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { type AdoptDeps, lineOf } from './adopt.ts'

/** The lines of all the days; null where one of them could not be had or read. */
export async function settledOn(rail: FetchesSettlements, days: readonly Day[]): Promise<SettledLine[] | null> {
  const lines: SettledLine[] = []
  for (const day of days) {
    const found = await rail.fetchSettlement(dayText(day)).catch((): readonly SettledLine[] | null => null)
    if (found === null) return null
    lines.push(...found)
  }
  return lines
}

/** The refunds among them, as a list of orders has them. */
export const refundsIn = (lines: readonly SettledLine[]): TakenOrder[] =>
  lines.flatMap(({ kind, ...line }): TakenOrder[] =>
    kind === 'received' ? [] : [{ ...line, kind: kind === 'refunded' ? 'sent' : 'accepted' }],
  )

const AT_ONCE = 500

/** What payers paid, against the books: how much of it they have, and a line for what they do not have. */
export async function compareReceived(
  deps: Omit<AdoptDeps, 'connector'>,
  settled: readonly SettledLine[],
): Promise<{ readonly matched: number; readonly lines: RecoveryLine[] }> {
  const sums = receivedIn(deps.channelId, settled)
  const livemodes = livemodesIn(deps.channels, deps.channelId)
  const lines: RecoveryLine[] = []
  let matched = 0
  const earlier = new Map<string, bigint>()
  for (let at = 0; at < sums.length; at += AT_ONCE) {
    const part = sums.slice(at, at + AT_ONCE)
    const ids = part.map(({ contractId }) => contractId)
    const contracts = await contractsWith(deps, ids, livemodes)
    for (const received of part) {
      const { contractId } = received
      const answer = answerToReceived(contracts.get(contractId) ?? null, received, earlier.get(contractId) ?? 0n)
      earlier.set(contractId, (earlier.get(contractId) ?? 0n) + (received.amountMinor ?? 0n))
      const listed = { ...received, ended: 'sent' } as const
      if (answer.kind === 'matched') matched += 1
      else if (answer.kind === 'open') lines.push(lineOf(deps, listed, 'open', IS_ASKED))
      else lines.push(lineOf(deps, listed, 'differs', `${PAID} ${answer.words} ${MEND}`))
    }
  }
  return { matched, lines }
}

const PAID = 'A payer paid this, and it is not booked.'
const MEND = 'Give it back at the provider, or credit the wallet of its account.'
const IS_ASKED = 'A payer paid this. The attempt is open, and its rail is asked about it after the resume.'

/** One sum for each reference. Payments under other references than ours are none of this gateway's. */
function receivedIn(channelId: string, settled: readonly SettledLine[]): ReceivedSum[] {
  const sums = new Map<string, ReceivedSum>()
  for (const line of settled) {
    const named = line.kind === 'received' ? contractOfReference(line.reference) : undefined
    if (!named) continue
    const { reference, currency } = line
    const minor = minorOf(line)
    const before = sums.get(reference)
    const isExact = minor !== null && before?.amountMinor !== null
    const amountMinor = isExact ? (before?.amountMinor ?? 0n) + minor : null
    sums.set(reference, { ...named, reference, channelId, amountMinor, currency })
  }
  return [...sums.values()]
}
