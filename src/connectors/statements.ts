// The statement of one day of a rail (camt.053), as far as it can be trusted: whole, of that day, and its lines making
// up the difference of its balances. It must not know which rail it reads.
import {
  type Balance,
  type Entry,
  type EntryTransfer,
  readCamt053,
  type Statement,
} from '../formats/iso20022/camt053.ts'
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
  const lines: TakenOrder[] = []
  for (const entry of [...booked, ...pending]) {
    const parts = linesOfEntry(entry)
    if (parts === null) return null
    lines.push(...(entry.status === 'PDNG' ? parts.map((part) => ({ ...part, kind: 'accepted' as const })) : parts))
  }
  return lines
}

/** An entry may stand for a whole batch; null where its transfers do not make it up. */
function linesOfEntry(entry: Entry): TakenOrder[] | null {
  const { transfers, amountDecimal, currency } = entry
  const whole: EntryTransfer = { endToEndId: entry.reference, amount: null, returned: null }
  const parts = transfers.length > 0 ? transfers : [whole]
  const amounts = parts.map(({ amount }) => amount ?? (parts.length === 1 ? { amountDecimal, currency } : null))
  let sumMinor = 0n
  for (const amount of amounts) {
    if (amount === null || amount.currency !== currency) return null
    sumMinor += minorOf(amount.amountDecimal)
  }
  if (sumMinor !== minorOf(amountDecimal)) return null
  return parts.flatMap(({ endToEndId, returned }, place) => {
    // Money that came in and is no return is a deposit, and none of our orders.
    if (entry.direction === 'credit' && returned === null) return []
    const kind = entry.direction === 'debit' ? 'sent' : 'returned'
    const reference = endToEndId ?? entry.reference ?? NO_REFERENCE
    return [{ reference, kind, amountDecimal: amounts[place]?.amountDecimal ?? amountDecimal, currency }]
  })
}

function signedMinor({ amountDecimal, direction }: Pick<Balance, 'amountDecimal' | 'direction'>): bigint {
  return direction === 'credit' ? minorOf(amountDecimal) : -minorOf(amountDecimal)
}

/** An amount that was read has all decimals of its currency. */
function minorOf(amountDecimal: string): bigint {
  return BigInt(amountDecimal.replace('.', ''))
}
