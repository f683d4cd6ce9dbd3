// Amounts in and out, many times: what a payer pays is what arrives and the fee; parts that are given back, in whatever
// order, fail or not, never come to more than was paid; and all that moved sums to zero. AMOUNT_CASES=100000 for the long form.
import { expect, test } from 'vitest'
import { channelFacts, type ChannelConfig } from '../../../src/domain/channel/config.ts'
import { inbound } from '../../../src/domain/channel/channel.ts'
import { fixedText, majorNumber, parseAmount } from '../../../src/domain/money/money.ts'
import { previewOf } from '../../../src/domain/contract/preview.ts'
import { type Dice, diceOf, newSeed } from '../../rig/dice.ts'
import { PRICES } from '../../rig/payments/payments-channels.ts'
import { openPure } from '../../rig/payments/payments-pure.ts'
import { runStory } from '../../rig/payments/payments-run.ts'
import { KINDS } from '../../rig/payments/payments-model.ts'
import type { Step } from '../../rig/payments/payments-steps.ts'
import { expectedCharge } from '../money/fees.reference.ts'

const CASES = Number(process.env['AMOUNT_CASES'] ?? 25_000)
const STORIES = 500
const DECIMALS = { JPY: 0, PHP: 2, USD: 2, KWD: 3 } as const
type Currency = keyof typeof DECIMALS

