// Where a contract's money is, what it waits for and until when, and what a cancel would do now; and the way it took there.
import { Stack, Text } from '@mantine/core'
import type { ContractEntry, PaymentExplanation, TransferExplanation } from '../../../sdk/src/index.ts'
import { Facts, Money, Time } from '../ui/atoms.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { useAccountName } from './accounts.ts'
import { MoneyMap } from './MoneyMap.tsx'
import { PAGE } from './page-words.ts'
import './money-map.css'

type Explanation = Pick<TransferExplanation, 'summary' | 'places' | 'by' | 'cancel_now'> & {
  readonly waits_for: TransferExplanation['waits_for'] | PaymentExplanation['waits_for']
}

export function Standing({
  of: { summary, places, waits_for: waitsFor, by, cancel_now },
}: {
  readonly of: Explanation
}) {
  const w = useWords(PAGE)
  const nameOf = useAccountName()
  const who: Readonly<Record<Explanation['waits_for'], string>> = {
    caller: w.caller,
    payer: w.payer,
    gateway: w.gateway,
    channel: w.channelWho,
    operator: w.operator,
    nobody: w.nobody,
  }
  return (
    <Section title={w.where}>
      <Stack gap="sm">
        <Text>{summary}</Text>
        <Facts
          of={[
            ...places.map(
              ({ account, amount, currency }) =>
                [nameOf(account), <Money key={account} amount={amount} currency={currency} />] as const,
            ),
            [w.waitsFor, who[waitsFor]],
            [w.by, by ? <Time key="by" at={by} /> : w.byNothing],
            [w.cancelNow, cancel_now],
          ]}
        />
      </Stack>
    </Section>
  )
}

type WayProps = {
  readonly kind: 'transfers' | 'payments'
  readonly entries: readonly ContractEntry[]
  readonly places: Explanation['places']
}

/** The map, and the rows that it is drawn from. */
export function Way({ kind, entries, places }: WayProps) {
  const w = useWords(PAGE)
  const nameOf = useAccountName()
  // What is with the recipient passed through the channel's account, where it left the books.
  const outside = entries.findLast(({ credit }) => credit.startsWith('clearing:'))?.credit
  const now = places.flatMap(({ account }) => (account === 'recipient' && outside ? [outside] : [account]))
  const hasBalances = entries.some(({ available_after: after }) => after !== null)
  const columns: readonly Column<ContractEntry>[] = [
    { key: 'when', title: w.when, render: ({ created_at: at }) => <Time at={at} style="short" /> },
    { key: 'from', title: w.from, render: ({ debit }) => nameOf(debit) },
    { key: 'to', title: w.to, render: ({ credit }) => nameOf(credit) },
    { key: 'why', title: w.why, render: ({ event, reason }) => event ?? reason ?? '—' },
    {
      key: 'amount',
      title: w.amount,
      align: 'right',
      render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'after',
      title: w.availableAfter,
      align: 'right',
      render: ({ available_after: after, currency }) => <Money amount={after} currency={currency} />,
    },
  ]
  return (
    <Section title={w.map} isFlush>
      {entries.length === 0 ? (
        <Text c="dimmed" p="md">
          {w.noMoney}
        </Text>
      ) : (
        <>
          <div className="money-map-frame">
            <MoneyMap kind={kind} entries={entries} now={now} />
          </div>
          <ListTable
            label={w.ledger}
            columns={hasBalances ? columns : columns.slice(0, -1)}
            rows={entries}
            keyOf={({ wallet_id: wallet, sequence }) => `${wallet} ${sequence}`}
          />
        </>
      )}
    </Section>
  )
}
