// What is scripted at the moment, newest first: the newest wins.
import { Group, Stack, Text } from '@mantine/core'
import type { SandboxScript } from '../../../../sdk/src/index.ts'
import { Badge } from '../../ui/atoms.tsx'
import { useWords } from '../../words/language.ts'
import { SANDBOX } from './words.ts'

export function Scripted({ of }: { readonly of: readonly SandboxScript[] }) {
  const w = useWords(SANDBOX)
  if (of.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {w.none}
      </Text>
    )
  return (
    <Stack gap="sm" mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={w.scenario}>
      {of.map(({ id, played, scenario }) => (
        <div key={id}>
          <Group gap="xs">
            <span className="id">{id}</span>
            <Badge tone={played > 0 ? 'info' : 'plain'}>{`${w.played}: ${played}`}</Badge>
          </Group>
          <code className="id" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
            {JSON.stringify(scenario)}
          </code>
        </div>
      ))}
    </Stack>
  )
}
