// What the account used, by day: in bars that answer a question, and in a table with all figures.
import { SegmentedControl } from '@mantine/core'
import type { UsageDay } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { countText, timeText } from '../ui/amounts.ts'
import { Money } from '../ui/atoms.tsx'
import { BarChart } from '../ui/BarChart.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useFilter } from '../ui/paging.ts'
import { type Language, localeOf, useLanguage, useWords } from '../words/language.ts'
import { AccountPage } from './AccountPage.tsx'
import { USAGE } from './words.ts'

const DAYS = ['7', '30', '90']
const DAY_MS = 86_400_000

export function Usage() {
  const w = useWords(USAGE)
  const [asked, setDays] = useFilter('days')
  const days = DAYS.includes(asked) ? asked : '30'
  const read = useRead(['usage', days], (signal) =>
    gateway.usage.get({ from: firstOf(Number(days)) }, { signal }).all(),
  )
  return (
    <AccountPage>
      <SegmentedControl
        aria-label={w.period}
        value={days}
        style={{ alignSelf: 'flex-start' }}
        data={DAYS.map((value) => ({ value, label: w.days(Number(value)) }))}
        onChange={(value) => setDays(value === '30' ? '' : value)}
      />
      <Loaded of={read}>{(usage) => <Figures usage={usage} />}</Loaded>
    </AccountPage>
  )
}

/** The first of so many days in UTC, today the last. */
const firstOf = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

const isUsed = ({ transfers, payments, volume, deliveries }: UsageDay) =>
  [...Object.values(transfers), ...Object.values(payments), ...Object.values(deliveries), volume.length].some(
    (count) => count > 0,
  )

function Figures({ usage }: { readonly usage: readonly UsageDay[] }) {
  const w = useWords(USAGE)
  const language = useLanguage()
  const sum = (of: (day: UsageDay) => number) => usage.reduce((total, day) => total + of(day), 0)
  const made = sum(({ transfers, payments }) => transfers.created + payments.created)
  const failed = sum(({ transfers }) => transfers.failed)
  const count = (value: number) => countText(value, language)
  const used = usage.filter(isUsed).toReversed()
  const columns = useColumns()
  if (used.length === 0)
    return (
      <Section>
        <Empty icon="clock" title={w.none}>
          {w.noneMend}
        </Empty>
      </Section>
    )
  return (
    <>
      <Section title={w.question}>
        <BarChart
          answer={<strong>{w.answer(count(made), count(failed))}</strong>}
          of={w.day}
          labels={usage.map(({ day }) => dayText(day, language))}
          groups={[
            { name: w.transfers, values: usage.map(({ transfers }) => transfers.created) },
            { name: w.payments, values: usage.map(({ payments }) => payments.created) },
          ]}
          format={count}
          formatShort={(value) => (Number.isInteger(value) ? count(value) : '')}
          words={w}
        />
      </Section>
      <Section title={w.byDay} isFlush>
        <ListTable label={w.byDay} rows={used} keyOf={({ day }) => day} columns={columns} />
        <p style={{ margin: 0, padding: '10px 16px', fontSize: 13, color: 'var(--mantine-color-dimmed)' }}>{w.utc}</p>
      </Section>
    </>
  )
}

function dayText(day: string, language: Language): string {
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(localeOf(language), options).format(new Date(day))
}

function useColumns(): readonly Column<UsageDay>[] {
  const w = useWords(USAGE)
  const language = useLanguage()
  const sums = (volume: UsageDay['volume'], way: 'in' | 'out') =>
    volume
      .filter((each) => each[way] > 0)
      .map((each) => (
        <div key={each.currency}>
          <Money amount={each[way]} currency={each.currency} />
        </div>
      ))
  const counts = (...all: readonly number[]) => all.map((each) => countText(each, language)).join(' / ')
  return [
    { key: 'day', title: w.day, render: ({ day }) => timeText(`${day}T12:00:00`, language, 'day') },
    {
      key: 'transfers',
      title: w.transfersOf,
      align: 'right',
      render: ({ transfers }) => counts(transfers.created, transfers.completed, transfers.failed),
    },
    { key: 'out', title: w.out, align: 'right', render: ({ volume }) => sums(volume, 'out') },
    {
      key: 'payments',
      title: w.paymentsOf,
      align: 'right',
      render: ({ payments }) => counts(payments.created, payments.paid),
    },
    { key: 'in', title: w.in, align: 'right', render: ({ volume }) => sums(volume, 'in') },
    {
      key: 'webhooks',
      title: w.webhooksOf,
      align: 'right',
      render: ({ deliveries }) => counts(deliveries.delivered, deliveries.failed),
    },
  ]
}
