// What an amount or an account chooses by itself, of transfers and of payments.
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Sandbox, SandboxOutcome } from '../../../../sdk/src/index.ts'
import { CopyButton } from '../../ui/atoms.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { SANDBOX } from './words.ts'

export function Outcomes({ of }: { readonly of: Sandbox }) {
  const w = useWords(SANDBOX)
  const [which, setWhich] = useState<'transfers' | 'payments'>('transfers')
  return (
    <Section
      title={w.outcomes}
      isFlush
      actions={
        <SegmentedControl
          size="xs"
          aria-label={w.outcomes}
          data={[
            { value: 'transfers', label: w.transfers },
            { value: 'payments', label: w.payments },
          ]}
          value={which}
          onChange={(each) => setWhich(each as typeof which)}
        />
      }
    >
      <ListTable<SandboxOutcome>
        label={w.outcomes}
        rows={of[which]}
        keyOf={({ name }) => name}
        columns={[
          { key: 'ending', title: w.endsIn, render: ({ amount_ends_in: ending }) => endingText(ending) ?? w.anyOther },
          ...(which === 'transfers'
            ? [
                {
                  key: 'account',
                  title: w.toAccount,
                  render: ({ account }: SandboxOutcome) => <Account of={account} />,
                },
              ]
            : []),
          { key: 'what', title: w.what, render: ({ summary }) => <span lang="en">{summary}</span> },
        ]}
      />
    </Section>
  )
}

const endingText = (ending: number | null) => (ending === null ? null : `.${String(ending).padStart(2, '0')}`)

function Account({ of }: { readonly of: string | null }) {
  if (of === null) return <span>—</span>
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <span className="id">{of}</span> <CopyButton text={of} />
    </span>
  )
}
