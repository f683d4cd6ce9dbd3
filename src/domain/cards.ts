// Card numbers have no place here (design 10): fields named after card data are refused, and a number that slipped into
// free text is masked before anything is stored or logged. Account identifiers are never judged: one bank account
// number in ten passes the same checksum.
import type { Problem } from './refusals.ts'

const FIELD = /"((?:card_?)?(?:pan|cvc2?|cvv2?|csc|track_?[12]?(?:_?data)?)|card_?number)"\s*:/i

/** The first member name of a JSON text that stands for card data, or null. Asked of the text, before it is parsed. */
export function cardFieldIn(json: string): string | null {
  return FIELD.exec(json)?.[1] ?? null
}

const DIGITS = /(?<![\d])\d(?:[ -]?\d){12,18}(?!\d)/g
// Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro: issuer range and length.
const ISSUED =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14}|62\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/

/** The text with card numbers masked but for their last four digits. */
export function maskCards(text: string): string {
  return text.replace(DIGITS, (found) => {
    const digits = found.replace(/[ -]/g, '')
    return ISSUED.test(digits) && passesLuhn(digits) ? `[card ending ${digits.slice(-4)}]` : found
  })
}

/**
 * What is wrong with a URL that carries a card number; null where it carries none. It is refused and not masked, for masked
 * it would lead elsewhere; a number that only looks like a card's can be written with a letter in front.
 */
export function cardInUrl(param: string, url: string): Problem | null {
  const read = readable(url.replaceAll('+', ' '))
  if (maskCards(read) === read) return null
  const mend = 'Name the order by another id, or put a letter in front of it.'
  return { code: 'card_data_not_allowed', param, message: `${param} holds what looks like a card number. ${mend}` }
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
