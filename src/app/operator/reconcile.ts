// Compares a provider's statement of a day with the books, line by line: reports to the engine what the provider knows
// and we did not, keeps what does not fit, and freezes the channel where there are lines that are not ours.
import {
  fetchesStatements,
  type FetchesStatements,
  type Connector,
  type StatementLine,
  type TakenOrder,
} from '../../connectors/connector.ts'
import { contractOfReference, laneUuid } from '../../domain/contract/ids.ts'
import type { Outcome } from '../../domain/channel/outcome.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import {
  compareStatement,
  type Comparison,
  type Day,
  dayAt,
  dayFrom,
  daysToState,
  dayText,
  type Discrepancy,
  type Stand,
  standOf,
  startOfDayMs,
  type StatedDay,
  type StatedOutcome,
} from '../../domain/channel/reconcile.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Session } from '../../platform/db.ts'
import { freezeChannel } from '../../store/operator/channels.ts'
import { placedContractFrom } from '../../store/contracts/contracts.ts'
import {
  accountsWithHistory,
  type AccountTop,
  accountTopFrom,
  acknowledgedFindings,
  deliveriesWithin,
  insertReconciliation,
} from '../../store/operator/reconciliations.ts'
import { positionAtTime } from '../../store/webhooks/replays.ts'
import type { IdSource } from '../accounts/accounts.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { passOn } from '../../engine/crash-points.ts'
import { type OutcomeDeps, report } from '../transfers/payouts.ts'

export type ReconcileDeps = Pick<OutcomeDeps, 'execute' | 'connectors'> & {
  readonly reader: Session
  /** For the mode of the channel: its statement is compared with contracts of that one alone. */
  readonly channels: Pick<ChannelBook, 'current'>
  readonly ids: IdSource
}

/** `acknowledged`: an operator has reviewed this very line since it was first found. */
export type Found = Discrepancy & { readonly acknowledged: boolean }

export type Reconciliation = {
  readonly channelId: string
  /** YYYY-MM-DD in the Philippines. */
  readonly day: string
  readonly matched: number
  readonly awaited: number
  /** References of attempts whose outcome the statement settled. */
  readonly mended: readonly string[]
  readonly findings: readonly Found[]
  /** Whether this comparison stopped the channel's payouts. */
  readonly frozen: boolean
}

/** The day before the present one in the Philippines, YYYY-MM-DD. */
export const yesterday = (nowMs: number): string => dayText(dayAt(nowMs) - 1)

/**
 * Compares a channel's day. A statement that cannot be fetched or read is refused: it proves nothing, least of all
 * absence.
 */
export async function reconcile(
  deps: ReconcileDeps,
  channelId: string,
  day: string,
): Promise<Reconciliation | Refusal> {
  const connector = connectorOf(deps, channelId)
  if (isRefusal(connector)) return connector
  const today = dayAt(deps.ids.nowMs())
  const wanted = dayFrom(day)
  if (wanted === null || wanted > today)
    return refuseAll([
      invalid('day', `The day must be a date of the calendar such as ${dayText(today - 1)}, and not ahead.`),
    ])
  const ours = await deliveriesOf(deps, channelId, wanted)
  const fetched = await statementsOf(connector, daysToState(wanted, ours, today))
  if (isRefusal(fetched)) return fetched
  const stated = fetched.map(bookedOf)
  const lines = stated.find((each) => each.day === wanted)?.lines ?? []
  const dayIs = wanted === today ? ('running' as const) : ('over' as const)
  const compare = async () =>
    compareStatement({ day: wanted, channelId, stated, known: await standsOf(deps, channelId, lines), ours, dayIs })
  const first = await compare()
  if (first.statedOutcomes.length === 0) return keep(deps, channelId, day, first, [])
  for (const stated of first.statedOutcomes) await reportStated(deps, connector, channelId, stated)
  // Compared again with what the books have now: the engine decides whether it accepts the report.
  const { matched } = first
  return keep(deps, channelId, day, { ...(await compare()), matched }, first.statedOutcomes)
}

