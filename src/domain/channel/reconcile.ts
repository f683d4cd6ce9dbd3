// A provider's statement against our books, line by line: what fits, what is missing, what is not ours, and what the
// provider knows and we do not yet. Pure: lines and books are passed in.
import { channelOfAttempt } from '../transfer/attempt.ts'
import { minorDigits } from '../money/currencies.ts'
import { attemptReference } from '../contract/ids.ts'
import { groupedBy } from '../grouped.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** A day in the Philippines as days since 1970-01-01: the day that providers' statements are of. */
export type Day = number

const DAY_MS = 86_400_000
const MANILA_MS = 8 * 3_600_000
/** The rail's clock differs from ours: it may have booked on the day before or after what we have on one day. */
const DAYS_APART_MAX = 1

export const dayAt = (atMs: number): Day => Math.floor((atMs + MANILA_MS) / DAY_MS)
export const startOfDayMs = (day: Day): number => day * DAY_MS - MANILA_MS
export const dayText = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** A day from its text, YYYY-MM-DD; null when there is no such day. */
export function dayFrom(text: string): Day | null {
  const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // JavaScript accepts the thirty-first of every month as a day.
  return Number.isNaN(atMs) || dayText(atMs / DAY_MS) !== text ? null : atMs / DAY_MS
}

/** One booked line of a provider. */
export type Line = {
  readonly reference: string
  readonly kind: 'sent' | 'returned'
  /** Major units, as the provider wrote it. */
  readonly amountDecimal: string
  readonly currency: string
  /** A credit that nothing says is a return. Payers choose their references: it may as well be a deposit. */
  readonly isUnmarked?: true
}

/** What a line is named that takes back a credit under a reference: no order of ours. */
export const takingBack = (reference: string): string => `reversal of ${reference}`

type Counted = Omit<Line, 'kind'> & { readonly kind: Line['kind'] | 'accepted' }

/**
 * Whether the money of a line that is `returned` is back, by all lines under its reference and those that take back its credits. A bank
 * that reverses a debit and books it anew, or a return that it takes back, leaves the money with the payee. `debitsBefore`: what went
 * before the lines begin.
 */
export function isBack(line: Counted, lines: readonly Counted[], debitsBefore = 0): boolean {
  const amountMinor = minorOf(line)
  const alike = lines.filter((each) => each.currency === line.currency && minorOf(each) === amountMinor)
  const count = (kind: Line['kind'], reference: string) =>
    alike.filter((each) => each.kind === kind && each.reference === reference).length
  const bookedAgain = Math.max(0, debitsBefore + count('sent', line.reference) - 1)
  const back = alike.filter((each) => each.kind === 'returned' && each.reference === line.reference)
  const marked = back.filter(({ isUnmarked }) => !isUnmarked).length
  // An unmarked one beside another is a deposit.
  const returned = marked > 0 ? marked : Math.min(back.length, 1)
  return returned > bookedAgain + count('sent', takingBack(line.reference))
}

/**
 * How often an order went before the stated days begin, by our books and these lines of it: its first debit may be the one that they know,
 * late as it may be where all of its days are stated. A line of no day may be of any.
 */
export function debitsBefore(stand: Stand, lines: readonly (Counted & { readonly day?: Day })[], first: Day): number {
  const { outcome, deliveredAtMs } = stand
  if (outcome !== 'delivered' || deliveredAtMs === null || dayAt(deliveredAtMs) - DAYS_APART_MAX >= first) return 0
  return lines.some(({ kind, day }) => kind === 'sent' && (day === undefined || isNear(day, stand))) ? 0 : 1
}

/** Whether a line is of the attempt: an unmarked credit is only where the channel has had it, to the centavo. */
export function isOfAttempt(line: Counted, stand: Stand | undefined, channelId: string): boolean {
  if (!line.isUnmarked) return true
  if (stand?.channelId !== channelId || stand.outcome === 'failed') return false
  return line.currency === stand.currency && minorOf(line) === stand.amountMinor
}

export type StatedDay = { readonly day: Day; readonly lines: readonly Line[] }

/** What our books say of one attempt. */
export type Stand = {
  readonly reference: string
  readonly number: number
  readonly lane: number
  readonly accountId: string
  readonly contractId: string
  readonly channelId: string | null
  readonly currency: string
  /** What the provider was ordered to move. */
  readonly amountMinor: bigint
  /** `open`: how it ended is not known yet. `failed`: it ended without the money leaving. */
  readonly outcome: 'open' | 'delivered' | 'returned' | 'failed'
  /** The same for display, in the contract's terms. */
  readonly words: string
  readonly sentAtMs: number | null
  readonly deliveredAtMs: number | null
  readonly returnedAtMs: number | null
}

