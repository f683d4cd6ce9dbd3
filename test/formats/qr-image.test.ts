// The pictures, drawn here from their SVG alone and read by a program that knows nothing of how they were made.
import fc from 'fast-check'
import jsqr from 'jsqr'
import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { qrSvg } from '../../src/formats/qr-image.ts'
import { PERSON, PERSON_ANY_AMOUNT, SHOP } from '../connectors/qrph-codes.ts'

describe('a picture is read as its text', () => {
  test.each([
    ['a shop', SHOP],
    ['a person', PERSON],
    ['any amount', PERSON_ANY_AMOUNT],
    ['a link', 'ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1?value=1000000'],
    ['digits', '0123456789'],
    ['capitals', 'HELLO WORLD'],
    ['beyond ASCII', 'Peña 北京 😀'],
    ['XML', '<&>"\'\n'],
    ['one letter', 'x'],
    ['a long text', 'Gateway '.repeat(60)],
  ])('%s', (_name, text) => {
    expect(scanned(qrSvg(text, 'Pay'))).toBe(text)
  })

  test('any text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(text, (any) => {
        expect(scanned(qrSvg(any, 'Pay'))).toBe(any)
      }),
      { numRuns: 20 },
    )
  })
})

describe('the element', () => {
  test('has a name, proportions and colours of its own, and nothing from elsewhere', () => {
    const svg = read(qrSvg(SHOP, 'QR code to pay ₱100.00'))
    expect(svg.attributes).toEqual({ viewBox: '0 0 73 73', role: 'img', 'shape-rendering': 'crispEdges' })
    expect(svg.children.map(({ name }) => name)).toEqual(['title', 'rect', 'path'])
    expect(svg.title).toBe('QR code to pay ₱100.00')
    expect(svg.children[1]?.attributes).toEqual({ width: '73', height: '73', fill: '#fff' })
    expect(svg.children[2]?.attributes).toEqual({ d: expect.any(String) as string, stroke: '#000' })
  })

  test('keeps four modules white on every side, and begins behind them', () => {
    const { side, dark } = drawn(qrSvg(SHOP, 'Pay'))
    const places = dark.flatMap((row, y) => row.flatMap((is, x) => (is ? [[x, y]] : [])))
    const [columns, rows] = [0, 1].map((axis) => places.map((place) => place[axis] ?? Number.NaN)) as [
      number[],
      number[],
    ]
    expect([Math.min(...columns), Math.min(...rows)]).toEqual([4, 4])
    expect([Math.max(...columns), Math.max(...rows)]).toEqual([side - 5, side - 5])
  })

  // Bytes that a code of 21 and of 25 modules holds at M (ISO/IEC 18004, table 7): 14 and 26.
  test.each([
    [14, 21],
    [15, 25],
    [26, 25],
    [27, 29],
    [2331, 177],
  ])('of %i bytes is %i modules wide: error correction M', (bytes, modules) => {
    expect(drawn(qrSvg('x'.repeat(bytes), 'Pay')).side).toBe(modules + 8)
  })

  test.each([
    ['<script>alert(1)</script> & "co" \'s', '<script>alert(1)</script> & "co" \'s'],
    [']]> &amp; <!-- ', ']]> &amp; <!-- '],
    ['Pay\u0000 \u001b\uD800 now\uFFFF', 'Pay    now '],
  ])('the title %j is text', (title, said) => {
    expect(read(qrSvg('x', title)).title).toBe(said)
  })

  test.each([
    ['', 'Pay', 'a QR code holds 1 to 2331 bytes, not 0'],
    ['x'.repeat(2332), 'Pay', 'not 2332'],
    ['é'.repeat(1166), 'Pay', 'not 2332'],
    ['x', ' ', 'a picture without a title'],
  ])('%#: what cannot be drawn throws', (text, title, fact) => {
    expect(() => qrSvg(text, title)).toThrow(fact)
  })
})

type Read = { name: string; attributes: Record<string, string> }

/** The element as an XML parser sees it. */
function read(svg: string): Read & { title: string; children: Read[] } {
  const document = XmlDocument.fromString(svg)
  try {
    const children: XmlElement[] = []
    for (let node = document.root.firstChild; node; node = node.next)
      if (node instanceof XmlElement) children.push(node)
    return { ...elementOf(document.root), title: children[0]?.content ?? '', children: children.map(elementOf) }
  } finally {
    document.dispose()
  }
}

function elementOf({ name, attrs }: XmlElement): Read {
  return { name, attributes: Object.fromEntries(attrs.map((each) => [each.name, each.value])) }
}

/** The modules that the path strokes: lines along the middle of a row, one module wide. */
function drawn(svg: string): { side: number; dark: boolean[][] } {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const dark = Array.from({ length: side }, () => Array<boolean>(side).fill(false))
  let [x, y] = [0, 0]
  const steps = path.match(/M\d+ \d+\.5|m\d+ 0|h\d+/g) ?? []
  expect(steps.join('')).toBe(path)
  for (const step of steps) {
    const [first = 0, second = 0] = step.slice(1).split(' ').map(Number)
    if (step.startsWith('M')) [x, y] = [first, Math.floor(second)]
    else {
      if (step.startsWith('h')) dark[y]?.fill(true, x, x + first)
      x += first
    }
  }
  return { side, dark }
}

/** What a camera would say: three pixels a module. */
function scanned(svg: string): string | undefined {
  const { side, dark } = drawn(svg)
  const width = side * 3
  const pixels = new Uint8ClampedArray(width * width * 4)
  for (let place = 0; place < width * width; place++) {
    const [row, column] = [Math.floor(place / width / 3), Math.floor((place % width) / 3)]
    pixels.set(dark[row]?.[column] ? [0, 0, 0, 255] : [255, 255, 255, 255], place * 4)
  }
  return jsqr.default(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data
}
