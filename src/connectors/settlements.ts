// What a rail says that it settled for us on one day, as far as it can be trusted: whole, of that day, each line exact. It must not
// know which rail it reads.
import { amountText } from '../formats/iso20022/amounts.ts'
import type { SettledLine } from './connector.ts'
import { type Fields, fieldsOf, jsonFields, type RailReader, textOf } from './rail.ts'

/** The lines of a day (YYYY-MM-DD) below `area`, or null where they could not be had, read or trusted. */
export async function readSettlement(
  read: RailReader,
  area: string,
  day: string,
): Promise<readonly SettledLine[] | null> {
  const reply = await read(`${area}/settlements/${encodeURIComponent(day)}`)
  const fields = reply.kind === 'response' && reply.status === 200 ? jsonFields(reply) : null
  const listed = fields?.['lines']
  if (!Array.isArray(listed) || fields?.['day'] !== day || fields['count'] !== listed.length) return null
  const lines = listed.map(fieldsOf).map(lineOf)
  return lines.every((line) => line !== null) ? lines : null
}

const KINDS: Readonly<Record<string, SettledLine['kind']>> = {
  'payment succeeded': 'received',
  'refund succeeded': 'refunded',
  'refund processing': 'refund_accepted',
}

function lineOf(line: Fields | null): SettledLine | null {
  const [reference, amount, currency] = [line?.['reference'], line?.['amount'], line?.['currency']].map(textOf)
  const kind = KINDS[`${textOf(line?.['kind'])} ${textOf(line?.['status'])}`]
  if (!kind || !reference || !amount || !currency) return null
  const amountDecimal = amountText(amount, currency)
  return amountDecimal === null ? null : { reference, kind, amountDecimal, currency }
}