function connectorOf({ connectors }: ReconcileDeps, channelId: string): (Connector & FetchesStatements) | Refusal {
  const connector = connectors.get(channelId)
  if (!connector) return refuse('channel_not_found', 'channel', 'No channel has this id. See: gateway channels list.')
  if (fetchesStatements(connector)) return connector
  return refuseAll([invalid('channel', `The channel ${channelId} has no statements: nothing can be compared.`)])
}

type FetchedDay = { readonly day: Day; readonly lines: readonly TakenOrder[] }

/** What is pending may never be booked: it proves nothing of a day. */
const bookedOf = ({ day, lines }: FetchedDay): StatedDay => ({
  day,
  lines: lines.flatMap(({ kind, ...line }) => (kind === 'accepted' ? [] : [{ ...line, kind }])),
})

export async function statementsOf(
  connector: FetchesStatements,
  days: readonly Day[],
): Promise<FetchedDay[] | Refusal> {
  const stated: FetchedDay[] = []
  for (const day of days) {
    const lines = await connector.fetchStatement(dayText(day)).catch((): readonly TakenOrder[] | null => null)
    if (lines === null) {
      const why = `The provider's statement of ${dayText(day)} could not be had or read. Nothing was compared.`
      return refuse('channel_unavailable', 'channel', why)
    }
    stated.push({ day, lines })
  }
  return stated
}

const STRETCH = 10_000
/** Longer than any command waits for an account's lock: the rows of a moment stand no farther apart. */
const DISORDER_MS = 10_000

/** Our attempts through the channel that were delivered or came back on the day. */
async function deliveriesOf({ reader, channels }: ReconcileDeps, channelId: string, day: Day): Promise<Stand[]> {
  const [accounts] = await reader.send([accountsWithHistory(livemodesIn(channels, channelId))])
  const found = new Map<string, Stand>()
  for (const account of (accounts?.rows ?? []).map(accountTopFrom)) {
    for await (const stand of deliveriesOfAccount(reader, account, day))
      if (stand.channelId === channelId) found.set(stand.reference, stand)
  }
  return [...found.values()]
}

/** In the order of history, a page at a time. */
async function* deliveriesOfAccount(reader: Session, account: AccountTop, day: Day): AsyncGenerator<Stand> {
  const fromMs = startOfDayMs(day)
  const beforeMs = startOfDayMs(day + 1)
  const [begin, end] = await reader.send([
    positionAtTime(account, account.position, fromMs - DISORDER_MS),
    positionAtTime(account, account.position, beforeMs + DISORDER_MS),
  ])
  const last = Number(end?.rows[0]?.['position']) - 1
  for (let after = Number(begin?.rows[0]?.['position']) - 1; after < last; after += STRETCH) {
    const stretch = { after, upTo: Math.min(after + STRETCH, last), fromMs, beforeMs }
    const [result] = await reader.send([deliveriesWithin(account, stretch)])
    for (const { contract } of (result?.rows ?? []).map(placedContractFrom)) {
      const stand = isOnStatement(contract) ? standOf(contract, contract.execution.number) : null
      if (stand) yield stand
    }
  }
}

/** A payout: a rail's refund of its own payment is no line of a payout's statement. */
function isOnStatement(contract: Contract): contract is Transfer {
  return contract.kind === 'transfer' && (contract.origin?.refundOf ?? null) === null
}

const LINES_AT_ONCE = 500

/** Our attempts behind the lines, as they stand at this moment. */
export async function standsOf(
  { reader, channels }: Pick<ReconcileDeps, 'reader' | 'channels'>,
  channelId: string,
  lines: readonly Pick<StatementLine, 'reference'>[],
): Promise<Map<string, Stand>> {
  const livemodes = livemodesIn(channels, channelId)
  const stands = new Map<string, Stand>()
  const references = [...new Set(lines.map((line) => line.reference))]
  for (let at = 0; at < references.length; at += LINES_AT_ONCE)
    for (const stand of await standsBehind(reader, livemodes, references.slice(at, at + LINES_AT_ONCE)))
      stands.set(stand.reference, stand)
  return stands
}

