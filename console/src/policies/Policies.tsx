// The list of policies in the order in which they are asked, each in its sentence, with what it did of late.
import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Policy, RehearsedPolicy } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { Status } from '../ui/atoms.tsx'
import { Empty, ErrorNote } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { inOrder } from './order.ts'
import { TITLE } from './title.ts'
import { POLICIES } from './words.ts'

const LATELY_DAYS = 7
const STALE_MS = 60_000
const MOST = 500

export function Policies() {
  const { title } = useWords(TITLE)
  const w = useWords(POLICIES)
  const can = useCan()
  const { isLive } = useSignedIn()
  const [status] = useFilter('status')
  const isArchive = status === 'archived'
  const read = useRead(['policies', 'list', isArchive], (signal) =>
    isArchive
      ? gateway.policies.list({ status: 'archived', limit: 100 }, { signal }).all(MOST)
      : gateway.policies.list({ limit: 100 }, { signal }).all(MOST),
  )
  const rows = read.data && inOrder(read.data.filter((each) => (each.status === 'archived') === isArchive))
  const mayOrder = can('policies:write') && !isArchive
  const { place, move, canMove } = usePlacing(rows ?? [])
  const columns = useColumns(rows ?? [], mayOrder ? { move, canMove } : null)
  const create = can('policies:write') && <Create />
  return (
    <Page
      title={title}
      actions={
        <>
          <Button component={Link} to="/policies/try" variant="default">
            {w.tryAll}
          </Button>
          {create}
        </>
      }
    >
      <Text c="dimmed">{isLive ? `${w.asked} ${w.onlyPeople}` : w.asked}</Text>
      {place.error ? <ErrorNote error={place.error} /> : null}
      <Section isFlush>
        <Filter />
        <ListTable
          label={title}
          rows={rows}
          error={read.error}
          onAgain={() => void read.refetch()}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/policies/${id}`}
          keys={mayOrder ? { J: (policy) => move(policy, 1), K: (policy) => move(policy, -1) } : {}}
          columns={columns}
          empty={
            isArchive ? (
              <Empty icon="shield" title={w.noneArchived} />
            ) : (
              <Empty icon="shield" title={w.none} action={create || undefined}>
                {w.noneMend}
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function Create() {
  const w = useWords(POLICIES)
  return (
    <Button component={Link} to="/policies/new" leftSection={<Icon name="plus" size={16} />}>
      {w.create}
    </Button>
  )
}

function Filter() {
  const w = useWords(POLICIES)
  const [status, setStatus] = useFilter('status')
  return (
    <search className="filters" style={{ padding: '14px 16px' }}>
      <Select
        label={w.show}
        allowDeselect={false}
        data={[
          { value: 'kept', label: w.inUse },
          { value: 'archived', label: w.archivedOnes },
        ]}
        value={status === 'archived' ? 'archived' : 'kept'}
        onChange={(value) => setStatus(value === 'archived' ? 'archived' : '')}
      />
    </search>
  )
}

/** Gives back by how many rows it moved. */
type Move = (policy: Policy, by: -1 | 1) => number

/** One place up or down; the gateway finds the priorities. */
function usePlacing(rows: readonly Policy[]) {
  const place = useWrite(
    ({ id, before }: { readonly id: string; readonly before: string | null }) => gateway.policies.place(id, { before }),
    ['policies'],
  )
  const placeOf = ({ id }: Policy) => rows.findIndex((each) => each.id === id)
  const canMove = (policy: Policy, by: -1 | 1) => rows[placeOf(policy) + by] !== undefined
  const move: Move = (policy, by) => {
    if (place.isPending || !canMove(policy, by)) return 0
    // Behind the next one is before the one after it.
    const next = rows[placeOf(policy) + (by === 1 ? 2 : -1)]
    place.mutate({ id: policy.id, before: next?.id ?? null })
    return by
  }
  return { place, move, canMove }
}

type Moving = { readonly move: Move; readonly canMove: (policy: Policy, by: -1 | 1) => boolean }

function useColumns(rows: readonly Policy[], moving: Moving | null): readonly Column<Policy>[] {
  const w = useWords(POLICIES)
  const lately = useLately(rows)
  const met: Column<Policy> = {
    key: 'lately',
    title: w.lately,
    align: 'right',
    render: ({ id }) => {
      const found = lately.get(id)
      return found ? w.latelyApplied(found.applied, found.met) : '—'
    },
  }
  const order = (each: Moving): Column<Policy> => ({
    key: 'order',
    title: w.order,
    align: 'right',
    render: (policy) => <Order policy={policy} {...each} />,
  })
  return [
    {
      key: 'policy',
      title: w.policy,
      render: ({ id, name, sentence }) => (
        <Stack gap={2}>
          <Link to={`/policies/${id}`} style={{ fontWeight: 600 }}>
            {name}
          </Link>
          <span>{sentence}</span>
        </Stack>
      ),
    },
    { key: 'state', title: w.state, render: ({ status }) => <Status of={status} /> },
    met,
    ...(moving ? [order(moving)] : []),
  ]
}

function Order({ policy, move, canMove }: Moving & { readonly policy: Policy }) {
  const w = useWords(POLICIES)
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {([-1, 1] as const).map((by) => (
        <ActionIcon
          key={by}
          variant="default"
          aria-label={by === -1 ? w.up(policy.name) : w.down(policy.name)}
          disabled={!canMove(policy, by)}
          onClick={() => move(policy, by)}
        >
          <Icon name={by === -1 ? 'up' : 'down'} size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}

/** Of how many payments of the last days each active policy says something; by its id. */
function useLately(rows: readonly Policy[]): ReadonlyMap<string, RehearsedPolicy> {
  const can = useCan()
  const active = rows.filter(({ status }) => status === 'active')
  const read = useRead(
    ['rehearsal', 'lately', active.map(({ id, version }) => `${id} ${version}`)],
    (signal) => gateway.policies.rehearse({ days: LATELY_DAYS, limit: 1 }, { signal }),
    { enabled: active.length > 0 && can('contracts:read'), staleTime: STALE_MS },
  )
  return new Map((read.data?.policies ?? []).flatMap((each) => (each.policy ? [[each.policy, each] as const] : [])))
}
