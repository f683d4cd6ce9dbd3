// What the rows of a command come to, by currency and by what became of them: the gateway's own sums.
import type { CommandSum } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Money, Status } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAYOUT, PAYOUTS } from './words.ts'

export function Sums({ of }: { readonly of: readonly CommandSum[] }) {
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
          { key: 'status', title: p.status, render: ({ status }) => <Status of={status} /> },
          { key: 'rows', title: w.rows, align: 'right', render: ({ rows }) => countText(rows, language) },
          {
            key: 'amount',
            title: w.amount,
            align: 'right',
            render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
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
