// A second, independent account of what a fee is: exact fractions read from decimal texts, rounded once, last.
// It must not import anything from src: it is what src is compared with.

export type FeeCase = {
  currency: string
  amount: string
  bearer: 'payer' | 'recipient'
  pct: string
  add: string
  min: string
  max: string
  fixed: string
}

export type Expected = { feeMinor: bigint; debitMinor: bigint; receiveMinor: bigint }

/** Which rules of the fee a case really exercises; a run that never meets one of them has proven nothing about it. */
export type Met = { tie: boolean; raisedToMin: boolean; cutToMax: boolean; fixed: boolean; nothingLeft: boolean }

type Fraction = { top: bigint; bottom: bigint }

const DECIMALS: Record<string, number> = { JPY: 0, VND: 0, PHP: 2, USD: 2, KWD: 3, BHD: 3 }

export function decimalsOf(currency: string): number {
  const decimals = DECIMALS[currency]
  if (decimals === undefined) throw new Error(`the reference does not know ${currency}`)
  return decimals
}

export function expectedCharge(feeCase: FeeCase): Expected & { met: Met } {
  const unit = { top: 10n ** BigInt(decimalsOf(feeCase.currency)), bottom: 1n }
  const [amount, add, min, max, fixed] = [feeCase.amount, feeCase.add, feeCase.min, feeCase.max, feeCase.fixed].map(
    (text) => times(fractionOf(text), unit),
  ) as [Fraction, Fraction, Fraction, Fraction, Fraction]

  const asked = plus(times(times(amount, fractionOf(feeCase.pct)), { top: 1n, bottom: 100n }), add)
  const isFixed = fixed.top > 0n
  const raisedToMin = !isFixed && isLess(asked, min)
  const cutToMax = !isFixed && max.top > 0n && isLess(max, asked)
  const exact = isFixed ? fixed : raisedToMin ? min : cutToMax ? max : asked

  const feeMinor = nearest(exact)
  const amountMinor = nearest(amount)
  const [debitMinor, receiveMinor] =
    feeCase.bearer === 'payer' ? [amountMinor + feeMinor, amountMinor] : [amountMinor, amountMinor - feeMinor]
  const met = { tie: isTie(exact), raisedToMin, cutToMax, fixed: isFixed, nothingLeft: receiveMinor <= 0n }
  return { feeMinor, debitMinor, receiveMinor, met }
}

/** "12.50" is 1250/100. */
export function fractionOf(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.')
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) }
}

export function isLess(left: Fraction, right: Fraction): boolean {
  return left.top * right.bottom < right.top * left.bottom
}

function times(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.top, bottom: left.bottom * right.bottom }
}

function plus(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.bottom + right.top * left.bottom, bottom: left.bottom * right.bottom }
}

/** The whole number next to it: what is left over decides, and exactly half goes up. Never called below zero. */
function nearest({ top, bottom }: Fraction): bigint {
  const leftOver = top % bottom
  const below = (top - leftOver) / bottom
  return leftOver >= bottom - leftOver ? below + 1n : below
}

function isTie({ top, bottom }: Fraction): boolean {
  return (top % bottom) * 2n === bottom
}
