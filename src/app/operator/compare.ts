// In a recovery, what the providers did since the books knew last is read and held against them, order by order: what the books
// have open is settled, what they have forgotten is adopted, and all that is left over is in the report. Nothing is sent.
import {
  type Connector,
  fetchesSettlements,
  fetchesStatements,
  listsOrders,
  type SettledLine,
  type TakenOrder,
} from '../../connectors/connector.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import { dayAt, type Day, minorOf } from '../../domain/channel/reconcile.ts'
import { contractOfReference } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type ComparedChannel, type ListedOrder, type RecoveryLine, sharerOf } from '../../domain/recovery/compare.ts'
import { type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { ordersIn } from '../../domain/recovery/listed.ts'
import { freezeChannel } from '../../store/operator/channels.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import {
  forgetChannel,
  forgetOpenLines,
  insertRecoveryChannel,
  insertRecoveryLines,
  listRecoveryLines,
  recoveryLineFrom,
} from '../../store/operator/recovery-lines.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { mayLackFrom } from '../recoveries/books-end.ts'
import { GOING_ON, goingOn } from '../commands/going-on.ts'
import { type AdoptDeps, answered } from './adopt.ts'
import { askOpen } from './ask-open.ts'
import { compareReceived, refundsIn, settledOn } from './compare-settled.ts'
import { giveAgain } from './give-again.ts'
import { actionOf, type Deed, type OperatorDeps } from './operator-actions.ts'
import { standsOf, statementsOf } from './reconcile.ts'
import { LINES_MAX, type RecoveryReport, comparedChannels, reportOf } from './recovery-report.ts'
import { epochOf, refusalOfLanes } from './resume.ts'

export type CompareDeps = OperatorDeps & {
  /** Works with the connector of a channel for a while. Throws where it cannot be opened. */
  readonly withConnector: <T>(channelId: string, work: (connector: Connector) => Promise<T>) => Promise<T>
}

/**
 * Compares every channel; often, if need be: what was adopted once is known. `sinceMs`: from when, where the operator knows that it
 * is earlier than the books' last change. Refused where the gateway is not in recovery, and while a lane is nowhere, or on another server
 * than home says.
 */
export async function compareAll(
  deps: CompareDeps,
  sinceMs: number | null,
  deed: Deed,
): Promise<RecoveryReport | Refusal> {
  const epoch = await epochOf(deps)
  if (!inRecovery(epoch))
    return refuse('not_in_recovery', null, 'The gateway is not in recovery: compare with reconciliations.')
  const misplaced = await refusalOfLanes(deps)
  if (misplaced) return misplaced
  const fromMs = await readFrom(deps, epoch, sinceMs)
  const told: string[] = []
  for (const { id: channelId } of comparedChannels(deps)) {
    const read = await compareChannel(deps, { epoch, channelId, fromMs, operator: deed.operator })
    await keep(deps, epoch.number, read, deed.operator)
    told.push(`${channelId} ${read.channel.state}, ${read.channel.matched} matched, ${read.lines.length} lines`)
  }
  told.push(`${await keepGoingOn(deps, epoch.number)} commands and schedules go on`)
  const evidence = told.join('; ').slice(0, 1000)
  const action = actionOf(deps, 0, 'compare recovery', String(epoch.number), { ...deed, evidence })
  await deps.reader.transaction([], () => ({ statements: [insertOperatorAction(action)], value: null }))
  return reportOf(deps, epoch.number)
}

async function readFrom({ reader }: CompareDeps, { beganAt }: Epoch, sinceMs: number | null): Promise<number> {
  return Math.min(await mayLackFrom(reader, beganAt), sinceMs ?? Number.POSITIVE_INFINITY)
}

type Wanted = {
  readonly epoch: Epoch
  readonly channelId: string
  readonly fromMs: number
  readonly operator: string
}
type Read = { readonly channel: ComparedChannel; readonly lines: readonly RecoveryLine[] }

function compareChannel(deps: CompareDeps, wanted: Wanted): Promise<Read> {
  return deps
    .withConnector(wanted.channelId, (connector) => compareBy(deps, wanted, connector))
    .catch((fault: unknown) => {
      const words = `It could not be compared: ${(fault as Error).message}`
      return { channel: channelAs(deps, wanted, 'failed', 0, words), lines: [] }
    })
}

