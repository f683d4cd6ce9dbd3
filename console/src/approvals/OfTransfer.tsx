// On a transfer's page: which approvals it needs and why, who gave one, who may, and the buttons of whoever may.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { QueuedApproval } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Status, Time } from '../ui/atoms.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Section, Timeline } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { ApproveOne, RejectOne } from './Decide.tsx'
import { APPROVALS } from './words.ts'

export function ApprovalsOfTransfer({ id }: { readonly id: string }) {
  const w = useWords(APPROVALS)
  const can = useCan()
  const [asking, setAsking] = useState<'approve' | 'reject' | null>(null)
  const read = useRead(['approvals', 'get', id], (signal) => gateway.approvals.get(id, { signal }))
  const queued = read.data
  const mayReject = can('approvals:write') && queued?.status === 'waiting'
  return (
    <Section
      title={w.section}
      actions={
        <>
          {queued?.can_approve && <Button onClick={() => setAsking('approve')}>{w.approve}</Button>}
          {mayReject && (
            <Button variant="default" onClick={() => setAsking('reject')}>
              {w.reject}
            </Button>
          )}
        </>
      }
    >
      <Loaded of={read}>{(data) => <Shown of={data} />}</Loaded>
      {queued && asking === 'approve' && <ApproveOne of={queued} onClose={() => setAsking(null)} />}
      {queued && asking === 'reject' && <RejectOne of={queued} onClose={() => setAsking(null)} />}
    </Section>
  )
}

function Shown({ of }: { readonly of: QueuedApproval }) {
  const w = useWords(APPROVALS)
  const can = useCan()
  const { approval } = of.contract
  if (!approval) return null
  const sentenceOf = (id: string | undefined) => of.policies.find((each) => each.id === id)?.sentence
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Status of={of.status} />
        {of.status === 'waiting' && <Text size="sm">{of.who}</Text>}
      </Group>
      {of.status === 'waiting' && can('approvals:write') && of.why_not && (
        <Note tone="info" title={w.notYou}>
          {of.why_not.message}
        </Note>
      )}
      <Stack gap={6}>
        {approval.required.map(({ policy, mandate, count, given }) => (
          <Group key={policy?.id ?? mandate?.key} gap="xs" wrap="nowrap" align="flex-start">
            <Badge tone={given >= count ? 'good' : 'warn'}>{w.given(given, count)}</Badge>
            <Text size="sm">
              {mandate ? w.byMandate(mandate.name) : (sentenceOf(policy?.id) ?? policy?.name)}{' '}
              {policy && (
                <Text span size="sm" c="dimmed">
                  ({policy.name})
                </Text>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
      {approval.given.length > 0 && (
        <Timeline
          items={approval.given.map(({ member, role, at }) => ({
            key: member.id,
            title: w.gave(member.name ?? member.id, role),
            at: <Time at={at} />,
          }))}
        />
      )}
    </Stack>
  )
}
