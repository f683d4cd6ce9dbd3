// Codes read and written byte for byte, by the published ones and by an independent reader, and each way to be no code.
import fc from 'fast-check'
import { encode, parse, type TLVTag, tag, withCrcTag } from 'promptparse'
import { describe, expect, test } from 'vitest'
import { type EmvItem, emvValue, readEmv, writeEmv } from '../../src/formats/emv-qr.ts'
import { PERSON, PERSON_ANY_AMOUNT, SHOP } from '../connectors/qrph-codes.ts'

const BASE: readonly EmvItem[] = [
  { id: '00', value: '01' },
  { id: '28', items: [{ id: '00', value: 'ph.ppmi.p2m' }] },
  { id: '52', value: '5311' },
  { id: '53', value: '608' },
  { id: '58', value: 'PH' },
  { id: '59', value: 'Ana' },
  { id: '60', value: 'Makati' },
]
const BASE_BODY = '00020128150011ph.ppmi.p2m5204531153036085802PH5903Ana6006Makati'

describe('the published codes', () => {
  test.each([SHOP, PERSON, PERSON_ANY_AMOUNT])('%s', (text) => {
    const read = readEmv(text)
    expect(writeEmv('items' in read ? read.items : [])).toBe(text)
  })

  test('objects are found by their ids', () => {
    const read = readEmv(SHOP)
    const items = 'items' in read ? read.items : []
    expect(items.map(({ id }) => id).join(' ')).toBe('00 01 28 52 53 54 58 59 60 62 88')
    expect(emvValue(items, '54')).toBe('1458.31')
    expect(emvValue(items, '28', '05')).toBe('310')
    expect(emvValue(items, '88', '01')).toHaveLength(51)
    // Neither is there; a template has no text, and a text no objects.
    for (const [id, innerId] of [['55'], ['28', '04'], ['28'], ['54', '00']] as [string, string?][])
      expect(emvValue(items, id, innerId), `${id}-${innerId}`).toBeNull()
  })
})

describe('an independent reader', () => {
  test('reads what is written, object for object', () => {
    fc.assert(
      fc.property(anyCode(), (items) => {
        const text = writeEmv(items)
        const theirs = parse(text, true, true)
        expect(theirs?.validate('63')).toBe(true)
        expect(
          theirs
            ?.getTags()
            .slice(0, -1)
            .map((each, place) => asItem(each, items[place])),
        ).toEqual(items)
        expect(readEmv(text)).toEqual({ items })
      }),
      { numRuns: 500 },
    )
  })

  test('writes what is read', () => {
    fc.assert(
      fc.property(anyCode(), (items) => {
        const tags = items.map((item) => tag(item.id, 'items' in item ? encode(item.items.map(asTag)) : item.value))
        expect(readEmv(withCrcTag(encode(tags), '63'))).toEqual({ items })
      }),
      { numRuns: 100 },
    )
  })
})

describe('a length counts characters, the checksum bytes', () => {
  test('99 characters are the most', () => {
    const code = (merchant: string) => [...BASE, { id: '64', items: [{ id: '01', value: merchant }] }]
    expect(readEmv(writeEmv(code('ñ'.repeat(95))))).toEqual({ items: code('ñ'.repeat(95)) })
    expect(readEmv(writeEmv(code('😀'.repeat(80))))).toEqual({ items: code('😀'.repeat(80)) })
    expect(() => writeEmv(code('ñ'.repeat(96)))).toThrow('object 64 has 1 to 99 characters, not 100')
  })

  test('512 bytes are the most of a code', () => {
    const long = [65, 66, 67].map((id) => ({ id: `${id}`, value: 'x'.repeat(99) }))
    const local = { id: '64', items: [{ id: '01', value: 'ñ'.repeat(20) }] }
    const code = (letters: number) => [...BASE, ...long, local, { id: '69', value: 'x'.repeat(letters) }]
    const spare = 512 - Buffer.byteLength(writeEmv(code(1)))
    expect(Buffer.byteLength(writeEmv(code(1 + spare)))).toBe(512)
    expect(() => writeEmv(code(2 + spare))).toThrow('too_long')
  })

  test('of a name in two scripts', () => {
    const text = writeEmv([
      ...BASE,
      {
        id: '64',
        items: [
          { id: '00', value: 'zh' },
          { id: '01', value: '北京' },
        ],
      },
    ])
    expect(text).toContain('64120002zh0102北京6304')
    // By the published definition of CRC-16/CCITT-FALSE over the bytes of UTF-8, reckoned with another program.
    expect(text.slice(-4)).toBe('F8A1')
  })
})

