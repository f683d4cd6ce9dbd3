// On a transfer's page: what was asked about its recipient, what came of it, and until when that counts.
import { Text } from '@mantine/core'
import type { Transfer } from '../../../sdk/src/index.ts'
import { Time } from '../ui/atoms.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { Result } from './Result.tsx'
import { KINDS, VERIFICATIONS } from './words.ts'

export function VerificationsOfTransfer({ of }: { readonly of: Pick<Transfer, 'verifications'> }) {
  const w = useWords(VERIFICATIONS)
  const kinds: Readonly<Record<string, string>> = useWords(KINDS)
  return (
    <Section title={w.ofTransfer} isFlush>
      <ListTable
        label={w.ofTransfer}
        rows={of.verifications}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/verifications/${id}`}
        columns={[
          {
            key: 'kind',
            title: w.kind,
            render: ({ kind, verifier }) => (verifier.id === null ? (kinds[kind] ?? kind) : verifier.name),
          },
          { key: 'result', title: w.result, render: (each) => <Result of={each} /> },
          { key: 'why', title: w.why, render: ({ words }) => <Text size="sm">{words ?? '—'}</Text> },
          { key: 'counts', title: w.counts, render: ({ expires_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}
