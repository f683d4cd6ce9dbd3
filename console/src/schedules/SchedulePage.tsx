// One schedule: what it pays and when, its next runs, and those that were with what came of them.
import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import type { Schedule, ScheduleRun } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { gateway, useRead } from '../gateway.ts'
import { countText } from '../ui/amounts.ts'
import { Badge, Facts, Id, Money, Status, Time, type Tone } from '../ui/atoms.tsx'
import { Empty, Loaded, Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { Actions } from './Act.tsx'
import { NextRuns } from './NextRuns.tsx'
import { TITLE } from './title.ts'
import { SCHEDULES } from './words.ts'
import { ZonedTime } from './ZonedTime.tsx'

const PAGE = 25

export function SchedulePage() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const read = useRead(['schedules', 'get', id], (signal) => gateway.schedules.get(id, { signal }))
  if (read.data) return <OneSchedule schedule={read.data} />
  return (
    <Page title={title} parent={[title, '/schedules']}>
      <Loaded of={read}>{() => null}</Loaded>
    </Page>
  )
}

function OneSchedule({ schedule }: { readonly schedule: Schedule }) {
  const { title } = useWords(TITLE)
  const w = useWords(SCHEDULES)
  const { name, pays, status, paused_reason: paused, words, next_runs: nextRuns, rule } = schedule
  return (
    <Page
      title={name ?? pays.recipient ?? w.unnamed}
      beside={<Status of={status} />}
      parent={[title, '/schedules']}
      actions={<Actions of={schedule} />}
    >
      {paused === 'maker_ended' && <Note tone="warn">{w.makerEnded}</Note>}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <What of={schedule} />
        <Section title={w.when}>
          <Text mb="sm">{words}</Text>
          <NextRuns runs={nextRuns} zone={rule.time_zone} knownUntil={schedule.holidays_known_until} />
        </Section>
      </SimpleGrid>
      <Runs of={schedule} />
    </Page>
  )
}

function What({ of }: { readonly of: Schedule }) {
  const w = useWords(SCHEDULES)
  const { nameOf } = useActors()
  const { id, pays, source, created_by: by, created_at: at, ended_at: endedAt } = of
  return (
    <Section title={w.what}>
      <Facts
        of={[
          ['ID', <Id key="id" id={id} isWhole />],
          [w.amount, <Money key="amount" amount={pays.amount} currency={pays.currency} />],
          [w.to, pays.recipient],
          [w.channel, pays.channel],
          [w.wallet, source === null ? w.walletDefault : <Id key="wallet" id={source} to={`/wallets/${source}`} />],
          [w.by, nameOf(by.id)],
          [w.made, <Time key="made" at={at} style="short" />],
          endedAt === null ? null : [w.ended, <Time key="ended" at={endedAt} style="short" />],
        ]}
      />
    </Section>
  )
}

function Runs({ of: { id, runs, rule } }: { readonly of: Schedule }) {
  const w = useWords(SCHEDULES)
  const language = useLanguage()
  const list = usePage<ScheduleRun>(['schedules', 'runs', id, runs], (after, signal) =>
    gateway.schedules.runs(id, { after, limit: PAGE }, { signal }).page(),
  )
  return (
    <Section title={w.runs} isFlush>
      <ListTable
        label={w.runs}
        {...list}
        keyOf={({ number }) => String(number)}
        empty={<Empty icon="clock" title={w.noRuns} />}
        columns={[
          { key: 'number', title: w.number, render: ({ number }) => countText(number, language) },
          { key: 'due', title: w.due, render: ({ due_at: at }) => <ZonedTime at={at} zone={rule.time_zone} /> },
          { key: 'began', title: w.late, render: ({ started_at: at }) => <Time at={at} style="short" /> },
          { key: 'outcome', title: w.outcome, render: (run) => <Outcome of={run} /> },
          {
            key: 'contract',
            title: w.contract,
            render: ({ contract_id: contract }) => (
              <Anchor component={Link} to={`/transfers/${contract}`} size="sm">
                {w.open}
              </Anchor>
            ),
          },
          {
            key: 'command',
            title: w.command,
            render: ({ command_id: command }) =>
              command && (
                <Anchor component={Link} to={`/payouts/${command}`} size="sm">
                  {w.openCommand}
                </Anchor>
              ),
          },
        ]}
      />
    </Section>
  )
}

const TONES: Readonly<Record<ScheduleRun['status'], Tone>> = { running: 'info', paid: 'good', failed: 'bad' }

function Outcome({ of: { status, error } }: { readonly of: ScheduleRun }) {
  const w = useWords(SCHEDULES)
  const words = { running: w.runRunning, paid: w.runPaid, failed: w.runFailed }
  return (
    <div style={{ maxWidth: 420 }}>
      <Badge tone={TONES[status]}>{words[status]}</Badge>
      {error && <Text size="sm">{error.message}</Text>}
    </div>
  )
}
