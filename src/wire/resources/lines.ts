// Any object of an account in a line: its type, its id, where it is, and a few words on it.
import Type from 'typebox'
import { type FoundEvent, idOfEvent, isThere } from '../../domain/account/events.ts'
import { type ApiKey, keyState } from '../../domain/account/keys.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { displayText } from '../../domain/money/money.ts'
import type { Member } from '../../domain/member/member.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { livemode, type Wire } from '../shapes.ts'

const RESOURCE_TYPES = [
  'transfer',
  'payment',
  'event',
  'activity',
  'transaction',
  'delivery',
  'wallet',
  'webhook_endpoint',
  'key',
  'member',
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

const REMOVED = 'what it told has left after its time'

/** "contract.paid: Transfer of PHP 1,500.00 to Juan dela Cruz, paid". */
export function eventLine(event: FoundEvent, livemode: boolean): ResourceLine {
  const id = idOfEvent(event)
  if (!isThere(event))
    return { type: 'event', id, href: `/events/${id}`, summary: `${event.event}: ${REMOVED}`, livemode }
  const about = event.contract ? contractLine(event.contract).summary : objectWords(event.object)
  const mode = event.contract ? event.contract.livemode : event.object.livemode
  return { type: 'event', id, href: `/events/${id}`, summary: `${event.event}: ${about}`, livemode: mode }
}

/** By what an object of an account is called; else by its id. */
function objectWords(object: Readonly<Record<string, unknown>>): string {
  const called = ['name', 'label', 'email', 'id'].map((member) => object[member])
  return String(called.find((text) => typeof text === 'string' && text !== ''))
}

type NamedProfile = Pick<Profile, 'id' | 'name' | 'status' | 'livemode'> &
  Partial<Pick<Profile, 'email' | 'mobile' | 'reference'>>

/** "Juan dela Cruz (HR-17), archived". */
export function profileLine({
  id,
  name,
  email,
  mobile,
  reference,
  status,
  livemode: mode,
}: NamedProfile): ResourceLine {
  const called = name ?? email ?? mobile ?? reference ?? id
  const more = !reference || reference === called ? '' : ` (${reference})`
  const summary = `${called}${more}${status === 'archived' ? ', archived' : ''}`
  return { type: 'profile', id, href: `/profiles/${id}`, summary, livemode: mode }
}

/** A wallet: "PHP wallet payroll, PHP 1,500.00 available". */
export function walletLine({ id, label, currency, availableMinor, status }: Wallet, mode: boolean): ResourceLine {
  const called = `${currency} wallet${label === null ? '' : ` ${label}`}`
  const summary = `${called}, ${displayText(availableMinor, currency)} available${status === 'closed' ? ', closed' : ''}`
  return { type: 'wallet', id, href: `/wallets/${id}`, summary, livemode: mode }
}

/** A key: "API key payroll, revoked". */
export function keyLine(key: ApiKey, nowMs: number): ResourceLine {
  const summary = `API key ${key.name}, ${keyState(key, nowMs)}`
  return { type: 'key', id: key.id, href: `/keys/${key.id}`, summary, livemode: key.livemode }
}

/** A step of a contract, as `of` names it, where the contract is. */
export function contractPartLine(
  type: 'activity' | 'transaction',
  id: string,
  contract: Contract,
  of: string,
): ResourceLine {
  const { href, summary, livemode: mode } = contractLine(contract)
  return {
    type,
    id,
    href: type === 'activity' ? `${href}/activities` : href,
    summary: `${of}: ${summary}`,
    livemode: mode,
  }
}

/** Somebody who signs in: "Ana Cruz (ana@shop.example), approver, active". */
export function memberLine(member: NamedMember, mode: boolean): ResourceLine {
  const { id, name, email, role, status } = member
  const summary = `${name === null ? email : `${name} (${email})`}, ${role}, ${status}`
  return { type: 'member', id, href: `/members/${id}`, summary, livemode: mode }
}

type NamedMember = Pick<Member, 'id' | 'email' | 'name' | 'role' | 'status'>
