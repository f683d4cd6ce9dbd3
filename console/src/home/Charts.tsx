// Four questions about a period, each with its answer in a sentence and bars that show where it comes from.
import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Overview, OverviewTotal } from '../../../sdk/src/index.ts'
import { countText, moneyText } from '../ui/amounts.ts'
import { BarChart, type BarGroup } from '../ui/BarChart.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { amountsByChannel, daysBetween, endsByDay, OUT, sumOf, totalOf } from './figures.ts'
import { percentText, shortDay, shortMoney, useComparison, useSecondsText, useTimeWords } from './texts.ts'
import { HOME } from './words.ts'

type ChartsProps = {
  readonly of: Overview
  readonly before: Overview | undefined
  readonly currency: string
  readonly days: number
}

export function Charts(props: ChartsProps) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Moved {...props} way="out" />
      <Moved {...props} way="in" />
      <Arrived {...props} />
      <Took {...props} />
    </SimpleGrid>
  )
}

function Moved({ of, before, currency, days, way }: ChartsProps & { readonly way: 'out' | 'in' }) {
  const w = useWords(HOME)
  const language = useLanguage()
  const compared = useComparison()
  const period = daysBetween(of.from, of.to)
  const kinds = way === 'out' ? OUT : (['payment'] as const)
  const now = sumOf(of, kinds, currency)
  const earlier = before && sumOf(before, kinds, currency).amount
  const money = (amount: number) => moneyText(amount, currency, language)
  const count = way === 'out' ? now.completed : now.paid
  const told = way === 'out' ? w.outAnswer : w.inAnswer
  const answer =
    now.amount === 0 ? (
      w.nothingMoved
    ) : (
      <>
        <strong>{told(money(now.amount), count)}</strong>
        {earlier === undefined ? '' : `, ${compared(now.amount, earlier, days, language)}`}
      </>
    )
  return (
    <Section title={way === 'out' ? w.outQuestion : w.inQuestion}>
      <BarChart
        answer={answer}
        of={w.day}
        labels={period.map((day) => shortDay(day, language))}
        groups={amountsByChannel(of, { kinds, currency, period }, w)}
        format={money}
        formatShort={(amount) => shortMoney(amount, currency, language)}
        words={w}
      />
    </Section>
  )
}

function Arrived({ of, currency }: ChartsProps) {
  const w = useWords(HOME)
  const language = useLanguage()
  const period = daysBetween(of.from, of.to)
  const total = totalOf(of, 'transfer', currency)
  const count = (value: number) => countText(value, language)
  return (
    <Section title={w.successQuestion}>
      <BarChart
        answer={total ? rateAnswer(total, w, (rate) => percentText(rate, language)) : w.nothingEnded}
        of={w.day}
        labels={period.map((day) => shortDay(day, language))}
        groups={endsByDay(of, currency, period, w)}
        format={count}
        formatShort={(value) => (Number.isInteger(value) ? count(value) : '')}
        words={w}
      />
    </Section>
  )
}

function rateAnswer(
  { success_rate: rate, completed, failed, returned }: OverviewTotal,
  w: Pick<typeof HOME.en, 'nothingEnded' | 'successAnswer' | 'returnedToo'>,
  percent: (rate: number) => string,
): ReactNode {
  return rate === null ? (
    w.nothingEnded
  ) : (
    <>
      <strong>{w.successAnswer(percent(rate), Math.max(0, completed - returned), completed + failed)}</strong>
      {returned > 0 && `. ${w.returnedToo}`}
    </>
  )
}

function Took({ of, currency }: ChartsProps) {
  const w = useWords(HOME)
  const language = useLanguage()
  const within = useTimeWords()
  const seconds = useSecondsText()
  const sent = totalOf(of, 'transfer', currency)
  // An account that only collects asks another question.
  const isCollecting = (sent?.completed ?? 0) === 0
  const total = isCollecting ? totalOf(of, 'payment', currency) : sent
  const limits = of.time_limits
  const labels = [...limits.map(seconds), w.above(seconds(limits.at(-1) ?? 0))]
  const count = (value: number) => countText(value, language)
  const groups: BarGroup[] = total && total.completed > 0 ? [{ name: w.contracts, values: total.times }] : []
  const answer =
    total && total.completed > 0 ? (
      <strong>
        {w.timeAnswer(within(total.half_within, total.completed), within(total.most_within, total.completed))}
      </strong>
    ) : (
      w.nothingEnded
    )
  return (
    <Section title={isCollecting && total ? w.paymentTimeQuestion : w.timeQuestion}>
      <BarChart
        answer={answer}
        of={w.took}
        labels={labels}
        groups={groups}
        format={count}
        formatShort={(value) => (Number.isInteger(value) ? count(value) : '')}
        words={w}
      />
    </Section>
  )
}
