// What was paid lately, counted so that a rolling limit holds: each meter keeps steps of time, and a span reaches over whole
// steps. So a window is up to one step longer than it says, never shorter, and no true window of that length passes the limit.
// Pure; the same code counts under the account's lock and in a rehearsal.
import { bankOf } from '../text/bics.ts'
import { lettersOf } from '../text/texts.ts'

export const METER_BY = ['account', 'recipient', 'key', 'wallet'] as const
/** Whose payments are counted together. `key`: the API key, or the member whose session it is. */
export type MeterBy = (typeof METER_BY)[number]

/** Beside those that conditions name: what was paid by a channel, for prices that fall with it. */
export const COUNTED_BY = [...METER_BY, 'channel'] as const
export type CountedBy = (typeof COUNTED_BY)[number]

export const SPANS = ['hour', 'day', '30_days'] as const
export type Span = (typeof SPANS)[number]

const MINUTE_MS = 60_000
/** How long each span is, and in which steps it rolls. Milliseconds. */
export const SPAN_MS: Readonly<Record<Span, { readonly lengthMs: number; readonly stepMs: number }>> = {
  hour: { lengthMs: 60 * MINUTE_MS, stepMs: MINUTE_MS },
  day: { lengthMs: 1440 * MINUTE_MS, stepMs: 15 * MINUTE_MS },
  '30_days': { lengthMs: 30 * 1440 * MINUTE_MS, stepMs: 360 * MINUTE_MS },
}

/** What is counted: of one subject, in one currency or in all, over a span; `ever` keeps when a recipient was first paid. */
export type MeterName = {
  readonly by: CountedBy
  readonly subject: string
  readonly currency: string | null
  readonly span: Span | 'ever'
}

export type Spent = { readonly sumMinor: bigint; readonly count: number }

/** One step: its number since the epoch (of `ever` the moment of the first payment), what was paid in it, how often. */
export type Step = Spent & { readonly step: number }

/** The steps in their order; those without a payment are left out. */
export type Meter = readonly Step[]

export const EMPTY_METER: Meter = []
const NOTHING: Spent = { sumMinor: 0n, count: 0 }

/** A text that is the same for one meter and for no other. */
export const meterText = ({ by, subject, currency, span }: MeterName): string =>
  JSON.stringify([by, subject, currency, span])

type Payable = Readonly<Record<'wallet' | 'tag' | 'mobile' | 'email', string | null>>

/** Whom a recipient's fields name, as far as payments to one are counted together; null for nobody. */
export const recipientSubject = (recipient: Payable | null): string | null =>
  recipientSubjects(recipient)[0]?.[0] ?? null

/**
 * All that a recipient's fields name by which money may go: a channel pays an account or a mobile, and which of them its contract alone
 * does not say. Whoever writes another account beside the same mobile pays the same recipient. Each in every form in which it is counted,
 * the one by which it is compared first.
 */
export function recipientSubjects(recipient: Payable | null): readonly (readonly string[])[] {
  if (!recipient) return []
  const { wallet, tag, mobile, email } = recipient
  const account = wallet === null ? '' : lettersOf(wallet)
  const subjects = [
    ...(account === '' ? [] : [accountForms(account, tag ?? '')]),
    ...(mobile === null ? [] : [[mobile]]),
  ]
  return subjects.length > 0 || email === null ? subjects : [[email.toLowerCase()]]
}

/** As the account is, and by the code of the bank as it was written: what older releases counted by that counts still. */
const accountForms = (account: string, tag: string): readonly string[] => [
  ...new Set([bankOf(tag), lettersOf(tag)].map((bank) => JSON.stringify([account, bank]))),
]

/** What was paid within the span that ends now. */
export function spentWithin(meter: Meter, span: Span, nowMs: number): Spent {
  const { lengthMs, stepMs } = SPAN_MS[span]
  const first = Math.floor((nowMs - lengthMs) / stepMs)
  let { sumMinor, count } = NOTHING
  for (const each of meter)
    if (each.step >= first) {
      sumMinor += each.sumMinor
      count += each.count
    }
  return { sumMinor, count }
}

/** From when on no window reaches back to anything of a meter, in milliseconds; null for what is kept for ever. */
export function rolledByAt(meter: Meter, span: MeterName['span']): number | null {
  if (span === 'ever') return null
  const { lengthMs, stepMs } = SPAN_MS[span]
  return ((meter.at(-1)?.step ?? 0) + 1) * stepMs + lengthMs
}

/** When the first payment was made that still counts; null where there is none. */
export const firstPaid = (meter: Meter): number | null => meter[0]?.step ?? null

/** The meter after a payment, or after one of before that came back: then sum and count are negative and `atMs` is when it was paid. */
export function metered(
  meter: Meter,
  span: MeterName['span'],
  { sumMinor, count }: Spent,
  atMs: number,
  nowMs: number,
): Meter {
  if (span === 'ever') return meteredEver(meter, { sumMinor, count }, atMs)
  const { lengthMs, stepMs } = SPAN_MS[span]
  const first = Math.floor((nowMs - lengthMs) / stepMs)
  const step = Math.floor(atMs / stepMs)
  const recent = meter.filter((each) => each.step >= first)
  if (step < first) return recent
  const known = recent.find((each) => each.step === step)
  const after = { step, sumMinor: (known?.sumMinor ?? 0n) + sumMinor, count: (known?.count ?? 0) + count }
  const others = recent.filter((each) => each.step !== step)
  // What came back was counted only if the meter was kept by then.
  const kept = after.count > 0 && after.sumMinor >= 0n ? [...others, after] : others
  return kept.toSorted((one, other) => one.step - other.step)
}

/** A recipient is known from the first payment on that was not undone. */
function meteredEver(meter: Meter, { sumMinor, count }: Spent, atMs: number): Meter {
  const [first] = meter
  if (!first) return count > 0 ? [{ step: atMs, sumMinor, count }] : []
  const left = first.count + count
  return left > 0 ? [{ step: Math.min(first.step, atMs), sumMinor: first.sumMinor + sumMinor, count: left }] : []
}
