// A list as a CSV file: all that the filters fit, read page after page, with how far it is and a way to stop.
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Dialog } from '../ui/Confirm.tsx'
import { useRef, useState } from 'react'
import type { Page } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { ErrorNote } from '../ui/feedback.tsx'
import { saveFile } from '../ui/save-file.ts'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { LIST } from './list-words.ts'

export type CsvColumns<T> = readonly (readonly [name: string, of: (row: T) => string | number | null | undefined])[]

type Props<T> = {
  readonly name: string
  readonly columns: CsvColumns<T>
  readonly pages: (signal: AbortSignal) => AsyncIterable<Page<T>>
  readonly onClose: () => void
}

type State = { readonly count: number; readonly is: 'ready' | 'reading' | 'done'; readonly error: unknown }

export function ExportCsv<T>({ name, columns, pages, onClose }: Props<T>) {
  const w = useWords(LIST)
  const c = useWords(COMMON)
  const language = useLanguage()
  const [state, setState] = useState<State>({ count: 0, is: 'ready', error: null })
  const stop = useRef<AbortController | null>(null)
  const read = async () => {
    stop.current = new AbortController()
    setState({ count: 0, is: 'reading', error: null })
    const text = [csvLine(columns.map(([title]) => title))]
    try {
      for await (const { items } of pages(stop.current.signal)) {
        for (const row of items) text.push(csvLine(columns.map(([, of]) => of(row))))
        setState({ count: text.length - 1, is: 'reading', error: null })
      }
      // Spreadsheets take a file for UTF-8 by its mark alone.
      saveFile(`${name}.csv`, 'text/csv;charset=utf-8', '\uFEFF', ...text)
      setState({ count: text.length - 1, is: 'done', error: null })
    } catch (error) {
      const isStopped = stop.current.signal.aborted
      setState({ count: 0, is: 'ready', error: isStopped ? null : error })
    }
  }
  const leave = () => {
    stop.current?.abort()
    onClose()
  }
  return (
    <Dialog onClose={leave} title={w.exportTitle} centered closeButtonProps={{ 'aria-label': c.close }}>
      <Stack gap="md">
        <Text size="sm" role="status">
          {state.is === 'ready' && w.exportHow}
          {state.is === 'reading' && w.exporting(countText(state.count, language))}
          {state.is === 'done' && w.exported(countText(state.count, language))}
        </Text>
        {state.is === 'reading' && <Progress value={100} animated aria-label={w.exportTitle} />}
        {state.error !== null && <ErrorNote error={state.error} />}
        <Group justify="flex-end">
          {state.is === 'ready' && <Button onClick={() => void read()}>{w.exportStart}</Button>}
          {state.is === 'reading' && (
            <Button variant="default" onClick={() => stop.current?.abort()}>
              {w.exportStop}
            </Button>
          )}
          {state.is === 'done' && <Button onClick={leave}>{c.close}</Button>}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** RFC 4180; what a spreadsheet would take for a formula is marked as text. */
function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  const texts = cells.map((cell) => {
    if (cell === null || cell === undefined) return ''
    const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${texts.join(',')}\r\n`
}
