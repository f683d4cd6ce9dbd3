// The sandbox of a gateway in development: its clock, its rails, what is scripted, what amounts choose, its books beside ours.
import { Button, Group, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { GatewayError, type Sandbox as Standing } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { DocsLink } from '../../ui/DocsLink.tsx'
import { Empty, Loaded, Note } from '../../ui/feedback.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { Clock } from './Clock.tsx'
import { Orders } from './Orders.tsx'
import { Outcomes } from './Outcomes.tsx'
import { Rails } from './Rails.tsx'
import { Reset, ScriptOutcome } from './ScriptForms.tsx'
import { Scripted } from './Scripted.tsx'
import { SANDBOX } from './words.ts'

const REFRESH_MS = 5000

export function Sandbox() {
  const { title } = useWords(TITLES.sandbox)
  const w = useWords(SANDBOX)
  // Others may script it, too.
  const standing = useRead<Standing | null>(
    ['sandbox', 'get'],
    (signal) => gateway.sandbox.get({ signal }).catch(absent),
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page title={title} actions={<DocsLink page="sandbox">{w.docs}</DocsLink>}>
      <Loaded of={standing}>
        {(data) =>
          data === null ? (
            <Section>
              <Empty icon="flask" title={w.absentTitle}>
                {w.absent}
              </Empty>
            </Section>
          ) : (
            <Panel of={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** Where there is none, its routes are not there either. */
function absent(error: unknown): null {
  if (error instanceof GatewayError && error.status === 404) return null
  throw error
}

function Panel({ of }: { readonly of: Standing }) {
  const w = useWords(SANDBOX)
  return (
    <>
      <Note tone="info">{w.whole}</Note>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Clock of={of.clock} />
        <ScriptSection of={of} />
      </SimpleGrid>
      <Rails of={of.rails} />
      <Orders rails={of.rails} />
      <Outcomes of={of} />
    </>
  )
}

function ScriptSection({ of }: { readonly of: Standing }) {
  const w = useWords(SANDBOX)
  const [opened, setOpened] = useState<'script' | 'reset' | null>(null)
  const close = () => setOpened(null)
  return (
    <Section
      title={w.scripted}
      actions={
        <Group gap="xs">
          {of.scripts.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => setOpened('reset')}>
              {w.reset}
            </Button>
          )}
          <Button size="compact-sm" onClick={() => setOpened('script')}>
            {w.script}
          </Button>
        </Group>
      }
    >
      <Scripted of={of.scripts} />
      {opened === 'script' && <ScriptOutcome rails={of.rails} onClose={close} />}
      {opened === 'reset' && <Reset onClose={close} />}
    </Section>
  )
}
