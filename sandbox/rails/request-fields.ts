// What the rails that speak JSON read of a request alike. What is not as it must be is a Malformed.
import type { ReturnTo } from '../collections/collections.ts'
import { type HttpRequest, textOf } from '../replies.ts'
import { parseExact } from '../text/exact-json.ts'
import { type Fields, fieldsIn, matching, objectIn, objectOf, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'

const URL_CHARACTERS_MAX = 2_048
const TEXT_CHARACTERS_MAX = 255

export function bodyOf(request: HttpRequest): Fields {
  return needObject(objectIn(textOf(request.body)))
}

/** With the digits of its numbers. */
export function exactBodyOf(request: HttpRequest): Fields {
  const text = textOf(request.body)
  return needObject(text === null ? null : objectOf(parseExact(text)))
}

function needObject(fields: Fields | null): Fields {
  if (!fields) throw new Malformed('The body is no JSON object.')
  return fields
}

/** No longer than the statements of the bank can carry. */
export function referenceIn(fields: Fields, name: string): string {
  return matching(fields, name, /^[\x21-\x7e]{1,35}$/, 'is 1 to 35 printable characters')
}

export function needKey(request: HttpRequest, reference: string, name: string): void {
  if (request.headers['idempotency-key'] !== reference) throw new Malformed(`The Idempotency-Key is the ${name}.`)
}

/** A Philippine mobile number in international form, or an account that chooses a scenario. */
export function mobileIn(fields: Fields, name: string, label: string): string {
  const pattern = /^(\+639\d{9}|sandbox-[a-z-]{1,40})$/
  return matching(fields, name, pattern, 'is a number such as +639171234567', label)
}

export function currencyIn(fields: Fields, name: string, label = name): string {
  return matching(fields, name, /^[A-Z]{3}$/, 'is a three-letter code', label)
}

export function shortText(fields: Fields, name: string): string | null {
  const text = textIn(fields, name)
  if (text !== null && text.length > TEXT_CHARACTERS_MAX)
    throw new Malformed(`${name} has at most ${TEXT_CHARACTERS_MAX} characters.`)
  return text
}

/** A time of ISO 8601, in milliseconds; null when there is none. */
export function timeIn(fields: Fields, name: string): number | null {
  const text = textIn(fields, name)
  const atMs = text === null ? null : Date.parse(text)
  if (Number.isNaN(atMs)) throw new Malformed(`${name} is a time of ISO 8601.`)
  return atMs
}

/** Where the payer goes afterwards. */
export function returnToIn(fields: Fields, name: string): ReturnTo {
  const urls = fieldsIn(fields, name) ?? {}
  return { success: urlIn(urls, 'success'), failure: urlIn(urls, 'failure'), cancel: urlIn(urls, 'cancel') }
}

function urlIn(fields: Fields, name: string): string {
  const url = textIn(fields, name) ?? ''
  if (!isHttpUrl(url) || url.length > URL_CHARACTERS_MAX) throw new Malformed(`${name} is a URL of http or https.`)
  return url
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** What is read, or what is wrong with it. */
export function readOr<T>(read: () => T): T | string {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof Malformed) return fault.message
    throw fault
  }
}
