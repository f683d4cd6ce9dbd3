// Numbers of a JSON text as they are written: a double keeps most of them, and an amount must be one that it keeps.
import { withoutTrailing } from '../../domain/text/texts.ts'
import { invalid, type Problem } from '../../domain/contract/refusals.ts'

/** Where a number stands in a text: from its first character up to, without it, the one after its last. */
export type Numeral = { readonly from: number; readonly to: number }

/** Digits that a double is sure to keep. */
const SURE_DIGITS = 15

/** The end of the number that begins at `from`. */
export function endOfNumeral(text: string, from: number): number {
  let to = from + 1
  while (to < text.length && isPart(text.charCodeAt(to))) to++
  return to
}

/** Digits, `.`, `+`, `-`, `e`, `E`. */
const isPart = (code: number) =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || code === 0x65 || code === 0x45

/** Whether the double that the number is read as is the very number that is written. */
export function isKept(text: string, { from, to }: Numeral): boolean {
  if (to - from <= SURE_DIGITS && !/[eE]/.test(text.slice(from, to))) return true
  const written = text.slice(from, to)
  return plainOf(written) === plainOf(String(Number(written)))
}

/** Digits without zeros at either end, and the power of ten: the same for all that is the same number. */
function plainOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = withoutTrailing(digits, '0')
  if (kept === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - kept.length)
  return `${sign}${kept}e${power}`
}

/** The text with those numbers in quotes: they are read as the text that they were written as. */
export function quoted(text: string, numerals: readonly Numeral[], mark = ''): string {
  let whole = ''
  let done = 0
  for (const { from, to } of numerals) {
    whole += `${text.slice(done, from)}"${mark}${text.slice(from, to)}"`
    done = to
  }
  return whole + text.slice(done)
}

// No text of a body holds a NUL, so what begins with one was a number.
const MARK = '\\u0000'

/** The problems of numbers that no double keeps, each by its name. Throws where the text is no JSON. */
export function numeralProblems(text: string, numerals: readonly Numeral[]): Problem[] {
  return marked(JSON.parse(quoted(text, numerals, MARK)), '').map(({ param, written }) => {
    const shown = written.length > 32 ? `${written.slice(0, 32)}…` : written
    return invalid(
      param,
      `${param} was sent as ${shown}, which is more than the ${SURE_DIGITS} significant digits that a number keeps; it is never rounded.`,
    )
  })
}

function marked(value: unknown, at: string): { readonly param: string; readonly written: string }[] {
  if (typeof value === 'string') return value.startsWith('\0') ? [{ param: at || 'body', written: value.slice(1) }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => marked(member, at === '' ? name : `${at}.${name}`))
}
