// The frame of the parts of verifications.
import type { ReactNode } from 'react'
import { Page } from '../ui/Page.tsx'
import { AreaTabs } from '../ui/Tabs.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { VERIFICATIONS } from './words.ts'

export function VerificationsPage({
  actions,
  children,
}: {
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const { title } = useWords(TITLE)
  const w = useWords(VERIFICATIONS)
  return (
    <Page title={title} actions={actions}>
      <AreaTabs
        label={w.parts}
        tabs={[
          [w.asked, '/verifications'],
          [w.verifiers, '/verifications/verifiers'],
        ]}
      />
      {children}
    </Page>
  )
}
