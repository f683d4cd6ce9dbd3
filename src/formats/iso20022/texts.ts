// Text as the standard's types take it (Max35Text, Max140Text, ISODateTime …): what is cleaned, what is cut, and what
// must go out exactly as it is.
import { invariant } from '../../domain/invariant.ts'

/**
 * Text for people, fit for a text type of `charactersMax`: breaks become spaces, control characters go, the rest of
 * Unicode stays, cut between characters (code points, as the standard counts them). Null when nothing is left.
 */
export function plainText(text: string | null, charactersMax: number): string | null {
  if (text === null) return null
  const clean = text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    // Half a surrogate pair and the two non-characters cannot stand in XML at all.
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '')
    .trim()
  const cut = clean.length > charactersMax ? Array.from(clean).slice(0, charactersMax).join('').trimEnd() : clean
  return cut === '' ? null : cut
}

/** Plain text in lines of at most `charactersMax`, broken between words where there are any; the rest is left off. */
export function plainLines(text: string | null, charactersMax: number, linesMax: number): readonly string[] {
  const lines: string[] = []
  let rest = Array.from(plainText(text, Number.POSITIVE_INFINITY) ?? '')
  while (rest.length > 0 && lines.length < linesMax) {
    const space = rest.length > charactersMax ? rest.lastIndexOf(' ', charactersMax) : -1
    const end = space > 0 ? space : charactersMax
    lines.push(rest.slice(0, end).join('').trim())
    rest = Array.from(rest.slice(end).join('').trim())
  }
  return lines
}

/** Whether the text can go out as it is, whole: what names money or an account is never cut or cleaned. */
export function isExactText(text: string, charactersMax: number): boolean {
  return text !== '' && plainText(text, charactersMax) === text
}

/** The text itself; one that would have to be cut or cleaned is our own fault, and throws. */
export function exactText(text: string, charactersMax: number): string {
  invariant(isExactText(text, charactersMax), `an identifier is 1 to ${charactersMax} plain characters: ${text}`)
  return text
}

export function exactOrNull(text: string | null, charactersMax: number): string | null {
  return text === null ? null : exactText(text, charactersMax)
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/

/** The day of an ISODate ("2026-07-01", with or without a time zone), or null. */
export function dayOfDate(text: string): string | null {
  return realDay(DATE.exec(text)?.[1])
}

/** The day of an ISODateTime as it is written there, whatever its time zone; null when it is none. */
export function dayOfDateTime(text: string): string | null {
  return realDay(DATE_TIME.exec(text)?.[1])
}

function realDay(day: string | undefined): string | null {
  if (day === undefined) return null
  const atMs = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day) ? day : null
}

/** An ISODateTime as given; anything else is our own fault, and throws. */
export function exactDateTime(text: string): string {
  invariant(dayOfDateTime(text) !== null, `not a date and time: ${text}`)
  return text
}

/** A day as given ("2026-07-01"); anything else is our own fault, and throws. */
export function exactDay(text: string): string {
  invariant(text.length === 10 && dayOfDate(text) === text, `not a day: ${text}`)
  return text
}
