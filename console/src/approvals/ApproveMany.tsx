// What is asked before several transfers are approved at once: the totals, as the gateway adds them up, and what it would refuse.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { QueuedApproval } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { Facts, Money } from '../ui/atoms.tsx'
import { Confirm, Dialog } from '../ui/Confirm.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { COMMON } from '../ui/words.ts'
import { useWords } from '../words/language.ts'
import { GROUPS } from './Decide.tsx'
import { APPROVALS } from './words.ts'

type Told = Awaited<ReturnType<typeof gateway.approvals.approveAll>>
type Props = { readonly of: readonly QueuedApproval[]; readonly onClose: () => void }

export function ApproveMany({ of: chosen, onClose }: Props) {
  const w = useWords(APPROVALS)
  // What was chosen when it was asked: the list goes on changing behind it.
  const [of] = useState(chosen)
  const items = of.map(({ contract: { id, approval } }) => ({ id, terms_hash: approval?.terms_hash ?? '' }))
  const [ended, setEnded] = useState<Told | null>(null)
  // Where some were refused what became of them stays on the screen.
  const isWhole = useRef(true)
  const tried = useRead(
    ['approvals', 'tried', items],
    (signal) => gateway.approvals.approveAll({ items, dry_run: true }, { signal }),
    { enabled: ended === null, staleTime: Number.POSITIVE_INFINITY },
  )
  const approve = useWrite(() => gateway.approvals.approveAll({ items }), GROUPS)
  if (ended) return <Ended told={ended} of={of} onClose={onClose} />
  const confirm = async () => {
    const told = await approve.mutateAsync(undefined)
    isWhole.current = told.approved === items.length
    if (!isWhole.current) setEnded(told)
  }
  return (
    <Confirm
      title={w.manyTitle}
      action={w.approveMany(tried.data?.approved ?? items.length)}
      isDisabled={tried.data === undefined || tried.data.approved === 0}
      onConfirm={confirm}
      onClose={() => isWhole.current && onClose()}
    >
      <Text size="sm">{w.manyHow}</Text>
      <Loaded of={tried}>{(told) => <Outcome told={told} of={of} />}</Loaded>
    </Confirm>
  )
}

/** What became of them, where not all went through. */
function Ended({ told, of, onClose }: Props & { readonly told: Told }) {
  const w = useWords(APPROVALS)
  const c = useWords(COMMON)
  return (
    <Dialog
      centered
      title={w.manyEnded(told.approved, of.length)}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack gap="md">
        <Outcome told={told} of={of} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {w.seen}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Outcome({ told, of }: { readonly told: Told; readonly of: readonly QueuedApproval[] }) {
  const w = useWords(APPROVALS)
  const refused = told.results.filter(({ outcome }) => outcome === 'refused')
  const nameOf = (id: string) => of.find(({ contract }) => contract.id === id)?.contract.recipient?.name ?? id
  return (
    <>
      <Facts
        of={told.totals.map(({ currency, count, amount, fees }) => [
          w.total(count, currency),
          <span key={currency}>
            <strong>
              <Money amount={amount} currency={currency} />
            </strong>{' '}
            ({w.ofWhichFee} <Money amount={fees} currency={currency} />)
          </span>,
        ])}
      />
      {refused.length > 0 && (
        <Note tone="warn" title={told.dry_run ? w.wouldRefuse(refused.length) : w.wereRefused(refused.length)}>
          <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
            {refused.map(({ id, error }) => (
              <li key={id}>
                {nameOf(id)}: {error?.message}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}
