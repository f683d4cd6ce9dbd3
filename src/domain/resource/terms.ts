// What is found by which words. An object has facts; each fact has terms, which are normalised texts; a query is normalised in
// the same way, so that it is found however it was spelt. Pure: the index only holds terms, and what it finds is checked here.
import type { Contract } from '../contract/contract.ts'
import { isCurrency } from '../money/currencies.ts'
import { majorText } from '../money/money.ts'
import { mobileNumber } from '../text/mobile.ts'
import { withoutTrailing } from '../text/texts.ts'
import { inUse, type Profile } from '../profile/profile.ts'
import type { Metadata } from '../text/metadata.ts'

/** Of a longer text the first so many characters count. */
const TERM_LENGTH_MAX = 100
const WORDS_MAX = 8
/** Ends of account numbers that are terms: of a million numbers a hundred end with the same four digits, and none with the same eight. */
const END_LENGTHS = [4, 6, 8] as const

/**
 * Something that an object is found by. `whole`: as one text; `name`: each of its words, too; `account`: the end of the number,
 * too, from four characters on.
 */
export type Fact = { readonly field: string; readonly text: string; readonly by: 'whole' | 'name' | 'account' }

/** What a contract is found by, beside its id. */
export function contractFacts(contract: Contract): Fact[] {
  const { amountMinor, currency, deliverable, recipient, metadata } = contract.terms
  const amount = majorText(amountMinor, currency)
  const payer = contract.kind === 'payment' ? contract.paidBy?.payer?.recipient : null
  return [
    ...factOf('reference_id', deliverable?.referenceId),
    { field: 'amount', text: amount, by: 'whole' },
    { field: 'amount', text: `${currency} ${amount}`, by: 'whole' },
    ...placeFacts('recipient', recipient),
    ...placeFacts('payer', payer),
    ...metadataFacts(metadata),
  ]
}

/** What a profile is found by, beside its id. */
export function profileFacts(profile: Profile): Fact[] {
  return [
    ...factOf('name', profile.name, 'name'),
    ...factOf('reference', profile.reference),
    ...factOf('mobile', profile.mobile),
    ...factOf('email', profile.email),
    ...inUse(profile).flatMap(({ label, recipient }) => [
      ...factOf('destinations.label', label, 'name'),
      ...placeFacts('destinations.recipient', recipient),
    ]),
    ...metadataFacts(profile.metadata),
  ]
}

type Place = { readonly [member in 'name' | 'mobile' | 'email' | 'wallet']?: string | null | undefined }

/** Of somebody who is paid or pays. */
function placeFacts(field: string, place: Place | null | undefined): Fact[] {
  return [
    ...factOf(`${field}.name`, place?.name, 'name'),
    ...factOf(`${field}.mobile`, place?.mobile),
    ...factOf(`${field}.email`, place?.email),
    ...factOf(`${field}.wallet`, place?.wallet, 'account'),
  ]
}

function factOf(field: string, text: string | null | undefined, by: Fact['by'] = 'whole'): Fact[] {
  return text === null || text === undefined || text === '' ? [] : [{ field, text, by }]
}

function metadataFacts(metadata: Metadata | undefined): Fact[] {
  return Object.entries(metadata ?? {}).map(([name, value]) => ({
    field: `metadata.${name}`,
    text: `${name}:${value}`,
    by: 'whole',
  }))
}

/** Every term of the facts, once. */
export function termsOf(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap(termsOfFact))].filter((term) => term !== '')
}

function termsOfFact({ text, by }: Fact): string[] {
  const whole = normalised(text)
  if (by === 'name') return [whole, ...wordsOf(whole)]
  if (by === 'account') return [whole, ...endsOf(compact(text))]
  return [whole]
}

/** What to look up for a query, in the index: each by one term, and by others that must be there, too. */
export type LookUp = { readonly term: string; readonly also: readonly string[] }

/** A query as it is understood. */
export type Asked = {
  readonly phrase: string
  readonly words: readonly string[]
  /** Letters and digits alone, where it may be an account number or the end of one. */
  readonly account: string | null
  /** The first digits of an id, eight at least; null where it is none. */
  readonly idDigits: string | null
  readonly lookUps: readonly LookUp[]
  /** Where nothing answers as a whole: all of several words. */
  readonly wordLookUp: LookUp | null
}

