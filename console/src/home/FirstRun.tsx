// What to do in an account in which nothing has happened: each step only for who may take it.
import { Anchor, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Scope } from '../../../sdk/src/index.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { FIRST } from './words.ts'

type Step = {
  readonly icon: IconName
  readonly title: string
  readonly what: string
  readonly action: string
  readonly to: string
  readonly scope?: Scope
}

export function FirstRun() {
  const w = useWords(FIRST)
  const { isLive } = useSignedIn()
  const can = useCan()
  const steps: readonly Step[] = [
    ...(isLive
      ? []
      : [
          {
            icon: 'wallet',
            title: w.fund,
            what: w.fundWhat,
            action: w.fundDo,
            to: '/wallets',
            scope: 'wallets:write',
          } as const,
        ]),
    { icon: 'out', title: w.send, what: w.sendWhat, action: w.sendDo, to: '/transfers/new', scope: 'contracts:write' },
    { icon: 'in', title: w.ask, what: w.askWhat, action: w.askDo, to: '/payments/new', scope: 'contracts:write' },
    { icon: 'code', title: w.build, what: w.buildWhat, action: w.buildDo, to: '/docs/quick-start' },
  ]
  const own = steps.filter(({ scope }) => scope === undefined || can(scope))
  return (
    <Section title={w.title}>
      <Text c="dimmed" size="sm" mb="md">
        {isLive ? w.leadLive : w.lead}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: own.length }} spacing="sm">
        {own.map(({ icon, title, what, action, to }) => (
          <div key={to} className="matter matter-info">
            <Group gap={8} wrap="nowrap">
              <Icon name={icon} />
              <Title order={3} size="h6">
                {title}
              </Title>
            </Group>
            <Text size="sm" c="dimmed" my={6}>
              {what}
            </Text>
            {to.startsWith('/docs/') ? (
              <Anchor href={to} target="_blank" rel="noreferrer" size="sm">
                {action}
              </Anchor>
            ) : (
              <Anchor component={Link} to={to} size="sm">
                {action}
              </Anchor>
            )}
          </div>
        ))}
      </SimpleGrid>
    </Section>
  )
}
