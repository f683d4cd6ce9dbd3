// XML as far as the bank rails use it: elements, attributes, text, namespaces. There is no DOCTYPE and therefore no entity
// but the five, nothing is ever loaded, and depth is bounded. It must not know about messages.
import { Malformed } from './malformed.ts'

export type Element = {
  readonly name: string
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly Element[]
  readonly text: string
}

const DEPTH_MAX = 32
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const DECLARATION =
  /^\uFEFF?(?:<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']UTF-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>)?/i
const OPENING = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
const CLOSING = new RegExp(`</(${NAME})\\s*>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
// Everything but the characters of XML 1.0.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

type Scope = ReadonlyMap<string, string>
type Open = {
  readonly tag: string
  readonly element: {
    name: string
    namespace: string
    attributes: Map<string, string>
    children: Element[]
    text: string
  }
  readonly scope: Scope
}

const OUTSIDE: Scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** Reads one whole document. Throws Malformed. */
export function readXml(source: string): Element {
  if (FORBIDDEN.test(source)) throw new Malformed('The message has a character that XML forbids.')
  const stack: Open[] = []
  let root: Element | null = null
  for (let at = DECLARATION.exec(source)?.[0].length ?? 0; at < source.length; ) {
    const inside = stack.at(-1)
    if (source[at] !== '<') at = readText(source, at, inside)
    else if (source.startsWith('<!--', at)) at = after(source, '-->', at + 4)
    else if (inside && source.startsWith('<![CDATA[', at)) {
      const end = after(source, ']]>', at + 9)
      inside.element.text += source.slice(at + 9, end - 3)
      at = end
    } else if (source.startsWith('</', at)) at = close(source, at, stack)
    else {
      if (root && !inside) throw new Malformed('The message goes on after its end.')
      const { open, isEmpty, end } = openTag(source, at, inside)
      inside?.element.children.push(open.element)
      root ??= open.element
      if (!isEmpty) stack.push(open)
      if (stack.length > DEPTH_MAX) throw new Malformed(`The message is nested deeper than ${DEPTH_MAX} elements.`)
      at = end
    }
  }
  const unclosed = stack.at(-1)
  if (unclosed) throw new Malformed(`${unclosed.tag} is not closed.`)
  if (!root) throw new Malformed('The message is no XML document.')
  return root
}

function readText(source: string, at: number, inside: Open | undefined): number {
  const found = source.indexOf('<', at)
  const end = found < 0 ? source.length : found
  const text = source.slice(at, end)
  if (inside) inside.element.text += decoded(text)
  else if (text.trim() !== '') throw new Malformed('The message has text outside of its document.')
  return end
}

function after(source: string, mark: string, at: number): number {
  const found = source.indexOf(mark, at)
  if (found < 0) throw new Malformed(`${mark} is missing.`)
  return found + mark.length
}

function close(source: string, at: number, stack: Open[]): number {
  CLOSING.lastIndex = at
  const tag = CLOSING.exec(source)?.[1]
  const open = stack.pop()
  if (tag === undefined || open?.tag !== tag) throw new Malformed(`${open?.tag ?? 'The document'} is not closed.`)
  return CLOSING.lastIndex
}

function openTag(source: string, at: number, inside: Open | undefined) {
  OPENING.lastIndex = at
  const [, tag = '', written = '', slash = ''] = OPENING.exec(source) ?? []
  if (tag === '') throw new Malformed(`There is no element at: ${source.slice(at, at + 40)}`)
  const attributes = new Map<string, string>()
  let scope = inside?.scope ?? OUTSIDE
  for (const [, name = '', double, single] of written.matchAll(ATTRIBUTE)) {
    const value = decoded(double ?? single ?? '')
    if (attributes.has(name)) throw new Malformed(`${tag} has ${name} twice.`)
    attributes.set(name, value)
    if (name === 'xmlns') scope = new Map([...scope, ['', value]])
    else if (name.startsWith('xmlns:')) scope = new Map([...scope, [name.slice(6), value]])
  }
  const [first = '', second] = tag.split(':')
  const namespace = scope.get(second === undefined ? '' : first) ?? ''
  if (second !== undefined && namespace === '') throw new Malformed(`${tag} is in a namespace without a name.`)
  const element = { name: second ?? first, namespace, attributes, children: [], text: '' }
  return { open: { tag, element, scope } satisfies Open, isEmpty: slash === '/', end: OPENING.lastIndex }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12};)?/g, (whole, named: string | undefined) => {
    const name = named?.slice(0, -1) ?? ''
    const found = NAMED.get(name) ?? characterOf(name)
    if (found === null) throw new Malformed(`${whole} is no character.`)
    return found
  })
}

function characterOf(name: string): string | null {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name) ?? []
  const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16)
  if (Number.isNaN(code) || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null
  const character = String.fromCodePoint(code)
  return FORBIDDEN.test(character) ? null : character
}

/** An element with its children, written before. Without children that are there it is left out. */
export function node(name: string, ...children: readonly string[]): string {
  const inside = children.join('')
  return inside === '' ? '' : `<${name}>${inside}</${name}>`
}

/** An element with text; attributes are written as they are, and must need no escape. Null text leaves it out. */
export function leaf(name: string, text: string | null, attributes = ''): string {
  return text === null || text === '' ? '' : `<${name}${attributes}>${escaped(text)}</${name}>`
}

export function documentOf(namespace: string, inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${inside}</Document>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
