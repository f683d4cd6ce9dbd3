// The list of payments.
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { ContractList } from '../contracts/ContractList.tsx'
import { LIST } from '../contracts/list-words.ts'
import { gateway } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Id, Money, Status, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { PAYMENTS } from './words.ts'

type Payment = Awaited<ReturnType<typeof gateway.payments.get>>

const STATUSES = ['issued', 'paid', 'completed', 'cancelled', 'expired']

export function Payments() {
  const { title } = useWords(TITLE)
  const w = useWords(PAYMENTS)
  const l = useWords(LIST)
  const can = useCan()
  const create = can('contracts:write') ? (
    <Button component={Link} to="/payments/new">
      {w.create}
    </Button>
  ) : undefined
  return (
    <ContractList<Payment>
      kind="payments"
      title={title}
      statuses={STATUSES}
      list={(query, options) => gateway.payments.list(query as never, options)}
      actions={create}
      empty={
        <Empty icon="in" title={w.none} action={create}>
          {w.noneHow}
        </Empty>
      }
      csv={CSV}
      columns={[
        {
          key: 'amount',
          title: l.amount,
          render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          align: 'right',
        },
        { key: 'status', title: l.status, render: ({ status }) => <Status of={status} /> },
        { key: 'description', title: l.description, render: ({ description }) => description ?? '—' },
        { key: 'channel', title: l.channel, render: ({ channel }) => channel?.name ?? '—' },
        { key: 'reference', title: l.reference, render: ({ deliverable }) => deliverable?.reference_id ?? '—' },
        { key: 'created', title: l.created, render: ({ created_at: at }) => <Time at={at} /> },
        { key: 'id', title: l.id, render: ({ id }) => <Id id={id} to={`/payments/${id}`} /> },
        {
          key: 'received',
          title: w.received,
          render: ({ amount_received: amount, currency }) => <Money amount={amount} currency={currency} />,
          align: 'right',
          isHidden: true,
        },
        {
          key: 'refunded',
          title: w.refunded,
          render: ({ amount_refunded: amount, currency }) => <Money amount={amount} currency={currency} />,
          align: 'right',
          isHidden: true,
        },
        { key: 'expires', title: w.expires, render: ({ expires_at: at }) => <Time at={at} />, isHidden: true },
        { key: 'updated', title: l.updated, render: ({ updated_at: at }) => <Time at={at} />, isHidden: true },
      ]}
    />
  )
}

const CSV = [
  ['id', ({ id }: Payment) => id],
  ['status', ({ status }: Payment) => status],
  ['amount', ({ amount }: Payment) => amount],
  ['currency', ({ currency }: Payment) => currency],
  ['received', ({ amount_received: amount }: Payment) => amount],
  ['refunded', ({ amount_refunded: amount }: Payment) => amount],
  ['in_suspense', ({ amount_in_suspense: amount }: Payment) => amount],
  ['channel', ({ channel }: Payment) => channel?.id],
  ['reference_id', ({ deliverable }: Payment) => deliverable?.reference_id],
  ['description', ({ description }: Payment) => description],
  ['created_at', ({ created_at: at }: Payment) => at],
  ['paid_at', ({ paid_at: at }: Payment) => at],
  ['updated_at', ({ updated_at: at }: Payment) => at],
] as const
