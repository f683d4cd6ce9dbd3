// The ledger's rows of all accounts, newest first, by account, contract and ledger account.
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateway } from '../gateway.ts'
import { Id, Money, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Mode } from '../ui/Mode.tsx'
import { Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { LedgerPage } from './LedgerPage.tsx'
import { LEDGER } from './words.ts'

export function Entries() {
  const w = useWords(LEDGER)
  const [account, setAccount] = useFilter('account_id')
  const [contract, setContract] = useFilter('contract_id')
  const [ledger, setLedger] = useFilter('ledger_account')
  const filters = {
    ...(account && { account_id: account }),
    ...(contract && { contract_id: contract }),
    ...(ledger && { ledger_account: ledger }),
  }
  const list = usePage(['operations', 'entries', filters], (after, signal) =>
    gateway.operations.entries({ ...filters, after, limit: 25 }, { signal }).page(),
  )
  return (
    <LedgerPage>
      <div className="filters">
        <Filter label={w.filterLedger} value={ledger} onValue={setLedger} placeholder="available, fee_revenue…" />
        <Filter label={w.filterAccount} value={account} onValue={setAccount} placeholder={w.anyAccount} />
        <Filter label={w.filterContract} value={contract} onValue={setContract} placeholder={w.anyAccount} />
      </div>
      <Section isFlush>
        <ListTable
          label={w.entries}
          {...list}
          keyOf={({ wallet_id, sequence }) => `${wallet_id} ${sequence}`}
          empty={
            <Empty icon="book" title={w.entriesNone}>
              {w.entriesNoneMore}
            </Empty>
          }
          columns={[
            { key: 'at', title: w.at, render: ({ created_at }) => <Time at={created_at} /> },
            { key: 'from', title: w.from, render: ({ debit }) => <span className="id">{debit}</span> },
            { key: 'to', title: w.to, render: ({ credit }) => <span className="id">{credit}</span> },
            {
              key: 'amount',
              title: w.amount,
              align: 'right',
              render: ({ amount, currency, livemode }) => (
                <span>
                  <Money amount={amount} currency={currency} /> <Mode isLive={livemode} />
                </span>
              ),
            },
            {
              key: 'contract',
              title: w.contract,
              render: ({ contract_id, reference }) =>
                contract_id === null ? (reference ?? '—') : <Id id={contract_id} />,
            },
            { key: 'whose', title: w.whose, render: ({ account_id }) => <Id id={account_id} /> },
          ]}
        />
      </Section>
    </LedgerPage>
  )
}

/** Asks when somebody has written it, not at every letter. */
function Filter({
  label,
  value,
  onValue,
  placeholder,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly placeholder: string
}) {
  const [text, setText] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onValue(text.trim())
      }}
    >
      <TextInput
        label={label}
        value={text}
        placeholder={placeholder}
        onChange={(change) => setText(change.currentTarget.value)}
        onBlur={() => onValue(text.trim())}
      />
    </form>
  )
}
