// What has left by a key under its mandate, and what is left of it: bars, with the figures of the gateway beside them.
import { Group, Progress, Stack, Text } from '@mantine/core'
import type { Key } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { moneyText } from '../../ui/amounts.ts'
import { Facts, Money, Time } from '../../ui/atoms.tsx'
import { Section } from '../../ui/Page.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { MANDATE } from './mandate-words.ts'

type Mandate = NonNullable<Key['mandate']>

export function Spending({ of }: { readonly of: Mandate }) {
  const w = useWords(MANDATE)
  const names = useProfileNames(of.profiles)
  const whom = [
    ...(of.recipients ?? []).map(({ wallet, tag, mobile, email }) =>
      [wallet, tag, mobile, email].filter(Boolean).join(' · '),
    ),
    ...names,
  ]
  return (
    <Section title={w.title}>
      <Stack gap="md">
        {of.limits.map((limit) => (
          <Bar key={limit.currency} of={limit} />
        ))}
        <Facts
          of={[
            [w.whom, whom.length === 0 ? w.anybody : whom.join(', ')],
            [w.channels, of.channels === null ? w.anyChannel : of.channels.join(', ')],
            [w.until, of.until === null ? w.asLong : <Time key="until" at={of.until} />],
          ]}
        />
      </Stack>
    </Section>
  )
}

function Bar({ of }: { readonly of: Mandate['limits'][number] }) {
  const w = useWords(MANDATE)
  const language = useLanguage()
  const { currency, total, spent, remaining, per_transfer: most, approval_above: above, transfers } = of
  const text = (amount: number) => moneyText(amount, currency, language)
  const share = total === 0 ? 100 : Math.min(100, (spent / total) * 100)
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          {w.spent(text(spent), text(total))}
        </Text>
        <Text size="sm" c="dimmed">
          {w.left} <Money amount={remaining} currency={currency} />
          {' · '}
          {w.times(transfers)}
          {most !== null && ` · ${w.atATime(text(most))}`}
          {above !== null && ` · ${w.asksAbove(text(above))}`}
        </Text>
      </Group>
      <Progress
        value={share}
        color={share >= 90 ? 'red' : undefined}
        aria-label={w.spent(text(spent), text(total))}
        size="lg"
      />
    </div>
  )
}

/** What the profiles are called; their ids where that may not be read. */
function useProfileNames(ids: readonly string[] | null): readonly string[] {
  const can = useCan()
  const read = useRead(
    ['profiles', 'named', ids],
    (signal) =>
      Promise.all(
        (ids ?? []).map((id) =>
          gateway.profiles.get(id, {}, { signal }).then(({ name, email }) => name ?? email ?? id),
        ),
      ),
    { enabled: can('profiles:read') && ids !== null && ids.length > 0 },
  )
  return read.data ?? ids ?? []
}
