// The choice of a role, each with what it may do in a sentence, and in scopes for who wants to know it exactly.
import { Group, Radio, Stack, Text } from '@mantine/core'
import { Badge } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import type { Role, RoleFacts } from './rights.ts'
import { MEMBERS, ROLE_MAY, ROLE_WORDS } from './words.ts'

type RoleChoiceProps = {
  readonly roles: readonly RoleFacts[]
  readonly role: Role
  readonly onChange: (role: Role) => void
}

export function RoleChoice({ roles, role, onChange }: RoleChoiceProps) {
  const w = useWords(MEMBERS)
  const names = useWords(ROLE_WORDS)
  const may = useWords(ROLE_MAY)
  const chosen = roles.find((each) => each.role === role)
  return (
    <>
      <Radio.Group label={w.role} value={role} onChange={(value) => onChange(value as Role)}>
        <Stack gap={10} mt={6}>
          {roles.map((each) => (
            <Radio key={each.role} value={each.role} label={names[each.role]} description={may[each.role]} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen && (
        <details>
          <summary style={{ cursor: 'pointer', fontSize: 14 }}>{w.exactly(names[role])}</summary>
          <Group gap={4} mt={6}>
            {chosen.scopes.map((scope) => (
              <Badge key={scope}>{scope}</Badge>
            ))}
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {w.scopesWhat}
          </Text>
        </details>
      )}
    </>
  )
}
