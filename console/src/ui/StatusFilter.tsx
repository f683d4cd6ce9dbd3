// A list’s filter by status, which stands in the URL.
import { Select } from '@mantine/core'
import { useWords } from '../words/language.ts'
import { useFilter } from './paging.ts'
import { STATUS_WORDS } from './words.ts'

export type StatusFilterProps = {
  readonly label: string
  /** What no filter is called. */
  readonly any: string
  readonly statuses: readonly string[]
}

export function StatusFilter({ label, any, statuses }: StatusFilterProps) {
  const words: Readonly<Record<string, string>> = useWords(STATUS_WORDS)
  const [status, setStatus] = useFilter('status')
  return (
    <search className="filters" style={{ padding: '14px 16px' }}>
      <Select
        label={label}
        value={status || 'all'}
        allowDeselect={false}
        data={[{ value: 'all', label: any }, ...statuses.map((value) => ({ value, label: words[value] ?? value }))]}
        onChange={(value) => setStatus(value === 'all' ? '' : (value ?? ''))}
      />
    </search>
  )
}