async function compareBy(deps: CompareDeps, wanted: Wanted, connector: Connector): Promise<Read> {
  const failed = (why: string): Read => ({ channel: channelAs(deps, wanted, 'failed', 0, why), lines: [] })
  const adopting: AdoptDeps = { ...deps, connector, ...wanted }
  // First what is given again: a wallet may have passed it on.
  const given = await giveAgain(adopting, wanted.fromMs)
  const stated = await listOf(deps, wanted, connector)
  if (stated !== null && 'why' in stated) return failed(stated.why)
  const settled = await settledBy(deps, wanted, connector)
  if (settled !== null && 'why' in settled) return failed(settled.why)
  const listed: readonly Listed[] = [...(stated?.lines ?? []), ...refundsIn(settled?.lines ?? [])]
  const credits = listed.filter(({ kind }) => kind === 'returned')
  const stands = await standsOf(deps, wanted.channelId, credits)
  const orders = ordersIn(wanted.channelId, listed, stands, firstDay(wanted.fromMs))
  const foreign = foreignIn(deps, wanted.channelId, listed)
  const sharing = sharingWith(adopting)
  const found = await answerAll(adopting, orders, sharing)
  const received = await compareReceived(adopting, settled?.lines ?? [])
  const asked = await askOpen(adopting, new Set(orders.map(({ reference }) => reference)))
  const isFirst = (sharing[0] ?? wanted.channelId) === wanted.channelId
  const lines = [...given, ...(isFirst ? foreign : []), ...found.lines, ...received.lines, ...asked]
  const matched = found.matched + received.matched
  const channel =
    stated === null && settled === null
      ? channelAs(deps, wanted, 'unlisted', 0, unlistedWords(connector))
      : channelAs(deps, wanted, 'complete', matched, 'All that the provider lists was compared.')
  return { channel, lines }
}

function unlistedWords(connector: Connector): string {
  const { dedupeLifetimeMs, acceptsReference, inquiry } = connector.describe()
  const asked = inquiry ? 'Its open orders were asked about one by one.' : 'Its orders cannot be asked about.'
  if (!acceptsReference)
    return `It has no list, and takes no reference. ${asked} Look for what it executed before you resume.`
  const hours = dedupeLifetimeMs === null ? null : Math.floor(dedupeLifetimeMs / 3_600_000)
  const known = hours === null ? 'for good' : `for ${hours} hours`
  return `It has no list. ${asked} It knows a reference again ${known}: within that the same order goes once.`
}

function channelAs(
  { ids }: CompareDeps,
  { channelId, fromMs: readFrom }: Wanted,
  state: ComparedChannel['state'],
  matched: number,
  words: string,
): ComparedChannel {
  return { channelId, state, readFrom, readUntil: ids.nowMs(), matched, words }
}

/** With the day where it is of a statement. */
type Listed = TakenOrder & { readonly day?: Day }
type Stated = { readonly lines: readonly Listed[] } | { readonly why: string } | null

/** What the provider lists since then; null for one that has no list, and why where it could not be had. */
async function listOf(deps: CompareDeps, { channelId, fromMs }: Wanted, connector: Connector): Promise<Stated> {
  if (listsOrders(connector)) {
    const lines = await connector.listOrders(channelId, fromMs)
    return lines ? { lines } : { why: 'The provider’s list of orders could not be had or read.' }
  }
  if (!fetchesStatements(connector)) return null
  const stated = await statementsOf(connector, daysFrom(fromMs, deps.ids.nowMs()))
  if (isRefusal(stated)) return { why: stated.message }
  return { lines: stated.flatMap(({ day, lines }) => lines.map((line) => ({ ...line, day }))) }
}

type Settled = { readonly lines: readonly SettledLine[] } | { readonly why: string } | null

/** What came in through it and went back since then; null for one that says nothing of it. */
async function settledBy(deps: CompareDeps, { fromMs }: Wanted, connector: Connector): Promise<Settled> {
  if (!fetchesSettlements(connector)) return null
  const lines = await settledOn(connector, daysFrom(fromMs, deps.ids.nowMs()))
  return lines ? { lines } : { why: 'What the provider settled could not be had or read.' }
}

