// The frame of the work's parts.
import type { ReactNode } from 'react'
import { AreaTabs } from '../ui/Tabs.tsx'
import { Page } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { WORK } from './words.ts'

export function WorkPage({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { title } = useWords(TITLE)
  const w = useWords(WORK)
  return (
    <Page title={title} actions={actions}>
      <AreaTabs
        label={w.parts}
        tabs={[
          [w.transfers, '/operations'],
          [w.events, '/operations/events'],
          [w.channels, '/operations/channels'],
          [w.statements, '/operations/statements'],
        ]}
      />
      {children}
    </Page>
  )
}
