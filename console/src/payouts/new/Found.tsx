// What the check of a file has found: how far it is, what it comes to, which rows cannot be done, and the way to start.
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { countText } from '../../ui/amounts.ts'
import { ErrorNote, Note } from '../../ui/feedback.tsx'
import { Section } from '../../ui/Page.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import type { Checking } from './checking.ts'
import { Columns } from './Columns.tsx'
import { CsvFault } from './csv.ts'
import { Faults } from './Faults.tsx'
import { NEW } from './words.ts'
import { ProgressBar } from '../ProgressBar.tsx'
import { Start } from './Start.tsx'
import { Rows } from '../Rows.tsx'
import { Sums } from '../Sums.tsx'
import { FileFault, HeaderFault, type Mends, type Plan } from './upload.ts'

export type Draft = Omit<Plan, 'isCheck'>

type FoundProps = {
  readonly checking: Checking
  readonly draft: Draft
  readonly onMends: (mends: Mends) => void
  readonly onCheck: (part?: Partial<Draft>) => void
}

export function Found({ checking, draft, onMends, onCheck }: FoundProps) {
  const [isStarting, setStarting] = useState(false)
  const { error, command, isDone, faults, faultsTotal, sums } = checking
  if (error instanceof HeaderFault)
    return <Columns type={draft.type} fault={error} onColumns={(columns) => onCheck({ columns })} />
  if (error) return <Broken error={error} onAgain={() => onCheck()} />
  const since = changedSince(checking.mends, draft.mends)
  return (
    <>
      <Checked checking={checking} since={since} onCheck={() => onCheck()} onStart={() => setStarting(true)} />
      {faultsTotal > 0 && isDone && (
        <Faults
          type={draft.type}
          faults={faults}
          total={faultsTotal}
          mends={since}
          onMend={(line, cells) => onMends(mendedWith(draft.mends, checking.mends.get(line), line, cells))}
          onLeaveAll={() => onMends(leftOut(draft.mends, since, faults))}
        />
      )}
      {sums.length > 0 && <Sums of={sums} isCheck />}
      {isDone && command && <Rows of={command} />}
      {isStarting && command && (
        <Start
          check={command}
          sums={sums}
          wallet={draft.wallet}
          name={draft.name || null}
          leftOut={[...draft.mends.values()].filter((cells) => cells === null).length}
          onClose={() => setStarting(false)}
        />
      )}
    </>
  )
}

const changedSince = (checked: Mends, now: Mends): Mends =>
  new Map([...now].filter(([line, cells]) => checked.get(line) !== cells))

/** What was mended before the check keeps holding beside the new mend, and is there again when that is taken back. */
function mendedWith(
  mends: Mends,
  checked: ReturnType<Mends['get']>,
  line: number,
  cells: Readonly<Record<string, string>> | null | undefined,
): Mends {
  const mended = new Map(mends)
  if (cells === null) mended.set(line, null)
  else if (cells !== undefined) mended.set(line, { ...checked, ...cells })
  else if (checked === undefined) mended.delete(line)
  else mended.set(line, checked)
  return mended
}

const leftOut = (mends: Mends, since: Mends, faults: Checking['faults']): Mends =>
  new Map([...mends, ...faults.flatMap(({ line }) => (since.has(line) ? [] : [[line, null] as const]))])

type CheckedProps = {
  readonly checking: Checking
  readonly since: Mends
  readonly onCheck: () => void
  readonly onStart: () => void
}

function Checked({ checking, since, onCheck, onStart }: CheckedProps) {
  const w = useWords(NEW)
  const language = useLanguage()
  const text = (count: number) => countText(count, language)
  const { is, rows, share, command, isDone, faultsTotal, stop } = checking
  const good = command?.progress.done ?? 0
  const isChanged = since.size > 0
  return (
    <Section title={w.checking}>
      <Stack gap="sm">
        {is === 'sending' && <Progress value={share} aria-label={w.reading(text(rows))} />}
        {command && !isDone && <ProgressBar of={command.progress} size="lg" />}
        <Text size="sm" role="status">
          {is === 'sending' && w.reading(text(rows))}
          {command && !isDone && w.asking(text(command.progress.done + command.progress.failed), text(rows))}
          {isDone && (faultsTotal === 0 ? w.fine(text(good)) : w.partly(text(good), text(faultsTotal)))}
        </Text>
        {isDone && (
          <Text size="sm" c="dimmed">
            {w.promise}
          </Text>
        )}
        <Group gap="sm">
          {is === 'sending' && (
            <Button variant="default" onClick={stop}>
              {w.stopped}
            </Button>
          )}
          {isDone && good > 0 && faultsTotal === 0 && !isChanged && (
            <Button onClick={onStart}>{w.start(text(good))}</Button>
          )}
          {isDone && (
            <Button variant={isChanged ? 'filled' : 'default'} onClick={onCheck}>
              {w.again}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  )
}

function Broken({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) {
  const w = useWords(NEW)
  const language = useLanguage()
  if (error instanceof CsvFault) {
    const line = countText(error.line, language)
    return <Note tone="bad">{error.kind === 'open' ? w.openQuote(line) : w.afterQuote(line)}</Note>
  }
  if (error instanceof FileFault) {
    const said = { encoding: w.encoding, empty: w.empty, faults: w.tooMany }
    return <Note tone="bad">{said[error.kind]}</Note>
  }
  // The file was changed on the disk since it was chosen.
  if (error instanceof DOMException) return <Note tone="bad">{w.unread}</Note>
  return <ErrorNote error={error} onAgain={onAgain} />
}
