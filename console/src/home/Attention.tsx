// What waits for a person: a card for each kind, with how many, since when, and where to look.
import { Anchor, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Overview, OverviewAttention } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { screenOf } from '../shell/Palette.tsx'
import { Badge, Time, type Tone } from '../ui/atoms.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { type Resting, useRestingCommands } from './commands.ts'
import { HOME, MATTERS } from './words.ts'

type Kind = OverviewAttention['kind']

/** Counted no further. */
const COUNTED = 25

/** How pressing it is, its picture, and the list of them. */
const LOOKS: Readonly<Record<Kind, readonly [tone: Tone, icon: IconName, list: string]>> = {
  approvals_waiting: ['warn', 'check', '/approvals'],
  reviews_waiting: ['warn', 'shield', '/verifications'],
  transfer_failed: ['bad', 'out', '/transfers?status=paid'],
  transfer_returned: ['bad', 'out', '/transfers?status=returned'],
  transfer_unknown: ['warn', 'clock', '/transfers?status=paid'],
  transfer_late: ['warn', 'clock', '/transfers?status=paid'],
  payment_unallocated: ['bad', 'in', '/payments'],
  wallet_low: ['warn', 'wallet', '/wallets'],
  endpoint_stopped: ['warn', 'hook', '/developers/webhooks'],
  endpoint_failing: ['warn', 'hook', '/developers/webhooks'],
  event_not_sent: ['warn', 'hook', '/developers/webhooks'],
  key_ending: ['warn', 'key', '/developers/keys'],
  transfer_expiring: ['info', 'clock', '/transfers?status=issued'],
  payment_expiring: ['info', 'clock', '/payments?status=issued'],
  draft_incomplete: ['info', 'list', '/transfers?status=draft'],
}

type Shown = {
  readonly key: string
  readonly tone: Tone
  readonly icon: IconName
  readonly title: string
  readonly what: string
  readonly count: string
  readonly since: string | null
  readonly endsAt: string | null
  readonly to: string
}

export function Attention({ of }: { readonly of: Overview }) {
  const w = useWords(HOME)
  const m: Readonly<Record<string, string>> = useWords(MATTERS)
  const operators = useOperatorWork()
  const resting = useRestingCommands().map((each) => shownCommand(each, m))
  const scopes = [...new Set(of.left_out.map(({ scope }) => scope))]
  const shown = [...operators, ...resting, ...of.attention.map((each) => shownOf(each, m))]
  return (
    <Section title={w.waiting}>
      {shown.length === 0 ? (
        <Group gap="xs">
          <Badge tone="good">
            <Icon name="check" size={12} />
          </Badge>
          <Text size="sm" fw={600}>
            {w.nothingWaits}
          </Text>
          <Text size="sm" c="dimmed">
            {w.nothingWaitsLong}
          </Text>
        </Group>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          {shown.map((each) => (
            <Card key={each.key} of={each} />
          ))}
        </SimpleGrid>
      )}
      {scopes.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {w.leftOut(scopes.join(', '))}
        </Text>
      )}
    </Section>
  )
}

function shownCommand({ kind, count, since, to }: Resting, words: Readonly<Record<string, string>>): Shown {
  const said = { title: words[kind] ?? kind, what: words[`${kind}_do`] ?? '', count: String(count) }
  return { key: kind, tone: 'warn', icon: 'columns', ...said, since, endsAt: null, to }
}

function shownOf(
  { kind, count, more, since, ends_at: endsAt, objects }: OverviewAttention,
  words: Readonly<Record<string, string>>,
): Shown {
  const [tone, icon, list] = LOOKS[kind]
  const [only] = objects
  const to = count === 1 && only ? (screenOf(only) ?? list) : list
  const said = { title: words[kind] ?? kind, what: words[`${kind}_do`] ?? '', count: `${count}${more ? '+' : ''}` }
  return { key: kind, tone, icon, ...said, since, endsAt, to }
}

/** What waits for whoever operates the gateway, of all its accounts. Where it is not offered here, nothing does. */
function useOperatorWork(): Shown[] {
  const m = useWords(MATTERS)
  const can = useCan()
  const enabled = can('operations:read')
  const transfers = useRead(
    ['operations', 'home'],
    (signal) => gateway.operations.transfers({ limit: COUNTED }, { signal }).page(),
    { enabled },
  )
  const proposed = useRead(
    ['resolutions', 'home'],
    (signal) => gateway.resolutions.list({ status: 'waiting', limit: COUNTED }, { signal }).page(),
    { enabled },
  )
  const counted = ({ items, next }: { readonly items: readonly unknown[]; readonly next: string | null }) =>
    `${items.length}${next === null ? '' : '+'}`
  const same = { icon: 'work', endsAt: null, to: '/operations' } as const
  const [oldest] = transfers.data?.items ?? []
  return [
    ...(transfers.data && oldest
      ? [
          {
            ...same,
            key: 'operator transfers',
            tone: 'bad' as const,
            title: m.operator_transfers,
            what: m.operator_transfers_do,
            count: counted(transfers.data),
            since: oldest.since,
          },
        ]
      : []),
    ...(proposed.data && proposed.data.items.length > 0
      ? [
          {
            ...same,
            key: 'operator resolutions',
            tone: 'warn' as const,
            title: m.operator_resolutions,
            what: m.operator_resolutions_do,
            count: counted(proposed.data),
            since: null,
          },
        ]
      : []),
  ]
}

function Card({ of: { tone, icon, title, what, count, since, endsAt, to } }: { readonly of: Shown }) {
  const w = useWords(HOME)
  return (
    <div className={`matter matter-${tone}`}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <Icon name={icon} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" gap={6} wrap="nowrap" align="baseline">
            <Text fw={650} size="sm">
              {title}
            </Text>
            <Badge tone={tone}>{count}</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {what}
          </Text>
          <Group justify="space-between" gap="xs" mt={6}>
            <Text size="xs" c="dimmed">
              {since && (
                <>
                  {w.since}: <Time at={since} />
                </>
              )}
              {endsAt && (
                <>
                  {since ? ' · ' : ''}
                  {w.ends}: <Time at={endsAt} />
                </>
              )}
            </Text>
            <Anchor component={Link} to={to} size="sm" aria-label={`${w.look}: ${title}`}>
              {w.look}
            </Anchor>
          </Group>
        </div>
      </Group>
    </div>
  )
}
