// The link of an invitation, which the gateway shows once: nothing is mailed.
import { Button, Group } from '@mantine/core'
import { Time } from '../ui/atoms.tsx'
import { Secret } from '../ui/Confirm.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import type { Invited } from './rights.ts'
import { MEMBERS } from './words.ts'

export function InvitationLink({
  invited: { member, invitation },
  onClose,
}: {
  readonly invited: Invited
  readonly onClose: () => void
}) {
  const w = useWords(MEMBERS)
  return (
    <Section title={w.linkFor(member.name ?? member.email)}>
      <Secret label={w.link} text={invitation.url} />
      <Group justify="space-between" mt="sm" gap="sm">
        <span>
          {w.linkWhat} <Time at={invitation.expires_at} />.
        </span>
        <Button variant="default" onClick={onClose}>
          {w.passedOn}
        </Button>
      </Group>
    </Section>
  )
}
