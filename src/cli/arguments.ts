// How the words on the command line are read: durations, amounts, ids, scopes. A word that cannot be read is a wrong use,
// told with what would be right.
import { Command, InvalidArgumentError } from 'commander'
import { isUuid } from '../domain/contract/ids.ts'
import { isCurrency } from '../domain/money/currencies.ts'
import { seenText } from '../domain/text/texts.ts'
import { isScope, SCOPES, type Scope } from '../domain/account/scopes.ts'

/** The command was understood and cannot be done; the message says why and what to do. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  /** What `--json` shows instead of the message alone. */
  readonly details: unknown
  constructor(message: string, details: unknown = null) {
    super(message)
    this.details = details
  }
}

/** A command that everything here is made of: it takes --json, and its help ends with examples. */
export function commandWithJson(name: string, description: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

/** A word that only holds other commands. */
export function groupOf(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description)
  for (const command of commands) group.addCommand(command)
  return group
}

export type WithJson = { readonly json?: true }

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** "90s", "15m", "24h" or "30d", in seconds. */
export function durationSeconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN)
  if (Number.isNaN(seconds)) throw new InvalidArgumentError('Give a duration such as 90s, 15m, 24h or 30d.')
  return seconds
}

/** A decimal in major units, as the API takes it: a JSON number. Text that a number would not keep is refused. */
export function decimalNumber(text: string): number {
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(text) || text.replace('.', '').length > 15)
    throw new InvalidArgumentError('Give a plain decimal in major units, such as 1500 or 19.99.')
  return Number(text)
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

/** A name as it is kept: without blanks at its ends, and not of blanks alone. */
export function shownName(text: string): string {
  const seen = seenText(text)
  if (seen === null) throw new InvalidArgumentError('Give a name that is not blank.')
  return seen
}

export function uuid(text: string): string {
  const lower = text.toLowerCase()
  if (!isUuid(lower)) throw new InvalidArgumentError('Give an id such as 0198c0de-0000-7a2b-8000-0123456789ab.')
  return lower
}

/** The id of an API key: the third part of its text, `gck_test_<id>_…`. */
export function keyId(text: string): string {
  const id = /^gck_(?:live|test)_([^_]+)_/.exec(text)?.[1] ?? text
  if (!/^[0-9a-f]{2}[0-9A-Za-z]{8}$/.test(id))
    throw new InvalidArgumentError('Give the id of a key as "keys list" shows it.')
  return id
}

export function currency(text: string): string {
  const upper = text.toUpperCase()
  if (!isCurrency(upper)) throw new InvalidArgumentError('Give an ISO 4217 code such as PHP.')
  return upper
}

export function currencies(text: string): string[] {
  return [...new Set(text.split(',').map(currency))]
}

export function scopes(text: string): Scope[] {
  const wanted = [...new Set(text.split(','))]
  const known = wanted.filter(isScope)
  if (known.length < wanted.length) throw new InvalidArgumentError(`Choose from ${SCOPES.join(',')}.`)
  return known
}

/** Pairs of one's own, one option each: name=value. */
export function metadataPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('Give a name and a value, such as order=17.')
  return { ...pairs, [text.slice(0, end)]: text.slice(end + 1) }
}

/** A JSON object, in the argument itself. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Told below, together with JSON that is no object.
  }
  throw new InvalidArgumentError('Give a JSON object, such as \'{"amount":100,"currency":"PHP"}\'.')
}
