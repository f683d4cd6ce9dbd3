// The sandbox provider's own readers: XML that is hostile or odd, JSON digit for digit, and what waits in order.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openDueHeap } from '../../sandbox/books/due.ts'
import { digitsOf, parseExact } from '../../sandbox/text/exact-json.ts'
import { Malformed } from '../../sandbox/text/malformed.ts'
import { leaf, node, readXml } from '../../sandbox/text/xml.ts'

describe('XML', () => {
  test('elements, attributes, namespaces, characters, comments and CDATA are read', () => {
    const root = readXml(
      `\uFEFF<?xml version="1.0" encoding="UTF-8"?><!-- a --><p:a xmlns:p="one" k='&lt;"'>` +
        `x&amp;&#x41;&#66;<!-- b > --><b xmlns="two"><c/></b><![CDATA[<&]]></p:a>\n<!-- c -->`,
    )
    expect(root).toMatchObject({ name: 'a', namespace: 'one', text: 'x&AB<&' })
    expect(root.attributes.get('k')).toBe('<"')
    expect(root.children).toMatchObject([{ name: 'b', namespace: 'two', children: [{ name: 'c', namespace: 'two' }] }])
  })

  test('any text that XML can carry comes back as it was', () => {
    const character = fc
      .integer({ min: 0x20, max: 0x10ffff })
      .filter((code) => (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff)
      .map((code) => String.fromCodePoint(code))
    fc.assert(
      fc.property(fc.array(character, { minLength: 1 }), (characters) => {
        const text = characters.join('')
        expect(readXml(node('a', leaf('b', text))).children[0]?.text).toBe(text)
      }),
    )
  })

  const DEEP = '<a>'.repeat(40) + '</a>'.repeat(40)
  test.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity of nobody', '<a>&nbsp;</a>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['an open entity', '<a>&#x41</a>'],
    ['a forbidden character', '<a>\u0000</a>'],
    ['a forbidden reference', '<a>&#0;</a>'],
    ['half a surrogate', '<a>&#xD800;</a>'],
    ['too great a depth', DEEP],
    ['two documents', '<a/><a/>'],
    ['text around it', 'x<a/>'],
    ['a wrong end', '<a><b></a></b>'],
    ['no end', '<a><b></b>'],
    ['an end too many', '<a/></a>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['a prefix of nobody', '<p:a/>'],
    ['an open comment', '<a><!-- </a>'],
    ['an instruction', '<a><?php x ?></a>'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
    ['nothing', ''],
    ['an open tag', '<a'],
  ])('%s is refused', (_, text) => {
    expect(() => readXml(text)).toThrow(Malformed)
  })

  test('a long message is read in a moment', () => {
    const text = node('a', ...Array.from({ length: 50_000 }, (_, index) => leaf('b', `value ${index} &`)))
    const startedAt = performance.now()
    expect(readXml(text).children).toHaveLength(50_000)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(() => readXml(`<a ${'b="1" '.repeat(100_000)}`)).toThrow('no element')
  })
})

describe('JSON', () => {
  test('numbers keep their digits, and nothing else passes for one', () => {
    const value = parseExact(
      '{"a": 100.10, "b": [-1e5, "7"], "c": {"d\\"3": 900719925474099.91}, "e": null, "n0": "n0"}',
    )
    const { a, b, c, e, n0 } = value as { a: unknown; b: unknown[]; c: Record<string, unknown>; e: null; n0: string }
    expect([a, b[0], b[1], c['d"3'], e, n0].map(digitsOf)).toEqual([
      '100.10',
      '-1e5',
      null,
      '900719925474099.91',
      null,
      null,
    ])
    expect([b[1], e, n0]).toEqual(['7', null, 'n0'])
    expect(parseExact('{"a": 01}')).toBeUndefined()
  })

  test('what JSON.parse reads is read alike, numbers aside', () => {
    const plain = (value: unknown): unknown => {
      const digits = digitsOf(value)
      if (digits !== null) return Number(digits)
      if (Array.isArray(value)) return value.map(plain)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
    }
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(plain(parseExact(text)))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })
})

test('what waits comes out by its time, then by its number', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const heap = openDueHeap()
      const all = times.map((atMs, number) => ({ atMs, number }))
      for (const due of all) heap.push(due)
      const sorted = all.toSorted((a, b) => a.atMs - b.atMs || a.number - b.number)
      expect(all.map(() => (heap.peek() === undefined ? null : heap.pop()))).toEqual(sorted)
      expect(heap.pop()).toBeUndefined()
    }),
  )
})
