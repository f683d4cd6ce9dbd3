// The word of a member that ends a review, with the reason that is kept with it.
import { Text } from '@mantine/core'
import type { Verification } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Facts } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import { VERIFICATIONS } from './words.ts'

/** What is read again after something was asked or decided. */
export const GROUPS = ['verifications', 'transfers', 'overview']
const REASON_MAX = 1000

export type Verdict = 'pass' | 'fail'

type Props = { readonly of: Verification; readonly verdict: Verdict; readonly onClose: () => void }

export function Decide({ of, verdict, onClose }: Props) {
  const w = useWords(VERIFICATIONS)
  const decide = useWrite((reason: string) => gateway.verifications[verdict](of.id, { reason }), GROUPS)
  const isPass = verdict === 'pass'
  return (
    <Confirm
      title={isPass ? w.passTitle : w.failTitle}
      action={isPass ? w.doPass : w.doFail}
      isDangerous={!isPass}
      reason={{ label: w.reason, isRequired: true, max: REASON_MAX }}
      onConfirm={(reason) => decide.mutateAsync(reason)}
      onClose={onClose}
    >
      <Text size="sm">{isPass ? w.passHow : w.failHow}</Text>
      <Facts
        of={[
          [w.recipient, of.recipient.name],
          [w.why, of.reason],
        ]}
      />
    </Confirm>
  )
}