/** What the books say of a contract's n-th attempt; null where there was none. */
export function standOf(contract: Transfer, number: number): Stand | null {
  const { id: contractId, lane, accountId, execution, terms, paidAt, activities } = contract
  const channelId = channelOfAttempt(contract, number)
  if (paidAt === null || channelId === null) return null
  const isNewest = number === execution.number
  const isDelivered = isNewest && contract.completedAt !== null
  const returned = isDelivered ? activities.findLast((line) => line.type === 'returned') : undefined
  const isOpen = isNewest && contract.status === 'paid' && execution.status !== 'failed'
  return {
    reference: attemptReference(contractId, number),
    number,
    lane,
    accountId,
    contractId,
    channelId,
    currency: terms.currency,
    amountMinor: contract.debitMinor - contract.feeMinor,
    outcome: returned ? 'returned' : isDelivered ? 'delivered' : isOpen ? 'open' : 'failed',
    words: isNewest ? `the contract is ${contract.status}, its transfer ${execution.status}` : 'the attempt had failed',
    sentAtMs: isNewest ? (execution.submittedAt ?? paidAt) : paidAt,
    deliveredAtMs: isDelivered ? contract.completedAt : null,
    returnedAtMs: returned?.at ?? null,
  }
}

/** Something that does not fit. */
export type Discrepancy = {
  readonly kind: 'missing' | 'extra' | 'differs'
  readonly line: Line['kind']
  readonly reference: string
  readonly contractId: string | null
  readonly amountDecimal: string | null
  readonly currency: string | null
  readonly why: string
}

/** A line that shows how an attempt ended whose outcome we do not know: commands for the engine, in this order. */
export type StatedOutcome = { readonly stand: Stand; readonly outcomes: readonly ('delivered' | 'returned')[] }

export type Comparison = {
  readonly matched: number
  /** What we have as done today and the provider has not booked yet: its day is not over. */
  readonly awaited: number
  readonly statedOutcomes: readonly StatedOutcome[]
  readonly discrepancies: readonly Discrepancy[]
}

export type Compared = {
  /** The day whose lines are judged. */
  readonly day: Day
  readonly channelId: string
  /** The provider's statements of that day and those around it, in the order of days. */
  readonly stated: readonly StatedDay[]
  /** Our attempts behind the lines of the day, by reference. A reference that is absent is not ours. */
  readonly known: ReadonlyMap<string, Stand>
  /** Our attempts through the channel that were delivered or came back on the day. */
  readonly ours: readonly Stand[]
  /** Whether the provider may still book something on that day. */
  readonly dayIs: 'over' | 'running'
}

/** Compares the lines of one day with the books. */
export function compareStatement(compared: Compared): Comparison {
  const { day, channelId, known } = compared
  const stated = withoutDeposits(compared.stated, known, channelId)
  const before = new Set(stated.filter((each) => each.day < day).flatMap((each) => each.lines.map(keyOf)))
  const lines = stated.filter((each) => each.day === day).flatMap((each) => each.lines)
  // What came back went before, in whatever order the statement has it.
  const back = lines.filter((line) => line.kind === 'returned')
  const inOrder = [
    ...lines.filter((line) => line.kind === 'sent'),
    ...back.filter(({ isUnmarked }) => !isUnmarked),
    ...back.filter(({ isUnmarked }) => isUnmarked),
  ]
  const seen = new Set(before)
  const isStillBack = backOn(stated)
  const statedOutcomes = new Map<string, StatedOutcome>()
  const discrepancies: Discrepancy[] = []
  let matched = 0
  for (const line of inOrder) {
    const judged = judge(compared, line, { seen, isStillBack, earlier: statedOutcomes.get(line.reference) })
    // What would not fit as a return is a deposit: whoever can choose a reference could stop the channel by it.
    if (line.isUnmarked && judged !== 'fits' && 'kind' in judged) continue
    seen.add(keyOf(line))
    if (judged === 'fits') matched += 1
    else if ('kind' in judged) discrepancies.push(judged)
    else statedOutcomes.set(line.reference, judged)
  }
  const absent = missing(compared)
  const isOver = compared.dayIs === 'over'
  return {
    matched,
    awaited: isOver ? 0 : absent.length,
    statedOutcomes: [...statedOutcomes.values()],
    discrepancies: isOver ? [...discrepancies, ...absent] : discrepancies,
  }
}

const keyOf = ({ kind, reference }: Pick<Line, 'kind' | 'reference'>) => `${kind} ${reference}`

const withoutDeposits = (stated: readonly StatedDay[], stands: ReadonlyMap<string, Stand>, channelId: string) =>
  stated.map(({ day, lines }): StatedDay => {
    return { day, lines: lines.filter((line) => isOfAttempt(line, stands.get(line.reference), channelId)) }
  })

/** Whether what came back by a line has not gone again, by all days that are stated. */
function backOn(stated: readonly StatedDay[]): (line: Line, stand: Stand) => boolean {
  const first = Math.min(...stated.map(({ day }) => day))
  const lines = stated.flatMap(({ day, lines: of }) => of.map((line) => ({ ...line, day })))
  const byReference = groupedBy(lines, ({ reference }) => reference)
  return (line, stand) => {
    const own = byReference.get(line.reference) ?? []
    const takenBack = byReference.get(takingBack(line.reference)) ?? []
    return isBack(line, [...own, ...takenBack], debitsBefore(stand, own, first))
  }
}

