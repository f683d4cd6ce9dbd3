// Leads from a screen to the page of the documentation that is about it, beside the console.
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

export function DocsLink({ page, children }: { readonly page: string; readonly children: ReactNode }) {
  return (
    <Anchor href={`/docs/${page}`} target="_blank" rel="noreferrer" size="sm">
      {children}
    </Anchor>
  )
}
