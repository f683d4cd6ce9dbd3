// The conditions of policies: what each asks of a transfer, and whether it holds. Pure; amounts in minor units.
import { type KeyLine, knownAs, rolledAs } from '../account/key-line.ts'
import { type MeterBy, type Span, type Spent } from './meters.ts'

export type OneOf = { readonly op: 'in' | 'not_in'; readonly values: readonly string[] }

export const ONE_OF_FIELDS = ['currency', 'channel', 'recipient.country', 'recipient.profile', 'key', 'member'] as const
export type OneOfField = (typeof ONE_OF_FIELDS)[number]

export const AMOUNT_OPS = ['above', 'at_least', 'below', 'at_most'] as const
export type AmountOp = (typeof AMOUNT_OPS)[number]

export type Condition =
  /** Of a transfer in this currency alone. The amount without the fee. */
  | { readonly field: 'amount'; readonly op: AmountOp; readonly currency: string; readonly amountMinor: bigint }
  | (OneOf & { readonly field: Exclude<OneOfField, 'key'> })
  /** Of a key, and of any that stands in its place; one that it made does where that lets it do less. `origins`: the first keys of those that are named, where they are others. */
  | (OneOf & { readonly field: 'key'; readonly origins?: readonly string[] })
  /**
   * Whether the recipient is new: the saved destination was made or changed so few days ago; or, where none was used, the
   * account was first paid so few days ago, or never.
   */
  | { readonly field: 'recipient.new'; readonly withinDays: number }
  /** The hour of the day in the account's time zone: from the first up to the second, over midnight where that is lower. */
  | { readonly field: 'hour'; readonly from: number; readonly to: number }
  /** The day of the week in the account's time zone: 1 is Monday, 7 Sunday (ISO 8601). */
  | { readonly field: 'weekday'; readonly values: readonly number[] }
  /** What was paid in the span with this transfer goes beyond the sum; in this currency alone. */
  | {
      readonly field: 'sum'
      readonly by: MeterBy
      readonly span: Span
      readonly currency: string
      readonly aboveMinor: bigint
    }
  /** So many transfers were paid in the span, with this one, and more; in any currency. */
  | { readonly field: 'count'; readonly by: MeterBy; readonly span: Span; readonly above: number }

/** What is known of a transfer that is to be paid, and of the moment. */
export type Circumstances = {
  readonly amountMinor: bigint
  readonly currency: string
  readonly channelId: string | null
  readonly country: string | null
  readonly profileId: string | null
  readonly keyId: string | null
  readonly keyLine: KeyLine | null
  readonly memberId: string | null
  /** Since when the recipient is known, in milliseconds; null for never. */
  readonly knownSince: number | null
  readonly nowMs: number
  /** In the account's time zone. */
  readonly local: { readonly hour: number; readonly weekday: number }
  /** What was paid before, without this transfer; of all currencies where none is named. */
  readonly spent: (by: MeterBy, span: Span, currency: string | null) => Spent
  /** What was paid by its channel in 30 days before it, in its currency. */
  readonly volumeMinor: bigint
}

/** What a condition found, for people: the value that it was compared with. */
export type Found = { readonly isMet: boolean; readonly value: string | number | bigint | null }

const DAY_MS = 86_400_000

/** What a policy does to a transfer that its conditions hold for: it lets it do more, or less. */
export type Effect = 'loosens' | 'tightens'

export function findingOf(condition: Condition, about: Circumstances, effect: Effect): Found {
  switch (condition.field) {
    case 'amount': {
      const isMet =
        about.currency === condition.currency && compare(condition.op, about.amountMinor, condition.amountMinor)
      return { isMet, value: about.amountMinor }
    }
    case 'recipient.new': {
      const { knownSince: since, nowMs } = about
      return { isMet: since === null || nowMs - since < condition.withinDays * DAY_MS, value: since }
    }
    case 'hour':
      return { isMet: isBetween(about.local.hour, condition.from, condition.to), value: about.local.hour }
    case 'weekday':
      return { isMet: condition.values.includes(about.local.weekday), value: about.local.weekday }
    case 'sum': {
      if (about.currency !== condition.currency) return { isMet: false, value: null }
      const sum = about.spent(condition.by, condition.span, condition.currency).sumMinor + about.amountMinor
      return { isMet: sum > condition.aboveMinor, value: sum }
    }
    case 'count': {
      const count = about.spent(condition.by, condition.span, null).count + 1
      return { isMet: count > condition.above, value: count }
    }
    case 'currency':
    case 'channel':
    case 'recipient.country':
    case 'recipient.profile':
    case 'member': {
      const value = valueOf(condition.field, about)
      const isListed = value !== null && condition.values.includes(value)
      return { isMet: condition.op === 'in' ? isListed : !isListed, value }
    }
    case 'key': {
      const value = about.memberId === null ? about.keyId : null
      const listed = [...condition.values, ...(condition.origins ?? [])]
      // Listed in what allows, or left out of what restricts.
      const isLetDoMore = (condition.op === 'in') === (effect === 'loosens')
      const ids = value === null ? [] : (isLetDoMore ? rolledAs : knownAs)(value, about.keyLine)
      const isListed = ids.some((id) => listed.includes(id))
      return { isMet: condition.op === 'in' ? isListed : !isListed, value }
    }
  }
}

function valueOf(field: Exclude<OneOfField, 'key'>, about: Circumstances): string | null {
  switch (field) {
    case 'currency':
      return about.currency
    case 'channel':
      return about.channelId
    case 'recipient.country':
      return about.country
    case 'recipient.profile':
      return about.profileId
    case 'member':
      return about.memberId
  }
}

function compare(op: AmountOp, one: bigint, other: bigint): boolean {
  switch (op) {
    case 'above':
      return one > other
    case 'at_least':
      return one >= other
    case 'below':
      return one < other
    case 'at_most':
      return one <= other
  }
}

const isBetween = (hour: number, from: number, to: number) =>
  from <= to ? hour >= from && hour < to : hour >= from || hour < to
