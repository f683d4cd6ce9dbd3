// The channels of the stories about payments, as an operator writes them, and their prices as the model knows them: said
// twice, so that neither is made of the other.
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import { expectedCharge } from '../../domain/money/fees.reference.ts'
import type { Price, Prices } from './payments-model.ts'
import type { StoryOptions } from './payments-steps.ts'

const DAY_SECONDS = 86_400
const WORDS = {
  service: 'payment',
  name: 'Rail',
  description: 'A rail.',
  covered: true,
  undo_seconds: 0,
  currencies: {},
  recipient: [],
}

const collecting = (id: string, collect: NonNullable<ChannelConfig['collect']>): ChannelConfig => ({
  ...WORDS,
  id,
  collect,
})

export const CHANNELS: readonly ChannelConfig[] = [
  collecting('gcash', {
    kind: 'gcash',
    refunds: true,
    covered: false,
    settle_after_seconds: 0,
    currencies: { PHP: { fees: { pct: 2.5, min: 1 } } },
  }),
  collecting('maya', {
    kind: 'maya',
    refunds: true,
    covered: true,
    settle_after_seconds: DAY_SECONDS,
    currencies: { PHP: { fees: { fixed: 15 } } },
  }),
  collecting('card', {
    kind: 'card',
    refunds: true,
    covered: false,
    settle_after_seconds: 2 * DAY_SECONDS,
    currencies: { PHP: { fees: { pct: 3.5, add: 15 } } },
  }),
  collecting('qrph', {
    kind: 'qr',
    covered: false,
    settle_after_seconds: 3600,
    accumulates: true,
    currencies: { PHP: {} },
  }),
  { ...WORDS, id: 'instapay', currencies: { PHP: {}, USD: {} } },
]

type Fee = { readonly pct?: string; readonly add?: string; readonly min?: string; readonly fixed?: string }

function price(fee: Fee, rest: Omit<Price, 'feeMinor'>): Price {
  const none = { pct: '0', add: '0', min: '0', max: '0', fixed: '0' }
  return {
    ...rest,
    feeMinor: (minor) => {
      const amount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
      return expectedCharge({ currency: 'PHP', bearer: 'payer', ...none, ...fee, amount }).feeMinor
    },
  }
}

export const PRICES: Prices = {
  gcash: price({ pct: '2.5', min: '1' }, { onTop: false, settleSeconds: 0, adds: false, refunds: true }),
  maya: price({ fixed: '15' }, { onTop: true, settleSeconds: DAY_SECONDS, adds: false, refunds: true }),
  card: price({ pct: '3.5', add: '15' }, { onTop: false, settleSeconds: 2 * DAY_SECONDS, adds: false, refunds: true }),
  qr: price({}, { onTop: false, settleSeconds: 3600, adds: true, refunds: false }),
}

/** Where nothing is played: rails answer in all ways, and time passes. */
export const PURE_STORIES: StoryOptions = {
  openings: ['open', 'open', 'failed', 'unknown'],
  closings: ['voided', 'voided', 'still_open', 'unknown'],
  waits: [1, 30, 60, 600, 1000, 3600, 90_000, 200_000],
  giveBacks: ['delivered', 'failed'],
  openingMinor: 100_000n,
  wrongs: ['less', 'more', 'part', 'currency', 'unknown currency'],
  atRail: ['known', 'known', 'unknown', 'no answer'],
}

/** Over HTTP the provider's rails open and close what they are asked to, and say by themselves how a return ends. */
export const REAL_STORIES: StoryOptions = {
  openings: ['open'],
  closings: ['voided'],
  waits: [],
  giveBacks: ['delivered'],
  openingMinor: 100_000n,
  // A provider that never had the money knows no refund of it in its own currency, and neither yes nor no is its answer.
  wrongs: ['less', 'more', 'part', 'unknown currency'],
  atRail: ['unknown'],
}