/** Reads a query. Null where it says too little to look for. */
export function askedOf(query: string): Asked | null {
  const phrase = normalised(query)
  if (phrase.length < 2) return null
  const account = /^[a-z0-9]{4,64}$/.test(compact(query)) ? compact(query) : null
  const found = wordsOf(phrase)
  const words = found.length > 1 && !MONEY.test(phrase) ? found : []
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length)
  return {
    phrase,
    words,
    account,
    idDigits: idDigitsOf(query),
    lookUps: [
      { term: phrase, also: [] },
      ...endsOf(account ?? '')
        .slice(-1)
        .map((term) => ({ term, also: [] })),
    ],
    wordLookUp: longest === undefined ? null : { term: longest, also: others },
  }
}

/** Which fields of these facts answer the query; none where it does not meet them. */
export function fieldsAsked(facts: readonly Fact[], { phrase, words, account }: Asked): string[] {
  const asWhole = facts.filter(
    (fact) =>
      termsOfFact(fact).includes(phrase) ||
      (fact.by === 'account' && account !== null && compact(fact.text).endsWith(account)),
  )
  const named = asWhole.length > 0 ? asWhole : factsWith(facts, words)
  return [...new Set(named.map(({ field }) => field))]
}

/** Several words must all be there, wherever. */
function factsWith(facts: readonly Fact[], words: readonly string[]): Fact[] {
  if (words.length === 0) return []
  const terms = new Set(termsOf(facts))
  if (!words.every((word) => terms.has(word))) return []
  return facts.filter((fact) => termsOfFact(fact).some((term) => words.includes(term)))
}

// Never within a character of two units: the half of one is no text.
const cut = (text: string) =>
  text.length <= TERM_LENGTH_MAX ? text : text.slice(0, TERM_LENGTH_MAX).replace(/[\ud800-\udbff]$/, '')

const MONEY =
  /^(?:(?<before>[a-z]{3}|₱) ?)?(?<whole>\d{1,3}(?:,\d{3})+|0|[1-9]\d*)(?:\.(?<part>\d{1,18}))?(?: (?<after>[a-z]{3}))?$/

/**
 * A text as it is compared: case, accents, invisible characters and spaces make no difference, nor do the ways to write an
 * amount, a mobile number, a number in groups, or a pair with a colon.
 */
function normalised(text: string): string {
  const plain = plainText(text)
  return cut(moneyOf(plain) ?? mobileNumber(plain) ?? digitsOf(plain) ?? plain.replace(/ ?: ?/, ':'))
}

function plainText(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
  return folded.replace(/[\p{Z}\p{Cc}]+/gu, ' ').replace(/^[\s"“”,;]+|[\s"“”,;.]+$/g, '')
}

/** An amount, with its currency before it where it has one: "php 1500". */
function moneyOf(plain: string): string | null {
  const { before, whole, part, after } = MONEY.exec(plain)?.groups ?? {}
  if (whole === undefined || (before !== undefined && after !== undefined)) return null
  const currency = before === '₱' ? 'php' : (before ?? after)
  if (currency !== undefined && !isCurrency(currency.toUpperCase())) return null
  const decimals = withoutTrailing(part ?? '', '0')
  const amount = `${whole.replaceAll(',', '')}${decimals && `.${decimals}`}`
  return currency === undefined ? amount : `${currency} ${amount}`
}

/** Digits in groups: an account number as it stands on a card or a slip. */
function digitsOf(plain: string): string | null {
  return /^\d[\d -]*\d$/.test(plain) ? plain.replace(/[ -]/g, '') : null
}

const compact = (text: string) => plainText(text).replace(/[^\p{L}\p{N}]/gu, '')

const wordsOf = (phrase: string) =>
  phrase
    .split(/[ ,;/()]+/)
    .map(normalised)
    .filter((word) => word.length > 1)
    .slice(0, WORDS_MAX)

/** The ends of an account number as terms, the longest last; none of a short one, which is found whole. */
const endsOf = (account: string) =>
  END_LENGTHS.filter((length) => account.length >= length).map((length) => `…${account.slice(-length)}`)

function idDigitsOf(query: string): string | null {
  const digits = query.trim().toLowerCase().replaceAll('-', '')
  return /^[0-9a-f]{8,32}$/.test(digits) ? digits : null
}

/** The first and the last id that begin with these digits. */
export function idRange(digits: string): { readonly first: string; readonly last: string } {
  return { first: uuidOf(digits.padEnd(32, '0')), last: uuidOf(digits.padEnd(32, 'f')) }
}

const uuidOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
