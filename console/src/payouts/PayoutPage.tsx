// One bulk payout: how far it is, what it comes to, and each of its rows with what became of it.
import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useParams } from 'react-router'
import type { Command, CommandSum } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { gateway, useRead } from '../gateway.ts'
import { countText } from '../ui/amounts.ts'
import { Facts, Id, Time } from '../ui/atoms.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { Actions } from './Act.tsx'
import { ExportFile } from './File.tsx'
import { StartChecked } from './new/Start.tsx'
import { makerOf, Standing } from './Payouts.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { Rows } from './Rows.tsx'
import { Sums } from './Sums.tsx'
import { TITLE } from './title.ts'
import { PAYOUT, PAYOUTS, TYPES } from './words.ts'

const UNDER_WAY: ReadonlySet<Command['status']> = new Set(['queued', 'running'])
/** Contracts that move tell the screen by themselves; rows that are only checked do not. */
const REFRESH_MS = 1000

/** A command with its sums; asked again while it is worked on. */
export const useCommand = (id: string) =>
  useRead(['commands', 'get', id], (signal) => gateway.commands.get(id, { signal }), {
    enabled: id !== '',
    refetchInterval: ({ state }) =>
      state.data && UNDER_WAY.has((state.data as { command: Command }).command.status) ? REFRESH_MS : false,
  })

export function PayoutPage() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const read = useCommand(id)
  const parent = [title, '/payouts'] as const
  if (!read.data)
    return (
      <Page title={title} parent={parent}>
        <Loaded of={read}>{() => null}</Loaded>
      </Page>
    )
  const { command, sums } = read.data
  return <OnePayout command={command} sums={sums} />
}

type OneProps = { readonly command: Command; readonly sums: readonly CommandSum[] }

function OnePayout({ command, sums }: OneProps) {
  const { title } = useWords(TITLE)
  const w = useWords(PAYOUT)
  const types: Readonly<Record<string, string>> = useWords(TYPES)
  const { id, type, description, reference, progress, stopped, gathering, dry_run: isCheck } = command
  const isExport = type === 'export'
  return (
    <Page
      title={description ?? reference ?? types[type] ?? type}
      beside={<Standing of={command} />}
      parent={[title, '/payouts']}
      actions={
        <>
          <Actions of={command} />
          {isCheck && <StartChecked of={command} sums={sums} />}
          {progress.total > 0 && !isExport && (
            <Button
              variant="default"
              component="a"
              href={`/commands/${id}/rows?format=csv`}
              download
              leftSection={<Icon name="download" size={15} />}
            >
              {w.download}
            </Button>
          )}
        </>
      }
    >
      {stopped && (
        <Note tone="warn" title={w.stopped}>
          {stopped.message}
        </Note>
      )}
      {gathering && <Note tone="info">{w.gathering}</Note>}
      {isCheck && <Note tone="info">{w.checkNote}</Note>}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {isExport ? <ExportFile of={command} /> : <Far of={command} />}
        <About of={command} />
      </SimpleGrid>
      {!isExport && <Sums of={sums} isCheck={isCheck} />}
      {!isExport && <Rows of={command} />}
    </Page>
  )
}

function Far({ of: { progress } }: { readonly of: Command }) {
  const w = useWords(PAYOUT)
  const language = useLanguage()
  const { total, done, failed, waiting, skipped, left } = progress
  const text = (count: number) => countText(count, language)
  return (
    <Section title={w.progress}>
      <Stack gap="md">
        <ProgressBar of={progress} size="lg" />
        <Facts
          of={[
            [w.rowsTotal, text(total)],
            [w.done, text(done)],
            [w.failed, text(failed)],
            waiting > 0 ? [w.waiting, text(waiting)] : null,
            skipped > 0 ? [w.skipped, text(skipped)] : null,
            [w.left, text(left)],
          ]}
        />
      </Stack>
    </Section>
  )
}

function About({ of }: { readonly of: Command }) {
  const w = useWords(PAYOUT)
  const p = useWords(PAYOUTS)
  const types: Readonly<Record<string, string>> = useWords(TYPES)
  const { nameOf } = useActors()
  const { id, type, reference, created_by: by, created_at: at, started_at: startedAt, ended_at: endedAt } = of
  return (
    <Section title={w.about}>
      <Facts
        of={[
          ['ID', <Id key="id" id={id} isWhole />],
          [p.type, types[type] ?? type],
          reference === null ? null : [w.reference, reference],
          of.dry_run_id === null
            ? null
            : [w.ofCheck, <Id key="check" id={of.dry_run_id} to={`/payouts/${of.dry_run_id}`} />],
          !of.schedule
            ? null
            : [w.ofSchedule, <Id key="schedule" id={of.schedule.id} to={`/schedules/${of.schedule.id}`} />],
          [p.who, makerOf(by, nameOf)],
          [p.when, <Time key="at" at={at} style="short" />],
          startedAt === null ? null : [w.started, <Time key="started" at={startedAt} style="short" />],
          endedAt === null ? null : [w.ended, <Time key="ended" at={endedAt} style="short" />],
        ]}
      />
    </Section>
  )
}
