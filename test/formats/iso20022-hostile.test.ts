// Messages from somebody who means harm, or is broken: each is a fault in words, soon, and nothing is read for it.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { diag } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import { MESSAGE_BYTES_MAX } from '../../src/formats/iso20022/xml-document.ts'
import { MESSAGES } from './iso20022-samples.ts'

const [, pacs008] = MESSAGES[0]!
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const body = pacs008.slice(DECLARATION.length)

function withDoctype(doctype: string, name: string): string {
  return `${DECLARATION}${doctype}${body.replace('Gateway Contracts Inc', name)}`
}

const LAUGHS = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
const BOMB = `<!DOCTYPE Document [<!ENTITY l0 "ha">${LAUGHS}]>`
const OUTSIDE = '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'

const HOSTILE: readonly (readonly [what: string, input: string | Uint8Array, why: RegExp])[] = [
  ['a billion laughs', withDoctype(BOMB, '&l10;'), /DOCTYPE/],
  [
    'a quadratic blow-up',
    withDoctype(`<!DOCTYPE d [<!ENTITY a "${'a'.repeat(50_000)}">]>`, '&a;'.repeat(50_000)),
    /DOCTYPE/,
  ],
  ['an entity from a file', withDoctype(OUTSIDE, '&x;'), /DOCTYPE/],
  ['an entity over HTTP', withDoctype(OUTSIDE.replace('file:///etc/passwd', 'http://127.0.0.1/x'), '&x;'), /DOCTYPE/],
  ['a parameter entity', withDoctype('<!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1/p"> %p;]>', 'x'), /DOCTYPE/],
  ['a DTD elsewhere', withDoctype('<!DOCTYPE Document SYSTEM "http://127.0.0.1/d.dtd">', 'x'), /DOCTYPE/],
  ['an idle DOCTYPE', withDoctype('<!DOCTYPE Document>', 'x'), /DOCTYPE/],
  ['default attributes', withDoctype('<!DOCTYPE d [<!ATTLIST IntrBkSttlmAmt Ccy CDATA "USD">]>', 'x'), /DOCTYPE/],
  ['an entity that nobody declared', pacs008.replace('Gateway', '&nobody;'), /not well-formed/],
  ['deep nesting', `<Document>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</Document>`, /depth/],
  ['an endless opening', '<a>'.repeat(200_000), /depth/],
  ['a million elements', `<Document>${'<a/>'.repeat(1_000_000)}</Document>`, /too many elements/],
  [
    'a million attributes',
    `<a ${Array.from({ length: 600_000 }, (_, i) => `a${i}=""`).join(' ')}/>`,
    /too many elements/,
  ],
  ['a huge attribute', `<a b="${'x'.repeat(MESSAGE_BYTES_MAX)}"/>`, /larger than/],
  ['a huge name', `<${'x'.repeat(1_000_000)}/>`, /not well-formed/],
  ['an attribute twice', '<Document a="1" a="2"/>', /not well-formed/],
  ['a prefix of nobody', pacs008.replaceAll('MsgId', 'x:MsgId'), /not well-formed/],
  ['the namespace of another version', pacs008.replace('pacs.008.001.08', 'pacs.008.001.10'), /not a pacs.008.001.08/],
  ['no namespace', pacs008.replace(/ xmlns="[^"]*"/, ''), /not a pacs.008.001.08|No matching/],
  ['another message', MESSAGES[1]![1], /not a pacs.008.001.08|No matching/],
  ['a truncated message', pacs008.slice(0, -40), /not well-formed/],
  ['two documents', pacs008 + body, /not well-formed/],
  ['words after the document', `${pacs008}and more`, /not well-formed/],
  ['nothing', '', /not well-formed/],
  ['spaces', ' \n', /not well-formed/],
  ['JSON', '{"Document":{}}', /not well-formed/],
  ['invalid UTF-8', Buffer.concat([Buffer.from(body.slice(0, 200)), Buffer.from([0xc3, 0x28])]), /not UTF-8/],
  ['an overlong slash', Buffer.from([0x3c, 0xc0, 0xaf, 0x3e]), /not UTF-8/],
  ['half a surrogate pair', Buffer.from([0x3c, 0x61, 0x3e, 0xed, 0xa0, 0x80]), /not UTF-8/],
  ['UTF-16', Buffer.from(`\uFEFF${body}`, 'utf16le'), /not UTF-8/],
  ['UTF-16 without a mark', Buffer.from(body.replace('ñ', 'n'), 'utf16le'), /NUL/],
  ['another encoding declared', pacs008.replace('UTF-8', 'UTF-7'), /another encoding/],
  ['a NUL', pacs008.replace('Gateway', 'Gate\0way'), /NUL/],
  ['a control character', pacs008.replace('Gateway', 'Gate\u0001way'), /not well-formed/],
  ['a control character by number', pacs008.replace('Gateway', 'Gate&#1;way'), /not well-formed/],
]

/** What this process computed since then: the time of a clock would say how busy the machine is. */
function busyMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('a hostile message is a fault', () => {
  test.each(HOSTILE)('%s', (_what, input, why) => {
    const bytes = Buffer.from(input as string)
    const before = process.cpuUsage()
    const [, , read] = MESSAGES[0]!
    expect(read(bytes)).toEqual({ fault: expect.stringMatching(why) })
    // The validator has its own words for a document of another kind.
    const faults = schemaFaults('pacs.008.001.08', bytes)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.length).toBeLessThanOrEqual(20)
    expect(faults.join('').length).toBeLessThan(20 * 320)
    expect(busyMs(before)).toBeLessThan(5_000)
  })
})

