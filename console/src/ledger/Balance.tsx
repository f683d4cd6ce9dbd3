// The trial balance: first whether it balances, then each currency's accounts.
import type { TrialBalanceLine, TrialBalanceSum } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Badge, Money } from '../ui/atoms.tsx'
import { Empty, Loaded, Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Mode } from '../ui/Mode.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { LedgerPage } from './LedgerPage.tsx'
import { LEDGER } from './words.ts'

export function Balance() {
  const w = useWords(LEDGER)
  const read = useRead(['operations', 'balances'], (signal) => gateway.operations.balances({ signal }))
  return (
    <LedgerPage>
      <Loaded of={read}>
        {({ balances, sums }) =>
          sums.length === 0 ? (
            <Section>
              <Empty icon="book" title={w.none}>
                {w.noneMore}
              </Empty>
            </Section>
          ) : (
            <>
              <Verdict sums={sums} />
              {sums.map((sum) => (
                <Accounts key={`${sum.currency} ${sum.livemode}`} sum={sum} balances={balances} />
              ))}
            </>
          )
        }
      </Loaded>
    </LedgerPage>
  )
}

function Verdict({ sums }: { readonly sums: readonly TrialBalanceSum[] }) {
  const w = useWords(LEDGER)
  const isBalanced = sums.every((sum) => sum.is_balanced)
  return (
    <>
      <Note tone={isBalanced ? 'good' : 'bad'}>{isBalanced ? w.allBalanced : w.someUnbalanced}</Note>
      <Section title={w.sums} isFlush>
        <ListTable
          label={w.sums}
          rows={sums}
          keyOf={({ currency, livemode }) => `${currency} ${livemode}`}
          columns={[
            { key: 'currency', title: w.currency, render: ({ currency }) => currency },
            { key: 'mode', title: w.mode, render: ({ livemode }) => <Mode isLive={livemode} /> },
            {
              key: 'debit',
              title: w.debit,
              align: 'right',
              render: ({ debit, currency }) => <Money amount={debit} currency={currency} />,
            },
            {
              key: 'credit',
              title: w.credit,
              align: 'right',
              render: ({ credit, currency }) => <Money amount={credit} currency={currency} />,
            },
            {
              key: 'is',
              title: w.verdict,
              render: ({ is_balanced }) =>
                is_balanced ? <Badge tone="good">{w.balanced}</Badge> : <Badge tone="bad">{w.unbalanced}</Badge>,
            },
          ]}
        />
      </Section>
    </>
  )
}

function Accounts({
  sum,
  balances,
}: {
  readonly sum: TrialBalanceSum
  readonly balances: readonly TrialBalanceLine[]
}) {
  const w = useWords(LEDGER)
  const { currency, livemode } = sum
  const title = w.accounts(currency, livemode ? w.live : w.test)
  const money = (amount: number | null) => <Money amount={amount} currency={currency} />
  return (
    <Section title={title} isFlush>
      <ListTable
        label={title}
        rows={balances.filter((line) => line.currency === currency && line.livemode === livemode)}
        keyOf={({ account }) => account}
        linkOf={({ account }) => `/ledger/entries?ledger_account=${encodeURIComponent(account)}`}
        columns={[
          { key: 'account', title: w.account, render: ({ account }) => <span className="id">{account}</span> },
          { key: 'debit', title: w.debit, align: 'right', render: ({ debit }) => money(debit) },
          { key: 'credit', title: w.credit, align: 'right', render: ({ credit }) => money(credit) },
          { key: 'net', title: w.net, align: 'right', render: ({ balance }) => money(balance) },
          { key: 'kept', title: w.kept, align: 'right', render: ({ kept }) => money(kept) },
        ]}
      />
    </Section>
  )
}
