// Card numbers are masked in free text, card fields refused, and everything else is left alone.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardFieldIn, cardInUrl, maskCards } from '../../../src/domain/text/cards.ts'

const FIGURES = ['500.00 1500.00 2500.09', '30.11.2026 30.12.2029', '62.110.120.101 62.110.120.131']

test.each([
  ['paid with 4242 4242 4242 4242 today', 'paid with [card ending 4242] today'],
  ['5555555555554444', '[card ending 4444]'],
  ['amex 3782-822463-10005.', 'amex [card ending 0005].'],
  ['2223003122003222', '[card ending 3222]'],
  ['4242.4242.4242.4242', '[card ending 4242]'],
  ['4242\t4242\n4242\u00a04242', '[card ending 4242]'],
  ['4242  4242 - 4242  4242', '[card ending 4242]'],
  ['4\u200b2\u200d4\u20602\ufeff4242\u00ad42424242', '[card ending 4242]'],
  [
    '\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12',
    '[card ending 4242]',
  ],
  ['\u0664\u0662\u0664\u0662 4242 4242 4242 now', '[card ending 4242] now'],
  ['\u{1d7d2}\u{1d7d0}42\u2013\u2463\u2461\u2463\u2461\u20134242\u20134242', '[card ending 4242]'],
  ['1. 4242 4242 4242 4242, 12 29 123', '1. [card ending 4242], 12 29 123'],
  ['4242 4242 4242 4242 12 29 123', '[card ending 4242] 12 29 123'],
  ['7 4242 4242 4242 4242', '7 [card ending 4242]'],
  ['4242424242424242\u00b2', '[card ending 4242]\u00b2'],
])('masks the card number in %j', (text, masked) => {
  expect(maskCards(text)).toBe(masked)
})

test('lists of figures pass as card numbers but for their dots, or the row above would prove nothing', () => {
  for (const text of FIGURES.map((each) => each.replaceAll('.', ' '))) expect(maskCards(text)).not.toBe(text)
})

test.each([
  '4242 4242 4242 4241',
  'order 1234567890123',
  'account 9000000000000003',
  '+639171234567',
  '2026-11-21 04:35:22',
  // Amounts, dates and addresses that would pass as numbers of sixteen or eighteen digits.
  ...FIGURES,
])('leaves %j alone', (text) => {
  expect(maskCards(text)).toBe(text)
})

test.each([
  'pan',
  'PAN',
  'card_number',
  'cardNumber',
  'CARD-NUMBER',
  'card no',
  'cvc',
  'cvv',
  'cvv2',
  'card_cvc',
  'Card-CVC',
  'track2',
  'track_1_data',
  'track-2-data',
  '_pan_',
])('refuses a member named %s', (name) => {
  expect(cardFieldIn(`{"a":{"${name}" : "1"}}`)).toBe(name)
})

test.each<[string, string]>([
  ['p\\u0061n', 'pan'],
  ['\\u0043ard\\u005fNumber', 'Card_Number'],
  ['\\uff50\\uff41\\uff4e', 'pan'],
  ['c\\u200bvc', 'cvc'],
  ['\uff50\uff41\uff4e', 'pan'],
  ['c\u200bv\u00adv', 'cvv'],
])('refuses a member named %j, which reads as %s', (name, read) => {
  expect(cardFieldIn(`{"note":"a \\"b\\": c","a":[{"${name}"\n: "1"}]}`)).toBe(read)
})

test('a name is no value, and a value no name', () => {
  expect(cardFieldIn('{"a":"p\\u0061n","b":["\\"pan\\":"]}')).toBeNull()
  expect(cardFieldIn('{"a":"ñ: \\"","b":"pan"}')).toBeNull()
})

test.each(['company', 'span', 'panel', 'tracking', 'card', 'number'])('takes a member named %s', (name) => {
  expect(cardFieldIn(`{"${name}":"1"}`)).toBeNull()
})

test.each([
  'https://shop.example/4242424242424242',
  'https://shop.example/?order=4242%204242+4242-4242',
  'https://shop.example/?half=%zz&order=4242424242424242',
])('finds the card number in %s', (url) => {
  expect(cardInUrl('return_url', url)).toMatchObject({ code: 'card_data_not_allowed', param: 'return_url' })
})

test.each(['https://shop.example/thanks?order=1732190000123', 'https://shop.example/thanks?order=o4242424242424242x'])(
  'takes %s, or says how to write it',
  (url) => {
    const fault = cardInUrl('return_url', url)
    expect(fault === null || fault.message.includes('letter in front')).toBe(true)
  },
)

const NUMBERS = ['4242424242424242', '5555555555554444', '378282246310005', '2223003122003222', '6011111111111117']
const ZEROS = [0x30, 0xff10, 0x660, 0x966, 0x1d7ce]
const APART = [
  ' ',
  '-',
  '.',
  '\t',
  '\n',
  '\u00a0',
  '\u2009',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u2013',
  '\u00b7',
]

test('a card number is found however its digits are written and kept apart', () => {
  const writing = fc.record({
    number: fc.constantFrom(...NUMBERS),
    zeros: fc.array(fc.constantFrom(...ZEROS), { minLength: 19, maxLength: 19 }),
    gaps: fc.array(fc.array(fc.constantFrom(...APART), { maxLength: 4 }), { minLength: 19, maxLength: 19 }),
    around: fc.tuple(fc.constantFrom('', 'card ', 'No. '), fc.constantFrom('', ' please', ', thanks')),
  })
  fc.assert(
    fc.property(writing, ({ number, zeros, gaps, around: [before, after] }) => {
      const digits = Array.from(number, (digit, i) => String.fromCodePoint((zeros[i] ?? 0x30) + Number(digit)))
      const written = digits.map((digit, i) => digit + (i < digits.length - 1 ? (gaps[i] ?? []).join('') : '')).join('')
      expect(maskCards(before + written + after)).toBe(`${before}[card ending ${number.slice(-4)}]${after}`)
    }),
    { numRuns: 500 },
  )
})

test('what is masked is found no more, and what holds no long number stays as it is', () => {
  const texts = fc.string({
    unit: fc.constantFrom(...'0123456789'.split(''), '4', ' ', '.', '-', '\u200b', '\uff14', 'a'),
    maxLength: 80,
  })
  fc.assert(
    fc.property(texts, (text) => {
      const masked = maskCards(text)
      expect(maskCards(masked)).toBe(masked)
      const digits = (text.match(/[\d\uff14]/g) ?? []).length
      expect(digits < 13 ? masked : text).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test('in the middle of a list of numbers only what is grouped as cards are is one: the rest would be chance', () => {
  expect(maskCards('100 200 300 400 500 600 605')).toBe('100 200 300 400 500 600 605')
  expect(maskCards('300 400 500 600 605')).toBe('[card ending 0605]')
})

test.each([
  ['digits', '4241 '.repeat(50_000)],
  ['separators', `4${' . '.repeat(80_000)}2`],
  ['other digits', '\uff14\u200b'.repeat(50_000)],
  ['names', `{${'"\\"p\\u0061'.repeat(20_000)}`],
  ['one long name', `{"track${' '.repeat(60_000)}`],
  ['quotes', '"'.repeat(65_000)],
])('a long text of %s is looked at once', (_what, text) => {
  // A look at each place for each other would take minutes.
  expect(maskCards(text)).toContain(text.slice(-1))
  expect(cardFieldIn(text)).toBeNull()
})
