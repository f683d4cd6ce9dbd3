// Home: what waits for a person first, then what the money did in a period, in one currency. Both stand in the URL.
import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import type { Overview } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'
import { Time } from '../ui/atoms.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Page } from '../ui/Page.tsx'
import { useFilter } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { Attention } from './Attention.tsx'
import { Charts } from './Charts.tsx'
import { currenciesOf, daysBefore, todayIn } from './figures.ts'
import { FirstRun } from './FirstRun.tsx'
import { Tiles } from './Tiles.tsx'
import { TITLE } from './title.ts'
import { HOME } from './words.ts'
import './home.css'

const PERIODS = [7, 30, 90] as const
const REFRESH_MS = 60_000

export function Home() {
  const { title } = useWords(TITLE)
  const { account } = useSignedIn()
  const [chosenDays, setDays] = useFilter('days')
  const [chosenCurrency, setCurrency] = useFilter('currency')
  const days = PERIODS.find((each) => String(each) === chosenDays) ?? 30
  const to = todayIn(account?.time_zone ?? 'UTC')
  const from = daysBefore(to, days - 1)
  const overview = useOverview(from, to)
  // The period of the same length before: for who asks whether it is more.
  const before = useOverview(daysBefore(from, days), daysBefore(from, 1))
  const currencies = overview.data ? currenciesOf(overview.data) : []
  const busiest = overview.data?.totals.length ? currencies[0] : 'PHP'
  const wanted = [chosenCurrency, account?.default_currency, busiest, currencies[0]]
  const currency = wanted.find((each) => each && currencies.includes(each)) ?? undefined
  const actions = (
    <Choices
      {...{ days, currencies, currency }}
      onDays={(count) => setDays(count === '30' ? '' : count)}
      onCurrency={setCurrency}
    />
  )
  return (
    <Page title={title} actions={overview.data && currency !== undefined ? actions : undefined}>
      <Loaded of={overview} rows={10}>
        {(data) => <Shown of={data} before={before.data} currency={currency ?? 'PHP'} days={days} />}
      </Loaded>
    </Page>
  )
}

const useOverview = (from: string, to: string) =>
  useRead(['overview', { from, to }], (signal) => gateway.overview.get({ from, to }, { signal }), {
    refetchInterval: REFRESH_MS,
  })

type ShownProps = {
  readonly of: Overview
  /** Absent until it is there. */
  readonly before: Overview | undefined
  readonly currency: string
  readonly days: number
}

function Shown({ of, before, currency, days }: ShownProps) {
  const w = useWords(HOME)
  const isQuiet = of.totals.length === 0 && before?.totals.length === 0
  // Quiet for a while is not new.
  const any = useRead(
    ['transfers', 'any'],
    async (signal) => {
      const [transfers, payments] = await Promise.all([
        gateway.transfers.list({ limit: 1 }, { signal }).page(),
        gateway.payments.list({ limit: 1 }, { signal }).page(),
      ])
      return transfers.items.length + payments.items.length > 0
    },
    { enabled: isQuiet },
  )
  return (
    <>
      {isQuiet && any.data === false && <FirstRun />}
      <Attention of={of} />
      {of.counted_until && (
        <Note tone="info">
          {w.countedUntil} <Time at={of.counted_until} style="short" />.
        </Note>
      )}
      <Tiles of={of} currency={currency} />
      {(!isQuiet || any.data === true) && <Charts of={of} before={before} currency={currency} days={days} />}
    </>
  )
}

type ChoicesProps = {
  readonly days: number
  readonly currencies: readonly string[]
  readonly currency: string | undefined
  readonly onDays: (days: string) => void
  readonly onCurrency: (currency: string) => void
}

function Choices({ days, currencies, currency, onDays, onCurrency }: ChoicesProps) {
  const w = useWords(HOME)
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label={w.period}
        size="sm"
        value={String(days)}
        onChange={onDays}
        data={PERIODS.map((count) => ({ value: String(count), label: w.days(count) }))}
      />
      {currencies.length > 1 && (
        <NativeSelect
          aria-label={w.currency}
          size="sm"
          data={[...currencies]}
          value={currency}
          onChange={(event) => onCurrency(event.currentTarget.value)}
        />
      )}
    </Group>
  )
}
