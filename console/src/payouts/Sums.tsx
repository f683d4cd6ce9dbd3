// What the rows of a command come to, by currency and by what became of them: the gateway's own sums.
import type { CommandRow, CommandSum } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Badge, Money, Status } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAYOUT, PAYOUTS } from './words.ts'

type Props = {
  readonly of: readonly CommandSum[]
  /** Of a check nothing is done: rows could be, or could not. */
  readonly isCheck: boolean
}

export function Sums({ of, isCheck }: Props) {
  const w = useWords(PAYOUT)
  const p = useWords(PAYOUTS)
  const language = useLanguage()
  return (
    <Section title={w.sums} isFlush>
      <ListTable
        label={w.sums}
        rows={of}
        keyOf={({ currency, status }) => `${currency} ${status}`}
        empty={<Empty icon="wallet" title={w.noSums} />}
        columns={[
          { key: 'status', title: p.status, render: ({ status }) => <Outcome of={status} isCheck={isCheck} /> },
          { key: 'rows', title: w.rows, align: 'right', render: ({ rows }) => countText(rows, language) },
          {
            key: 'amount',
            title: w.amount,
            align: 'right',
            render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          {
            key: 'fee',
            title: w.fee,
            align: 'right',
            render: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
          },
          {
            key: 'debit',
            title: w.debit,
            align: 'right',
            render: ({ debit, currency }) => <Money amount={debit} currency={currency} />,
          },
        ]}
      />
    </Section>
  )
}

export function Outcome({ of, isCheck }: { readonly of: CommandRow['status']; readonly isCheck: boolean }) {
  const w = useWords(PAYOUT)
  if (isCheck && of === 'done') return <Badge tone="good">{w.possible}</Badge>
  if (isCheck && of === 'failed') return <Badge tone="bad">{w.impossible}</Badge>
  return <Status of={of} />
}
