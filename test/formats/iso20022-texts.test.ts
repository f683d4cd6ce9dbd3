// Texts, banks and accounts: what is cleaned, what is cut, and what is a bank at all.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bankMember, isAccountId, isBic } from '../../src/formats/iso20022/banks.ts'
import { readPacs008, writePacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { plainLines, plainText } from '../../src/formats/iso20022/texts.ts'
import { anyText, BANK_TRANSFERS } from './iso20022-samples.ts'

describe('plainText', () => {
  test.each([
    ['  Ana  ', 'Ana'],
    ['one\r\ntwo\tthree\u2028four', 'one two three four'],
    ['a\u0000b\u0007c\u007fd\u0085e\u009ff', 'abcd ef'],
    ['a\uD800b\uDC00c\uFFFEd\uFFFFe', 'abcde'],
    ['Peña 한국 العربية 😀 👩‍👩‍👧', 'Peña 한국 العربية 😀 👩‍👩‍👧'],
    ['<&>"\'', '<&>"\''],
    ['\u0001\u0002 \n', null],
    ['', null],
    [null, null],
  ])('%j is %j', (text, plain) => {
    expect(plainText(text, 140)).toBe(plain)
  })

  test('cuts between characters', () => {
    expect(plainText('😀'.repeat(141), 140)).toBe('😀'.repeat(140))
    expect(plainText(`${'a'.repeat(139)} b`, 140)).toBe('a'.repeat(139))
  })

  test('what is plain stays as it is, and is short enough', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 200 }), (text, max) => {
        const plain = plainText(text, max)
        expect(plainText(plain, max)).toBe(plain)
        expect(Array.from(plain ?? '').length).toBeLessThanOrEqual(max)
      }),
    )
  })
})

test('plainLines breaks between words, and inside those that are too long', () => {
  expect(plainLines('12 Long Street, Makati City', 12, 7)).toEqual(['12 Long', 'Street,', 'Makati City'])
  expect(plainLines('abcdefghij', 4, 2)).toEqual(['abcd', 'efgh'])
  expect(plainLines('\n', 4, 2)).toEqual([])
  fc.assert(
    fc.property(anyText, (text) => {
      const lines = plainLines(text, 70, 100)
      for (const line of lines) expect(plainText(line, 70)).toBe(line)
      const letters = (words: string) => words.replaceAll(/\s/g, '')
      expect(letters(lines.join(''))).toBe(letters(plainText(text, 10_000) ?? ''))
    }),
  )
})

test.each(['BOPIPHMM', 'BOPIPHMMXXX', 'MBTCPHMM', 'DEUTDEFF500', '1234PH00'])('%s is a BIC', (code) => {
  expect(isBic(code)).toBe(true)
  expect(bankMember(` ${code} `)).toEqual({ bic: code })
})

test.each(['bopiphmm', 'BOPIPHM', 'BOPIPHMMXX', 'BOPIZZMM', 'BOPI PHMM', 'BÖPIPHMM', '', 'BOPIPHMM\n'])(
  '%j is no BIC',
  (code) => {
    expect(isBic(code)).toBe(false)
  },
)

test.each([
  ['010040018', { memberId: '010040018' }],
  ['landbank', { memberId: 'landbank' }],
  ['x'.repeat(35), { memberId: 'x'.repeat(35) }],
  ['x'.repeat(36), null],
  ['', null],
  ['  ', null],
  ['a\u0000b', null],
  ['a\nb', null],
  ['Ñ', null],
])('the bank of the tag %j is %j', (tag, bank) => {
  expect(bankMember(tag)).toEqual(bank)
})

test.each([
  ['001234567890', true],
  ['1'.repeat(34), true],
  ['1'.repeat(35), false],
  ['', false],
  [' 1', false],
  ['1\n2', false],
])('account %j can be sent: %j', (id, isOne) => {
  expect(isAccountId(id)).toBe(isOne)
})

test.each([
  ['+639171234567', '+63-9171234567'],
  ['+12025550123', '+1-2025550123'],
  ['+74951234567', '+7-4951234567'],
  ['+442079460000', '+44-2079460000'],
  ['+85221234567', '+852-21234567'],
  ['+3531234567', '+353-1234567'],
])('the number %s is written %s, and reads back', (mobile, written) => {
  const [transfer] = BANK_TRANSFERS.transfers
  const transfers = [{ ...transfer!, creditor: { ...transfer!.creditor, mobile } }]
  const text = writePacs008({ ...BANK_TRANSFERS, transfers })
  expect(text).toContain(`<MobNb>${written}</MobNb>`)
  expect(readPacs008(Buffer.from(text))).toEqual({ message: { ...BANK_TRANSFERS, transfers } })
})

test.each(['09171234567', '+63 917', 'call me', ''])(
  'a number like %j is left out, as is a country that is none',
  (mobile) => {
    const [transfer] = BANK_TRANSFERS.transfers
    const creditor = { ...transfer!.creditor, mobile, country: 'Philippines' }
    const text = writePacs008({ ...BANK_TRANSFERS, transfers: [{ ...transfer!, creditor }] })
    expect(text).not.toMatch(/MobNb|Ctry/)
  },
)