test('no file and no address is opened for a schema that the message names', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const file = join(tmpdir(), `schema-${process.pid}.xsd`)
  writeFileSync(file, '<not a schema')
  const [kind, text, read, message] = MESSAGES[0]!
  for (const place of [`http://127.0.0.1:${port}/x.xsd`, `file://${file}`, file]) {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    const pointed = Buffer.from(text.replace('<Document ', `<Document ${xsi} xsi:schemaLocation="urn:other ${place}" `))
    expect(read(pointed)).toEqual({ message })
    expect(schemaFaults(kind, pointed)).toEqual([])
  }
  await new Promise((resolve) => {
    server.close(resolve)
  })
  expect(asked).toEqual([])
})

test('a message of nothing but faults keeps nobody busy', () => {
  const [, report, read] = MESSAGES[1]!
  const wrong = `<TxInfAndSts><TxSts>TOOLONG</TxSts></TxInfAndSts>`
  for (const count of [5_000, 40_000, 90_000]) {
    const bytes = Buffer.from(report.replace('</FIToFIPmtStsRpt>', `${wrong.repeat(count)}</FIToFIPmtStsRpt>`))
    const before = process.cpuUsage()
    expect(schemaFaults('pacs.002.001.10', bytes)).not.toEqual([])
    expect(read(bytes)).toEqual({ fault: expect.stringContaining('TxInfAndSts[2]/OrgnlEndToEndId is missing') })
    expect(busyMs(before)).toBeLessThan(10_000)
  }
})

test('bytes changed anywhere are read or refused, and never thrown about', () => {
  const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...MESSAGES), flips, fc.nat(), ([kind, text, read], changes, cut) => {
      const bytes = Buffer.from(text)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      const part = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes
      const reading = read(part)
      expect('fault' in reading ? reading.fault : reading.message).toBeTruthy()
      expect(schemaFaults(kind, part)).toBeInstanceOf(Array)
    }),
    { numRuns: 2_000 },
  )
})

test('every document is freed', () => {
  const spoil = (text: string) => [text, text.replace('MsgId', 'WrongId'), text.replace('urn:', 'no:'), '<a', '']
  // The compiled schemas and their documents stay: they are there before the count begins.
  for (const [kind, text] of MESSAGES) schemaFaults(kind, Buffer.from(text))
  diag.configure({ enabled: true })
  for (const [kind, text, read] of MESSAGES) {
    for (const bytes of spoil(text).map((each) => Buffer.from(each))) {
      read(bytes)
      schemaFaults(kind, bytes)
    }
  }
  const kept: unknown = diag.report()
  diag.configure({ enabled: false })
  expect(kept).toEqual({})
})
