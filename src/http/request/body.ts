// JSON bodies, read with suspicion: what a careful reader would trip over is refused before it is parsed (docs/design/areas.md).
import { isUtf8 } from 'node:buffer'
import { cardFieldIn } from '../../domain/text/cards.ts'
import { type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { endOfNumeral, isKept, type Numeral, numeralProblems, quoted } from './numerals.ts'

const DEPTH_MAX = 16
const MEMBERS_MAX = 1000

/**
 * What becomes of a number with more digits than a double keeps. In a request of ours it is refused by its name: it would
 * be another amount than the one that was written. Of what others send it stays the text that it was written as.
 */
export type LongNumbers = 'refused' | 'kept as text'

/** The value of a JSON body, or why it is refused. An empty body is an empty object (docs/design/areas.md). */
export function parseBody(
  raw: Buffer,
  longNumbers: LongNumbers = 'refused',
  membersMax = MEMBERS_MAX,
): { readonly value: unknown } | Refusal {
  if (raw.length === 0) return { value: {} }
  if (!isUtf8(raw)) return refuse('malformed_json', 'body', 'The body is not valid UTF-8.')
  const text = raw.toString('utf8')
  const cardField = cardFieldIn(text)
  if (cardField !== null)
    return refuse(
      'card_data_not_allowed',
      cardField,
      'Card data is never accepted. Send a token of your card provider instead.',
    )
  const { depth, keys, unkept } = scan(text)
  if (depth > DEPTH_MAX) return refuse('malformed_json', 'body', `The body is nested deeper than ${DEPTH_MAX} levels.`)
  if (keys > membersMax) return refuse('malformed_json', 'body', `The body has more than ${membersMax} members.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (fault) {
    return refuse('malformed_json', 'body', `The body is not JSON: ${(fault as Error).message.slice(0, 120)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('malformed_json', 'body', 'The body must be a JSON object.')
  // JSON.parse keeps the last of two members of one name; on a money route that is a guess.
  if (countKeys(value) !== keys) return refuse('malformed_json', 'body', 'The body names a member twice.')
  if (text.includes('\\u') && hasUnstorableText(value))
    return refuse('malformed_json', 'body', 'A text of the body holds a NUL or half of a surrogate pair.')
  return unkept.length === 0 ? { value } : withLongNumbers(text, value, unkept, longNumbers)
}

// Beyond every amount: whoever reads such a number says that it is too large.
const JUDGED_MAX = 1e15

function withLongNumbers(
  text: string,
  value: unknown,
  unkept: readonly Numeral[],
  longNumbers: LongNumbers,
): { readonly value: unknown } | Refusal {
  if (longNumbers === 'kept as text') return { value: JSON.parse(quoted(text, unkept)) }
  const judged = unkept.filter(({ from, to }) => Math.abs(Number(text.slice(from, to))) <= JUDGED_MAX)
  const [first, ...others] = numeralProblems(text, judged)
  return first ? refuseAll([first, ...others]) : { value }
}

/** Depth, number of members and numbers that no double keeps, found in the text before anything is built from it. */
function scan(text: string): { depth: number; keys: number; unkept: readonly Numeral[] } {
  const unkept: Numeral[] = []
  let depth = 0
  let deepest = 0
  let keys = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      i = endOfString(text, i + 1)
    } else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > deepest) deepest = depth
      if (depth > DEPTH_MAX) break
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code === 0x3a) keys++
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const numeral = { from: i, to: endOfNumeral(text, i) }
      if (!isKept(text, numeral)) unkept.push(numeral)
      i = numeral.to - 1
    }
  }
  return { depth: deepest, keys, unkept }
}

function endOfString(text: string, from: number): number {
  let i = text.indexOf('"', from)
  while (i > 0 && isEscaped(text, i)) i = text.indexOf('"', i + 1)
  return i < 0 ? text.length : i
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++
  return slashes % 2 === 1
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countKeys(each), 0)
  let count = 0
  for (const member of Object.values(value)) count += 1 + countKeys(member)
  return count
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string')
    return value.includes('\u0000') || !(value as string & { isWellFormed(): boolean }).isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasUnstorableText(name) || hasUnstorableText(member))
}
