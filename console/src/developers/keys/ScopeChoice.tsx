// Scopes to choose from, with what each allows: those alone that the chooser has.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { Scope } from '../../../../sdk/src/index.ts'
import { useSignedIn } from '../../session/session.ts'
import { useWords } from '../../words/language.ts'
import { inGroup, SCOPE_GROUPS, type ScopeGroup, useScopeWords } from './scopes.ts'
import { KEYS } from './words.ts'

type ScopeChoiceProps = { readonly value: readonly Scope[]; readonly onChange: (scopes: Scope[]) => void }

export function ScopeChoice({ value, onChange }: ScopeChoiceProps) {
  const w = useWords(KEYS)
  const { scopes } = useSignedIn()
  const words = useScopeWords()
  const groups = SCOPE_GROUPS.map((group) => [group, inGroup(words, scopes, group)] as const)
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend style={{ fontWeight: 600, fontSize: 14, padding: 0 }}>{w.scopes}</legend>
      <Text size="xs" c="dimmed" mb={8}>
        {w.scopesHint}
      </Text>
      <Stack gap="md">
        {groups.map(([group, all]) =>
          all.length === 0 ? null : (
            <ScopesOf key={group} group={group} all={all} words={words} value={value} onChange={onChange} />
          ),
        )}
      </Stack>
    </fieldset>
  )
}

type ScopesOfProps = ScopeChoiceProps & {
  readonly group: ScopeGroup
  readonly all: readonly Scope[]
  readonly words: ReadonlyMap<string, string>
}

function ScopesOf({ group, all, words, value, onChange }: ScopesOfProps) {
  const w = useWords(KEYS)
  const others = value.filter((scope) => !all.includes(scope))
  const isWhole = all.every((scope) => value.includes(scope))
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(isChosen ? [...value, scope] : value.filter((each) => each !== scope))
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {w[group]}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${isWhole ? w.none : w.all}: ${w[group]}`}
          onClick={() => onChange(isWhole ? others : [...others, ...all])}
        >
          {isWhole ? w.none : w.all}
        </Button>
      </Group>
      <Stack gap={6}>
        {all.map((scope) => (
          <Checkbox
            key={scope}
            size="sm"
            label={<span className="id">{scope}</span>}
            description={<span lang="en">{words.get(scope) ?? ''}</span>}
            checked={value.includes(scope)}
            onChange={(event) => toggle(scope, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </div>
  )
}
