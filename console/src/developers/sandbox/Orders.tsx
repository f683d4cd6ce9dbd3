// The provider's books beside ours: each attempt, how it stands here, and what the provider has under its reference.
import { Select } from '@mantine/core'
import type { SandboxOrder, SandboxRail } from '../../../../sdk/src/index.ts'
import { gateway } from '../../gateway.ts'
import { Badge, Id, Money, Status, Time } from '../../ui/atoms.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useFilter, usePage } from '../../ui/paging.ts'
import { useWords } from '../../words/language.ts'
import { screenOfObject } from '../event-types.ts'
import { SANDBOX } from './words.ts'

export function Orders({ rails }: { readonly rails: readonly SandboxRail[] }) {
  const w = useWords(SANDBOX)
  const [rail, setRail] = useFilter('rail')
  const page = usePage<SandboxOrder>(['sandbox', 'orders', rail], (after, signal) =>
    gateway.sandbox.orders({ rail: rail || undefined, after, limit: 25 }, { signal }).page(),
  )
  return (
    <Section
      title={w.orders}
      isFlush
      actions={
        <Select
          size="xs"
          w={160}
          aria-label={w.rail}
          placeholder={w.anyRail}
          clearable
          data={rails.map((each) => each.rail)}
          value={rail || null}
          onChange={(each) => setRail(each ?? '')}
        />
      }
    >
      <ListTable
        {...page}
        label={w.orders}
        keyOf={({ reference }) => reference}
        empty={<Empty icon="flask">{w.noOrders}</Empty>}
        columns={[
          { key: 'contract', title: w.contract, render: (order) => <Contract of={order} /> },
          { key: 'rail', title: w.rail, render: (order) => order.rail },
          {
            key: 'way',
            title: w.way,
            render: ({ direction }) => (direction === 'out' ? w.outgoing : w.incoming),
          },
          {
            key: 'amount',
            title: w.sum,
            align: 'right',
            render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { key: 'ours', title: w.ours, render: ({ status }) => <Status of={status} /> },
          { key: 'theirs', title: w.theirs, render: (order) => <Theirs of={order} /> },
          { key: 'made', title: w.made, render: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}

const Contract = ({ of: { contract } }: { readonly of: SandboxOrder }) => (
  <Id id={contract.id} to={screenOfObject(contract.kind, contract.id) ?? undefined} />
)

function Theirs({ of: { provider } }: { readonly of: SandboxOrder }) {
  const w = useWords(SANDBOX)
  if (provider === null) return <Badge>{w.nothing}</Badge>
  const { status, code, moved, moved_back: back } = provider
  return (
    <span style={{ display: 'inline-flex', gap: 4, flexWrap: 'wrap' }}>
      <Status of={status} tone={status === 'refused' ? 'bad' : undefined} />
      {code !== null && <Badge>{code}</Badge>}
      {moved > 1 && <Badge tone="bad">{w.moved(moved)}</Badge>}
      {back > 0 && <Badge tone="warn">{w.movedBack(back)}</Badge>}
    </span>
  )
}
