// The queue of approvals: what waits for whoever looks, or all of it; approved or rejected one by one, or several at once.
import { Button, Checkbox, Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { QueuedApproval } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Money, Status, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { ApproveMany } from './ApproveMany.tsx'
import { ApproveOne, RejectOne } from './Decide.tsx'
import { accountOf } from './Terms.tsx'
import { TITLE } from './title.ts'
import { Reasons } from './Reasons.tsx'
import { APPROVALS } from './words.ts'

const AT_ONCE = 100
const PAGE = 25

type Shown = 'mine' | 'waiting' | 'all'

/** What is asked about now: one that is approved or rejected, or all that are chosen. */
type Asking = { readonly what: 'approve' | 'reject'; readonly of: QueuedApproval } | { readonly what: 'many' }

export function Approvals() {
  const { title } = useWords(TITLE)
  const w = useWords(APPROVALS)
  const can = useCan()
  const mayApprove = can('approvals:write')
  const [filter, setFilter] = useFilter('shown')
  const views: readonly Shown[] = mayApprove ? ['mine', 'waiting', 'all'] : ['waiting', 'all']
  const [first = 'all'] = views
  const shown = views.find((each) => each === filter) ?? first
  return (
    <Page
      title={title}
      actions={
        <SegmentedControl
          aria-label={w.which}
          size="sm"
          value={shown}
          onChange={(value) => setFilter(value === first ? '' : value)}
          data={views.map((value) => ({ value, label: w[value] }))}
        />
      }
    >
      <Queue key={shown} shown={shown} />
    </Page>
  )
}

function Queue({ shown }: { readonly shown: Shown }) {
  const { title } = useWords(TITLE)
  const w = useWords(APPROVALS)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<Asking | null>(null)
  const page = usePage<QueuedApproval>(['approvals', 'list', shown], (after, signal) => {
    const wanted = { mine: { mine: true }, waiting: { status: 'waiting' as const }, all: {} }[shown]
    return gateway.approvals.list({ after, limit: PAGE, ...wanted }, { signal }).page()
  })
  const approvable = (page.rows ?? []).filter((each) => each.can_approve)
  const picked = approvable.filter(({ contract }) => chosen.has(contract.id)).slice(0, AT_ONCE)
  const toggle = ({ contract: { id }, can_approve: may }: QueuedApproval) => {
    const next = new Set(chosen)
    if (!next.delete(id) && may) next.add(id)
    setChosen(next)
  }
  const own: Column<QueuedApproval> = {
    key: 'choose',
    title: '',
    render: (row) =>
      row.can_approve ? (
        <Checkbox
          aria-label={w.chooseOne(row.contract.recipient?.name ?? row.contract.id)}
          checked={chosen.has(row.contract.id)}
          onChange={() => toggle(row)}
        />
      ) : null,
  }
  const columns = useColumns(setAsking)
  return (
    <Section isFlush>
      {approvable.length > 0 && (
        <Choice of={approvable} picked={picked} onChoose={setChosen} onApprove={() => setAsking({ what: 'many' })} />
      )}
      <ListTable
        {...page}
        label={title}
        keyOf={({ contract }) => contract.id}
        linkOf={({ contract }) => `/transfers/${contract.id}`}
        keys={{ x: toggle, a: (row) => row.can_approve && setAsking({ what: 'approve', of: row }) }}
        columns={approvable.length > 0 ? [own, ...columns] : columns}
        empty={
          <Empty icon="check" title={shown === 'all' ? w.noneTitle : w.nothingTitle}>
            {shown === 'mine' ? w.nothingMine : w.none}
          </Empty>
        }
      />
      {asking?.what === 'many' && <ApproveMany of={picked} onClose={() => setAsking(null)} />}
      {asking?.what === 'approve' && <ApproveOne of={asking.of} onClose={() => setAsking(null)} />}
      {asking?.what === 'reject' && <RejectOne of={asking.of} onClose={() => setAsking(null)} />}
    </Section>
  )
}

type ChoiceProps = {
  /** What of the page the member may approve. */
  readonly of: readonly QueuedApproval[]
  readonly picked: readonly QueuedApproval[]
  readonly onChoose: (ids: ReadonlySet<string>) => void
  readonly onApprove: () => void
}

function Choice({ of, picked, onChoose, onApprove }: ChoiceProps) {
  const w = useWords(APPROVALS)
  const isAll = picked.length === of.length
  return (
    <Group px="md" pt="sm" gap="sm">
      <Checkbox
        label={w.chooseAll}
        checked={isAll}
        indeterminate={picked.length > 0 && !isAll}
        onChange={() => onChoose(new Set(isAll ? [] : of.map(({ contract }) => contract.id)))}
      />
      <Button size="compact-md" disabled={picked.length === 0} onClick={onApprove}>
        {picked.length === 0 ? w.approveChosen : w.approveMany(picked.length)}
      </Button>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {w.keys}
      </Text>
    </Group>
  )
}

function useColumns(ask: (asking: Asking) => void): readonly Column<QueuedApproval>[] {
  const w = useWords(APPROVALS)
  const can = useCan()
  return [
    { key: 'recipient', title: w.recipient, render: (row) => <Recipient of={row} /> },
    { key: 'amount', title: w.taken, align: 'right', render: (row) => <Amount of={row} /> },
    { key: 'why', title: w.why, render: (row) => <Why of={row} /> },
    { key: 'asked', title: w.askedBy, render: (row) => <Asked of={row} /> },
    {
      key: 'do',
      title: '',
      render: (row) =>
        can('approvals:write') && row.status === 'waiting' ? (
          <Group gap={6} justify="flex-end">
            {row.can_approve && (
              <Button size="compact-sm" onClick={() => ask({ what: 'approve', of: row })}>
                {w.approve}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => ask({ what: 'reject', of: row })}>
              {w.reject}
            </Button>
          </Group>
        ) : null,
    },
  ]
}

const small = { fontSize: 12, color: 'var(--mantine-color-dimmed)' } as const

function Amount({ of: { contract } }: { readonly of: QueuedApproval }) {
  const w = useWords(APPROVALS)
  const { preview, currency } = contract
  return (
    <div>
      <Money amount={preview.amount} currency={currency} />
      <div style={small}>
        {w.ofWhichFee} <Money amount={preview.fees?.total} currency={currency} />
      </div>
    </div>
  )
}

function Recipient({ of: { contract } }: { readonly of: QueuedApproval }) {
  return (
    <div style={{ minWidth: 130, overflowWrap: 'anywhere' }}>
      <div style={{ fontWeight: 600 }}>{contract.recipient?.name ?? '—'}</div>
      <div style={small}>{[contract.channel?.name, accountOf(contract.recipient)].filter(Boolean).join(' · ')}</div>
    </div>
  )
}

/** Why it is asked, and what is lacking, or why it is not for who looks. */
function Why({ of }: { readonly of: QueuedApproval }) {
  const w = useWords(APPROVALS)
  const can = useCan()
  const { status, why_not: whyNot, lacking } = of
  return (
    <div style={{ minWidth: 180, maxWidth: 360 }}>
      <Reasons of={of} />
      <div style={small}>
        <Status of={status} />{' '}
        {status === 'waiting' && (whyNot && can('approvals:write') ? whyNot.message : w.lacking(lacking))}
      </div>
    </div>
  )
}

function Asked({ of: { status, asked_by: by, asked_at: at, contract } }: { readonly of: QueuedApproval }) {
  const w = useWords(APPROVALS)
  return (
    <div>
      <div>
        {by?.name ?? '—'}{' '}
        <span style={small}>
          <Time at={at} />
        </span>
      </div>
      {status === 'waiting' && (
        <div style={small}>
          {w.ends}: <Time at={contract.expires_at} />
        </div>
      )}
    </div>
  )
}
