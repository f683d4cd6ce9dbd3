// A month of a wallet: its balances at both ends, each change in between, and the files for accounting.
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { StatementLine, Wallet, WalletStatement } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'
import { Id, Money, Time } from '../ui/atoms.tsx'
import { Empty, ErrorNote, Loaded, Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useFilter, usePage } from '../ui/paging.ts'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { useAccountName } from './Entries.tsx'
import { daysOfMonth, monthIn, monthText } from './months.ts'
import { nameOf } from './Wallets.tsx'
import { STATEMENT, WALLETS } from './words.ts'
import './wallets.css'

export function StatementPage() {
  const { id = '' } = useParams()
  const w = useWords(STATEMENT)
  const { wallet: noun } = useWords(WALLETS)
  const { account } = useSignedIn()
  const thisMonth = monthIn(account?.time_zone ?? 'UTC')
  const [chosen, setMonth] = useFilter('month')
  const month = /^\d{4}-\d\d$/.test(chosen) ? chosen : thisMonth
  const wallet = useRead(['wallets', 'get', id], (signal) => gateway.wallets.get(id, {}, { signal }))
  const name = wallet.data ? nameOf(wallet.data.wallet) : noun
  return (
    <Page
      title={`${w.title}: ${name}`}
      parent={[name, `/wallets/${id}`]}
      actions={
        <TextInput
          type="month"
          aria-label={w.month}
          value={month}
          max={thisMonth}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
      }
    >
      {month === thisMonth && <Note tone="info">{w.soFar}</Note>}
      <Loaded of={wallet}>{(data) => <Shown wallet={data.wallet} month={month} isOver={month < thisMonth} />}</Loaded>
    </Page>
  )
}

type ShownProps = { readonly wallet: Wallet; readonly month: string; readonly isOver: boolean }

function Shown({ wallet, month, isOver }: ShownProps) {
  const w = useWords(STATEMENT)
  const language = useLanguage()
  const { from, to } = daysOfMonth(month)
  // Of the month that runs as much as there is.
  const period = isOver ? { from, to } : { from }
  const first = useRead(['wallets', 'statement', wallet.id, period], (signal) =>
    gateway.wallets.statement(wallet.id, { ...period, limit: 1 }, { signal }),
  )
  const page = usePage(['wallets', 'lines', wallet.id, period], async (after, signal) => {
    const asked = after ? { after, limit: 50 } : { ...period, limit: 50 }
    const { statement, next } = await gateway.wallets.statement(wallet.id, asked, { signal })
    return { items: statement.lines, next }
  })
  return (
    <>
      <Section title={monthText(month, language)} actions={<Files wallet={wallet} month={month} period={period} />}>
        <Loaded of={first} rows={2}>
          {({ statement }) => <Ends of={statement} />}
        </Loaded>
      </Section>
      <Section title={w.lines} isFlush>
        <ListTable
          label={w.lines}
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
    </>
  )
}

function Ends({ of }: { readonly of: WalletStatement }) {
  const w = useWords(STATEMENT)
  const ends = [[w.opening, of.opening.available, of.from] as const, [w.closing, of.closing.available, of.to] as const]
  return (
    <dl className="ends">
      {ends.map(([name, amount, at]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} currency={of.currency} />
            <small>
              <Time at={at} style="short" />
            </small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function useColumns(currency: string): Column<StatementLine>[] {
  const w = useWords(STATEMENT)
  const name = useAccountName()
  return [
    { key: 'when', title: w.when, render: ({ created_at }) => <Time at={created_at} style="short" /> },
    {
      key: 'what',
      title: w.what,
      render: ({ counterparty, description, contract_id, reference, account }) => (
        <Group gap={6}>
          <span>{[counterparty, description ?? reference].filter(Boolean).join(' · ') || name(account)}</span>
          {contract_id && <Id id={contract_id} to={`/wallets/contracts/${contract_id}`} />}
        </Group>
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

type Period = { readonly from: string; readonly to?: string }
type FilesProps = { readonly wallet: Wallet; readonly month: string; readonly period: Period }

function Files({ wallet, month, period }: FilesProps) {
  const w = useWords(STATEMENT)
  const { download } = useWords(COMMON)
  const query = new URLSearchParams({ ...period })
  const [error, setError] = useState<unknown>(null)
  const icon = <Icon name="download" size={14} />
  const file = (format: string) => `/wallets/${wallet.id}/statement?${query.toString()}&format=${format}`
  const saveJson = async () => {
    const { statement, next } = await gateway.wallets.statement(wallet.id, { ...period, limit: 100 })
    const lines = [...statement.lines]
    for (let after = next; after !== null; ) {
      const page = await gateway.wallets.statement(wallet.id, { after, limit: 100 })
      lines.push(...page.statement.lines)
      after = page.next
    }
    saveFile(`statement-${month}.json`, 'application/json', JSON.stringify({ ...statement, lines }, null, 2))
  }
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        component="a"
        href={file('csv')}
        download
        aria-label={`${download}: ${w.csv}`}
      >
        {w.csv}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        component="a"
        href={file('camt053')}
        download
        aria-label={`${download}: ${w.camt}`}
      >
        {w.camt}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        onClick={() => {
          setError(null)
          saveJson().catch(setError)
        }}
        aria-label={`${download}: ${w.json}`}
      >
        {w.json}
      </Button>
      {error ? <ErrorNote error={error} /> : null}
    </Group>
  )
}
