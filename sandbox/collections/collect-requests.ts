// What the rails ask of a request for a collection or a refund alike, and how it comes into the books. It must not know
// how a rail writes its answers.
import type { CollectBooks } from './collect-books.ts'
import { collectScenarioOf } from './collect-scenarios.ts'
import { type Asked, type Collection, type CollectRail, type Failure, type ReturnTo } from './collections.ts'
import { knownMinor } from '../text/amounts.ts'
import { FieldFault, type Fields, fieldsIn, textIn } from '../text/fields.ts'
import { digestOf } from '../books/orders.ts'
import { isSameRefund, type Refund, type RefundAsked } from './refunds.ts'
import type { Ask } from '../replies.ts'
import type { Wire } from '../scenarios.ts'

const URL_CHARACTERS_MAX = 2_048
const TEXT_CHARACTERS_MAX = 255

/** What a caller said besides the money. */
export type Said = Pick<
  Asked,
  'reference' | 'amount' | 'currency' | 'description' | 'returnTo' | 'expiresAtMs' | 'card' | 'token'
> & { readonly metadata: Fields | null }

/** The collection that is asked for, and the digest of all that must be the same when it is asked for again. */
export function askedOf(rail: CollectRail, { metadata, ...said }: Said): Asked {
  const accountId = metadata && shortText(metadata, 'account_id')
  const contractId = metadata && shortText(metadata, 'contract_id')
  const { amount, currency, description, returnTo, expiresAtMs, token } = said
  const content = { amount, currency, description, token, accountId, contractId, expires: String(expiresAtMs) }
  return {
    ...said,
    rail,
    accountId,
    contractId,
    payer: null,
    offered: null,
    digest: digestOf({ ...content, ...returnTo }),
  }
}

export type Opened =
  | { readonly kind: 'done' | 'mismatch'; readonly collection: Collection; readonly wire: Wire }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** What a new collection begins with, where something happens to it at once; or why there will be none. */
export type Start = { readonly act: 'pay' | null; readonly refusal: Failure | null }

/** A reference stands for one collection; its second request finds the first. `start` is asked of a new one only. */
export function openCollection(books: CollectBooks, asked: Asked, start: () => Start | Failure): Opened {
  const known = books.find(asked.rail, asked.reference)
  if (known) return { kind: known.digest === asked.digest ? 'done' : 'mismatch', collection: known, wire: 'answer' }
  const begun = start()
  if ('code' in begun) return { kind: 'refused', failure: begun }
  const { wire } = collectScenarioOf(knownMinor(asked))
  return { kind: 'done', collection: books.open(asked, begun.act, begun.refusal), wire }
}

export const WAIT_FOR_PAYER: Start = { act: null, refusal: null }

export type Refunded = { readonly kind: 'done' | 'mismatch'; readonly refund: Refund; readonly wire: Wire }

export function takeRefund(books: CollectBooks, asked: RefundAsked): Refunded {
  const known = books.findRefund(asked.rail, asked.reference)
  if (known) return { kind: isSameRefund(known, asked) ? 'done' : 'mismatch', refund: known, wire: 'answer' }
  return { kind: 'done', refund: books.refund(asked), wire: collectScenarioOf(knownMinor(asked)).wire }
}

/** Where the payer goes afterwards. */
export function returnToIn(fields: Fields, name: string): ReturnTo {
  const urls = fieldsIn(fields, name) ?? {}
  return { success: urlIn(urls, 'success'), failure: urlIn(urls, 'failure'), cancel: urlIn(urls, 'cancel') }
}

function urlIn(fields: Fields, name: string): string {
  const url = textIn(fields, name) ?? ''
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || url.length > URL_CHARACTERS_MAX)
    throw new FieldFault(name, 'is a URL of http or https')
  return url
}

/** A time of ISO 8601, in milliseconds; null when there is none. */
export function timeIn(fields: Fields, name: string): number | null {
  const text = textIn(fields, name)
  if (text === null) return null
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) throw new FieldFault(name, 'is a time of ISO 8601')
  return atMs
}

export function shortText(fields: Fields, name: string): string | null {
  const text = textIn(fields, name)
  if (text !== null && text.length > TEXT_CHARACTERS_MAX)
    throw new FieldFault(name, `has at most ${TEXT_CHARACTERS_MAX} characters`)
  return text
}

export function currencyIn(fields: Fields, name: string): string {
  const currency = textIn(fields, name) ?? ''
  if (!/^[A-Z]{3}$/.test(currency)) throw new FieldFault(name, 'is a three-letter code')
  return currency
}

/** Where the payer's own browser finds the provider: by the address that its caller used. */
export function payerPage(ask: Ask, rail: CollectRail, id: string): string {
  return `http://${ask.headers.host ?? '127.0.0.1'}/payer/${rail}/${id}`
}

/** What a rail reads of a body, or what is wrong with it. */
export function readOr<T>(read: () => T): T | string {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof FieldFault) return fault.message
    throw fault
  }
}
