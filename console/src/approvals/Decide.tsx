// What is asked before one transfer is approved or rejected: its frozen terms, as they were read.
import { Text } from '@mantine/core'
import type { QueuedApproval } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { Terms } from './Terms.tsx'
import { APPROVALS } from './words.ts'

/** What is read again after a word was given. */
export const GROUPS = ['approvals', 'transfers', 'overview', 'wallets']
const REASON_MAX = 1000

type Props = { readonly of: QueuedApproval; readonly onClose: () => void }

/** Of the terms that were on the screen: where they have changed since, it is refused. */
const termsOf = ({ contract: { approval } }: QueuedApproval) => ({ terms_hash: approval?.terms_hash ?? '' })

export function ApproveOne({ of, onClose }: Props) {
  const w = useWords(APPROVALS)
  const language = useLanguage()
  const { preview, currency } = of.contract
  const approve = useWrite(() => gateway.approvals.approve(of.contract.id, termsOf(of)), GROUPS)
  return (
    <Confirm
      title={w.approveTitle}
      action={w.approveOne(moneyText(preview.amount, currency, language))}
      onConfirm={() => approve.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{of.lacking <= 1 ? w.approveLast : w.approveHow(of.lacking - 1)}</Text>
      <Terms of={of} />
    </Confirm>
  )
}

export function RejectOne({ of, onClose }: Props) {
  const w = useWords(APPROVALS)
  const reject = useWrite(
    (reason: string) => gateway.approvals.reject(of.contract.id, { ...termsOf(of), reason }),
    GROUPS,
  )
  return (
    <Confirm
      title={w.rejectTitle}
      action={w.rejectOne}
      isDangerous
      reason={{ label: w.rejectReason, isRequired: true, max: REASON_MAX }}
      onConfirm={(reason) => reject.mutateAsync(reason)}
      onClose={onClose}
    >
      <Text size="sm">{w.rejectHow}</Text>
      <Terms of={of} />
    </Confirm>
  )
}
