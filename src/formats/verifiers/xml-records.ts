// XML record by record from a stream: of a long document only the elements of certain names are held, one at a time. Takes what
// published lists are made of: elements, texts, CDATA, the five entities and characters by number. A document type is refused, so
// that no entity of anybody else is ever resolved.

/** An element with what is in it. */
export type Element = {
  readonly name: string
  readonly attributes: string
  readonly children: Element[]
  text: string
}

const RECORD_MAX = 1 << 20
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The elements with one of the names, in their order; those within a record are in it. */
export async function* xmlRecords(chunks: AsyncIterable<string>, names: ReadonlySet<string>): AsyncGenerator<Element> {
  let rest = ''
  const open: Element[] = []
  let depth = 0
  for await (const chunk of chunks) {
    rest += chunk
    for (;;) {
      const [piece, end] = nextPiece(rest)
      if (end === 0) break
      rest = rest.slice(end)
      if (piece.kind === 'text') {
        const inner = open.at(-1)
        if (inner) inner.text += piece.text
      } else if (piece.kind === 'start') {
        depth += 1
        const element: Element = { name: piece.name, attributes: piece.attributes, children: [], text: '' }
        const parent = open.at(-1)
        if (!parent && !names.has(piece.name)) {
          if (piece.isEmpty) depth -= 1
          continue
        }
        parent?.children.push(element)
        if (!piece.isEmpty) open.push(element)
        else {
          depth -= 1
          if (!parent) yield element
        }
      } else if (piece.kind === 'end') {
        depth -= 1
        const last = open.at(-1)
        if (!last) continue
        if (last.name !== piece.name) throw new Error(`The file is no XML: ${piece.name} ends within ${last.name}.`)
        open.pop()
        if (open.length === 0) yield last
      }
    }
    if (rest.length > RECORD_MAX) throw new Error('A part of the file is longer than any part of such a list.')
  }
  if (depth !== 0 || rest.trim() !== '') throw new Error('The file ends in the middle of a list: it is cut off.')
}

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'start'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'nothing' }

const NOTHING: Piece = { kind: 'nothing' }
const TAG = /^<([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/

/** The next piece and where it ends; 0 where more has to be read first. */
function nextPiece(text: string): [piece: Piece, end: number] {
  const at = text.indexOf('<')
  if (at === -1) return [NOTHING, 0]
  if (at > 0) return [{ kind: 'text', text: unescaped(text.slice(0, at)) }, at]
  if (text.startsWith('<!--')) return skipped(text, '-->')
  if (text.startsWith('<?')) return skipped(text, '?>')
  if (text.startsWith('<![CDATA[')) {
    const end = text.indexOf(']]>')
    return end === -1 ? [NOTHING, 0] : [{ kind: 'text', text: text.slice(9, end) }, end + 3]
  }
  if (text.startsWith('<!DOCTYPE')) throw new Error('The file has a document type, which no published list has.')
  // It may be the beginning of one of the above.
  if (text.length < 10 && '<![CDATA[<!DOCTYPE<!--'.includes(text.slice(0, 9)) && !text.includes('>'))
    return [NOTHING, 0]
  if (text.startsWith('</')) {
    const end = text.indexOf('>')
    return end === -1 ? [NOTHING, 0] : [{ kind: 'end', name: local(text.slice(2, end).trim()) }, end + 1]
  }
  const found = TAG.exec(text)
  if (!found) return [NOTHING, 0]
  const [whole, name = '', attributes = '', slash] = found
  return [{ kind: 'start', name: local(name), attributes, isEmpty: slash === '/' }, whole.length]
}

function skipped(text: string, until: string): [Piece, number] {
  const end = text.indexOf(until)
  return end === -1 ? [NOTHING, 0] : [NOTHING, end + until.length]
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
}

/** The texts of the elements at a path below. */
export function textsAt(element: Element, ...path: readonly string[]): string[] {
  const [name, ...further] = path
  if (name === undefined) return element.text.trim() === '' ? [] : [element.text.trim()]
  return element.children.filter((each) => each.name === name).flatMap((each) => textsAt(each, ...further))
}

export function attributeOf({ attributes }: Element, name: string): string | null {
  return new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? null
}
