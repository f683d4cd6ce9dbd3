// Card numbers are masked in free text, card fields refused, and everything else is left alone.
import { expect, test } from 'vitest'
import { cardFieldIn, cardInUrl, maskCards } from '../../src/domain/cards.ts'

test.each([
  ['paid with 4242 4242 4242 4242 today', 'paid with [card ending 4242] today'],
  ['5555555555554444', '[card ending 4444]'],
  ['amex 3782-822463-10005.', 'amex [card ending 0005].'],
  ['2223003122003222', '[card ending 3222]'],
])('masks the card number in %j', (text, masked) => {
  expect(maskCards(text)).toBe(masked)
})

test.each([
  '4242 4242 4242 4241',
  'order 1234567890123',
  'account 9000000000000003',
  '+639171234567',
  '2026-11-21 04:35:22',
])('leaves %j alone', (text) => {
  expect(maskCards(text)).toBe(text)
})

test.each(['pan', 'PAN', 'card_number', 'cardNumber', 'cvc', 'cvv', 'cvv2', 'card_cvc', 'track2', 'track_1_data'])(
  'refuses a member named %s',
  (name) => {
    expect(cardFieldIn(`{"a":{"${name}" : "1"}}`)).toBe(name)
  },
)

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