/** A decimal text of so many minor units. */
function textOf(minor: bigint, decimals: number): string {
  const digits = minor.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Small amounts, where roundings bite, as often as large ones. */
const minorOf = (dice: Dice) => BigInt(dice.whole(1, 10 ** dice.whole(1, 11)))

test(`${CASES} amounts that come in: fee and what arrives sum to what is paid, to the last unit`, () => {
  const seed = Number(process.env['AMOUNT_SEED'] ?? newSeed())
  const dice = diceOf(seed)
  let [rounded, refused] = [0, 0]
  for (let i = 0; i < CASES; i++) {
    const currency = dice.pick(Object.keys(DECIMALS) as Currency[])
    const decimals = DECIMALS[currency]
    const amountMinor = minorOf(dice)
    const amount = textOf(amountMinor, decimals)
    const parsed = parseAmount(Number(amount), currency)
    const read = 'amountMinor' in parsed ? parsed.amountMinor : parsed.fault
    same(amountMinor, read, `${currency} ${amount} as it is read, seed ${seed}`)
    same(amount, fixedText(amountMinor, currency), `${currency} ${amount} as rails get it, seed ${seed}`)
    same(Number(amount), majorNumber(amountMinor, currency), `${currency} ${amount} as JSON shows it, seed ${seed}`)
    const onTop = dice.chance(0.5)
    // Round rates end in the middle of a unit more often.
    const decimalsOfPct = dice.chance(0.5) ? dice.pick(['5', '25', '05']) : String(dice.whole(0, 9999)).padStart(4, '0')
    const pct = `${dice.whole(0, 9)}.${decimalsOfPct}`
    const [add, min, max] = [0n, 0n, 0n].map(() =>
      textOf(dice.chance(0.5) ? 0n : BigInt(dice.whole(1, 5000)), decimals),
    ) as [string, string, string]
    const ordered = Number(max) === 0 || Number(min) <= Number(max)
    const fees = { pct: Number(pct), add: Number(add), min: ordered ? Number(min) : 0, max: Number(max) }
    const preview = previewIn(currency, amountMinor, onTop, fees)
    const bearer = onTop ? 'payer' : 'recipient'
    const { met, ...expected } = expectedCharge({
      currency,
      amount,
      bearer,
      pct,
      add,
      min: ordered ? min : '0',
      max,
      fixed: '0',
    })
    const { feeMinor, debitMinor, receiveMinor } = preview
    const which = `${currency} ${amount}: ${pct} ${add} ${min} ${max} ${bearer}, seed ${seed}`
    same(expected.feeMinor, feeMinor, `fee of ${which}`)
    same(expected.debitMinor, debitMinor, `what is paid of ${which}`)
    same(expected.receiveMinor, receiveMinor, `what arrives of ${which}`)
    same(debitMinor, receiveMinor + feeMinor, `sum of ${which}`)
    if (met.tie) rounded += 1
    if (met.nothingLeft) refused += 1
  }
  console.log(
    `amounts in: ${CASES} cases, seed ${seed}; ${rounded} at exactly half a unit, ${refused} eaten by their fee; 0 drift`,
  )
  expect(Math.min(rounded, refused)).toBeGreaterThan(CASES / 1000)
})

/** A million comparisons are too many for a matcher each. */
function same(expected: unknown, actual: unknown, what: string): void {
  if (expected !== actual) throw new Error(`${what}: ${String(actual)}, not ${String(expected)}`)
}

const WORDS = {
  id: 'rail',
  service: 'payment',
  name: 'Rail',
  description: 'A rail.',
  undo_seconds: 0,
  currencies: {},
  recipient: [],
}

function previewIn(currency: Currency, amountMinor: bigint, onTop: boolean, fees: Readonly<Record<string, number>>) {
  const config: ChannelConfig = {
    ...WORDS,
    covered: onTop,
    collect: { kind: 'qr', covered: onTop, settle_after_seconds: 0, currencies: { [currency]: { fees } } },
  }
  const terms = {
    amountMinor,
    currency,
    issuedTo: null,
    description: null,
    deliverable: null,
    recipient: null,
    channelId: 'rail',
  }
  return previewOf(terms, inbound(channelFacts(config, 1, 'test')))
}

test(`${STORIES} payments given back in parts: never more than was paid, and nothing is left over`, async () => {
  const seed = Number(process.env['AMOUNT_SEED'] ?? newSeed())
  const dice = diceOf(seed)
  let [refunds, whole] = [0, 0]
  for (let number = 0; number < STORIES; number++) {
    const kind = dice.pick(KINDS)
    // No less than the fixed part of the dearest fee: what leaves nothing cannot be chosen.
    const amountMinor = BigInt(dice.whole(2000, 1_000_000))
    const fact = {
      eventId: `evt_${number}`,
      objectId: `pi_${number}`,
      says: 'succeeded',
      attempt: 1,
      kind,
      amountMinor: 0n,
      currency: 'PHP',
      hasPayer: dice.chance(0.5),
      atRail: 'known',
    } as const
    const rest: Step[] = Array.from({ length: dice.whole(1, 12) }, () =>
      dice.pick<Step>([
        { do: 'refund', share: 'a part', hasRoute: true },
        { do: 'refund', share: dice.pick(['all', 'too much', 'a part'] as const), hasRoute: dice.chance(0.7) },
        { do: 'give back', ends: dice.pick(['delivered', 'failed'] as const) },
        { do: 'wait', seconds: dice.pick([1, 90_000]) },
        { do: 'process_due', word: 'voided' },
      ]),
    )
    const steps: Step[] = [{ do: 'choose', kind, word: 'open' }, { do: 'tell', fact }, ...rest]
    const story = {
      amountMinor,
      expiresInSeconds: 3600,
      openingMinor: dice.chance(0.5) ? 1_000_000n : 0n,
      isEventsOnly: false,
      steps,
    }
    // Each step is compared with the model, and the ledger with both: see payments-run.ts.
    const { seen } = await runStory(story, PRICES, openPure(story))
    if (seen.refundedMinor > seen.paidMinor) throw new Error(`${seen.refundedMinor} of ${seen.paidMinor}, seed ${seed}`)
    refunds += rest.filter((step) => step.do === 'refund').length
    whole += seen.refundedMinor === seen.paidMinor ? 1 : 0
  }
  console.log(
    `amounts out: ${STORIES} payments, ${refunds} refunds asked for, ${whole} payments given back whole, seed ${seed}`,
  )
  // About fifty on average: ten or fewer does not happen by chance.
  expect(whole).toBeGreaterThan(10)
})