async function standsBehind(
  reader: Session,
  livemodes: readonly boolean[],
  references: readonly string[],
): Promise<Stand[]> {
  const named = references.flatMap((reference) => contractOfReference(reference) ?? [])
  const ids = named.map(({ contractId }) => contractId)
  const contracts = await contractsWith({ reader }, ids, livemodes)
  return named.flatMap(({ contractId, number }) => {
    const contract = contracts.get(contractId)
    return (contract?.kind === 'transfer' && standOf(contract, number)) || []
  })
}

const OUTCOMES: Readonly<Record<StatedOutcome['outcomes'][number], Outcome>> = {
  delivered: { kind: 'delivered', providerId: null },
  returned: { kind: 'returned', code: 'returned', message: 'The statement of the provider shows it as returned.' },
}

async function reportStated(
  deps: ReconcileDeps,
  connector: Connector,
  channelId: string,
  { stand, outcomes }: StatedOutcome,
) {
  const { lane, accountId, contractId, number } = stand
  for (const outcome of outcomes)
    await report(
      { ...deps, crashPoint: passOn },
      connector,
      { lane, accountId, contractId, number, channelId },
      null,
      OUTCOMES[outcome],
    )
}

/** Keeps the comparison, and freezes the channel in the same transaction where there are lines that are not ours. */
async function keep(
  { reader, ids }: ReconcileDeps,
  channelId: string,
  day: string,
  { matched, awaited, discrepancies, statedOutcomes }: Comparison,
  reported: readonly StatedOutcome[],
): Promise<Reconciliation> {
  const notAccepted = new Set(statedOutcomes.map(({ stand }) => stand.reference))
  const mended = reported.map(({ stand }) => stand.reference).filter((reference) => !notAccepted.has(reference))
  const found = [...discrepancies, ...statedOutcomes.map(discrepancyOf)]
  return reader.transaction<Reconciliation>([acknowledgedFindings(channelId, day)], ([before]) => {
    const acknowledged = (before?.rows ?? []).map((row) => row['findings'] as Discrepancy[])
    const findings = marked(found, acknowledged)
    const fresh = findings.filter((each) => each.kind === 'extra' && !each.acknowledged)
    const stored = JSON.stringify([...findings, ...mended.map((reference) => ({ kind: 'mended', reference }))])
    const id = laneUuid(0, ids.nowMs(), ids.randomHex())
    const row = insertReconciliation({ id, channelId, day, matched, findings: stored })
    const frozen = fresh.length > 0
    return {
      statements: frozen ? [row, freezeChannel(channelId, reasonOf(day, fresh))] : [row],
      value: { channelId, day, matched, awaited, mended, findings, frozen },
    }
  })
}

/** The same line once more is another one: as many are known as one acknowledged comparison had. */
function marked(discrepancies: readonly Discrepancy[], acknowledged: readonly (readonly Discrepancy[])[]): Found[] {
  const counts = acknowledged.map((findings) => countsOf(findings.map(placeOf)))
  const met = new Map<string, number>()
  return discrepancies.map((discrepancy) => {
    const place = placeOf(discrepancy)
    const count = (met.get(place) ?? 0) + 1
    met.set(place, count)
    return { ...discrepancy, acknowledged: counts.some((known) => (known.get(place) ?? 0) >= count) }
  })
}

function countsOf(places: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

const placeOf = ({ kind, line, reference, amountDecimal }: Discrepancy) =>
  JSON.stringify([kind, line, reference, amountDecimal])

function reasonOf(day: string, extras: readonly Discrepancy[]): string {
  const [first] = extras
  const more = extras.length === 1 ? '' : `, and ${extras.length - 1} more`
  return `The statement of ${day} has a line that is not ours: ${first?.line} ${first?.reference}, ${first?.why}${more}`
}

/** The engine did not accept the statement's report: an operator must look. */
function discrepancyOf({ stand, outcomes }: StatedOutcome): Discrepancy {
  const { reference, contractId, currency, words } = stand
  const line = outcomes.at(-1) === 'returned' ? 'returned' : 'sent'
  const why = `the statement shows it, and by our books ${words}`
  return { kind: 'differs', line, reference, contractId, amountDecimal: null, currency, why }
}
