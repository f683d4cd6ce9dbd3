// The statement of one day of a rail (camt.053), as far as it can be trusted: whole, of that day, and its lines making
// up the difference of its balances. It must not know which rail it reads.
import {
  type Balance,
  type Entry,
  type EntryTransfer,
  readCamt053,
  type Statement,
} from '../formats/iso20022/camt053.ts'
import { takingBack } from '../domain/channel/reconcile.ts'
import { contractOfReference } from '../domain/contract/ids.ts'
import { groupedBy } from '../domain/grouped.ts'
import type { TakenOrder } from './connector.ts'
import { isXml, type RailReader } from './rail.ts'

/** How the standard names a transfer that came without a reference (NOTPROVIDED of its usage guidelines). */
const NO_REFERENCE = 'NOTPROVIDED'

/** The lines of a day, booked and pending, or null where the statement could not be had, read or trusted. */
export async function readStatement(
  rail: string,
  read: RailReader,
  day: string,
): Promise<readonly TakenOrder[] | null> {
  const reply = await read(`/${rail}/statements/${encodeURIComponent(day)}`)
  if (reply.kind !== 'response' || reply.status !== 200 || !isXml(reply)) return null
  const reading = readCamt053(reply.body)
  return 'message' in reading ? linesOf(reading.message, day) : null
}

function linesOf(statement: Statement, day: string): readonly TakenOrder[] | null {
  const { opening, closing } = statement
  const booked = statement.entries.filter(({ status }) => status === 'BOOK')
  const pending = statement.entries.filter(({ status, direction }) => status === 'PDNG' && direction === 'debit')
  const isOneCurrency = [closing, ...booked, ...pending].every(({ currency }) => currency === opening.currency)
  if (!isOneCurrency || closing.day !== day) return null
  const movedMinor = booked.reduce((sum, entry) => sum + signedMinor(entry), 0n)
  if (signedMinor(opening) + movedMinor !== signedMinor(closing)) return null
  const lines: ReadLine[] = []
  for (const entry of [...booked, ...pending]) {
    const parts = linesOfEntry(entry)
    if (parts === null) return null
    lines.push(...parts)
  }
  return withoutRebooked(lines)
}

type ReadLine = TakenOrder & Pick<Entry, 'isReversal'>

/** An entry may stand for a whole batch; null where its transfers do not make it up. */
function linesOfEntry(entry: Entry): ReadLine[] | null {
  const { transfers, amountDecimal, currency, isReversal } = entry
  const whole: EntryTransfer = { endToEndId: entry.reference, amount: null, returned: null, isReturn: false }
  const parts = transfers.length > 0 ? transfers : [whole]
  const amounts = parts.map(({ amount }) => amount ?? (parts.length === 1 ? { amountDecimal, currency } : null))
  let sumMinor = 0n
  for (const amount of amounts) {
    if (amount === null || amount.currency !== currency) return null
    sumMinor += minorOf(amount.amountDecimal)
  }
  if (sumMinor !== minorOf(amountDecimal)) return null
  return parts.flatMap((part, place) => {
    const named = nameOf(entry, part)
    const partDecimal = amounts[place]?.amountDecimal ?? amountDecimal
    return named === null ? [] : [{ ...named, amountDecimal: partDecimal, currency, isReversal }]
  })
}

const TAKEN_BACK = 'The bank took back what it had credited.'

/** What a transfer is to our orders; null for what is none of them. */
function nameOf(
  entry: Entry,
  part: EntryTransfer,
): Pick<TakenOrder, 'reference' | 'kind' | 'isUnmarked' | 'note'> | null {
  const reference = part.endToEndId ?? entry.reference ?? NO_REFERENCE
  const undoes = entry.isReversal || entry.isReturn || part.isReturn || part.returned !== null
  const isPending = entry.status === 'PDNG'
  if (entry.direction === 'credit') {
    if (undoes) return { reference, kind: 'returned' }
    // Not every bank marks what it gives back. But payers choose their references: whether it is an order of ours, the books know.
    return contractOfReference(reference) ? { reference, kind: 'returned', isUnmarked: true } : null
  }
  if (!undoes) return { reference, kind: isPending ? 'accepted' : 'sent' }
  // A debit that undoes something takes back a credit, such as a return: no order of ours, and for a person to look at.
  return isPending ? null : { reference: takingBack(reference), kind: 'sent', note: TAKEN_BACK }
}

/** A debit that was booked twice and reversed once is put right: the order went once, and its money is not back. */
function withoutRebooked(lines: readonly ReadLine[]): TakenOrder[] {
  const ours = lines.filter(({ reference }) => contractOfReference(reference))
  const dropped = new Set<ReadLine>()
  for (const same of groupedBy(ours, ({ reference, amountDecimal }) => `${reference} ${amountDecimal}`).values()) {
    const sent = same.filter(({ kind }) => kind === 'sent')
    const reversals = same.filter(({ kind, isReversal }) => kind === 'returned' && isReversal)
    const pairs = Math.max(0, Math.min(sent.length - 1, reversals.length))
    for (const line of [...sent.slice(0, pairs), ...reversals.slice(0, pairs)]) dropped.add(line)
  }
  return lines.filter((line) => !dropped.has(line)).map(({ isReversal: _, ...line }) => line)
}

function signedMinor({ amountDecimal, direction }: Pick<Balance, 'amountDecimal' | 'direction'>): bigint {
  return direction === 'credit' ? minorOf(amountDecimal) : -minorOf(amountDecimal)
}

/** An amount that was read has all decimals of its currency. */
function minorOf(amountDecimal: string): bigint {
  return BigInt(amountDecimal.replace('.', ''))
}
