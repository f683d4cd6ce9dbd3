// The newest contracts with somebody: transfers to them, and payments that were issued to them.
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Payment, Profile, Transfer } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Id, Money, Status, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { PROFILES } from './words.ts'

const NEWEST = 5

type Contract = Pick<Transfer | Payment, 'id' | 'amount' | 'currency' | 'status' | 'description' | 'created_at'>

export function ProfileContracts({ profile: { id, relation } }: { readonly profile: Profile }) {
  const w = useWords(PROFILES)
  const can = useCan()
  // Contracts name the account itself as who issued them, and payers as who paid: these are no filters.
  const isAsked = relation === 'contact' && can('contracts:read')
  const asked = { profile: id, limit: NEWEST }
  const transfers = useRead(
    ['transfers', 'of-profile', id],
    (signal) => gateway.transfers.list(asked, { signal }).page(),
    { enabled: isAsked },
  )
  const payments = useRead(
    ['payments', 'of-profile', id],
    (signal) => gateway.payments.list(asked, { signal }).page(),
    {
      enabled: isAsked,
    },
  )
  if (!isAsked) return null
  return (
    <>
      <Contracts title={w.transfers} of={transfers} path="transfers" profileId={id} empty={w.noTransfers} />
      {(payments.data?.items.length ?? 0) > 0 && (
        <Contracts title={w.payments} of={payments} path="payments" profileId={id} empty="" />
      )}
    </>
  )
}

type ContractsProps = {
  readonly title: string
  readonly of: {
    readonly data?: { readonly items: readonly Contract[] } | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly path: 'transfers' | 'payments'
  readonly profileId: string
  readonly empty: string
}

function Contracts({ title, of, path, profileId, empty }: ContractsProps) {
  const w = useWords(PROFILES)
  const rows = of.data?.items
  const all = rows && rows.length > 0 && (
    <Button component={Link} to={`/${path}?profile=${profileId}`} size="compact-sm" variant="default">
      {w.showAll}
    </Button>
  )
  return (
    <Section title={title} isFlush actions={all || undefined}>
      <ListTable
        label={title}
        rows={rows}
        error={of.error}
        onAgain={() => void of.refetch()}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${path}/${id}`}
        empty={<Empty title={empty} />}
        columns={[
          {
            key: 'amount',
            title: w.amount,
            render: ({ id, amount, currency }) => (
              <Link to={`/${path}/${id}`}>
                <Money amount={amount} currency={currency} />
              </Link>
            ),
          },
          { key: 'status', title: w.status, render: ({ status }) => <Status of={status} /> },
          { key: 'what', title: w.what, render: ({ description }) => description ?? '—' },
          { key: 'id', title: w.id, render: ({ id }) => <Id id={id} /> },
          { key: 'at', title: w.since, align: 'right', render: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Section>
  )
}
