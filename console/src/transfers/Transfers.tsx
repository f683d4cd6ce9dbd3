// The list of transfers.
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
import { TRANSFERS } from './words.ts'

type Transfer = Awaited<ReturnType<typeof gateway.transfers.get>>

const STATUSES = ['draft', 'issued', 'paid', 'completed', 'cancelled', 'expired', 'returned']

export function Transfers() {
  const { title } = useWords(TITLE)
  const w = useWords(TRANSFERS)
  const l = useWords(LIST)
  const can = useCan()
  const create = can('contracts:write') ? (
    <Button component={Link} to="/transfers/new">
      {w.create}
    </Button>
  ) : undefined
  return (
    <ContractList<Transfer>
      kind="transfers"
      title={title}
      statuses={STATUSES}
      list={(query, options) => gateway.transfers.list(query as never, options)}
      actions={create}
      empty={
        <Empty icon="out" title={w.none} action={create}>
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
        { key: 'recipient', title: w.recipient, render: ({ recipient }) => recipient?.name ?? recipient?.email ?? '—' },
        { key: 'channel', title: l.channel, render: ({ channel }) => channel?.name ?? '—' },
        { key: 'reference', title: l.reference, render: ({ deliverable }) => deliverable?.reference_id ?? '—' },
        { key: 'created', title: l.created, render: ({ created_at: at }) => <Time at={at} /> },
        { key: 'id', title: l.id, render: ({ id }) => <Id id={id} to={`/transfers/${id}`} /> },
        { key: 'account', title: w.account, render: ({ recipient }) => recipient?.wallet ?? '—', isHidden: true },
        {
          key: 'fee',
          title: l.fee,
          render: ({ preview, currency }) => <Money amount={preview.fees?.total} currency={currency} />,
          align: 'right',
          isHidden: true,
        },
        { key: 'arrives', title: w.arrives, render: ({ preview }) => <Time at={preview.arrives_at} />, isHidden: true },
        { key: 'updated', title: l.updated, render: ({ updated_at: at }) => <Time at={at} />, isHidden: true },
      ]}
    />
  )
}

const CSV = [
  ['id', ({ id }: Transfer) => id],
  ['status', ({ status }: Transfer) => status],
  ['amount', ({ amount }: Transfer) => amount],
  ['currency', ({ currency }: Transfer) => currency],
  ['fee', ({ preview }: Transfer) => preview.fees?.total],
  ['debited', ({ preview }: Transfer) => preview.amount],
  ['channel', ({ channel }: Transfer) => channel?.id],
  ['recipient_name', ({ recipient }: Transfer) => recipient?.name],
  ['recipient_account', ({ recipient }: Transfer) => recipient?.wallet],
  ['recipient_mobile', ({ recipient }: Transfer) => recipient?.mobile],
  ['reference_id', ({ deliverable }: Transfer) => deliverable?.reference_id],
  ['description', ({ description }: Transfer) => description],
  ['created_at', ({ created_at: at }: Transfer) => at],
  ['paid_at', ({ paid_at: at }: Transfer) => at],
  ['updated_at', ({ updated_at: at }: Transfer) => at],
] as const
