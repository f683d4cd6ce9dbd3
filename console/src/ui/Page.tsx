// The frame of a screen: where one is, what it is called, what can be done, and its parts.
import { Anchor, Group, Stack, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { Link } from 'react-router'

type PageProps = {
  readonly title: string
  /** What stands beside the title, such as a status. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** The list that it came from. */
  readonly parent?: readonly [title: string, to: string]
  readonly children: ReactNode
}

export function Page({ title, beside, actions, parent, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  return (
    <Stack gap="lg">
      <div>
        {parent && (
          <Anchor component={Link} to={parent[1]} size="sm" c="dimmed">
            {parent[0]}
          </Anchor>
        )}
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={1}>{title}</Title>
            {beside}
          </Group>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  )
}

/** A part of a screen, on a card. `isFlush`: what is in it reaches its edges, as tables do. */
export function Section({
  title,
  actions,
  isFlush = false,
  children,
}: {
  readonly title?: string
  readonly actions?: ReactNode
  readonly isFlush?: boolean
  readonly children: ReactNode
}) {
  return (
    <section className="card" aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" px="md" pt="sm" pb={isFlush ? 'xs' : 0} mih={40}>
          {title === undefined ? <span /> : <Title order={2}>{title}</Title>}
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div style={{ padding: isFlush ? 0 : '12px 16px 16px' }}>{children}</div>
    </section>
  )
}

export function Timeline({
  items,
}: {
  readonly items: readonly {
    readonly key: string
    readonly title: ReactNode
    readonly at: ReactNode
    readonly children?: ReactNode
  }[]
}) {
  return (
    <ol className="timeline">
      {items.map(({ key, title, at, children }) => (
        <li key={key}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <div style={{ fontWeight: 600 }}>{title}</div>
            <div style={{ color: 'var(--mantine-color-dimmed)', fontSize: 13 }}>{at}</div>
          </Group>
          {children !== undefined && <div style={{ fontSize: 14 }}>{children}</div>}
        </li>
      ))}
    </ol>
  )
}
