// How the objects of the API are shown to people: a noun is a table of names, each with a member or what is made of it. How
// a member looks follows from its name and its shape; a noun says nothing but what it shows.
import { digitsOf } from '../domain/money/currencies.ts'
import { displayText, parseDecimal } from '../domain/money/money.ts'
import { modeText, modeWords, paint, printPairs, type Text } from './output.ts'
import { printTable } from './table.ts'
import { type Time, timeText } from './times.ts'

/** What a noun shows, each under a name: a member, or a text made of it. */
export type Shows<T> = readonly (readonly [
  name: string,
  what: (keyof T & string) | ((of: T) => Text | readonly Text[]),
])[]

/** One of a noun: names and values. What has no value is left out; several values stand under each other. */
export function printOne<T extends object>(of: T, shows: Shows<T>): void {
  printPairs(
    shows.flatMap(([name, what]) => {
      const texts = typeof what === 'function' ? what(of) : fieldText(of, what, of[what])
      return (Array.isArray(texts) ? texts : [texts]).map((text: Text) => [name, text] as const)
    }),
  )
}

function fieldText(of: object, member: string, value: unknown): Text {
  if (member === 'id' && typeof value === 'string') return paint('bold', value)
  if (member === 'livemode') return modeWords(value === true)
  return member === 'status' && typeof value === 'string' ? stateText(value) : plainText(of, member, value)
}

/** Many of a noun, in a table. */
export function printMany<T extends object>(all: readonly T[], shows: Shows<T>): void {
  printTable(headingsOf(shows), rowsOf(all, shows))
}

/** The same, with the last column whole: it goes on below itself where a line has no room. */
export function printWhole<T extends object>(all: readonly T[], shows: Shows<T>): void {
  printTable(headingsOf(shows), rowsOf(all, shows), { lastIsWhole: true })
}

export const headingsOf = <T>(shows: Shows<T>): string[] => shows.map(([name]) => name.toUpperCase())

export function rowsOf<T extends object>(all: readonly T[], shows: Shows<T>): (string | number)[][] {
  return all.map((of) =>
    shows.map(([, what]) => {
      if (typeof what !== 'function') return cellText(of, what, of[what]) ?? ''
      const made = what(of)
      return typeof made === 'object' ? wordsOf(...(made ?? [])) : (made ?? '')
    }),
  )
}

function cellText(of: object, member: string, value: unknown): Text {
  if (member === 'livemode') return modeText(value === true)
  return plainText(of, member, value)
}

/** Amounts are shown in the currency that stands beside them. */
function plainText(of: object, member: string, value: unknown): Text {
  if (/(_at|At)$/.test(member)) return timeText(value as Time) || null
  const code = 'currency' in of ? of.currency : null
  if (typeof value === 'number' && member.startsWith('amount') && typeof code === 'string')
    return moneyText(value, code)
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** An amount of a reply, with its currency: "PHP 1,517.50". */
export function moneyText(major: number, currency: string): string {
  const parsed = parseDecimal(major, digitsOf(currency))
  return 'fault' in parsed ? `${currency} ${major}` : displayText(parsed.scaled, currency)
}

/** The words there are, after commas. */
export const wordsOf = (...words: readonly Text[]) => words.filter(Boolean).join(', ')

const COLOURS: readonly (readonly [Parameters<typeof paint>[0], readonly string[]])[] = [
  ['green', ['completed', 'enabled', 'delivered', 'pass', 'done']],
  ['yellow', ['cancelled', 'expired', 'paused', 'deleted', 'pending', 'held', 'not_sent', 'warn']],
  ['red', ['returned', 'disabled', 'dead', 'refused', 'no_answer', 'fail', 'lacking']],
  ['dim', ['already']],
]

/** A status, an outcome or a grade in the colour that it has everywhere. */
export function stateText(state: string, shown = state): string {
  return paint(COLOURS.find(([, states]) => states.includes(state))?.[0] ?? 'bold', shown)
}