/** The day before, on which a rail with another clock may have booked. */
const firstDay = (fromMs: number): Day => dayAt(fromMs) - 1

function daysFrom(fromMs: number, nowMs: number): Day[] {
  const first = firstDay(fromMs)
  return Array.from({ length: dayAt(nowMs) - first + 1 }, (_, index) => first + index)
}

/** What is in the lists under references that are not ours. */
function foreignIn({ ids }: CompareDeps, channelId: string, lines: readonly TakenOrder[]): RecoveryLine[] {
  const foreign = new Map<string, RecoveryLine>()
  for (const line of lines) {
    const { reference, currency, kind: ended, note } = line
    if (contractOfReference(reference)) continue
    const words = `A line (${ended}) under a reference that is not ours.${note ? ` ${note}` : ''}`
    const rest = { contractId: null, kind: 'extra', amountMinor: minorOf(line), currency } as const
    foreign.set(reference, { channelId, reference, ...rest, words, at: ids.nowMs() })
  }
  return [...foreign.values()]
}

const ORDERS_AT_ONCE = 500

/** The channels between wallets, where this is one of them: what comes to a wallet does not say through which. */
function sharingWith(deps: Pick<AdoptDeps, 'channels' | 'channelId'>): string[] {
  const between = comparedChannels(deps).filter(({ mode }) => mode === 'both')
  return between.some(({ id }) => id === deps.channelId) ? between.map(({ id }) => id) : []
}

async function answerAll(
  deps: AdoptDeps,
  orders: readonly ListedOrder[],
  sharing: readonly string[],
): Promise<{ readonly matched: number; readonly lines: RecoveryLine[] }> {
  const livemodes = livemodesIn(deps.channels, deps.channelId)
  const lines: RecoveryLine[] = []
  let matched = 0
  for (let at = 0; at < orders.length; at += ORDERS_AT_ONCE) {
    const part = orders.slice(at, at + ORDERS_AT_ONCE)
    const ids = part.map(({ contractId }) => contractId)
    const contracts = await contractsWith(deps, ids, livemodes)
    for (const order of part) {
      const contract = contracts.get(order.contractId) ?? null
      if (sharing.length > 0 && sharerOf(sharing, contract, order) !== deps.channelId) continue
      const line = await answered(deps, order, contract)
      if (line) lines.push(line)
      else matched += 1
    }
  }
  return { matched, lines }
}

/** Keeps what was found in the place of what was open before, and freezes a channel with lines that are not ours. */
async function keep({ reader }: CompareDeps, epoch: number, { channel, lines }: Read, operator: string): Promise<void> {
  const { channelId } = channel
  await reader.transaction([listRecoveryLines(epoch, LINES_MAX)], ([before]) => {
    const known = new Set((before?.rows ?? []).map(recoveryLineFrom).map(({ reference }) => reference))
    const fresh = lines.filter(({ kind, reference }) => kind === 'extra' && !known.has(reference))
    const statements = [
      forgetChannel(epoch, channelId),
      insertRecoveryChannel(epoch, channel, operator),
      // A list that could not be had says nothing about what was found by the one before.
      ...(channel.state === 'failed' ? [] : [forgetOpenLines(epoch, channelId)]),
      insertRecoveryLines(epoch, lines),
      ...(fresh.length > 0 ? [freezeChannel(channelId, frozenWords(fresh))] : []),
    ]
    return { statements, value: null }
  })
}

/** What goes on by itself is of no channel: it is found anew each time, and what was stopped meanwhile is forgotten. How much it is. */
async function keepGoingOn({ reader, ids }: CompareDeps, epoch: number): Promise<number> {
  const lines = await goingOn(reader, ids.nowMs(), LINES_MAX)
  const statements = [...GOING_ON.map((each) => forgetOpenLines(epoch, each)), insertRecoveryLines(epoch, lines)]
  await reader.transaction([], () => ({ statements, value: null }))
  return lines.length
}

function frozenWords(extras: readonly RecoveryLine[]): string {
  const more = extras.length > 1 ? `, and ${extras.length - 1} more` : ''
  return `In the recovery the provider listed what is not ours: ${extras[0]?.reference}${more}`
}
