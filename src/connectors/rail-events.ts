// The reports of all outside rails: what happened to orders after they were answered, as a list and by callback. It
// must not know which rail it reads; which refusals are definite is for the rail's own connector.
import type { Outcome } from '../domain/channel/outcome.ts'
import { amountText } from '../formats/iso20022/amounts.ts'
import type { RailEvent, CallbackReport } from './connector.ts'
import { type Fields, fieldsOf, jsonFields, type RailReader, textOf, unknown } from './rail.ts'

export type RailEventPage = { readonly items: readonly RailEvent[]; readonly position: number }

/**
 * The events of a rail after `position`. A list that cannot be read to its end, or whose numbers do not rise, is none:
 * it is requested again, so nothing in it is skipped.
 */
export async function readRailEvents(
  rail: string,
  read: RailReader,
  position: number,
  definiteRefusals: ReadonlySet<string>,
): Promise<RailEventPage> {
  const nothing: RailEventPage = { items: [], position }
  const reply = await read(`/${rail}/events?after=${position}`)
  const events = reply.kind === 'response' && reply.status === 200 ? jsonFields(reply)?.['events'] : null
  if (!Array.isArray(events)) return nothing
  const items: RailEvent[] = []
  let last = position
  for (const event of events.map(fieldsOf)) {
    const number = event?.['number']
    if (!event || typeof number !== 'number' || !Number.isSafeInteger(number) || number <= last) return nothing
    last = number
    const reference = textOf(event['reference'])
    if (reference !== null) items.push({ reference, outcome: outcomeOf(event, definiteRefusals) })
  }
  return { items, position: last }
}

/** The report in a callback's object; null where it is about another rail, or about no money. */
export function callbackReportOf(
  rail: string,
  object: Fields,
  definiteRefusals: ReadonlySet<string>,
): CallbackReport | null {
  const [reference, amount, currency] = [object['reference'], object['amount'], object['currency']].map(textOf)
  if (object['rail'] !== rail || !reference || !amount || !currency) return null
  const amountDecimal = amountText(amount, currency)
  if (amountDecimal === null) return null
  return { reference, outcome: outcomeOf(object, definiteRefusals), amountDecimal, currency }
}

function outcomeOf(event: Fields, definiteRefusals: ReadonlySet<string>): Outcome {
  const code = textOf(event['code']) ?? ''
  const message = textOf(event['message']) ?? ''
  switch (event['status']) {
    case 'completed':
      return { kind: 'delivered', providerId: textOf(event['id']) }
    case 'accepted':
      return { kind: 'accepted', providerId: textOf(event['id']) }
    case 'refused':
      return definiteRefusals.has(code) ? { kind: 'failed', code, message } : unknown('a refusal without a known code')
    case 'returned':
      return { kind: 'returned', code, message }
    default:
      return unknown('a status without a known meaning')
  }
}
