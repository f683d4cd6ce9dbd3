// The frame of the books' parts.
import type { ReactNode } from 'react'
import { Page } from '../ui/Page.tsx'
import { AreaTabs } from '../ui/Tabs.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { LEDGER } from './words.ts'

export function LedgerPage({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { title } = useWords(TITLE)
  const w = useWords(LEDGER)
  return (
    <Page title={title} actions={actions}>
      <AreaTabs
        label={w.parts}
        tabs={[
          [w.balance, '/ledger'],
          [w.entries, '/ledger/entries'],
          [w.proofs, '/ledger/proofs'],
        ]}
      />
      {children}
    </Page>
  )
}
