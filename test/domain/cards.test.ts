// Card numbers are masked in free text, card fields refused, and everything else is left alone.
import { expect, test } from 'vitest'
import { cardFieldIn, maskCards } from '../../src/domain/cards.ts'

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
