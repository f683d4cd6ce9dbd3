// The ledger rows of a wallet, newest first, with filters that stand in the URL.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Wallet, WalletEntry } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { Badge, Id, Money, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { ENTRIES, WALLETS } from './words.ts'

const ACCOUNTS = ['available', 'held', 'in_transit', 'pending', 'suspense', 'fee_revenue', 'external'] as const

export function Entries({ wallet }: { readonly wallet: Wallet }) {
  const w = useWords(ENTRIES)
  const [account] = useFilter('account')
  const [from] = useFilter('from')
  const [to] = useFilter('to')
  const [contract] = useFilter('contract')
  const filter = {
    ...(account && { account }),
    ...(from && { from }),
    ...(to && { to }),
    ...(contract && { contract_id: contract }),
  }
  const page = usePage(['wallets', 'entries', wallet.id, filter], (after, signal) =>
    gateway.wallets.entries(wallet.id, { ...filter, limit: 25, ...(after && { after }) }, { signal }).page(),
  )
  return (
    <Section title={w.entries} isFlush>
      <Filters />
      <ListTable
        label={w.entries}
        {...page}
        columns={useColumns(wallet.currency)}
        keyOf={({ sequence }) => String(sequence)}
        empty={
          <Empty icon="book" title={w.none}>
            {w.noneWhat}
          </Empty>
        }
      />
    </Section>
  )
}

function useColumns(currency: string): Column<WalletEntry>[] {
  const w = useWords(ENTRIES)
  const name = useAccountName()
  return [
    { key: 'when', title: w.when, render: ({ created_at }) => <Time at={created_at} /> },
    { key: 'from', title: w.from, render: ({ debit }) => name(debit) },
    { key: 'to', title: w.to, render: ({ credit }) => name(credit) },
    {
      key: 'of',
      title: w.of,
      render: ({ contract_id, reference }) =>
        contract_id ? (
          <Id id={contract_id} to={`/wallets/contracts/${contract_id}`} />
        ) : (
          <span className="id reference" title={reference ?? undefined}>
            {reference ?? '—'}
          </span>
        ),
    },
    {
      key: 'amount',
      title: w.amount,
      align: 'right',
      render: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'after',
      title: w.after,
      align: 'right',
      render: ({ available_after }) => <Money amount={available_after} currency={currency} />,
    },
  ]
}

/** The wallet's own places in words; others as the ledger has them. */
export function useAccountName() {
  const w = useWords(WALLETS)
  const names: Readonly<Record<string, string>> = {
    available: w.available,
    held: w.held,
    in_transit: w.inTransit,
    pending: w.pending,
    suspense: w.suspense,
  }
  return (account: string) => names[account] ?? <Badge>{account}</Badge>
}

const NAMES = ['account', 'from', 'to', 'contract'] as const

function Filters() {
  const w = useWords(ENTRIES)
  const a = useWords(WALLETS)
  const [params, setParams] = useSearchParams()
  const [account, setAccount] = useFilter('account')
  const [contract, setContract] = useFilter('contract')
  const [typed, setTyped] = useState(contract)
  const isFiltered = NAMES.some((name) => params.has(name))
  const clear = () => {
    const kept = new URLSearchParams(params)
    for (const name of [...NAMES, 'after']) kept.delete(name)
    setTyped('')
    setParams(kept)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setContract(typed.trim())
      }}
    >
      <Group gap="xs" px="md" pb="sm" align="flex-end">
        <NativeSelect
          size="xs"
          label={w.account}
          data={[{ value: '', label: a.all }, ...ACCOUNTS]}
          value={account}
          onChange={(event) => setAccount(event.currentTarget.value)}
        />
        <Day name="from" label={w.fromDay} />
        <Day name="to" label={w.toDay} />
        <TextInput
          size="xs"
          label={w.contract}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => typed.trim() !== contract && setContract(typed.trim())}
        />
        {isFiltered && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {w.clear}
          </Button>
        )}
      </Group>
    </form>
  )
}

/** A filter by day. */
function Day({ name, label }: { readonly name: string; readonly label: string }) {
  const [day, setDay] = useFilter(name)
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={day}
      onChange={(event) => setDay(event.currentTarget.value)}
    />
  )
}
