// What the payments of the last days would have met: totals by currency, and the contracts with the policies that would have met them.
import { Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type {
  PolicyRehearsal,
  PolicyRehearsalRequest,
  PolicyRequest,
  RehearsedContract,
  RehearsedCurrency,
} from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { countText, moneyText } from '../../ui/amounts.ts'
import { Badge, Money, Time, type Tone } from '../../ui/atoms.tsx'
import { ErrorNote, Loaded, Loading, Note } from '../../ui/feedback.tsx'
import { type Column, ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { FEES } from '../form/fee-words.ts'
import { TRIALS } from './trial-words.ts'

const DAYS = [1, 7, 30, 90] as const
const SHOWN = 100
const MOST = 500

type What = Pick<PolicyRehearsalRequest, 'policy' | 'policy_id'>
type Asked = What & Pick<PolicyRehearsalRequest, 'days' | 'alone' | 'limit'>

function useRehearsal(asked: Asked | null) {
  return useRead(['rehearsal', asked], (signal) => gateway.policies.rehearse(asked ?? {}, { signal }), {
    enabled: asked !== null,
  })
}

/** Asked for by a button: it reads as much history as there is. */
export function Rehearse({ what, isReady }: { readonly what: What; readonly isReady: boolean }) {
  const w = useWords(TRIALS)
  const can = useCan()
  const [days, setDays] = useState(30)
  const [isAlone, setAlone] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const read = useRehearsal(asked)
  if (!can('contracts:read')) return null
  return (
    <Section title={w.rehearse}>
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {w.rehearseWhat}
        </Text>
        <Group align="flex-end" gap="md">
          <Select
            label={w.days}
            w={150}
            allowDeselect={false}
            data={DAYS.map((each) => ({ value: String(each), label: w.daysOf(each) }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
          <Switch
            label={w.alone}
            checked={isAlone}
            onChange={(event) => setAlone(event.currentTarget.checked)}
            pb={8}
          />
          <Button
            variant="default"
            disabled={!isReady}
            loading={asked !== null && read.isFetching}
            onClick={() => setAsked({ ...what, days, alone: isAlone, limit: SHOWN })}
          >
            {w.rehearseNow}
          </Button>
        </Group>
        {asked !== null && (
          <Loaded of={read}>
            {(found) => (
              <Found of={found} onMore={() => setAsked({ ...asked, limit: MOST })} isAll={asked.limit === MOST} />
            )}
          </Loaded>
        )}
      </Stack>
    </Section>
  )
}

type FoundProps = { readonly of: PolicyRehearsal; readonly isAll: boolean; readonly onMore: () => void }

function Found({ of, isAll, onMore }: FoundProps) {
  const w = useWords(TRIALS)
  const effects = useEffects()
  const contracts: readonly Column<RehearsedContract>[] = [
    { key: 'paid', title: w.paidAt, render: ({ paid_at: at }) => <Time at={at} style="short" /> },
    {
      key: 'to',
      title: w.to,
      render: ({ contract, recipient }) => <Link to={`/transfers/${contract}`}>{recipient ?? contract}</Link>,
    },
    {
      key: 'effects',
      title: w.would,
      render: ({ effects: each }) =>
        each.map((effect) => (
          <Badge key={effect} tone={effects[effect].tone}>
            {effects[effect].word}
          </Badge>
        )),
    },
    {
      key: 'why',
      title: w.because,
      render: ({ reasons }) => [...new Set(reasons.map(({ sentence }) => sentence))].join(' '),
    },
    {
      key: 'amount',
      title: w.amount,
      align: 'right',
      render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
  if (of.currencies.length === 0) return <Text role="status">{w.noPayments}</Text>
  return (
    <Stack gap="md">
      {of.cut_at !== null && (
        <Note tone="info">
          {w.cut} <Time at={of.cut_at} style="short" />
        </Note>
      )}
      <Totals of={of.currencies} />
      <FeeTotals of={of.currencies} />
      {of.contracts.length > 0 && (
        <ListTable label={w.contracts} rows={of.contracts} columns={contracts} keyOf={({ contract }) => contract} />
      )}
      {of.next !== null && !isAll && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={onMore}>
            {w.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Totals({ of }: { readonly of: readonly RehearsedCurrency[] }) {
  const w = useWords(TRIALS)
  const language = useLanguage()
  const effects = useEffects()
  const column = (key: 'paid' | Effect, title: string): Column<RehearsedCurrency> => ({
    key,
    title,
    align: 'right',
    render: ({ currency, [key]: { transfers, amount } }) =>
      transfers === 0 ? '—' : `${countText(transfers, language)} · ${moneyText(amount, currency, language)}`,
  })
  return (
    <ListTable
      label={w.totals}
      rows={of}
      keyOf={({ currency }) => currency}
      columns={[
        { key: 'currency', title: w.currency, render: ({ currency }) => currency },
        column('paid', w.paid),
        ...(['denied', 'approvals', 'verification', 'delayed'] as const).map((each) =>
          column(each, effects[each].word),
        ),
      ]}
    />
  )
}

/** What was charged, and what would have been: a table of its own, for the other is wide. */
function FeeTotals({ of }: { readonly of: readonly RehearsedCurrency[] }) {
  const w = useWords(TRIALS)
  const f = useWords(FEES)
  const fees = (key: 'charged' | 'would_be', title: string): Column<RehearsedCurrency> => ({
    key,
    title,
    align: 'right',
    render: ({ currency, fees: { [key]: amount } }) => <Money amount={amount} currency={currency} />,
  })
  return (
    <ListTable
      label={f.charged}
      rows={of}
      keyOf={({ currency }) => currency}
      columns={[
        { key: 'currency', title: w.currency, render: ({ currency }) => currency },
        fees('charged', f.charged),
        fees('would_be', f.wouldBe),
      ]}
    />
  )
}

type Effect = RehearsedContract['effects'][number]

function useEffects(): Readonly<Record<Effect, { readonly word: string; readonly tone: Tone }>> {
  const w = useWords(TRIALS)
  return {
    denied: { word: w.denied, tone: 'bad' },
    approvals: { word: w.approvals, tone: 'warn' },
    verification: { word: w.verification, tone: 'warn' },
    delayed: { word: w.delayed, tone: 'info' },
  }
}

const BEFORE_DAYS = 30

/** Before it is saved: what it would have done by itself in the last days. */
export function WouldHave({ policy }: { readonly policy: PolicyRequest }) {
  const w = useWords(TRIALS)
  const can = useCan()
  const read = useRehearsal(can('contracts:read') ? { policy, days: BEFORE_DAYS, alone: true, limit: 1 } : null)
  if (!can('contracts:read')) return null
  if (read.error) return <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
  if (!read.data) return <Loading rows={2} />
  const { currencies, contracts } = read.data
  const isFees = policy.then.kind === 'fees'
  if (isFees && currencies.length > 0) return <WouldCost of={currencies} />
  if (contracts.length === 0) return <Text>{currencies.length === 0 ? w.noPayments30 : w.wouldNothing}</Text>
  const isDenying = currencies.some(({ denied }) => denied.transfers > 0)
  return (
    <Note tone={isDenying ? 'warn' : 'info'} title={w.wouldTitle}>
      <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
        {currencies.map((each) => (
          <WouldLine key={each.currency} of={each} />
        ))}
      </ul>
    </Note>
  )
}

function WouldCost({ of }: { readonly of: readonly RehearsedCurrency[] }) {
  const w = useWords(TRIALS)
  const f = useWords(FEES)
  const language = useLanguage()
  return (
    <Note tone="info" title={w.wouldTitle}>
      {of.map(({ currency, fees }) => (
        <div key={currency}>
          {f.wouldEarn(moneyText(fees.charged, currency, language), moneyText(fees.would_be, currency, language))}
        </div>
      ))}
    </Note>
  )
}

function WouldLine({ of }: { readonly of: RehearsedCurrency }) {
  const w = useWords(TRIALS)
  const language = useLanguage()
  const said = (key: Effect, words: (count: string, of: string, amount: string) => string) => {
    const { transfers, amount } = of[key]
    if (transfers === 0) return null
    const counted = countText(transfers, language)
    return (
      <li key={key}>
        {words(counted, countText(of.paid.transfers, language), moneyText(amount, of.currency, language))}
      </li>
    )
  }
  return (
    <>
      {said('denied', w.wouldDeny)}
      {said('approvals', w.wouldApprove)}
      {said('verification', w.wouldVerify)}
      {said('delayed', w.wouldDelay)}
    </>
  )
}
