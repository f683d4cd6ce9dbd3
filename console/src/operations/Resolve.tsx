// What is asked before an outcome is resolved: how it ended, and what proves it.
import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WaitingTransfer } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { Facts, Id, Money } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Mode } from '../ui/Mode.tsx'
import { useWords } from '../words/language.ts'
import { WORK } from './words.ts'

type As = 'delivered' | 'failed'

export function Resolve({ transfer, onClose }: { readonly transfer: WaitingTransfer; readonly onClose: () => void }) {
  const w = useWords(WORK)
  const [as, setAs] = useState<As | null>(null)
  const { contract_id, account_name, livemode, amount, currency, channel } = transfer
  const resolve = useWrite(
    (wanted: { as: As; evidence: string }) => gateway.resolutions.create({ contract_id, ...wanted }),
    ['operations', 'resolutions', 'transfers'],
  )
  return (
    <Confirm
      title={w.resolveTitle}
      action={as === 'failed' ? w.asFailed : w.asDelivered}
      isDangerous
      isDisabled={as === null}
      reason={{ label: w.evidence, isRequired: true, max: 2000 }}
      onConfirm={(evidence) => (as === null ? Promise.resolve() : resolve.mutateAsync({ as, evidence }))}
      onClose={onClose}
    >
      <Facts
        of={[
          [w.contract, <Id key="id" id={contract_id} />],
          [
            w.account,
            <span key="account">
              {account_name} <Mode isLive={livemode} />
            </span>,
          ],
          [w.amount, <Money key="amount" amount={amount} currency={currency} />],
          [w.channel, channel],
        ]}
      />
      <Text size="sm">
        {w.resolveWhat} {w.second}
      </Text>
      <Radio.Group label={w.outcome} value={as} onChange={(value) => setAs(value as As)} withAsterisk>
        <Stack gap="xs" mt={4}>
          <Radio value="delivered" label={w.delivered} />
          <Radio value="failed" label={w.failed} />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {w.evidenceHint}
      </Text>
    </Confirm>
  )
}
