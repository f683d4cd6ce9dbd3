// How arguments on the command line are read: durations, amounts, ids, scopes. An argument that cannot be read is a wrong
// use, and the message says what would be right.
import { InvalidArgumentError } from 'commander'
import type { TransferCap } from '../domain/account/caps.ts'
import { isScope, SCOPES } from '../domain/account/scopes.ts'
import { isUuid } from '../domain/contract/ids.ts'
import { isCurrency } from '../domain/money/currencies.ts'
import { parseAmount } from '../domain/money/money.ts'
import { seenText } from '../domain/text/texts.ts'

/** A reader of one word: what `read` makes of it; where that is nothing, a wrong use with what would be right. */
export function wordOf<T>(right: string, read: (text: string) => T | null | undefined): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value === null || value === undefined) throw new InvalidArgumentError(right)
    return value
  }
}

/** An option that may be given again: all its values. */
export const repeated =
  <T>(read: (text: string) => T) =>
  (text: string, before: readonly T[] = []): readonly T[] => [...before, read(text)]

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** "90s", "15m", "24h" or "30d", in seconds; null for other words. */
export function secondsIn(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? 0)
}

export const durationSeconds = wordOf('Give a duration such as 90s, 15m, 24h or 30d.', secondsIn)

/** A decimal in major units, as the API takes it: a JSON number. Text that a number would not keep is refused. */
export const decimalNumber = wordOf(
  'Give a plain decimal in major units, such as 1500 or 19.99, at most 999,999,999,999.99.',
  (text) => (/^\d{1,12}(\.\d{1,4})?$/.test(text) && text.replace('.', '').length <= 15 ? Number(text) : null),
)

export const wholeNumberTo = (most: number, right: string) =>
  wordOf(right, (text) => (/^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : null))

export const wholeNumber = wholeNumberTo(999_999_999, 'Give a whole number.')

/** A name as it is kept: without blanks at its ends, and not of blanks alone. */
export const shownName = wordOf('Give a name that is not blank.', seenText)

const lowerUuid = (text: string) => (isUuid(text.toLowerCase()) ? text.toLowerCase() : null)

export const uuid = wordOf('Give an id such as 0198c0de-0000-7a2b-8000-0123456789ab.', lowerUuid)

/** Ids of endpoints are UUIDs; what they look like is the gateway's business, so only the obvious is caught here. */
export const endpointId = wordOf('Give the id of an endpoint, as "webhooks list" shows it.', lowerUuid)

/** The id of an API key: the third part of its text, `gck_test_<id>_…`. */
export const keyId = wordOf('Give the id of a key as "keys list" shows it.', (text) => {
  const id = /^gck_(?:live|test)_([^_]+)_/.exec(text)?.[1] ?? text
  return /^[0-9a-f]{2}[0-9A-Za-z]{8}$/.test(id) ? id : null
})

export const currency = wordOf('Give an ISO 4217 code such as PHP.', (text) => {
  const upper = text.toUpperCase()
  return isCurrency(upper) ? upper : null
})

export const currencies = (text: string): string[] => [...new Set(text.split(',').map(currency))]

export const scopes = wordOf(`Choose from ${SCOPES.join(',')}.`, (text) => {
  const wanted = [...new Set(text.split(','))]
  const known = wanted.filter(isScope)
  return known.length < wanted.length ? null : known
})

/** Words after commas, each once; none for no text. */
/** `PHP:10000,USD:200`: what may leave at a time. */
export const caps = wordOf('Give currencies with amounts, such as PHP:10000,USD:200.', (text): TransferCap[] | null => {
  const read = text.split(',').map((each) => {
    const [code = '', amount = ''] = each.trim().toUpperCase().split(':')
    const parsed = isCurrency(code) && /^\d+(\.\d+)?$/.test(amount) ? parseAmount(Number(amount), code) : null
    return parsed && 'amountMinor' in parsed ? { currency: code, maxMinor: parsed.amountMinor } : null
  })
  const known = read.flatMap((cap) => cap ?? [])
  return known.length === read.length && new Set(known.map(({ currency: code }) => code)).size === read.length
    ? known
    : null
})

export const commaWords = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]

/** Pairs of one's own, one option each: name=value. */
export function metadataPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [name, value] = wordOf('Give a name and a value, such as order=17.', nameAndValue)(text)
  return { ...pairs, [name]: value }
}

function nameAndValue(text: string): readonly [name: string, value: string] | null {
  const end = text.indexOf('=')
  return end < 1 ? null : [text.slice(0, end), text.slice(end + 1)]
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object, in the argument itself. */
export const jsonObject = wordOf('Give a JSON object, such as \'{"amount":100,"currency":"PHP"}\'.', jsonObjectIn)

/** The object that the text is; null where it is none. */
export function jsonObjectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
