// By what requests are told apart: all of it stands in the URL.
import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useFilter } from '../../ui/paging.ts'
import { useWords } from '../../words/language.ts'
import type { Filters } from './stream.ts'
import { REQUESTS } from './words.ts'

const TYPING_MS = 300
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function useFilters(): Filters {
  const [status] = useFilter('status')
  const [method] = useFilter('method')
  const [operation] = useFilter('operation')
  const [code] = useFilter('code')
  return {
    status: status || undefined,
    method: method || undefined,
    operation: operation || undefined,
    code: code || undefined,
  }
}

export function FilterBar() {
  const w = useWords(REQUESTS)
  const [status, setStatus] = useFilter('status')
  const [method, setMethod] = useFilter('method')
  return (
    <Group gap="xs" role="search">
      <Select
        size="sm"
        w={170}
        aria-label={w.status}
        placeholder={w.anyStatus}
        clearable
        data={[
          { value: '2xx', label: w.ok },
          { value: '4xx', label: w.refused },
          { value: '5xx', label: w.failed },
        ]}
        value={status || null}
        onChange={(each) => setStatus(each ?? '')}
      />
      <Select
        size="sm"
        w={140}
        aria-label={w.method}
        placeholder={w.anyMethod}
        clearable
        data={METHODS}
        value={method || null}
        onChange={(each) => setMethod(each ?? '')}
      />
      <Typed name="operation" label={w.operation} hint={w.anyOperation} />
      <Typed name="code" label={w.code} hint={w.anyCode} />
    </Group>
  )
}

/** Asked for once the typing rests. What another part of the screen chooses is shown, too. */
function Typed({ name, label, hint }: { readonly name: string; readonly label: string; readonly hint: string }) {
  const [value, setValue] = useFilter(name)
  const [typed, setTyped] = useState({ text: value, of: value })
  const ask = useDebouncedCallback((text: string) => setValue(text.trim()), TYPING_MS)
  const text = typed.of === value || typed.text.trim() === value ? typed.text : value
  return (
    <TextInput
      size="sm"
      w={230}
      aria-label={label}
      placeholder={hint}
      value={text}
      maxLength={100}
      onChange={(event) => {
        setTyped({ text: event.currentTarget.value, of: value })
        ask(event.currentTarget.value)
      }}
    />
  )
}
