// A sample that is sent to an endpoint once, and what came of it: it stays open to show the answer.
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { Dialog } from '../../ui/Confirm.tsx'
import { useState } from 'react'
import type { DeliveryTest, WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { ErrorNote, Note } from '../../ui/feedback.tsx'
import { COMMON } from '../../ui/words.ts'
import { useWords } from '../../words/language.ts'
import { useEventTypes } from '../event-types.ts'
import { WEBHOOKS } from './words.ts'

const USUAL = 'contract.paid'

export function SendTest({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }) {
  const w = useWords(WEBHOOKS)
  const c = useWords(COMMON)
  const [type, setType] = useState(USUAL)
  // Samples are of contracts.
  const types = useEventTypes().find(({ noun }) => noun === 'contract')?.types ?? [USUAL]
  const send = useWrite(() => gateway.webhookEndpoints.test(of.id, { type } as never), ['webhookEndpoints'])
  return (
    <Dialog onClose={onClose} title={w.testTitle} centered closeButtonProps={{ 'aria-label': c.close }}>
      <Stack>
        <Text size="sm">{w.testWhat}</Text>
        <Select
          label={w.testType}
          data={[...types]}
          value={type}
          allowDeselect={false}
          onChange={(each) => setType(each ?? USUAL)}
        />
        {send.data && <Outcome of={send.data} />}
        {send.error && <ErrorNote error={send.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c.close}
          </Button>
          <Button loading={send.isPending} onClick={() => send.mutate(undefined)}>
            {w.test}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Outcome({ of }: { readonly of: DeliveryTest }) {
  const w = useWords(WEBHOOKS)
  const { delivered, status_code: status, duration_ms: ms, fault, response_body: body } = of
  return (
    <Note tone={delivered ? 'good' : 'bad'} title={delivered ? w.testDone : w.testRefused}>
      <div>{w.tookMs(Math.round(ms), status)}</div>
      {fault !== null && <div>{fault}</div>}
      {body !== null && body !== '' && (
        <pre className="json" tabIndex={0} aria-label={w.answered} style={{ marginTop: 8, maxHeight: 160 }}>
          {body}
        </pre>
      )}
    </Note>
  )
}
