// Random fee cases from a seed, as decimal texts. It must not know how a fee is computed.

import { decimalsOf, type FeeCase, fractionOf, isLess } from './fees.reference.ts'

/** 0 or more, below 1. */
type Draw = () => number

const CURRENCIES = ['JPY', 'VND', 'PHP', 'USD', 'KWD', 'BHD']
// Percentages people charge; with whole and half units they meet exact halves far more often than random ones do.
const COMMON_PCTS = ['0.5', '1', '1.5', '2.5', '2.925', '3.5', '12.5', '50', '100']

/** The same seed gives the same cases for ever (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function feeCaseFrom(draw: Draw): FeeCase {
  const currency = pick(draw, CURRENCIES)
  const decimals = decimalsOf(currency)
  const sum = (chance: number): string => (draw() < chance ? decimalText(draw, 11, decimals) : '0')
  const [lower, upper] = inOrder(sum(0.4), sum(0.4))
  return {
    currency,
    amount: positiveText(draw, decimals),
    bearer: draw() < 0.5 ? 'payer' : 'recipient',
    pct: draw() < 0.3 ? pick(draw, COMMON_PCTS) : draw() < 0.2 ? '0' : decimalText(draw, 2, 4),
    add: sum(0.5),
    min: lower,
    max: upper,
    fixed: sum(0.1),
  }
}

/** Whole part of at most `wholeMax` digits, fraction of at most `decimalsMax`: small as likely as large. */
function decimalText(draw: Draw, wholeMax: number, decimalsMax: number): string {
  const whole = Math.floor(draw() * 10 ** Math.floor(draw() * (wholeMax + 1)))
  const decimals = Math.floor(draw() * (decimalsMax + 1))
  if (decimals === 0) return String(whole)
  return `${whole}.${String(Math.floor(draw() * 10 ** decimals)).padStart(decimals, '0')}`
}

function positiveText(draw: Draw, decimals: number): string {
  for (;;) {
    const text = decimalText(draw, 11, decimals)
    if (/[1-9]/.test(text)) return text
  }
}

/** `min` may not be above `max`, unless `max` is 0: none. */
function inOrder(min: string, max: string): [min: string, max: string] {
  const isNone = !/[1-9]/.test(max)
  return !isNone && isLess(fractionOf(max), fractionOf(min)) ? [max, min] : [min, max]
}

function pick<Item>(draw: Draw, items: readonly Item[]): Item {
  const item = items[Math.floor(draw() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
