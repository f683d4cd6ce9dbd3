// Which events an endpoint gets: all there are and will be, or kinds by what they are about.
import { Button, Checkbox, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useWords } from '../../words/language.ts'
import { type TypeGroup, useEventTypes } from '../event-types.ts'
import { KEYS } from '../keys/words.ts'
import { WEBHOOKS } from './words.ts'

/** Alone: all that there are and will be. */
export const EVERY = '*'

type TypeChoiceProps = { readonly value: readonly string[]; readonly onChange: (types: string[]) => void }

export function TypeChoice({ value, onChange }: TypeChoiceProps) {
  const w = useWords(WEBHOOKS)
  const groups = useEventTypes()
  const isEvery = value.includes(EVERY)
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend style={{ fontWeight: 600, fontSize: 14, padding: 0, marginBottom: 6 }}>{w.chooseEvents}</legend>
      <Stack gap="md">
        <Switch
          label={w.allEvents}
          checked={isEvery}
          onChange={(event) => onChange(event.currentTarget.checked ? [EVERY] : [])}
        />
        {!isEvery &&
          groups.map((group) => <TypesOf key={group.noun} group={group} value={value} onChange={onChange} />)}
      </Stack>
    </fieldset>
  )
}

function TypesOf({ group, value, onChange }: TypeChoiceProps & { readonly group: TypeGroup }) {
  const w = useWords(WEBHOOKS)
  const k = useWords(KEYS)
  const { noun, types } = group
  const names: Readonly<Record<string, string | ((...facts: never[]) => string)>> = w
  const title = String(names[noun] ?? w.other)
  const others = value.filter((type) => !types.includes(type))
  const isWhole = types.every((type) => value.includes(type))
  return (
    <div role="group" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${isWhole ? k.none : k.all}: ${title}`}
          onClick={() => onChange(isWhole ? others : [...others, ...types])}
        >
          {isWhole ? k.none : k.all}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6}>
        {types.map((type) => (
          <Checkbox
            key={type}
            size="sm"
            aria-label={type}
            label={<span className="id">{type.slice(noun.length + 1)}</span>}
            checked={value.includes(type)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...value, type] : value.filter((each) => each !== type))
            }
          />
        ))}
      </SimpleGrid>
    </div>
  )
}
