// What a screen says when there is nothing to show: that it loads, that it failed and how to go on, that nothing is there.
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { GatewayError } from '../../../sdk/src/index.ts'
import { useWords } from '../words/language.ts'
import { CopyButton, type Tone } from './atoms.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { COMMON } from './words.ts'

export function Note({
  tone,
  title,
  children,
}: {
  readonly tone: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className={`note tone-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {title !== undefined && <div style={{ fontWeight: 650 }}>{title}</div>}
      {children}
    </div>
  )
}

/** What the gateway refused, in its words, with what they mean and the request's id. `onAgain` where trying again may help. */
export function ErrorNote({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) {
  const w = useWords(COMMON)
  if (!error) return null
  const refused = error instanceof GatewayError ? error : null
  if (refused?.code === 'precondition_failed') return <ChangedMeanwhile refused={refused} />
  return (
    <Note tone="bad" title={refused ? undefined : w.failed}>
      <div>{error instanceof Error ? error.message : w.failed}</div>
      {refused && refused.errors.length > 1 && (
        <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
          {refused.errors.map((each) => (
            <li key={`${each.param} ${each.message}`}>{each.message}</li>
          ))}
        </ul>
      )}
      <Group gap="md" mt={6}>
        {onAgain && (
          <Button size="compact-sm" variant="default" onClick={onAgain}>
            {w.again}
          </Button>
        )}
        {refused && <Explained refused={refused} />}
      </Group>
    </Note>
  )
}

/** Another version stands than the one that was shown. The gateway's own words speak of headers, which nobody here sends. */
function ChangedMeanwhile({ refused }: { readonly refused: GatewayError }) {
  const w = useWords(COMMON)
  return (
    <Note tone="bad" title={w.changedMeanwhile}>
      <div>{w.changedHow}</div>
      <Group gap="md" mt={6}>
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          {w.takeNewest}
        </Button>
        <Explained refused={refused} />
      </Group>
    </Note>
  )
}

function Explained({ refused: { docUrl, code, requestId } }: { readonly refused: GatewayError }) {
  const w = useWords(COMMON)
  return (
    <>
      {docUrl && (
        <Anchor href={docUrl} target="_blank" rel="noreferrer" size="sm" c="inherit" underline="always">
          {w.explained} ({code})
        </Anchor>
      )}
      {requestId && (
        <Text size="sm" c="inherit" component="span">
          {w.requestId} <span className="id">{requestId}</span> <CopyButton text={requestId} />
        </Text>
      )}
    </>
  )
}

export function Loading({ rows = 5 }: { readonly rows?: number }) {
  const w = useWords(COMMON)
  return (
    <Stack gap="sm" p="md" role="status" aria-label={w.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={18} width={`${92 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

export function Empty({
  icon = 'list',
  title,
  children,
  action,
}: {
  readonly icon?: IconName
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  const w = useWords(COMMON)
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Icon name={icon} size={32} />
      <Text fw={650}>{title ?? w.nothing}</Text>
      {children !== undefined && (
        <Text c="dimmed" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}

type Read<T> = { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }

/** What was read, or that it loads, or why not. What is there stays while it is read again. */
export function Loaded<T>({
  of,
  rows,
  children,
}: {
  readonly of: Read<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorNote error={of.error} onAgain={() => void of.refetch()} />
  return <Loading rows={rows} />
}
