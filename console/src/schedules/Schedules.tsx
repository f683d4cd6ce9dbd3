// The list of schedules: what each pays, when, and its next run on the clocks of the account.
import { Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { MemberScope, Schedule } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { DocsLink } from '../ui/DocsLink.tsx'
import { Money, Status } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { StatusFilter } from '../ui/StatusFilter.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { SCHEDULES } from './words.ts'
import { ZonedTime } from './ZonedTime.tsx'

const PAGE = 25
const STATUSES = ['active', 'paused', 'ended'] as const
/** What runs need, and so whoever makes, changes or resumes a schedule. */
const RUNS_NEED: readonly MemberScope[] = ['commands:write', 'contracts:write', 'transfers:issue', 'transfers:pay']

export function useMayMake(): boolean {
  const can = useCan()
  return RUNS_NEED.every((scope) => can(scope))
}

/** The time zone that the account's days are counted in. */
export const useAccountZone = (): string => useSignedIn().account?.time_zone ?? 'UTC'

export function Schedules() {
  const { title } = useWords(TITLE)
  const w = useWords(SCHEDULES)
  const zone = useAccountZone()
  const [chosen] = useFilter('status')
  const status = STATUSES.find((each) => each === chosen)
  const list = usePage<Schedule>(['schedules', 'list', { status }], (after, signal) =>
    gateway.schedules.list({ status, after, limit: PAGE }, { signal }).page(),
  )
  const create = useMayMake() && (
    <Button component={Link} to="/schedules/new" leftSection={<Icon name="plus" size={16} />}>
      {w.create}
    </Button>
  )
  return (
    <Page
      title={title}
      actions={
        <>
          <DocsLink page="schedules">{w.docs}</DocsLink>
          {create}
        </>
      }
    >
      <Section isFlush>
        <StatusFilter label={w.status} any={w.any} statuses={STATUSES} />
        <ListTable
          label={title}
          {...list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/schedules/${id}`}
          columns={useColumns(zone)}
          empty={
            status === undefined ? (
              <Empty icon="clock" title={w.none} action={create || undefined}>
                {w.noneMend}
              </Empty>
            ) : (
              <Empty icon="search" title={w.noneFits}>
                {w.noneFitsMend}
              </Empty>
            )
          }
        />
      </Section>
      <Text size="sm" c="dimmed">
        {w.zone(zone)}
      </Text>
    </Page>
  )
}

function useColumns(zone: string): readonly Column<Schedule>[] {
  const w = useWords(SCHEDULES)
  return [
    {
      key: 'name',
      title: w.name,
      render: ({ id, name, pays }) => <Link to={`/schedules/${id}`}>{name ?? pays.recipient ?? w.unnamed}</Link>,
    },
    {
      key: 'pays',
      title: w.pays,
      align: 'right',
      render: ({ pays: { amount, currency } }) => <Money amount={amount} currency={currency} />,
    },
    { key: 'to', title: w.to, render: ({ pays }) => pays.recipient ?? '—' },
    { key: 'rule', title: w.rule, render: ({ words }) => words },
    {
      key: 'next',
      title: w.next,
      render: ({ next_runs: [next] }) => (next ? <ZonedTime at={next.at} zone={zone} /> : '—'),
    },
    { key: 'status', title: w.status, render: ({ status }) => <Status of={status} /> },
  ]
}
