// The card on which somebody comes in.
import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { setLanguage, useLanguage } from '../words/language.ts'

export function Door({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}) {
  const language = useLanguage()
  const other = language === 'en' ? 'fil' : 'en'
  return (
    <Center mih="100vh" p="md" component="main">
      <div style={{ width: '100%', maxWidth: 420 }}>
        <div className="card" style={{ padding: 28 }}>
          <Stack gap="md">
            <div>
              <img src="/console/icon.svg" alt="" width={36} height={36} />
              <Title order={1} mt="sm">
                {title}
              </Title>
              {lead !== undefined && <Text c="dimmed">{lead}</Text>}
            </div>
            {children}
          </Stack>
        </div>
        <Text ta="center" mt="sm" size="sm">
          <button
            type="button"
            lang={other}
            onClick={() => setLanguage(other)}
            style={{
              border: 0,
              background: 'none',
              color: 'var(--mantine-color-anchor)',
              cursor: 'pointer',
              font: 'inherit',
              padding: 6,
            }}
          >
            {other === 'fil' ? 'Filipino' : 'English'}
          </button>
        </Text>
      </div>
    </Center>
  )
}
