// Card numbers have no place here (docs/design/domain.md): fields named after card data are refused, and a number that slipped into
// free text is masked before anything is stored or logged. Account identifiers are never judged: one bank account
// number in ten passes the same checksum. A number counts however it is written: in groups, with dots, white space or
// invisible characters between its digits, in the digits of any script.
import type { Problem } from '../contract/refusals.ts'

// So many only, or a text of nothing but separators would be looked at again and again.
const APART = '[-_\\s]{0,3}'
const CARD_NAME = `card${APART}(?:number|no|num)`
const DATA_NAME = `(?:card${APART})?(?:pan|cvc2?|cvv2?|csc|track${APART}[12]?(?:${APART}data)?)`
const NAME = `${APART}(?:${CARD_NAME}|${DATA_NAME})${APART}`
const FIELD = new RegExp(`"(${NAME})"\\s*:`, 'i')
const WHOLE_NAME = new RegExp(`^${NAME}$`, 'i')
const PLAIN = /^[\t\n\r\x20-\x5b\x5d-\x7e]*$/

/** The first member name of a JSON text that stands for card data, or null. Takes the text, before it is parsed. */
export function cardFieldIn(json: string): string | null {
  const plain = FIELD.exec(json)?.[1]
  if (plain !== undefined) return plain
  // Only an escape or a letter of another script can hide a name from a look at the text.
  return PLAIN.test(json) ? null : hiddenFieldIn(json)
}

/** Goes from string to string, each once, so that no text can make it slow. */
function hiddenFieldIn(json: string): string | null {
  for (let from = json.indexOf('"'); from >= 0; ) {
    const end = endOfString(json, from + 1)
    if (end < 0) return null
    const next = json.indexOf('"', end + 1)
    const between = json.slice(end + 1, next < 0 ? undefined : next)
    const name = /^\s*:/.test(between) ? readableName(json.slice(from, end + 1)) : ''
    if (WHOLE_NAME.test(name)) return name
    from = next
  }
  return null
}

function endOfString(json: string, from: number): number {
  for (let i = from; i < json.length; i++) {
    if (json.charCodeAt(i) === 0x5c) i++
    else if (json.charCodeAt(i) === 0x22) return i
  }
  return -1
}

/** The name as a reader would see it: escapes undone, letters in their plain form, nothing invisible. */
function readableName(quoted: string): string {
  try {
    return (JSON.parse(quoted) as string).normalize('NFKC').replace(/[\p{Cf}\p{M}]/gu, '')
  } catch {
    // The parser refuses the whole body for it.
    return ''
  }
}

// What may stand between two digits of one number. Digits and separators have nothing in common, so a look is linear.
const ASCII_RUN = /\d(?:[\s.-]{0,8}\d){12,}/g
const ANY_RUN =
  /[\p{Nd}\p{No}](?:[\s.\p{Pd}\p{Cf}\p{M}\u00b7\u2022\u2024\u2027\u2219\u3002\u30fb\uff0e\uff61]{0,8}[\p{Nd}\p{No}]){12,}/gu

// Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro: issuer range and length.
const ISSUED =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14}|62\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/
const DIGITS_MIN = 13
const DIGITS_MAX = 19

/** The text with card numbers masked but for their last four digits. */
export function maskCards(text: string): string {
  return text.replace(isAscii(text) ? ASCII_RUN : ANY_RUN, maskedRun)
}

// oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** A digit of a run: where it stands in the text, and whether a group begins with it. */
type Digit = { readonly value: string; readonly from: number; readonly to: number; readonly isFirst: boolean }

function maskedRun(run: string): string {
  const digits = digitsOf(run)
  let masked = ''
  let copied = 0
  for (let i = 0; i + DIGITS_MIN <= digits.length; ) {
    const length = cardAt(run, digits, i)
    const [first, last] = [digits[i], digits[i + length - 1]]
    if (length === 0 || !first || !last) i++
    else {
      const ending = digits.slice(i + length - 4, i + length).map(({ value }) => value)
      masked += `${run.slice(copied, first.from)}[card ending ${ending.join('')}]`
      copied = last.to
      i += length
    }
  }
  return masked + run.slice(copied)
}