describe('a text that is no code', () => {
  test.each([
    ['bad_format', '00', ''],
    ['bad_id', '', 'x'],
    ['bad_id', '', '0'],
    ['bad_length', '00', '00'],
    ['bad_length', '00', '000'],
    ['missing', '63', '000201'],
    ['bad_format', '00', sealed(BASE_BODY.replace('000201', '000202'))],
    ['bad_format', '00', sealed(`010212${BASE_BODY}`)],
    ['missing', '63', BASE_BODY],
    ['bad_length', '01', `${sealed(BASE_BODY)}0102`],
    ['crc_not_last', '63', `${sealed(BASE_BODY)}010212`],
    ['bad_crc', '63', sealed(BASE_BODY).replace('Ana', 'Ane')],
    ['bad_crc', '63', sealed(BASE_BODY).toLowerCase().replace('ph59', 'PH59')],
    ['bad_crc', '63', SHOP.replace(/9616$/, '9617')],
    ['bad_length', '63', SHOP.slice(0, -1)],
    ['bad_crc', '63', `${BASE_BODY}6305ABCDE`],
    ['missing', '52', sealed(BASE_BODY.replace('52045311', ''))],
    ['missing', '53', sealed(BASE_BODY.replace('5303608', ''))],
    ['missing', '58', sealed(BASE_BODY.replace('5802PH', ''))],
    ['missing', '59', sealed(BASE_BODY.replace('5903Ana', ''))],
    ['missing', '60', sealed(BASE_BODY.replace('6006Makati', ''))],
    ['missing', '02..51', sealed(BASE_BODY.replace('28150011', '65150011'))],
    ['repeated', '59', sealed(BASE_BODY.replace('5903Ana', '5903Ana5903Ben'))],
    ['repeated', '62-05', sealed(`${BASE_BODY}62140503abc0503xyz`)],
    ['bad_length', '59', sealed(BASE_BODY.replace('5903', '5900'))],
    ['bad_length', '59', sealed(BASE_BODY.replace('5903', '59 3'))],
    ['bad_length', '59', sealed(BASE_BODY.replace('5903', '59-3'))],
    ['bad_length', '59', sealed(BASE_BODY.replace('5903', '59٠٣'))],
    ['bad_id', '', sealed(BASE_BODY.replace('6006Makati', '6006Makatix7'))],
    ['bad_length', '28-00', sealed(BASE_BODY.replace('28150011', '28150012'))],
    ['bad_id', '28', sealed(BASE_BODY.replace('28150011', '2815xx11'))],
    ['bad_id', '62', sealed(`${BASE_BODY}6203abc`)],
    ['bad_length', '80-01', sealed(`${BASE_BODY}800401ab`)],
    ['bad_characters', '59', written(BASE_BODY.replace('5903Ana', '5903Añe'))],
    ['bad_characters', '', sealed(BASE_BODY.replace('Ana', 'A\na'))],
    ['bad_characters', '', sealed(BASE_BODY.replace('Ana', 'A\u0000a'))],
    ['bad_characters', '', sealed(BASE_BODY.replace('Ana', 'A\uD800a'))],
    ['too_long', '', sealed(`${BASE_BODY}${[65, 66, 67, 68, 69].map((id) => `${id}99${'x'.repeat(99)}`).join('')}`)],
    ['too_long', '', `${BASE_BODY}${'😀'.repeat(120)}`],
    ['too_long', '', '0'.repeat(1_000_000)],
  ])('%#: %s at "%s"', (fault, at, text) => {
    expect(readEmv(text)).toEqual({ fault, at })
  })

  test('the rows are faulty by what they name alone', () => {
    expect(readEmv(sealed(BASE_BODY))).toEqual({ items: BASE })
    expect(readEmv(written(`${BASE_BODY}6507Añejo 7`))).toMatchObject({ items: expect.any(Array) as unknown })
  })

  test('any one character changed, and any end cut off', () => {
    for (const text of [SHOP, PERSON, PERSON_ANY_AMOUNT])
      for (let place = 0; place < text.length; place++) {
        const other = text.charAt(place) === '0' ? '1' : '0'
        expect(readEmv(text.slice(0, place) + other + text.slice(place + 1))).toHaveProperty('fault')
        expect(readEmv(text.slice(0, place))).toHaveProperty('fault')
      }
  })

  test('whatever is read is written again to the same text', () => {
    const piece = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('0002', '01', '2604', '5303', '6304', '99'))
    const anything = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(anything, fc.string({ unit: 'binary' }), anyCode().map(writeEmv)), (text) => {
        const read = readEmv(text)
        expect('items' in read ? writeEmv(read.items) : text).toBe(text)
      }),
      { numRuns: 100 },
    )
  })
})

