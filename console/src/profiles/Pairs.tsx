// Metadata: pairs of one's own, as rows of two fields.
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import { PROFILES } from './words.ts'

export type Pair = { readonly key: number; readonly name: string; readonly text: string }

const PAIRS_MAX = 50
const NAME_MAX = 40
const TEXT_MAX = 500
let lastKey = 0

export const pairsOf = (metadata: Readonly<Record<string, string>>): readonly Pair[] =>
  Object.entries(metadata).map(([name, text]) => ({ key: ++lastKey, name, text }))

/** As a patch takes them: a pair that was and is not any more is null. */
export function recordOf(pairs: readonly Pair[], before: Readonly<Record<string, string>>) {
  const gone = Object.keys(before).map((name) => [name, null] as const)
  const kept = pairs.filter(({ name }) => name.trim() !== '').map(({ name, text }) => [name.trim(), text] as const)
  return Object.fromEntries<string | null>([...gone, ...kept])
}

type PairsProps = {
  readonly pairs: readonly Pair[]
  readonly onChange: (pairs: readonly Pair[]) => void
  readonly error?: string | undefined
}

export function Pairs({ pairs, onChange, error }: PairsProps) {
  const w = useWords(PROFILES)
  const put = (changed: Pair) => onChange(pairs.map((each) => (each.key === changed.key ? changed : each)))
  return (
    <Fieldset legend={w.metadata}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {w.metadataHint}
        </Text>
        {pairs.map((pair) => (
          <Group key={pair.key} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={w.pairName}
              placeholder={w.pairName}
              value={pair.name}
              maxLength={NAME_MAX}
              style={{ flex: 2, minWidth: 0 }}
              onChange={(event) => put({ ...pair, name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={w.pairText}
              placeholder={w.pairText}
              value={pair.text}
              maxLength={TEXT_MAX}
              style={{ flex: 3, minWidth: 0 }}
              onChange={(event) => put({ ...pair, text: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              c="dimmed"
              aria-label={w.removePair(pair.name)}
              onClick={() => onChange(pairs.filter(({ key }) => key !== pair.key))}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        ))}
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {pairs.length < PAIRS_MAX && (
          <Button
            variant="default"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => onChange([...pairs, { key: ++lastKey, name: '', text: '' }])}
          >
            {w.addPair}
          </Button>
        )}
      </Stack>
    </Fieldset>
  )
}
