// What is kept of a call to a channel that did not end in a definite success, for whoever has to find out why. Headers are never
// kept: that is where credentials and signatures are. What is secret or somebody's account in an address or a body is cut out.
import { maskCards } from '../text/cards.ts'

/** One request to a channel and what came of it, as it is kept; times in milliseconds. */
export type KeptExchange = {
  readonly method: string
  /** Without its host. */
  readonly path: string
  readonly request: string | null
  /** Null where no whole reply came. */
  readonly status: number | null
  /** Why no whole reply came. */
  readonly fault: string | null
  readonly response: string | null
  readonly durationMs: number
  readonly at: number
}

/** The exchanges of one call, with what the connector made of them. */
export type KeptCall = {
  readonly attempt: number
  /** The lease under which it was made: one more for each call. */
  readonly fence: number
  readonly outcome: string
  readonly exchanges: readonly KeptExchange[]
}

/** A call as it is read back. */
export type ShownCall = KeptCall & { readonly at: number }

/** So many calls of an attempt are kept, the newest. */
export const CALLS_KEPT = 20
/** So many exchanges of a call, the newest. */
export const EXCHANGES_KEPT = 4
/** So much of each text, in characters. */
export const TEXT_KEPT = 4000

/** Reports after which nobody asks how the call went. */
const PLAIN: ReadonlySet<string> = new Set([
  'accepted',
  'delivered',
  'open',
  'succeeded',
  'received',
  'voided',
  'still_open',
])

/** Whether a call with this outcome is worth keeping. */
export const isWorthKeeping = (outcome: string): boolean => !PLAIN.has(outcome)

// A name of at most so many characters before and after, or a hostile text would be looked at again and again.
const SECRET =
  '[^"<>=&?/]{0,32}(?:token|secret|signature|password|passphrase|authori[sz]ation|credential|api[_-]?key|otp|cvc|cvv|pin)'
/** A member of JSON, an element of XML, a parameter of a form or query; also one that the text ends in the middle of. */
const SECRET_MEMBER = new RegExp(`("${SECRET}[^"]{0,32}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|$)|[^\\s,}\\]"]+)`, 'gi')
const SECRET_ELEMENT = new RegExp(`(<${SECRET}[^<>]{0,200}>)[^<]*`, 'gi')
const SECRET_PARAMETER = new RegExp(`((?:^|[?&])${SECRET}[^=&"<>?]{0,32}=)[^&\\s"]*`, 'gi')
/** Of digits in a row that is no part of a longer word (our references are): an account, a mobile or card number. */
const NUMBER = /(?<![0-9A-Za-z_-])\+?\d(?:[ -]?\d){8,}(?![0-9A-Za-z])/g

/** What an order names, whatever it looks like: accounts are shown by their last four digits, secrets not at all. */
export type Hidden = { readonly accounts: readonly string[]; readonly secrets: readonly string[] }

/** A text without what is secret in it, and with account numbers as their last four digits. */
export function redacted(text: string, { accounts, secrets }: Hidden): string {
  const told = secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
  const named = accounts.reduce((left, account) => left.replaceAll(account, lastOf(account)), told)
  const open = maskCards(named).replace(NUMBER, lastOf)
  return open
    .replace(SECRET_MEMBER, '$1"[redacted]"')
    .replace(SECRET_ELEMENT, '$1[redacted]')
    .replace(SECRET_PARAMETER, '$1[redacted]')
}

const SHOWN = 4

function lastOf(account: string): string {
  const shown = account.replaceAll(/[ -]/g, '')
  return shown.length > 2 * SHOWN ? `••••${shown.slice(-SHOWN)}` : '••••'
}

/** What of an order's recipient names an account; too short a text would be cut out of every other word. */
export function accountsOf(recipient: Readonly<Record<string, string | null>>): string[] {
  const named = ['wallet', 'tag', 'mobile', 'email', 'address'].flatMap((field) => recipient[field] ?? [])
  return named.filter((text) => text.length > SHOWN)
}