describe('items that cannot be written', () => {
  test.each<[string, readonly EmvItem[]]>([
    ['bad_format at 00', []],
    ['bad_format at 00', BASE.slice(1)],
    ['missing at 60', BASE.slice(0, -1)],
    ['missing at 02..51', BASE.filter(({ id }) => id !== '28')],
    ['repeated at 59', [...BASE, { id: '59', value: 'Ben' }]],
    ['repeated at 63', [...BASE, { id: '63', value: 'ABCD' }]],
    ['object 54 has 1 to 99 characters, not 0', [...BASE, { id: '54', value: '' }]],
    ['object 65 has 1 to 99 characters, not 100', [...BASE, { id: '65', value: 'x'.repeat(100) }]],
    ['object 62 has 1 to 99 characters, not 0', [...BASE, { id: '62', items: [] }]],
    ['two digits: 5', [...BASE, { id: '62', items: [{ id: '5', value: 'a' }] }]],
    ['bad_id at 62', [...BASE, { id: '62', value: 'plain' }]],
    ['bad_characters at 54', [...BASE, { id: '54', value: '1€' }]],
    ['too_long', [...BASE, ...[65, 66, 67, 68, 69].map((id) => ({ id: `${id}`, value: 'x'.repeat(99) }))]],
  ])('%#: %s', (fact, items) => {
    expect(() => writeEmv(items)).toThrow(fact)
  })
})

/** A code by another program's checksum; of ASCII, as that program takes letters for bytes. */
function sealed(body: string): string {
  return withCrcTag(body, '63')
}

/** The same over the bytes of UTF-8. */
function written(body: string): string {
  return body + sealed(Buffer.from(body).toString('latin1')).slice(-8)
}

function asTag({ id, value }: { id: string; value: string }): TLVTag {
  return tag(id, value)
}

/** Their object as one of ours; theirs guesses templates by their looks, so ours says whether it is one. */
function asItem(theirs: TLVTag, ours: EmvItem | undefined): EmvItem {
  if (!ours || 'value' in ours) return { id: theirs.id, value: theirs.value }
  return { id: theirs.id, items: (theirs.subTags ?? []).map(({ id, value }) => ({ id, value })) }
}

/** Codes of no more than 512 bytes with every kind of object, in any order after the first. */
function anyCode(): fc.Arbitrary<EmvItem[]> {
  const ascii = (maxLength: number) => fc.string({ minLength: 1, maxLength })
  const anyId = (from: number, to: number) => fc.integer({ min: from, max: to }).map((id) => `${id}`.padStart(2, '0'))
  const leaf = (id: fc.Arbitrary<string>, maxLength: number) => fc.record({ id, value: ascii(maxLength) })
  const leaves = fc.uniqueArray(leaf(anyId(0, 99), 20), { selector: ({ id }) => id, minLength: 1, maxLength: 4 })
  const template = (id: fc.Arbitrary<string>) => fc.record({ id, items: leaves })
  const payee = fc.oneof(leaf(anyId(2, 25), 99), template(anyId(26, 51)))
  const more = fc.oneof(
    leaf(fc.constantFrom('01', '54', '55', '61', '65', '79'), 13),
    template(fc.constantFrom('62', '64', '80', '99')),
  )
  return fc
    .tuple(payee, fc.uniqueArray(more, { selector: ({ id }) => id, maxLength: 2 }), ascii(25), ascii(15))
    .chain(([payed, others, name, city]) => {
      const fixed = BASE.slice(2, -2).concat([
        { id: '59', value: name },
        { id: '60', value: city },
      ])
      const rest: EmvItem[] = [payed, ...others, ...fixed]
      return fc.shuffledSubarray(rest, { minLength: rest.length }).map((items) => [{ id: '00', value: '01' }, ...items])
    })
}
