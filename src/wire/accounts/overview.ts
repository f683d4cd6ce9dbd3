// The overview of an account on the wire: what waits for a person, money under way, and figures by day.
import Type, { type Static } from 'typebox'
import { CONTRACT_MATTERS, type Underway } from '../../domain/account/attention.ts'
import {
  addedFigures,
  FIGURE_KINDS,
  type FigureKind,
  type FigureRow,
  type Figures,
  successRate,
  TOOK_SECONDS,
  tookWithin,
} from '../../domain/account/figures.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { closed, day, envelope, livemode, nullable, nullableText, time, type Wire } from '../shapes.ts'

export const OVERVIEW_DAYS = { default: 30, max: 92 } as const

/** What waits for one member's word, and not for others: whoever asks by a key is told nothing of it. */
export const PERSONAL_MATTERS = ['approvals_waiting', 'reviews_waiting'] as const

/** What may wait for a person, the most pressing first. */
export const ATTENTION_KINDS = [
  ...PERSONAL_MATTERS,
  ...CONTRACT_MATTERS.slice(0, 5),
  'wallet_low',
  'endpoint_stopped',
  'endpoint_failing',
  'event_not_sent',
  'key_ending',
  ...CONTRACT_MATTERS.slice(5),
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const OverviewQuery = closed({
  from: day('The first day, YYYY-MM-DD in the account’s time zone; 30 days up to the last one where nothing is said.'),
  to: day('The last day, included; today where nothing is said.'),
  currency: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Only this currency; all where nothing is said.' }),
  ),
})
export type OverviewQuery = Static<typeof OverviewQuery>

const Attention = Type.Object(
  {
    kind: Type.Enum(ATTENTION_KINDS, {
      description:
        'approvals_waiting and reviews_waiting are told to members alone: what each of them may approve or decide.',
    }),
    count: Type.Integer({ description: '99 at most.' }),
    more: Type.Boolean({ description: 'There are more than counted.' }),
    since: nullable(time('Since when the oldest waits; null of wallets and keys.')),
    ends_at: nullable(time('Of contracts that expire and keys that end: when the first does.')),
    objects: Type.Array(
      Type.Object({
        type: Type.Enum(['transfer', 'payment', 'verification', 'wallet', 'webhook_endpoint', 'key']),
        id: Type.String(),
      }),
      { description: 'A few, the most pressing first.' },
    ),
  },
  { $id: 'OverviewAttention' },
)

const counts = {
  created: Type.Integer(),
  paid: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer({ description: 'Paid, refused for good by the channel, and ended without delivery.' }),
  cancelled: Type.Integer({ description: 'By its owner or payer.' }),
  expired: Type.Integer(),
  returned: Type.Integer({ description: 'Delivered, and sent back by the channel.' }),
  amount: Type.Number({
    description:
      'In major units. Of transfers and refunds what was delivered; of payments what was paid. Without the fee.',
  }),
  fees: Type.Number(),
  returned_amount: Type.Number({ description: 'Of what was delivered, what came back.' }),
  seconds: Type.Number({ description: 'From paid to completed, summed over those completed.' }),
  times: Type.Array(Type.Integer(), {
    minItems: TOOK_SECONDS.length + 1,
    maxItems: TOOK_SECONDS.length + 1,
    description: `How many of those completed took up to ${TOOK_SECONDS.join(', ')} seconds, each without those before; and longer.`,
  }),
}

const kind = Type.Enum(FIGURE_KINDS, {
  description: 'A refund is a transfer that sends back what a payment brought in.',
})

const OverviewDay = Type.Object(
  {
    day: Type.String({ description: 'YYYY-MM-DD, in the account’s time zone.' }),
    kind,
    currency: Type.String(),
    channel: nullable(Type.String({ description: 'Null of contracts that named none yet.' })),
    ...counts,
  },
  { $id: 'OverviewDay' },
)

const OverviewTotal = Type.Object(
  {
    kind,
    currency: Type.String(),
    ...counts,
    success_rate: nullable(
      Type.Number({
        description:
          '0 to 1. Of transfers and refunds that ended at a channel those that were delivered and stayed so; of payments that were paid or expired those that were paid. Null where none ended.',
      }),
    ),
    half_within: nullable(Type.Integer({ description: 'Half of those completed took no longer, in seconds.' })),
    most_within: nullable(
      Type.Integer({ description: 'The same of 95 in 100. Null for none, and beyond the last limit.' }),
    ),
  },
  { $id: 'OverviewTotal' },
)

const Overview = Type.Object(
  {
    livemode,
    time_zone: Type.String(),
    from: Type.String({ description: 'YYYY-MM-DD.' }),
    to: Type.String(),
    currency: nullableText,
    attention: Type.Array(Attention, {
      description: 'What waits for a person, the most pressing first. Nothing: nothing does.',
    }),
    under_way: Type.Array(
      Type.Object({
        currency: Type.String(),
        held: Type.Number({ description: 'Paid, and not accepted by a channel yet.' }),
        in_transit: Type.Number({ description: 'Accepted by a channel, and not delivered yet.' }),
      }),
    ),
    totals: Type.Array(OverviewTotal),
    days: Type.Array(OverviewDay, { description: 'Days on which nothing happened are left out.' }),
    time_limits: Type.Array(Type.Integer(), { description: 'The limits of times, in seconds.' }),
    left_out: Type.Array(Type.Object({ part: Type.String(), scope: Type.String() }), {
      description: 'What the credential may not see, and the scope that it lacks.',
    }),
    counted_until: nullable(
      time(
        'Set where much was written at once, or the time zone was changed: figures go up to this moment. Null: to now.',
      ),
    ),
  },
  { $id: 'Overview' },
)

export const OverviewReply = envelope('number', Type.Object({ overview: Overview }))

export type ShownAttention = Wire<typeof Attention>

export function presentUnderway({ currency, heldMinor, inTransitMinor }: Underway) {
  return { currency, held: majorNumber(heldMinor, currency), in_transit: majorNumber(inTransitMinor, currency) }
}

export function presentDay({ day: of, kind: what, currency, channelId, figures }: FigureRow): Wire<typeof OverviewDay> {
  return { day: of, kind: what, currency, channel: channelId, ...presentFigures(figures, currency) }
}

/** The sums of all days, by kind and currency. */
export function presentTotals(rows: readonly FigureRow[]): Wire<typeof OverviewTotal>[] {
  const sums = new Map<string, { readonly kind: FigureKind; readonly currency: string; readonly figures: Figures }>()
  for (const { kind: what, currency, figures } of rows) {
    const known = sums.get(`${what} ${currency}`)
    const sum = known ? addedFigures(known.figures, figures) : figures
    sums.set(`${what} ${currency}`, { kind: what, currency, figures: sum })
  }
  return [...sums.values()].map(({ kind: what, currency, figures }) => ({
    kind: what,
    currency,
    ...presentFigures(figures, currency),
    success_rate: successRate(what, figures),
    half_within: tookWithin(figures, 0.5),
    most_within: tookWithin(figures, 0.95),
  }))
}

function presentFigures(
  { movedMinor, feeMinor, returnedMinor, tookSeconds, took, ...figures }: Figures,
  currency: string,
) {
  return {
    ...figures,
    amount: majorNumber(movedMinor, currency),
    fees: majorNumber(feeMinor, currency),
    returned_amount: majorNumber(returnedMinor, currency),
    seconds: tookSeconds,
    times: took,
  }
}
