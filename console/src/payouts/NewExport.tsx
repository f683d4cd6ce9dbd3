// An export: what is written, in which form, of which days. The gateway writes the file, and keeps it for a week.
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CommandRequest, MemberScope } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Empty, ErrorNote } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { EXPORT } from './export-words.ts'
import { TITLE } from './title.ts'

type What = NonNullable<CommandRequest['what']>

/** What reading each needs, and how its list names the days. */
const EXPORTED: Readonly<Record<What, { scope: MemberScope; days: readonly [from: string, to: string] | null }>> = {
  contracts: { scope: 'contracts:read', days: ['created_from', 'created_to'] },
  entries: { scope: 'wallets:read', days: ['from', 'to'] },
  events: { scope: 'events:read', days: null },
}

export function NewExport() {
  const { title } = useWords(TITLE)
  const w = useWords(EXPORT)
  const can = useCan()
  const may = (Object.keys(EXPORTED) as What[]).filter((what) => can('commands:write') && can(EXPORTED[what].scope))
  return (
    <Page title={w.create} parent={[title, '/payouts']}>
      {may.length === 0 ? <Empty icon="lock" title={w.mayNot} /> : <Form may={may} />}
    </Page>
  )
}

function Form({ may }: { readonly may: readonly What[] }) {
  const w = useWords(EXPORT)
  const navigate = useNavigate()
  const [what, setWhat] = useState<What>(may[0] ?? 'contracts')
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv')
  const [kind, setKind] = useState('')
  const [[from, to], setDays] = useState<readonly [from: string, to: string]>(['', ''])
  const { days } = EXPORTED[what]
  const filter = {
    ...(what === 'contracts' && kind !== '' && { kind }),
    ...(days && from !== '' && { [days[0]]: from }),
    ...(days && to !== '' && { [days[1]]: to }),
  }
  const create = useWrite(() => gateway.commands.create({ type: 'export', what, format, filter }), ['commands'])
  const make = () => create.mutate(undefined, { onSuccess: ({ id }) => void navigate(`/payouts/${id}`) })
  return (
    <Section>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <NativeSelect
            label={w.what}
            data={may.map((value) => ({ value, label: w[value] }))}
            value={what}
            onChange={(event) => setWhat(event.currentTarget.value as What)}
          />
          <NativeSelect
            label={w.format}
            data={[
              { value: 'csv', label: w.csv },
              { value: 'ndjson', label: w.ndjson },
            ]}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value as 'csv' | 'ndjson')}
          />
          {what === 'contracts' && <Kind value={kind} onChange={setKind} />}
          {days !== null && <Days {...{ from, to }} onChange={setDays} />}
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {w.how}
        </Text>
        {create.error && <ErrorNote error={create.error} />}
        <Group>
          <Button loading={create.isPending} onClick={make}>
            {w.make}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

function Kind({ value, onChange }: { readonly value: string; readonly onChange: (kind: string) => void }) {
  const w = useWords(EXPORT)
  return (
    <NativeSelect
      label={w.kind}
      data={[
        { value: '', label: w.both },
        { value: 'transfer', label: w.transfers },
        { value: 'payment', label: w.payments },
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type DaysProps = {
  readonly from: string
  readonly to: string
  readonly onChange: (days: readonly [from: string, to: string]) => void
}

function Days({ from, to, onChange }: DaysProps) {
  const w = useWords(EXPORT)
  return (
    <>
      <TextInput
        label={w.from}
        type="date"
        value={from}
        onChange={(event) => onChange([event.currentTarget.value, to])}
      />
      <TextInput
        label={w.to}
        type="date"
        value={to}
        onChange={(event) => onChange([from, event.currentTarget.value])}
      />
    </>
  )
}
