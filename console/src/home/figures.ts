// What the charts of Home show of an overview. Figures come from the gateway; here they only find their places.
import type { Overview, OverviewDay, OverviewTotal } from '../../../sdk/src/index.ts'
import type { BarGroup } from '../ui/BarChart.tsx'
import { sumIn } from '../words/money.ts'

export type Kind = OverviewTotal['kind']

const DAY_MS = 86_400_000

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The days of a period, both ends included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(dayOf(at))
  return days
}

/** The day so many before another. */
export const daysBefore = (day: string, count: number): string => dayOf(Date.parse(day) - count * DAY_MS)

/** Today where the account is. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(),
  )
}

export const totalOf = ({ totals }: Overview, kind: Kind, currency: string): OverviewTotal | undefined =>
  totals.find((each) => each.kind === kind && each.currency === currency)

/** What money leaves by: transfers, and refunds of payments. */
export const OUT: readonly Kind[] = ['transfer', 'refund']

/** What the totals of these kinds come to together. */
export function sumOf(
  of: Overview,
  kinds: readonly Kind[],
  currency: string,
): { readonly amount: number; readonly completed: number; readonly paid: number } {
  const totals = kinds.flatMap((kind) => totalOf(of, kind, currency) ?? [])
  const sum = (take: (total: OverviewTotal) => number) => totals.reduce((all, total) => all + take(total), 0)
  return {
    amount: sumIn(
      currency,
      totals.map(({ amount }) => amount),
    ),
    completed: sum(({ completed }) => completed),
    paid: sum(({ paid }) => paid),
  }
}

/** The currencies of the account, the one with the most contracts first. */
export function currenciesOf({ totals, under_way }: Overview): string[] {
  const busy = [...totals].sort((one, other) => other.created - one.created).map(({ currency }) => currency)
  return [...new Set([...busy, ...under_way.map(({ currency }) => currency)])]
}

type Names = { readonly refunds: string; readonly noChannel: string }

/** Amounts by day, a group for each channel. */
export function amountsByChannel(
  { days }: Overview,
  {
    kinds,
    currency,
    period,
  }: { readonly kinds: readonly Kind[]; readonly currency: string; readonly period: readonly string[] },
  names: Names,
): BarGroup[] {
  const places = new Map(period.map((day, place) => [day, place]))
  const groups = new Map<string, number[]>()
  for (const { day, kind, currency: code, channel, amount } of days) {
    const place = places.get(day)
    if (code !== currency || !kinds.includes(kind) || amount === 0 || place === undefined) continue
    const name = nameOf(kind, channel, names)
    const values = groups.get(name) ?? period.map(() => 0)
    values[place] = amount
    groups.set(name, values)
  }
  return [...groups].map(([name, values]) => ({ name, values }))
}

const nameOf = (kind: Kind, channel: string | null, { refunds, noChannel }: Names): string =>
  kind === 'refund' ? `${channel ?? noChannel}, ${refunds}` : (channel ?? noChannel)

/** How many transfers ended how, by day. */
export function endsByDay(
  { days }: Overview,
  currency: string,
  period: readonly string[],
  names: { readonly arrived: string; readonly failed: string; readonly returned: string },
): BarGroup[] {
  const count = (of: (day: OverviewDay) => number) =>
    period.map((day) =>
      days
        .filter((each) => each.day === day && each.currency === currency && each.kind === 'transfer')
        .reduce((sum, each) => sum + of(each), 0),
    )
  return [
    { name: names.arrived, tone: 'good' as const, values: count(({ completed }) => completed) },
    { name: names.failed, tone: 'bad' as const, values: count(({ failed }) => failed) },
    { name: names.returned, tone: 'warn' as const, values: count(({ returned }) => returned) },
  ].filter(({ values }) => values.some((value) => value > 0))
}
