// Statements as a bank would send them, for tests: entries are given, and the balances are those that they make up.
import { readStatement } from '../../src/connectors/statements.ts'
import type { TakenOrder } from '../../src/connectors/connector.ts'
import { type Entry, writeCamt053 } from '../../src/formats/iso20022/camt053.ts'

const OPENING_MINOR = 100_000_00n

export const bankEntry = (
  direction: Entry['direction'],
  endToEndId: string | null,
  changes: Partial<Entry> = {},
): Entry => ({
  reference: null,
  amountDecimal: '100.00',
  currency: 'PHP',
  direction,
  status: 'BOOK',
  bookedOn: '2026-03-31',
  isReversal: false,
  isReturn: false,
  transfers: [{ endToEndId, amount: null, returned: null, isReturn: false }],
  ...changes,
})

/** The statement of the day as text. */
export function bankStatement(day: string, entries: readonly Entry[]): string {
  const balance = (minor: bigint) => {
    const digits = minor.toString()
    const amountDecimal = `${digits.slice(0, -2)}.${digits.slice(-2)}`
    return { amountDecimal, currency: 'PHP', direction: 'credit', day } as const
  }
  const moved = entries
    .filter(({ status }) => status === 'BOOK')
    .reduce((sum, { amountDecimal, direction }) => {
      const minor = BigInt(amountDecimal.replace('.', ''))
      return direction === 'credit' ? sum + minor : sum - minor
    }, 0n)
  return writeCamt053({
    messageId: 'T1',
    createdAt: `${day}T00:00:00Z`,
    statementId: 'S1',
    account: '990000000001',
    opening: balance(OPENING_MINOR),
    closing: balance(OPENING_MINOR + moved),
    entries,
  })
}

/** The lines that the connectors of the rails read from such a text. */
export function linesIn(text: string, day: string): Promise<readonly TakenOrder[] | null> {
  const headers = { 'content-type': 'application/xml' }
  const reply = { kind: 'response', status: 200, headers, body: Buffer.from(text), truncated: false } as const
  return readStatement('instapay', () => Promise.resolve(reply), day)
}
