// The frozen terms of a transfer as whoever approves them reads them: what leaves, to whom, by whom, why it is asked, and until when.
import { Stack } from '@mantine/core'
import type { QueuedApproval, Transfer } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { Facts, Id, Money, Time } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import { Reasons } from './Reasons.tsx'
import { APPROVALS } from './words.ts'

type Account = Partial<Pick<NonNullable<Transfer['recipient']>, 'wallet' | 'tag' | 'mobile' | 'email'>>

export const accountOf = (recipient: Account | null): string =>
  [recipient?.wallet, recipient?.tag, recipient?.mobile, recipient?.email].filter(Boolean).join(' · ')

/** Who made, changed and issued it, by name; each once. */
function useMakers({ activities }: Transfer): string {
  const { nameOf } = useActors()
  const made = activities.filter(({ type }) => ['created', 'updated', 'issued'].includes(type))
  const names = made.flatMap(({ proxy }) => (proxy === null ? [] : [nameOf(proxy) ?? proxy]))
  return [...new Set(names)].join(', ')
}

export function Terms({ of }: { readonly of: QueuedApproval }) {
  const { contract, asked_by: by } = of
  const w = useWords(APPROVALS)
  const makers = useMakers(contract)
  const { preview, currency, recipient, channel } = contract
  return (
    <Facts
      of={[
        [w.taken, <Money key="taken" amount={preview.amount} currency={currency} />],
        [w.fee, <Money key="fee" amount={preview.fees?.total} currency={currency} />],
        [w.gets, <Money key="gets" amount={preview.receive_amount} currency={currency} />],
        [
          w.recipient,
          <Stack key="to" gap={0}>
            <span>{recipient?.name ?? '—'}</span>
            <span className="id" style={{ whiteSpace: 'normal' }}>
              {accountOf(recipient)}
            </span>
          </Stack>,
        ],
        [w.channel, channel?.name],
        contract.description ? [w.description, contract.description] : null,
        [w.madeBy, makers === '' ? '—' : makers],
        by && by.name !== makers ? [w.askedBy, by.name] : null,
        [w.why, <Reasons key="why" of={of} />],
        [w.ends, <Time key="ends" at={contract.expires_at} />],
        contract.approval ? [w.terms, <Id key="terms" id={contract.approval.terms_hash} />] : null,
      ]}
    />
  )
}
