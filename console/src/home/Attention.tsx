// What waits for a person: a card for each kind, with how many, since when, and where to look.
import { Anchor, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Overview, OverviewAttention } from '../../../sdk/src/index.ts'
import { screenOf } from '../shell/Palette.tsx'
import { Badge, Time, type Tone } from '../ui/atoms.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { HOME, MATTERS } from './words.ts'

type Kind = OverviewAttention['kind']

/** How pressing it is, its picture, and the list of them. */
const LOOKS: Readonly<Record<Kind, readonly [tone: Tone, icon: IconName, list: string]>> = {
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

export function Attention({ of }: { readonly of: Overview }) {
  const w = useWords(HOME)
  const { attention, left_out } = of
  const scopes = [...new Set(left_out.map(({ scope }) => scope))]
  return (
    <Section title={w.waiting}>
      {attention.length === 0 ? (
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
          {attention.map((each) => (
            <Card key={each.kind} of={each} />
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

function Card({ of: { kind, count, more, since, ends_at, objects } }: { readonly of: OverviewAttention }) {
  const w = useWords(HOME)
  const m: Readonly<Record<string, string>> = useWords(MATTERS)
  const [tone, icon, list] = LOOKS[kind]
  const [only] = objects
  const to = count === 1 && only ? (screenOf(only) ?? list) : list
  return (
    <div className={`matter matter-${tone}`}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <Icon name={icon} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" gap={6} wrap="nowrap" align="baseline">
            <Text fw={650} size="sm">
              {m[kind]}
            </Text>
            <Badge tone={tone}>
              {count}
              {more ? '+' : ''}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {m[`${kind}_do`]}
          </Text>
          <Group justify="space-between" gap="xs" mt={6}>
            <Text size="xs" c="dimmed">
              {since && (
                <>
                  {w.since}: <Time at={since} />
                </>
              )}
              {ends_at && (
                <>
                  {since ? ' · ' : ''}
                  {w.ends}: <Time at={ends_at} />
                </>
              )}
            </Text>
            <Anchor component={Link} to={to} size="sm" aria-label={`${w.look}: ${m[kind] ?? kind}`}>
              {w.look}
            </Anchor>
          </Group>
        </div>
      </Group>
    </div>
  )
}
