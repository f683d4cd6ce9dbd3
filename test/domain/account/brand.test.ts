// What an account may call itself and where it may send payers with questions; and that its colour can be read, whichever it is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentOf, contrast, CONTRAST_MIN } from '../../../src/domain/account/accent.ts'
import { NO_BRAND, patchedBrand, readBrand, type SentBrand } from '../../../src/domain/account/brand.ts'
import type { Problem } from '../../../src/domain/contract/refusals.ts'
import { THEMES } from '../../../src/http/checkout/style.ts'

function patched(sent: SentBrand, before = NO_BRAND) {
  const problems: Problem[] = []
  const brand = patchedBrand(
    before,
    readBrand(sent, (uri) => ({ uri: `read ${uri}` }), problems),
  )
  return { brand, problems: problems.map(({ code, param }) => `${code} ${param}`) }
}

test('what is left out stays, null clears, and what is written in another way is kept in one', () => {
  const first = patched({
    brand: { name: '  Reyes Trading ', logo: 'a', colour: '#0B57C2' },
    support: { email: 'help@reyes.example', phone: '(02) 8123-4567', url: 'HTTPS://Reyes.example/help' },
  })
  expect(first).toEqual({
    problems: [],
    brand: {
      name: 'Reyes Trading',
      logo: 'read a',
      colour: '#0b57c2',
      support: { email: 'help@reyes.example', phone: '+63281234567', url: 'https://reyes.example/help' },
    },
  })
  expect(patched({}, first.brand).brand).toEqual(first.brand)
  expect(patched({ brand: { name: null }, support: { phone: '' } }, first.brand).brand).toEqual({
    ...first.brand,
    name: null,
    support: { ...first.brand.support, phone: null },
  })
  expect(patched({ brand: null, support: null }, first.brand).brand).toEqual(NO_BRAND)
})

test.each<[SentBrand, string]>([
  [{ brand: { name: 'x'.repeat(81) } }, 'invalid_brand_name brand.name'],
  [{ brand: { name: 'Reyes\nTrading' } }, 'invalid_brand_name brand.name'],
  [{ brand: { name: 'Reyes \u202egnidarT' } }, 'invalid_brand_name brand.name'],
  [{ brand: { name: '***' } }, 'invalid_brand_name brand.name'],
  [{ brand: { colour: 'red' } }, 'invalid_brand_colour brand.colour'],
  [{ brand: { colour: '#fff' } }, 'invalid_brand_colour brand.colour'],
  [{ brand: { colour: '#0b57c2;}body{' } }, 'invalid_brand_colour brand.colour'],
  [{ support: { email: 'help' } }, 'invalid_support_email support.email'],
  [{ support: { email: 'a@b.example?bcc=c@d.example' } }, 'invalid_support_email support.email'],
  [{ support: { email: 'Help <help@reyes.example>' } }, 'invalid_support_email support.email'],
  [{ support: { phone: '8123-4567' } }, 'invalid_support_phone support.phone'],
  [{ support: { phone: '+63 2 8123 4567 ext 2' } }, 'invalid_support_phone support.phone'],
  [{ support: { url: 'http://reyes.example' } }, 'invalid_support_url support.url'],
  [{ support: { url: 'javascript:alert(1)' } }, 'invalid_support_url support.url'],
  [{ support: { url: 'data:text/html,x' } }, 'invalid_support_url support.url'],
  [{ support: { url: 'https://user:secret@reyes.example' } }, 'invalid_support_url support.url'],
  [{ support: { url: 'https://reyes.example/4111111111111111' } }, 'card_data_not_allowed support.url'],
])('%j is refused by name', (patch, problem) => expect(patched(patch).problems).toEqual([problem]))

test('every fault is named at once, and a card number in a name is masked', () => {
  expect(patched({ brand: { name: '?', colour: '?' }, support: { email: '?', url: '?' } }).problems).toHaveLength(4)
  expect(patched({ brand: { name: 'Reyes 4111 1111 1111 1111' } }).brand.name).toBe('Reyes [card ending 1111]')
})

test('of 4,096 colours over the whole cube and 2,000 others, text on the button and links in both themes reach AA', () => {
  const grounds = (theme: 'light' | 'dark') => [THEMES[theme].card, THEMES[theme].ground, THEMES[theme].hover]
  const faults: string[] = []
  let changed = 0
  const look = (colour: string) => {
    const { button, links } = accentOf(colour)
    const pairs = [
      [button.text, button.background],
      ...grounds('light').map((ground) => [links.light, ground]),
      ...grounds('dark').map((ground) => [links.dark, ground]),
    ]
    if (pairs.some(([one = '', other = '']) => contrast(one, other) < CONTRAST_MIN) || button.background !== colour)
      faults.push(colour)
    if (links.light !== colour) changed++
  }
  const steps = Array.from({ length: 16 }, (_, step) => step * 17)
  for (const red of steps) for (const green of steps) for (const blue of steps) look(hex(red, green, blue))
  const part = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(part, part, part, (red, green, blue) => look(hex(red, green, blue))),
    { numRuns: 2000 },
  )
  expect(faults).toEqual([])
  console.log(`colours that links have darkened in the light theme: ${changed} of 6,096`)
  expect(changed).toBeGreaterThan(1000)
})

test('black on white is 21, and a colour that can be read stays as it is', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(accentOf('#0b57c2')).toMatchObject({ button: { text: '#ffffff' }, links: { light: '#0b57c2' } })
  expect(accentOf('#ffd400')).toMatchObject({
    button: { background: '#ffd400', text: '#000000' },
    links: { dark: '#ffd400' },
  })
})

const hex = (...parts: readonly number[]) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
