// Any object of an account in a line: its type, its id, where it is, and a few words on it.
import Type from 'typebox'
import { idOfEvent, type StoredEvent } from '../../domain/account/events.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { displayText } from '../../domain/money/money.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import { livemode, type Wire } from '../shapes.ts'

export const RESOURCE_TYPES = [
  'transfer',
  'payment',
  'event',
  'activity',
  'delivery',
  'wallet',
  'webhook_endpoint',
  'key',
  'account',
  'profile',
] as const

const line = {
  type: Type.Enum([...RESOURCE_TYPES]),
  id: Type.String(),
  href: Type.String({ description: 'The path under which the API has it.' }),
  summary: Type.String({ description: 'A line of words, for people.' }),
  livemode,
}

export const Resource = Type.Object(line, { $id: 'Resource' })

export type ResourceLine = Wire<typeof Resource>

/** "Transfer of PHP 1,500.00 to Juan dela Cruz, paid (INV-17)". */
export function contractLine(contract: Contract): ResourceLine {
  const { kind, id, status, terms } = contract
  const name = kind === 'transfer' ? terms.recipient?.name : null
  const reference = terms.deliverable?.referenceId
  const what = `${kind === 'transfer' ? 'Transfer' : 'Payment'} of ${displayText(terms.amountMinor, terms.currency)}`
  const summary = `${what}${name ? ` to ${name}` : ''}, ${status}${reference ? ` (${reference})` : ''}`
  return { type: kind, id, href: `/contracts/${kind}/${id}`, summary, livemode: contract.livemode }
}

/** "contract.paid: Transfer of PHP 1,500.00 to Juan dela Cruz, paid". */
export function eventLine(event: StoredEvent): ResourceLine {
  const id = idOfEvent(event)
  const about = event.contract ? contractLine(event.contract).summary : objectWords(event.object)
  const mode = event.contract ? event.contract.livemode : event.object.livemode
  return { type: 'event', id, href: `/events/${id}`, summary: `${event.event}: ${about}`, livemode: mode }
}

/** By what an object of an account is called; else by its id. */
function objectWords(object: Readonly<Record<string, unknown>>): string {
  const called = ['name', 'label', 'email', 'id'].map((member) => object[member])
  return String(called.find((text) => typeof text === 'string' && text !== ''))
}

/** "Juan dela Cruz (HR-17), archived". */
export function profileLine({ id, name, email, mobile, reference, status, livemode: mode }: Profile): ResourceLine {
  const called = name ?? email ?? mobile ?? reference ?? id
  const more = reference === null || reference === called ? '' : ` (${reference})`
  const summary = `${called}${more}${status === 'archived' ? ', archived' : ''}`
  return { type: 'profile', id, href: `/profiles/${id}`, summary, livemode: mode }
}
