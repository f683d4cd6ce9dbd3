// Typed values out of a message from outside. Every fault is noted with its place; values beside a noted fault are
// fillers that never leave this folder. Unknown elements are skipped: rails add their own.
import { type Amount, amountText } from './amounts.ts'
import { bodyOf, type MessageKind, namespaceOf } from './messages.ts'
import { dayOfDate, dayOfDateTime } from './texts.ts'
import { withDocument } from './xml-document.ts'
import { treeOf, type XmlNode } from './xml-tree.ts'

export type Reading<T> = { readonly message: T } | { readonly fault: string }

/** An element and where it stands; without a node it was missing, which is noted already. */
export type Place = { readonly node: XmlNode | null; readonly path: string; readonly faults: string[] }

const FAULTS_MAX = 10

/** Reads a message of this very version; `from` takes its body apart. Bad input is a fault, nothing is thrown for it. */
export function readMessage<T>(bytes: Uint8Array, kind: MessageKind, from: (body: Place) => T): Reading<T> {
  const opened = withDocument(bytes, treeOf)
  if ('fault' in opened) return opened
  const { namespace, root } = opened.result
  if (root.name !== 'Document' || namespace !== namespaceOf(kind)) return { fault: `not a ${kind} message` }
  const faults: string[] = []
  const message = from(only({ node: root, path: '', faults }, bodyOf(kind)))
  return faults.length > 0 ? { fault: faults.join('; ') } : { message }
}

/** Notes what is wrong with a place. */
export function note(place: Place, why: string): void {
  if (place.faults.length < FAULTS_MAX) place.faults.push(`${place.path} ${why}`)
}

/** The one element of this name. */
export function only(place: Place, name: string): Place {
  const found = optional(place, name)
  if (found !== null) return found
  const missing = { node: null, path: pathTo(place, name), faults: place.faults }
  if (place.node !== null) note(missing, 'is missing')
  return missing
}

/** The element of this name, or null; two are a fault. */
export function optional(place: Place, name: string): Place | null {
  const [first, second] = each(place, name)
  if (second !== undefined) note(second, 'is one too many')
  return first === undefined ? null : { ...first, path: pathTo(place, name) }
}

/** All elements of this name, in their order. */
export function each(place: Place, name: string): readonly Place[] {
  const nodes = place.node?.children.filter((child) => child.name === name) ?? []
  return nodes.map((node, index) => ({
    node,
    path: `${pathTo(place, name)}[${index + 1}]`,
    faults: place.faults,
  }))
}

/** The same, where there must be one. */
export function some(place: Place, name: string): readonly Place[] {
  const found = each(place, name)
  if (found.length === 0) only(place, name)
  return found
}

/** The text of an element: 1 to `charactersMax` characters, nothing but text. */
export function textOf(place: Place, charactersMax: number): string {
  const { node } = place
  if (node === null) return ''
  if (node.children.length > 0) note(place, 'holds elements')
  if (node.text === '') note(place, 'is empty')
  if (isLonger(node.text, charactersMax)) note(place, `is longer than ${charactersMax} characters`)
  return node.text
}

export function text(place: Place, name: string, charactersMax: number): string {
  return textOf(only(place, name), charactersMax)
}

export function textOrNull(place: Place, name: string, charactersMax: number): string | null {
  const found = optional(place, name)
  return found === null ? null : textOf(found, charactersMax)
}

/** An ISODateTime as it is written there. */
export function dateTime(place: Place, name: string): string {
  const found = only(place, name)
  const written = found.node?.text.trim() ?? ''
  if (found.node !== null && dayOfDateTime(written) === null) note(found, 'is no date and time')
  return written
}

/** The day of an element that holds either a date or a date and time, as the standard's choice has it. */
export function day(place: Place, name: string): string {
  const found = only(place, name)
  const date = optional(found, 'Dt')?.node?.text.trim()
  const dateAndTime = optional(found, 'DtTm')?.node?.text.trim()
  const read = date === undefined ? dayOfDateTime(dateAndTime ?? '') : dayOfDate(date)
  if (found.node !== null && read === null) note(found, 'is no date')
  return read ?? ''
}

/** An amount with all decimals of its currency, however many zeros were written. */
export function amount(place: Place, name: string): Amount {
  const found = only(place, name)
  const currency = found.node?.attributes.get('Ccy') ?? ''
  const amountDecimal = amountText(found.node?.text.trim() ?? '', currency)
  if (found.node !== null && (amountDecimal === null || found.node.children.length > 0))
    note(found, 'is no amount of a currency')
  return { amountDecimal: amountDecimal ?? '', currency }
}

export function amountOrNull(place: Place, name: string): Amount | null {
  return optional(place, name) === null ? null : amount(place, name)
}

/** Notes a fault unless the count written in the message is the true one. */
export function expectCount(place: Place, name: string, count: number): void {
  const found = only(place, name)
  const written = textOf(found, 15)
  if (found.node !== null && !(/^\d+$/.test(written) && Number(written) === count)) note(found, `is not ${count}`)
}

function isLonger(value: string, charactersMax: number): boolean {
  return value.length > charactersMax && (value.length > 2 * charactersMax || Array.from(value).length > charactersMax)
}

function pathTo(place: Place, name: string): string {
  return place.path === '' ? name : `${place.path}/${name}`
}
