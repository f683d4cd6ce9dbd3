// A file is dropped or chosen, or rows are pasted.
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { PayoutType } from '../types.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { templateOf } from './columns.ts'
import { NEW } from './words.ts'
import './payouts.css'

/** Where rows come from. */
export type Source = { readonly name: string; readonly file: Blob }

type DropProps = { readonly type: PayoutType; readonly onChosen: (source: Source) => void }

export function Drop({ type, onChosen }: DropProps) {
  const w = useWords(NEW)
  const [isOver, setOver] = useState(false)
  const [isPasting, setPasting] = useState(false)
  const take = (file: File | null | undefined) => {
    if (file) onChosen({ name: file.name.replace(/\.\w{1,4}$/, ''), file })
  }
  return (
    <Stack gap="md">
      {/* Who has no mouse takes the button in it. */}
      <div
        className={`drop ${isOver ? 'drop-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <Icon name="download" size={26} />
        <Text fw={650}>{w.drop}</Text>
        <Text size="sm" c="dimmed">
          {w.dropOr}
        </Text>
        <Group gap="xs" justify="center">
          <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={take} inputProps={{ 'aria-label': w.choose }}>
            {(props) => <Button {...props}>{w.choose}</Button>}
          </FileButton>
          <Button variant="default" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
            {w.paste}
          </Button>
        </Group>
      </div>
      {isPasting && <Paste onChosen={onChosen} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" style={{ flex: '1 1 260px' }}>
          {w.limits}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="download" size={14} />}
          onClick={() => save(`${type}.csv`, templateOf(type))}
        >
          {w.template}
        </Button>
      </Group>
    </Stack>
  )
}

function Paste({ onChosen }: Pick<DropProps, 'onChosen'>) {
  const w = useWords(NEW)
  const [text, setText] = useState('')
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        label={w.pasted}
        value={text}
        autosize
        minRows={4}
        maxRows={12}
        w="100%"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button disabled={text.trim() === ''} onClick={() => onChosen({ name: w.pastedName, file: new Blob([text]) })}>
        {w.use}
      </Button>
    </Stack>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