function digitsOf(run: string): Digit[] {
  const digits: Digit[] = []
  let at = 0
  let before: 'ascii' | 'other' | null = null
  for (const char of run) {
    const value = digitOf(char)
    const kind = value === null ? null : char === value ? 'ascii' : 'other'
    // Another kind of digit begins a group of its own: a footnote behind a number does not hide it.
    if (value !== null) digits.push({ value, from: at, to: at + char.length, isFirst: kind !== before })
    before = kind
    at += char.length
  }
  return digits
}

/** How many digits from here on are a card number; 0 for none. It begins and ends with a group. */
function cardAt(run: string, digits: readonly Digit[], start: number): number {
  if (!digits[start]?.isFirst) return 0
  const values = digits.slice(start, start + DIGITS_MAX).map(({ value }) => value)
  const head = values[0] ?? ''
  if (head < '2' || head > '6') return 0
  for (let length = values.length; length >= DIGITS_MIN; length--) {
    const end = start + length
    if (end < digits.length && !digits[end]?.isFirst) continue
    const number = values.slice(0, length).join('')
    if (!ISSUED.test(number) || !passesLuhn(number)) continue
    const groups = groupsOf(digits.slice(start, end))
    // In the middle of a list of numbers only what is grouped as cards are is taken for one.
    if (start > 0 && !USUAL_GROUPS.test(groups)) continue
    if (!isListOfFigures(run, digits[start]?.from ?? 0, digits[end - 1]?.to ?? 0)) return length
  }
  return 0
}

const USUAL_GROUPS = /^(?:1[3-9]|4 4 4 [4-7]|4 4 4 4 [1-3]|4 6 [45]|4 3 3 3)$/

function groupsOf(digits: readonly Digit[]): string {
  const groups: number[] = []
  for (const { isFirst } of digits) {
    if (isFirst || groups.length === 0) groups.push(1)
    else groups.push((groups.pop() ?? 0) + 1)
  }
  return groups.join(' ')
}

const FIGURE_MAX = 20
const FIGURE = /^(?:\d+\.\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,3}(?:\.\d{1,3}){3})$/

/** Whether the words that this stretch touches are amounts, dates or network addresses: their dots stand inside of each. */
function isListOfFigures(run: string, from: number, to: number): boolean {
  const before = /\S*$/.exec(run.slice(Math.max(0, from - FIGURE_MAX), from))?.[0] ?? ''
  const after = /^\S*/.exec(run.slice(to, to + FIGURE_MAX))?.[0] ?? ''
  const words = (before + run.slice(from, to) + after).split(/\s+/)
  return words.length > 1 && words.every((result) => FIGURE.test(result))
}

const OTHER_DIGITS = new Map<string, string | null>()
const OTHER_DIGITS_MAX = 2000

/** The decimal value of a digit of any script, superscript or circled ones included; null for anything else. */
function digitOf(char: string): string | null {
  if (char >= '0' && char <= '9') return char
  if (char <= '\u007f') return null
  const known = OTHER_DIGITS.get(char)
  if (known !== undefined) return known
  const plain = char.normalize('NFKC')
  const value = /^\d$/.test(plain) ? plain : /^\p{Nd}$/u.test(char) ? valueOf(char) : null
  if (OTHER_DIGITS.size >= OTHER_DIGITS_MAX) OTHER_DIGITS.clear()
  OTHER_DIGITS.set(char, value)
  return value
}

/** Unicode keeps the decimal digits of a script together, from nought to nine. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/**
 * What is wrong with a URL that carries a card number; null where it carries none. It is refused and not masked, for
 * masked it would lead elsewhere; a number that only looks like a card's can be written with a letter in front.
 */
export function cardInUrl(param: string, url: string): Problem | null {
  const read = readable(url.replaceAll('+', ' '))
  if (maskCards(read) === read) return null
  const fix = 'Name the order by another id, or put a letter in front of it.'
  return { code: 'card_data_not_allowed', param, message: `${param} holds what looks like a card number. ${fix}` }
}

function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i))
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
