// The columns of a file whose names are not the gateway's: what each holds is said here.
import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PayoutType } from '../types.ts'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { COLUMNS, columnMeant } from './columns.ts'
import { NEW } from './words.ts'
import type { HeaderFault } from './upload.ts'

type Props = {
  readonly type: PayoutType
  readonly fault: HeaderFault
  readonly onColumns: (columns: ReadonlyMap<string, string>) => void
}

const LEFT_OUT = '-'

export function Columns({ type, fault: { names, problems }, onColumns }: Props) {
  const w = useWords(NEW)
  const own = [...new Set(names)]
  const [meant, setMeant] = useState<ReadonlyMap<string, string | null>>(
    () => new Map(own.map((name) => [name, name === '' ? LEFT_OUT : columnMeant(type, name)])),
  )
  const chosen = [...meant.values()]
  const isWhole = chosen.every((name) => name !== null) && chosen.some((name) => name !== LEFT_OUT)
  const metadata = own.filter((name) => name.startsWith('metadata.'))
  return (
    <Section title={w.columns}>
      <Stack gap="md">
        <Text size="sm">{w.columnsHow}</Text>
        <ul style={{ margin: 0, paddingLeft: 18, fontSize: 14 }}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {own.map((name) => (
            <Select
              key={name}
              label={w.columnOf(name === '' ? w.noName : name)}
              data={[{ value: LEFT_OUT, label: w.leaveColumn }, ...COLUMNS[type], ...metadata]}
              value={meant.get(name) ?? null}
              error={meant.get(name) === null}
              searchable
              allowDeselect={false}
              onChange={(value) => setMeant(new Map([...meant, [name, value]]))}
            />
          ))}
        </SimpleGrid>
        <Group>
          <Button
            disabled={!isWhole}
            onClick={() =>
              onColumns(new Map([...meant].map(([name, value]) => [name, value === LEFT_OUT ? '' : (value ?? name)])))
            }
          >
            {w.useColumns}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