type Around = {
  /** The lines so far, by kind and reference. */
  readonly seen: ReadonlySet<string>
  readonly isStillBack: (line: Line, stand: Stand) => boolean
  /** What another line of the day has told of the same attempt. */
  readonly earlier: StatedOutcome | undefined
}

function judge(
  { day, channelId, known }: Compared,
  line: Line,
  { seen, isStillBack, earlier }: Around,
): 'fits' | Discrepancy | StatedOutcome {
  const stand = known.get(line.reference)
  if (!stand) return discrepancy('extra', line, null, 'no attempt of ours has this reference')
  if (stand.channelId !== channelId)
    return discrepancy('extra', line, stand, `our attempt went through the channel ${stand.channelId}`)
  if (seen.has(keyOf(line))) return discrepancy('extra', line, stand, 'the reference has a line of this kind already')
  if (line.currency !== stand.currency || minorOf(line) !== stand.amountMinor)
    return discrepancy(
      'differs',
      line,
      stand,
      `our attempt is over ${stand.amountMinor} minor units of ${stand.currency}`,
    )
  const isOut = stand.outcome === 'open' || stand.outcome === 'delivered'
  if (isOut && line.kind === 'returned' && !isStillBack(line, stand))
    return discrepancy('differs', line, stand, 'it was booked again, or the return taken back: the payee has the money')
  switch (stand.outcome) {
    case 'failed':
      return discrepancy('extra', line, stand, `by our books no money left: ${stand.words}`)
    case 'open':
      return earlier && line.kind === 'returned'
        ? { stand, outcomes: [...earlier.outcomes, 'returned'] }
        : { stand, outcomes: line.kind === 'sent' ? ['delivered'] : ['delivered', 'returned'] }
    case 'delivered':
      if (line.kind === 'returned') return { stand, outcomes: ['returned'] }
      return isNear(day, stand) ? 'fits' : discrepancy('extra', line, stand, otherDay(stand.deliveredAtMs))
    case 'returned':
      return isNear(day, stand) ? 'fits' : discrepancy('extra', line, stand, otherDay(stand.returnedAtMs))
  }
}

/** Sent, delivered and returned happen in this order, and the provider books them somewhere between, give or take a day. */
function isNear(day: Day, { sentAtMs, deliveredAtMs, returnedAtMs }: Stand): boolean {
  const times = [sentAtMs, deliveredAtMs, returnedAtMs].filter((atMs) => atMs !== null)
  return day >= dayAt(Math.min(...times)) - DAYS_APART_MAX && day <= dayAt(Math.max(...times)) + DAYS_APART_MAX
}

const otherDay = (atMs: number | null) =>
  `by our books it was on ${atMs === null ? 'another day' : dayText(dayAt(atMs))}`

function discrepancy(kind: Discrepancy['kind'], line: Line, stand: Stand | null, why: string): Discrepancy {
  const { kind: of, reference, amountDecimal, currency } = line
  return { kind, line: of, reference, contractId: stand?.contractId ?? null, amountDecimal, currency, why }
}

/** What we have as done on the day, and no statement around it shows. */
function missing({ day, channelId, ours, stated }: Compared): Discrepancy[] {
  const stands = new Map(ours.map((stand) => [stand.reference, stand]))
  const booked = new Set(withoutDeposits(stated, stands, channelId).flatMap((each) => each.lines.map(keyOf)))
  return ours.flatMap((stand) => {
    const { reference, contractId, currency } = stand
    const done: Line['kind'][] = []
    if (stand.deliveredAtMs !== null && dayAt(stand.deliveredAtMs) === day) done.push('sent')
    if (stand.returnedAtMs !== null && dayAt(stand.returnedAtMs) === day) done.push('returned')
    return done
      .filter((kind) => !booked.has(keyOf({ kind, reference })))
      .map((kind): Discrepancy => {
        const why = kind === 'sent' ? 'we have it as delivered' : 'we have it as returned'
        return { kind: 'missing', line: kind, reference, contractId, amountDecimal: null, currency, why }
      })
  })
}

/** Which statements are needed to judge a day: from when the day's deliveries were sent, to the day after. */
export function daysToState(day: Day, ours: readonly Stand[], today: Day): Day[] {
  const sent = ours.map((stand) => dayAt(stand.sentAtMs ?? startOfDayMs(day)))
  const first = Math.max(Math.min(day, ...sent) - DAYS_APART_MAX, day - DAYS_BACK_MAX)
  const last = Math.min(day + DAYS_APART_MAX, today)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** How many days back a statement is fetched for an outcome that was in doubt. */
const DAYS_BACK_MAX = 31

/** A provider's amount in minor units; null for what is no exact amount of the currency. */
export function minorOf({ amountDecimal, currency }: Pick<Line, 'amountDecimal' | 'currency'>): bigint | null {
  const digits = minorDigits(currency)
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amountDecimal) ?? []
  if (digits === undefined || whole === undefined || /[^0]/.test(fraction.slice(digits))) return null
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}
