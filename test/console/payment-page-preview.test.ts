// The console draws the payment page without importing it: its colours, and what becomes of an account's own, are held to the page's.
import { expect, test } from 'vitest'
import { accentOf, colourOf, contrast, THEMES } from '../../console/src/account/payment-page.ts'
import { accentOf as accentOfPage, contrast as contrastOfPage } from '../../src/domain/account/accent.ts'
import { THEMES as THEMES_OF_PAGE } from '../../src/http/checkout/style.ts'

const COLOURS = ['#000000', '#ffffff', '#0b7a53', '#ffcc00', '#d6006e', '#777777', '#7f0000', '#00ffff', '#123456']

test('the preview has the colours of the payment page', () => {
  for (const theme of ['light', 'dark'] as const) expect(THEMES_OF_PAGE[theme]).toMatchObject(THEMES[theme])
})

test.each(COLOURS)('%s becomes what the payment page makes of it', (colour) => {
  expect(accentOf(colour)).toEqual(accentOfPage(colour))
  expect(contrast(colour, '#808080')).toBeCloseTo(contrastOfPage(colour, '#808080'), 10)
})

test('a colour is six digits after a hash', () => {
  expect(['#0B57C2 ', 'red', '#fff', '', '#12345g'].map(colourOf)).toEqual(['#0b57c2', null, null, null, null])
})
